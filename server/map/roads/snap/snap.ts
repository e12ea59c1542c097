import type { Point } from '../../../../core/geo.ts'
import type { Transport } from '../../../../core/travel.ts'
import { unitsPerDegree } from '../../extract/block.ts'
import type { RoadFile } from '../file.ts'
import { isTurnGraph, type ProfileGraph, uses } from '../graph/profile-graph.ts'
import { marks } from '../net/kinds.ts'
import { metresBetween } from '../net/metres.ts'
import { lookAround, type Nearest, nearestOf } from './nearest.ts'
import type { Spot } from './spot.ts'
import { seedsAtTurns } from './turn-seeds.ts'
import { seedsAtJunctions } from './walk-seeds.ts'

/** What is farther from a road is not reached by road, as far as we know. */
const mostMetres = 1_000
/** The pace of core/travel.ts. */
export const walkingMetresPerSecond = 1.35
/** Farther away a road counts that is for residents only, or where nobody may stop: a street beside it is what is meant. */
const extraMetres = { endsOnly: 10, noStops: 50 }
/** Nearer to the middle of a wide road the side is not known: positions are not that exact. */
const sideMetres = 6

/** Undefined if there is no road near from which one gets away again. */
export function snap(roads: RoadFile, profile: Transport, { lat, lng }: Point): Spot | undefined {
  const { net, grid } = roads
  const graph = roads.graphOf(profile)
  const at = [Math.round(lat * unitsPerDegree), Math.round(lng * unitsPerDegree)] as const
  let best: { nearest: Nearest; counts: number; canBe: Sides } | undefined
  lookAround(
    grid,
    ...at,
    mostMetres,
    (edge) => {
      if (!isUsable(graph, edge)) return
      const nearest = nearestOf(net, edge, ...at)
      if (nearest.metres > mostMetres) return
      const counts = nearest.metres + extraOf(graph, net.marks[edge] as number, edge)
      // Of two that are as near the first counts: the order of squares must not decide.
      if (best && (counts > best.counts || (counts === best.counts && edge >= best.nearest.edge))) return
      best = { nearest, counts, canBe: sidesOf(graph, net.marks[edge] as number, nearest, roads.side, profile) }
    },
    () => best?.counts ?? Number.POSITIVE_INFINITY,
  )
  return best && toSpot(roads, graph, best.nearest, best.canBe)
}

/** Along the course and against it. */
type Sides = readonly [boolean, boolean]

const has = (graph: ProfileGraph, directed: number, use: number) => ((graph.edgeUse[directed] as number) & use) !== 0
const isWhole = (graph: ProfileGraph, directed: number) =>
  has(graph, directed, uses.canLeave) && has(graph, directed, uses.canArrive)

/** One has to get there, and away again: in the one direction or the other. */
const isUsable = (graph: ProfileGraph, edge: number) =>
  (has(graph, edge * 2, uses.canArrive) || has(graph, edge * 2 + 1, uses.canArrive)) &&
  (has(graph, edge * 2, uses.canLeave) || has(graph, edge * 2 + 1, uses.canLeave))

const extraOf = (graph: ProfileGraph, edgeMarks: number, edge: number) =>
  ([0, 1].every((way) => graph.edgeMs[edge * 2 + way] === 0 || has(graph, edge * 2 + way, uses.endsOnly))
    ? extraMetres.endsOnly
    : 0) + (edgeMarks & marks.noStops ? extraMetres.noStops : 0)

/** On a wide road one comes and goes on the side where the place is; elsewhere one crosses the street. */
function sidesOf(
  graph: ProfileGraph,
  edgeMarks: number,
  { edge, right }: Nearest,
  side: 'right' | 'left',
  profile: Transport,
): Sides {
  const [along, against] = [isWhole(graph, edge * 2), isWhole(graph, edge * 2 + 1)]
  if (profile === 'foot' || !(edgeMarks & marks.wide) || !along || !against || Math.abs(right) < sideMetres)
    return [true, true]
  const isAlong = side === 'right' ? right > 0 : right < 0
  return [isAlong, !isAlong]
}

function toSpot({ net }: RoadFile, graph: ProfileGraph, nearest: Nearest, canBe: Sides): Spot {
  const { edge, point, metres } = nearest
  const share = shareOf(net, nearest)
  const walkMs = Math.round((metres / walkingMetresPerSecond) * 1000)
  const walkDm = Math.round(metres * 10)
  const edgeMs = [0, 1].map((way) => (canBe[way] ? (graph.edgeMs[edge * 2 + way] as number) : 0)) as [number, number]
  const on = { edge, share, edgeMs, edgeDm: net.dm[edge] as number, walkMs, walkDm }
  const seeds = isTurnGraph(graph) ? seedsAtTurns(graph, on) : seedsAtJunctions(net, graph, on)
  return {
    ...on,
    ...seeds,
    lat: nearest.lat / unitsPerDegree,
    lng: nearest.lng / unitsPerDegree,
    walkMetres: metres,
    point,
  }
}

function shareOf(net: RoadFile['net'], { edge, point, share }: Nearest): number {
  let [before, whole] = [0, 0]
  for (let at = net.first[edge] as number; at < (net.last[edge] as number); at += 1) {
    const metres = metresBetween(
      net.lat[at] as number,
      net.lng[at] as number,
      net.lat[at + 1] as number,
      net.lng[at + 1] as number,
    )
    whole += metres
    if (at < point) before += metres
    else if (at === point) before += metres * share
  }
  return whole === 0 ? 0 : Math.min(1, before / whole)
}

/** From a spot to another one on the same edge, if it lies ahead. */
export function directWay(from: Spot, to: Spot): { ms: number; dm: number } | undefined {
  if (from.edge !== to.edge) return undefined
  const ways = ([0, 1] as const).flatMap((way) => {
    const part = way === 0 ? to.share - from.share : from.share - to.share
    const ms = Math.min(from.edgeMs[way], to.edgeMs[way])
    if (part < 0 || ms === 0) return []
    return [
      {
        ms: Math.round(part * ms) + from.walkMs + to.walkMs,
        dm: Math.round(part * from.edgeDm) + from.walkDm + to.walkDm,
      },
    ]
  })
  return ways.toSorted((one, other) => one.ms - other.ms)[0]
}
