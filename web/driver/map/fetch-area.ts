import { worldPath } from '../../../contract/pages.ts'
import { openTiles } from '../../map/ground/pmtiles.ts'
import type { Point } from '../../map/point.ts'
import { cellsAround } from './area.ts'

/** Unpacked; about half as much travels. */
const mostBytes = 30_000_000

/**
 * Asks for the tiles around the stops, which the service worker keeps: what it already has is not fetched again. Of somebody
 * else's server nothing is fetched ahead: that is not what it is for.
 */
export async function fetchArea(points: readonly Point[], signal: AbortSignal) {
  const described = await fetch('/console.json', { signal, headers: { accept: 'application/json' } })
  const { tiles }: { tiles?: string } = await described.json()
  let left = mostBytes
  for (const path of tiles ? [tiles, worldPath] : [worldPath]) {
    const file = openTiles(new URL(path, location.href).href)
    const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = await file.getHeader()
    const cells = cellsAround(points, { minZoom, maxZoom, bounds: [minLon, minLat, maxLon, maxLat] })
    for (const { z, x, y } of cells) {
      if (left <= 0) return
      const tile = await file.getZxy(z, x, y, signal)
      left -= tile?.data.byteLength ?? 0
    }
  }
}
