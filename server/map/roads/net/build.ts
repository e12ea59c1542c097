import { Growing } from '../growing.ts'
import { backwardOnly, forwardOnly, waitOf, waits } from './barriers.ts'
import { type Collected, junctionOf } from './collect.ts'
import { metresBetween } from './metres.ts'
import type { NetInMaking } from './net.ts'
import { placeRestrictions } from './place-restrictions.ts'

/* Cuts ways at their junctions: what lies between two of them is one edge. */

/** Undefined if there are no roads. */
export function buildNet(collected: Collected): NetInMaking | undefined {
  const { ways, points, kinds } = collected
  if (ways.ids.length === 0) return undefined
  const junctionIds = findJunctions(collected)
  const edges = cutWays(collected, junctionIds)
  const [lat, lng] = [points.lat.list(), points.lng.list()]
  const net = {
    ...edges.lists,
    ...measure(edges.lists, lat, lng),
    ...nodesOf(collected, junctionIds),
    lat,
    lng,
    junctions: junctionIds.length,
    ...leavingOf(edges.lists, junctionIds.length),
    marks: Uint8Array.from(edges.lists.kind, (kind) => kinds.marks.at(kind)),
    kinds: { speeds: kinds.speeds.list(), ends: kinds.ends.list(), marks: kinds.marks.list() },
    restrictions: [],
  }
  return { ...net, restrictions: placeRestrictions(collected, junctionIds, edges.firstOfWay, net) }
}

/** Nodes where ways begin, end or meet, and where somebody is stopped; in the order of their ids. */
function findJunctions({ ways, points, stops }: Collected): Float64Array {
  const ids = points.nodeIds.list()
  const stopping = stops.ids.list().filter((_, index) => stops.stops.at(index) !== 0)
  // What is there twice is a junction: ends are added once more, and so is what stops somebody.
  const all = new Float64Array(ids.length + ways.ids.length * 2 + stopping.length)
  all.set(ids)
  let used = ids.length
  for (let way = 0; way < ways.ids.length; way += 1) {
    const [first, end] = pointsOf({ ways, points }, way)
    all[used] = ids[first] as number
    all[used + 1] = ids[end - 1] as number
    used += 2
  }
  all.set(stopping, used)
  all.sort()
  const junctions = new Growing(Float64Array)
  for (let index = 1; index < all.length; index += 1)
    if (all[index] === all[index - 1] && all[index] !== all[index - 2]) junctions.push(all[index] as number)
  return junctions.list().slice()
}

const pointsOf = ({ ways, points }: Pick<Collected, 'ways' | 'points'>, way: number) =>
  [ways.first.at(way), way + 1 < ways.ids.length ? ways.first.at(way + 1) : points.nodeIds.length] as const

function cutWays(collected: Collected, junctionIds: Float64Array) {
  const { ways, points, stopAt } = collected
  const ids = points.nodeIds.list()
  const edges = {
    from: new Growing(Uint32Array),
    to: new Growing(Uint32Array),
    first: new Growing(Uint32Array),
    last: new Growing(Uint32Array),
    kind: new Growing(Uint32Array),
    /** Two for each edge: along its course and against it. */
    lights: new Growing(Uint8Array),
    crossings: new Growing(Uint8Array),
    gates: new Growing(Uint8Array),
  }
  const firstOfWay = new Uint32Array(ways.ids.length + 1)
  for (let way = 0; way < ways.ids.length; way += 1) {
    firstOfWay[way] = edges.from.length
    const [first, end] = pointsOf(collected, way)
    const kind = ways.kinds.at(way)
    let [begin, from] = [first, junctionOf(junctionIds, ids[first] as number)]
    let [lights, back, crossings, gates] = [0, 0, 0, 0]
    for (let point = first + 1; point < end; point += 1) {
      const to = junctionOf(junctionIds, ids[point] as number)
      if (to < 0) {
        const { wait } = stopAt(ids[point] as number) ?? { wait: 0 }
        if ((wait & waitOf) === waits.light) {
          if (!(wait & backwardOnly)) lights += 1
          if (!(wait & forwardOnly)) back += 1
        }
        if ((wait & waitOf) === waits.crossing) crossings += 1
        if ((wait & waitOf) === waits.gate) gates += 1
        continue
      }
      edges.from.push(from)
      edges.to.push(to)
      edges.first.push(begin)
      edges.last.push(point)
      edges.kind.push(kind)
      edges.lights.push(lights)
      edges.lights.push(back)
      for (const list of [edges.crossings, edges.crossings]) list.push(crossings)
      for (const list of [edges.gates, edges.gates]) list.push(gates)
      ;[begin, from, lights, back, crossings, gates] = [point, to, 0, 0, 0, 0]
    }
  }
  firstOfWay[ways.ids.length] = edges.from.length
  const lists = {
    from: edges.from.list(),
    to: edges.to.list(),
    first: edges.first.list(),
    last: edges.last.list(),
    kind: edges.kind.list(),
    lights: edges.lights.list(),
    crossings: edges.crossings.list(),
    gates: edges.gates.list(),
  }
  return { lists, firstOfWay }
}

