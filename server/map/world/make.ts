import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GeoJSONVT, type GeoJSONVTOptions, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Feature, FeatureCollection } from 'geojson'
import { idOf } from '../tiles/hilbert.ts'
import { openTileWriter } from '../tiles/pmtiles.ts'
import { readRiversAndLakes, readSeaAndBorders } from './shapes.ts'
import { readTowns } from './towns.ts'

/*
 * The world without streets, as vector tiles in one file: what every map shows that has nothing better. It is made when the
 * pages are built, from packages, and belongs to them.
 */

/** Browsers enlarge its tiles from there on. A unit of such a tile is 150 metres, about as exact as the data. */
const lastZoom = 6

export async function makeWorld(path: string): Promise<{ bytes: number; tiles: number }> {
  const cut = (features: Feature[], options: Partial<GeoJSONVTOptions> = {}) => {
    const collection: FeatureCollection = { type: 'FeatureCollection', features }
    // All tiles are made, however few points they have.
    const every = { maxZoom: lastZoom, indexMaxZoom: lastZoom, indexMaxPoints: 0 }
    return new GeoJSONVT(collection, { ...every, buffer: 64, ...options })
  }
  const { sea, borders } = await readSeaAndBorders()
  const layers = {
    water: cut([sea, ...(await readRiversAndLakes())]),
    boundaries: cut([borders]),
    places: cut(await readTowns(), { buffer: 0 }),
  }

  const work = join(dirname(path), 'world-in-work')
  const writer = openTileWriter(path, work)
  try {
    for (let z = 0; z <= lastZoom; z++)
      for (const cell of cellsOf(z)) {
        const { x, y } = cell
        const found = Object.entries(layers).flatMap(([name, index]): [string, GeoJSONVTTile][] => {
          const tile = index.getTile(z, x, y)
          if (!tile) return []
          const features = (tile.features as TileFeature[]).filter((one) => isSeen(one, z))
          return features.length > 0 ? [[name, { ...tile, features }]] : []
        })
        if (found.length > 0)
          await writer.add(cell, fromGeojsonVt(Object.fromEntries(found), { version: 2, extent: 4096 }))
      }
    return await writer.finish({
      bounds: { west: -180, south: -85, east: 180, north: 85 },
      metadata: { name: 'World', vector_layers: Object.keys(layers).map((id) => ({ id, fields: {} })) },
    })
  } finally {
    await writer.dispose()
    await rm(work, { recursive: true, force: true })
  }
}

/** In the order in which they lie in the file. */
function cellsOf(z: number) {
  const side = 2 ** z
  return Array.from({ length: side * side }, (_, at) => ({ z, x: at % side, y: Math.floor(at / side) })).sort(
    (one, other) => idOf(one) - idOf(other),
  )
}

type TileFeature = GeoJSONVTTile['features'][number]

/** A tile is shown until the next zoom; those of the last one for good. */
function isSeen({ type, tags, geometry }: TileFeature, zoom: number): boolean {
  if (type === 1) return zoom === lastZoom || Number(tags?.['min_zoom']) < zoom + 1
  return type !== 3 || areaOf(geometry as [number, number][][]) > 1
}

/** Nothing is left of the sea where land covers the whole tile: holes run the other way round than what they are in. */
function areaOf(rings: readonly (readonly [number, number])[][]): number {
  const twice = rings.map((ring) =>
    ring.reduce((sum, [x, y], at) => {
      const [nextX, nextY] = ring[(at + 1) % ring.length] as readonly [number, number]
      return sum + x * nextY - nextX * y
    }, 0),
  )
  return Math.abs(twice.reduce((sum, area) => sum + area, 0))
}
