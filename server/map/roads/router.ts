import { distanceMetres, type Point } from '../../../core/geo.ts'
import { encodePolyline } from '../../../core/polyline.ts'
import type { Transport } from '../../../core/travel.ts'
import { openRoadFile, type RoadFile } from './file.ts'
import { dmIn, msIn, noWay, weightOf } from './search/graph.ts'
import { findTable } from './search/table.ts'
import { findWay } from './search/way.ts'
import { createWorkspace, type Workspace } from './search/workspace.ts'
import { courseOf } from './snap/course.ts'
import { directWay, snap, walkingMetresPerSecond } from './snap/snap.ts'
import type { Spot } from './snap/spot.ts'

/* Places in, times and lines out: each place is put on the roads, and the best way is the one over them, or the few steps between. */

/** The trip from place `i` to place `j` is at `i * places.length + j`; -1 where no way by road is known. */
export interface RoadTable {
  seconds: Float64Array
  metres: Float64Array
}

export interface Leg {
  seconds: number
  metres: number
  /** Along the streets, as core/polyline.ts writes it. */
  line: string
}

export interface Router {
  bounds: RoadFile['bounds']
  table(transport: Transport, places: readonly Point[]): RoadTable
  /** One for each two places that follow each other; undefined where no way by road is known. */
  legs(transport: Transport, places: readonly Point[]): (Leg | undefined)[]
  close(): void
}

export const unknown = -1

interface Placed {
  place: Point
  spot: Spot | undefined
}

/** Throws what is wrong with the file. */
export function openRouter(path: string): Router {
  const roads = openRoadFile(path)
  const hasRoads = roads.net.from.length > 0
  let workspace: Workspace | undefined

  const put = (transport: Transport, place: Point): Placed => ({
    place,
    spot: hasRoads ? snap(roads, transport, place) : undefined,
  })

  /** For the largest graph so far, which is about as large as the others. */
  function open(transport: Transport) {
    const hierarchy = roads.hierarchyOf(transport)
    if (!workspace || workspace.settled.length < hierarchy.rank.length)
      workspace = createWorkspace(hierarchy.rank.length)
    return [hierarchy, workspace] as const
  }

  return {
    bounds: roads.bounds,

    table(transport, places) {
      const size = places.length
      const placed = places.map((place) => put(transport, place))
      const weights = placed.some(({ spot }) => spot)
        ? findTable(
            ...open(transport),
            placed.map(({ spot }) => spot?.leaving ?? []),
            placed.map(({ spot }) => spot?.arriving ?? []),
          )
        : new Float64Array(size * size).fill(noWay)
      shorten(placed, weights)
      const table = { seconds: new Float64Array(size * size), metres: new Float64Array(size * size) }
      for (const [at, weight] of weights.entries()) {
        table.seconds[at] = weight === noWay ? unknown : msIn(weight) / 1_000
        table.metres[at] = weight === noWay ? unknown : dmIn(weight) / 10
      }
      return table
    },

    legs(transport, places) {
      const placed = places.map((place) => put(transport, place))
      return placed.slice(1).map((to, index) => goBetween(transport, placed[index]!, to))
    },

    close: roads.close,
  }

  function goBetween(transport: Transport, from: Placed, to: Placed): Leg | undefined {
    const short = shortWay(from, to)
    const way = from.spot && to.spot && findWay(...open(transport), from.spot.leaving, to.spot.arriving)
    const weight = way ? weightOf(way.ms, way.dm) : noWay
    const best = Math.min(weight, short.weight)
    if (best === noWay) return undefined
    const line =
      short.weight > weight
        ? courseOf(roads, transport, from.spot!, to.spot!, way!.vertices)
        : short.isWalk
          ? [from.place, to.place]
          : courseOf(roads, transport, from.spot!, to.spot!, [])
    return { seconds: msIn(best) / 1_000, metres: dmIn(best) / 10, line: encodePolyline(line) }
  }
}

/** Where two places are so near that the best way is none over junctions. */
function shorten(placed: readonly Placed[], weights: Float64Array) {
  const size = placed.length
  // Most pairs are far from each other: looked at as numbers, a million of them takes some milliseconds.
  const edges = Float64Array.from(placed, ({ spot }) => spot?.edge ?? Number.NaN)
  const lats = Float64Array.from(placed, ({ place }) => place.lat)
  const nears = Float64Array.from(placed, ({ spot }) => (spot?.walkMetres ?? 0) / leastMetresPerDegree)
  for (let from = 0; from < size; from += 1)
    for (let to = 0; to < size; to += 1) {
      if (edges[from] !== edges[to] && Math.abs(lats[from]! - lats[to]!) > nears[from]! + nears[to]!) continue
      const { weight } = shortWay(placed[from]!, placed[to]!)
      const at = from * size + to
      if (weight < weights[at]!) weights[at] = weight
    }
}

const leastMetresPerDegree = 110_000

/** Along the one edge on which both are, or straight across if that is less than to walk to the road and back from it. */
function shortWay(from: Placed, to: Placed): { weight: number; isWalk: boolean } {
  const along = from.spot && to.spot && directWay(from.spot, to.spot)
  const weight = along ? weightOf(along.ms, along.dm) : noWay
  const metres = distanceMetres(from.place, to.place)
  const isNear = metres === 0 || metres < (from.spot?.walkMetres ?? 0) + (to.spot?.walkMetres ?? 0)
  const walk = isNear ? weightOf(Math.round((metres / walkingMetresPerSecond) * 1_000), Math.round(metres * 10)) : noWay
  return walk < weight ? { weight: walk, isWalk: true } : { weight, isWalk: false }
}
