import { type Precedence, tracePrecedence } from './precedence.ts'
import { type Problem, travelBetween, unservedPenalty } from './problem.ts'

/*
 * The problem as the search reads it: all numbers in typed arrays. Stops, lunches, starts and ends are all *nodes*, so
 * that a loop along a route needs no special cases:
 *
 *   0 … stops │ lunches, one a vehicle │ starts │ ends
 *
 * An end is a stop that is late after the shift. One extra place stands for "anywhere": trips from and to it take no
 * time, so an open end needs no special case either.
 */

export interface Instance {
  problem: Problem
  stopCount: number
  vehicleCount: number
  nodeCount: number
  firstLunch: number
  firstStart: number
  firstEnd: number

  placeCount: number
  travel: Int32Array
  /** The same from the second place to the first, so that a scan finds all trips from and to a stop side by side. */
  travelBack: Int32Array
  /** By node. A lunch has no place. */
  place: Int32Array
  earliest: Float64Array
  latest: Float64Array
  service: Float64Array
  weight: Float64Array
  demand: Float64Array

  /** By vehicle. */
  hasLunch: Uint8Array
  capacity: Float64Array
  /** The node after which others may be inserted: the start or the pinned stop. */
  head: Int32Array
  /** Empty vehicles of one kind are interchangeable. */
  kind: Int32Array
  kindCount: number

  /** By stop. */
  isPinned: Uint8Array
  penalty: Float64Array
  mayBeLeftOut: Uint8Array
  /** `stop * vehicleCount + vehicle`; undefined if every vehicle may serve every stop. */
  isAllowed: Uint8Array | undefined
  hasCapacity: boolean
  /** Whether something is unloaded on the way, so that a route's load is not simply the sum. */
  hasUnloading: boolean
  precedence: Precedence
  /** By stop: whether another stop must come before or after it. */
  isTied: Uint8Array
  /** Whether tied stops are removed and inserted together: one of them elsewhere, or nowhere, would break the tie. */
  movesGroups: boolean
  neighbours: Neighbours
}

/** The nearest stops of each, nearest first. */
export interface Neighbours {
  list: Int32Array
  perStop: number
}

/** More are never examined: two or three dozen stops are removed at a time. */
const mostNeighbours = 100

export function makeInstance(problem: Problem): Instance {
  const { stops, vehicles } = problem
  const [stopCount, vehicleCount] = [stops.length, vehicles.length]
  const firstLunch = stopCount
  const firstStart = firstLunch + vehicleCount
  const firstEnd = firstStart + vehicleCount
  const nodeCount = firstEnd + vehicleCount
  const { travel, travelBack, placeCount } = copyTravel(problem)
  const precedence = tracePrecedence(problem)

  const instance: Instance = {
    problem,
    stopCount,
    vehicleCount,
    nodeCount,
    firstLunch,
    firstStart,
    firstEnd,
    placeCount,
    precedence,
    travel,
    travelBack,
    place: new Int32Array(nodeCount),
    earliest: new Float64Array(nodeCount).fill(Number.NEGATIVE_INFINITY),
    latest: new Float64Array(nodeCount).fill(Number.POSITIVE_INFINITY),
    service: new Float64Array(nodeCount),
    weight: new Float64Array(nodeCount),
    demand: new Float64Array(nodeCount),
    hasLunch: Uint8Array.from(vehicles, (vehicle) => (vehicle.lunch ? 1 : 0)),
    capacity: Float64Array.from(vehicles, (vehicle) => vehicle.capacity ?? Number.POSITIVE_INFINITY),
    head: Int32Array.from(vehicles, (vehicle, index) => vehicle.pinnedFirst ?? firstStart + index),
    ...tellKinds(problem),
    isPinned: new Uint8Array(stopCount),
    penalty: Float64Array.from(stops, unservedPenalty),
    mayBeLeftOut: Uint8Array.from(stops, (stop) => (stop.unservedPenalty === undefined ? 0 : 1)),
    isAllowed: tellAllowed(problem),
    hasCapacity: limitsLoads(problem),
    hasUnloading: stops.some((stop) => (stop.demand ?? 0) < 0),
    isTied: Uint8Array.from(precedence.groups, (group) => (group ? 1 : 0)),
    movesGroups:
      vehicleCount > 1 || limitsLoads(problem) || stops.some((stop) => stop.unservedPenalty ?? stop.vehicles),
    neighbours: { list: new Int32Array(0), perStop: 0 },
  }
  const setNode = (node: number, place: number, earliest: number, latest: number, service: number, weight: number) => {
    instance.place[node] = place
    instance.earliest[node] = earliest
    instance.latest[node] = latest
    instance.service[node] = service
    instance.weight[node] = weight
  }
  for (const [node, stop] of stops.entries()) {
    setNode(node, stop.place, stop.earliest, stop.latest, stop.serviceSeconds, stop.lateWeight)
    instance.demand[node] = stop.demand ?? 0
  }
  const anywhere = placeCount - 1
  for (const [index, vehicle] of vehicles.entries()) {
    const { lunch } = vehicle
    if (lunch) setNode(firstLunch + index, anywhere, lunch.earliest, lunch.latest, lunch.seconds, lunch.lateWeight)
    setNode(firstStart + index, vehicle.startPlace, vehicle.shiftStart, Number.POSITIVE_INFINITY, 0, 0)
    const end = firstEnd + index
    setNode(end, vehicle.endPlace ?? anywhere, Number.NEGATIVE_INFINITY, vehicle.shiftEnd, 0, vehicle.overtimeWeight)
    if (vehicle.pinnedFirst !== undefined) instance.isPinned[vehicle.pinnedFirst] = 1
  }
  instance.neighbours = findNeighbours(instance)
  return instance
}

