import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Maker } from '../extract/elements.ts'
import { UnreadableExtract } from '../extract/unreadable.ts'
import { openBuckets } from './buckets.ts'
import { type Cell, cellsOf, clip } from './clip.ts'
import { cornersOf, createCoast } from './coast.ts'
import { cutBucket } from './cut.ts'
import { shapesOfArea, shapesOfNode, shapesOfWay } from './features.ts'
import { idOf } from './hilbert.ts'
import { type LayerName, lastZoom, layers } from './layers.ts'
import { type Bounds, openTileWriter } from './pmtiles.ts'
import { type Box, boxOf, geometries, type Shape } from './shapes.ts'
import { type Path, stride, toLat, toLng, worldSize } from './world.ts'

export interface MadeTiles {
  path: string
  bytes: number
  tiles: number
  /** Compressed. */
  largestTileBytes: number
  bounds: Bounds
}

export interface Options {
  /** Hears how much of the tiles is made, from 0 to 1, while it finishes. */
  progress?: (share: number) => void
  signal?: AbortSignal
  /** How many bytes of a cell may be in memory at once, as they are on disk; there they take about eight times as many. */
  mostInMemory?: number
}

export const tilesFile = 'map.pmtiles'

/**
 * What lies in a cell of this zoom goes to a file of its own, for the tiles from there on. For those of the zooms before there is
 * one file, with the little that is seen from afar.
 */
const cellZoom = 8
const world: Cell = { z: 0, x: 0, y: 0 }
const nothingToDraw =
  'The file has neither roads nor buildings: take an extract of a city, a county or a country, not one with chosen things only'

/**
 * Makes the file of tiles in the folder, with what `layers.ts` lists. Whatever the size of the extract, what is drawn goes to
 * disk first, by cells; then one cell after the other is read and cut into its tiles.
 */
export function createTileMaker(
  folder: string,
  { progress, signal, mostInMemory = 12 * 1024 * 1024 }: Options = {},
): Maker<MadeTiles> {
  const work = join(folder, 'tiles-in-work')
  const path = join(folder, tilesFile)
  const buckets = openBuckets(work)
  const writer = openTileWriter(path, work)
  const coast = createCoast()
  let reach: Box | undefined

  const keep = (shapes: readonly Shape[]): Promise<void> | undefined => {
    for (const shape of shapes) {
      if (shape.layer === 'roads' || shape.layer === 'buildings') reach = around(reach, shape)
      place(shape)
    }
    return buckets.isFull ? buckets.flush() : undefined
  }

  const place = (shape: Shape) => {
    for (const part of onTheWorld(shape)) {
      if (part.minZoom < cellZoom) buckets.add(world, coarse(part))
      for (const cell of cellsOf(part, cellZoom)) {
        const inside = clip(part, cell)
        if (inside) buckets.add(cell, inside)
      }
    }
  }

  return {
    node: (node) => keep(shapesOfNode(node)),
    way(way) {
      coast.add(way)
      return keep(shapesOfWay(way))
    },
    area: (found) => keep(shapesOfArea(found)),

    async finish() {
      if (!reach) throw new UnreadableExtract(nothingToDraw)
      const shore = coast.box()
      if (shore) reach = withSea(around(reach, shore))
      place(area('earth', 'earth', [cornersOf(reach)]))
      if (shore) for (const sea of coast.seas(reach)) place(area('water', 'ocean', sea))
      await buckets.flush()
      const all = buckets.list().toSorted((one, other) => idOf(one.cell) - idOf(other.cell))
      const total = all.reduce((sum, { bytes }) => sum + bytes, 0)
      let done = 0
      for (const bucket of all) {
        await cutBucket(bucket, {
          folder: work,
          writer,
          upTo: bucket.cell.z < cellZoom ? cellZoom - 1 : lastZoom,
          progress: (share) => progress?.((done + share * bucket.bytes) / total),
          signal,
          mostInMemory,
        })
        done += bucket.bytes
      }
      const bounds = {
        west: toLng(reach.left),
        south: toLat(reach.bottom),
        east: toLng(reach.right),
        north: toLat(reach.top),
      }
      return { path, bounds, ...(await writer.finish({ bounds, metadata })) }
    },

    async dispose() {
      await writer.dispose()
      await rm(work, { recursive: true, force: true })
    },
  }
}

const metadata = {
  name: 'OpenStreetMap',
  type: 'baselayer',
  version: '4.0.0',
  attribution: '<a href="https://www.openstreetmap.org/copyright" target="_blank">&copy; OpenStreetMap</a>',
  vector_layers: layers.map((id) => ({ id, minzoom: 0, maxzoom: lastZoom, fields: {} })),
}

/** What reaches over the date line is drawn on both sides of the world. */
function onTheWorld(shape: Shape): Shape[] {
  const parts = [shape]
  if (shape.left < 0) parts.push(moved(shape, worldSize))
  if (shape.right > worldSize) parts.push(moved(shape, -worldSize))
  return parts
}

const moved = (shape: Shape, by: number): Shape => ({
  ...shape,
  left: shape.left + by,
  right: shape.right + by,
  paths: shape.paths.map((path) => path.map((value, index) => (index % stride === 0 ? value + by : value))),
})

/** Without the points that only the later zooms need. */
const coarse = (shape: Shape): Shape => ({
  ...shape,
  paths: shape.paths.map((path) =>
    path.filter((_, index) => (path[index - (index % stride) + 2] as number) < cellZoom),
  ),
})

const around = (box: Box | undefined, { left, top, right, bottom }: Box): Box =>
  box
    ? {
        left: Math.min(box.left, left),
        top: Math.min(box.top, top),
        right: Math.max(box.right, right),
        bottom: Math.max(box.bottom, bottom),
      }
    : { left, top, right, bottom }

/** So much of the sea is drawn beyond the coast and the roads: as much again as half of them is wide, at most about 50 km. */
const widestSea = worldSize / 800

function withSea({ left, top, right, bottom }: Box): Box {
  const by = Math.round(Math.min(widestSea, Math.max(right - left, bottom - top) / 2))
  const within = (place: number) => Math.min(worldSize, Math.max(0, place))
  return { left: within(left - by), top: within(top - by), right: within(right + by), bottom: within(bottom + by) }
}

/** Land is all that the extract reaches: extracts say where water is, not where land is. */
const area = (layer: LayerName, kind: string, paths: Path[]): Shape => ({
  layer,
  geometry: geometries.polygon,
  minZoom: 0,
  says: JSON.stringify({ kind }),
  paths,
  ...boxOf(paths),
})