/** A road's direction at a junction is where it leads within so many metres: the first ones are often bent. */
const headingMetres = 15

function measure({ first, last }: { first: Uint32Array; last: Uint32Array }, lat: Int32Array, lng: Int32Array) {
  const edges = first.length
  const [dm, begins, ends] = [new Uint32Array(edges), new Uint8Array(edges), new Uint8Array(edges)]
  const between = (one: number, other: number) =>
    metresBetween(lat[one] as number, lng[one] as number, lat[other] as number, lng[other] as number)
  const heading = (one: number, other: number) => {
    const north = (lat[other] as number) - (lat[one] as number)
    const east =
      ((lng[other] as number) - (lng[one] as number)) * Math.cos((((lat[one] as number) / 1e7) * Math.PI) / 180)
    return Math.round((Math.atan2(east, north) / (2 * Math.PI)) * 256) & 255
  }
  for (let edge = 0; edge < edges; edge += 1) {
    const [begin, end] = [first[edge] as number, last[edge] as number]
    let metres = 0
    for (let point = begin; point < end; point += 1) metres += between(point, point + 1)
    dm[edge] = Math.max(1, Math.round(metres * 10))
    let ahead = begin + 1
    while (ahead < end && between(begin, ahead) < headingMetres) ahead += 1
    begins[edge] = heading(begin, ahead)
    let behind = end - 1
    while (behind > begin && between(behind, end) < headingMetres) behind -= 1
    ends[edge] = heading(behind, end)
  }
  return { dm, begins, ends }
}

function nodesOf({ stopAt }: Collected, junctionIds: Float64Array) {
  const [stops, waits] = [new Uint8Array(junctionIds.length), new Uint8Array(junctionIds.length)]
  for (let junction = 0; junction < junctionIds.length; junction += 1) {
    const stop = stopAt(junctionIds[junction] as number)
    if (!stop) continue
    stops[junction] = stop.stops
    waits[junction] = stop.wait & waitOf
  }
  return { stops, waits }
}

/** The directed edges that begin at each junction. */
function leavingOf({ from, to }: { from: Uint32Array; to: Uint32Array }, junctions: number) {
  const leavingFirst = new Uint32Array(junctions + 1)
  for (const ends of [from, to]) for (const junction of ends) (leavingFirst[junction + 1] as number) += 1
  for (let at = 1; at <= junctions; at += 1) (leavingFirst[at] as number) += leavingFirst[at - 1] as number
  const next = leavingFirst.slice()
  const leaving = new Uint32Array(from.length * 2)
  for (let directed = 0; directed < leaving.length; directed += 1) {
    const tail = (directed & 1 ? to : from)[directed >>> 1] as number
    leaving[next[tail] as number] = directed
    ;(next[tail] as number) += 1
  }
  return { leavingFirst, leaving }
}