const limitsLoads = ({ vehicles }: Problem) => vehicles.some((vehicle) => vehicle.capacity !== undefined)

function copyTravel(problem: Problem) {
  const placeCount = problem.placeCount + 1
  const travel = new Int32Array(placeCount * placeCount)
  const travelBack = new Int32Array(placeCount * placeCount)
  for (let from = 0; from < problem.placeCount; from += 1)
    for (let to = 0; to < problem.placeCount; to += 1) {
      const way = travelBetween(problem, from, to)
      travel[from * placeCount + to] = way
      travelBack[to * placeCount + from] = way
    }
  return { travel, travelBack, placeCount }
}

function tellKinds({ stops, vehicles }: Problem) {
  const limited = new Set(stops.flatMap((stop) => stop.vehicles ?? []))
  const isOwnKind = stops.some((stop) => stop.vehicles)
  const numbers = new Map<string, number>()
  const kind = Int32Array.from(vehicles, (vehicle, index) => {
    const { startPlace, endPlace, shiftStart, shiftEnd, overtimeWeight, lunch, capacity, pinnedFirst } = vehicle
    const known = [startPlace, endPlace, shiftStart, shiftEnd, overtimeWeight, lunch, capacity, pinnedFirst]
    const name = JSON.stringify([...known, isOwnKind && limited.has(index) ? index : -1])
    if (!numbers.has(name)) numbers.set(name, numbers.size)
    return numbers.get(name)!
  })
  return { kind, kindCount: numbers.size }
}

function tellAllowed({ stops, vehicles }: Problem): Uint8Array | undefined {
  if (!stops.some((stop) => stop.vehicles)) return undefined
  const isAllowed = new Uint8Array(stops.length * vehicles.length)
  for (const [index, stop] of stops.entries())
    for (const vehicle of stop.vehicles ?? vehicles.keys()) isAllowed[index * vehicles.length + vehicle] = 1
  return isAllowed
}

/**
 * How well two stops follow each other, in the better direction: travel, plus a little for waiting and lateness. Two
 * neighbours, one in the morning and one in the evening, are not near each other in this sense. After T. Vidal, T.
 * Crainic, M. Gendreau and C. Prins (2013). Ties are broken by number.
 */
function findNeighbours({ stopCount, place, travel, placeCount, earliest, latest, service }: Instance): Neighbours {
  const perStop = Math.min(mostNeighbours, Math.max(0, stopCount - 1))
  const list = new Int32Array(stopCount * perStop)
  const distance = (from: number, to: number) => {
    const way = travel[place[from]! * placeCount + place[to]!]!
    const wait = Math.max(0, earliest[to]! - way - service[from]! - latest[from]!)
    const late = Math.max(0, earliest[from]! + service[from]! + way - latest[to]!)
    return way + 0.2 * wait + late
  }
  // A key holds the number of its stop as the remainder of a division, so that sorting keys sorts stops.
  const keys = new Float64Array(Math.max(0, stopCount - 1))
  for (let stop = 0; stop < stopCount; stop += 1) {
    let count = 0
    for (let other = 0; other < stopCount; other += 1) {
      if (other === stop) continue
      keys[count] = Math.round(10 * Math.min(distance(stop, other), distance(other, stop))) * stopCount + other
      count += 1
    }
    keys.sort()
    for (let rank = 0; rank < perStop; rank += 1) list[stop * perStop + rank] = keys[rank]! % stopCount
  }
  return { list, perStop }
}
