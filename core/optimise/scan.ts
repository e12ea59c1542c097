import type { Routes } from './route-numbers.ts'

/*
 * Where in a route a stop costs least. In nearly all cases this needs no walk along the route: the detour alone costs
 * too much, or no later stop becomes late (`limit`), or the stop that would be late first already costs too much
 * (`limitBy`). Only the remaining cases are walked.
 */

/** Where to put a stop: after which node, and at what cost. */
export interface Found {
  after: Int32Array
  cost: Float64Array
  /** A lower bound for the places skipped because a stop would become late, and the cheapest of these places. */
  passedOver: Float64Array
  likely: Int32Array
}

export const makeFound = (): Found => ({
  after: Int32Array.of(-1),
  cost: Float64Array.of(Number.POSITIVE_INFINITY),
  passedOver: Float64Array.of(Number.POSITIVE_INFINITY),
  likely: Int32Array.of(-1),
})

export function clear(found: Found) {
  found.after[0] = -1
  found.cost[0] = Number.POSITIVE_INFINITY
  found.passedOver[0] = Number.POSITIVE_INFINITY
  found.likely[0] = -1
}

/**
 * Looks for a place in one vehicle's route that costs less than the best so far. First, in all routes, at places where
 * no stop becomes late; at the others only if one of them could cost less. Otherwise, on a day with narrow windows,
 * half of all places would be walked (a hundred times slower with 100 stops).
 */
export function scanRoute(
  routes: Routes,
  vehicle: number,
  stop: number,
  mayBeLate: boolean,
  found: Found,
  avoided: number,
) {
  const { instance, next, at, leg, start, leave, ahead, limit, limitBy, pressure, load, mostLoad, position } = routes
  const { travel, placeCount, earliest, stopCount, firstStart, firstEnd, hasUnloading } = instance
  const demand = instance.demand[stop]!
  const capacity = instance.capacity[vehicle]!
  if (!hasUnloading && routes.loadOf[vehicle]! + demand > capacity) return
  const opens = instance.earliest[stop]!
  const closes = instance.latest[stop]!
  const service = instance.service[stop]!
  const weight = instance.weight[stop]!
  const there = at[stop]!
  const rowThere = there * placeCount
  const isTied = instance.isTied[stop] === 1
  const last = isTied ? findLast(routes, vehicle, stop) : firstEnd + vehicle
  const isOpenPair = hasUnloading && isTied && isWithoutFollowers(routes, stop)
  let node = isTied ? findFirst(routes, vehicle, stop) : instance.head[vehicle]!
  if (isTied && position[node]! >= position[last]!) return
  let best = found.cost[0]!
  let passedOver = found.passedOver[0]!

  // Limits never fall along a route: as long as even the earliest service is too late for the stops behind, go on. That
  // does not hold if they are late anyway, and with unloading every step matters, since the load must fit everywhere.
  if (!mayBeLate && !hasUnloading && routes.latenessOf[vehicle] === 0) {
    const ready = opens + service
    for (let behind = next[node]!; node !== last && limit[behind]! < ready; behind = next[node]!) {
      const least = limitBy[behind]! * (ready - limit[behind]!)
      if (least < passedOver) {
        passedOver = least
        found.likely[0] = node
      }
      node = behind
    }
  }
  for (let behind = next[node]!; node !== last; node = behind, behind = next[node]!) {
    if (leave[node]! > closes) {
      const least = weight * (leave[node]! - closes)
      if (least >= best) break
    }
    if (hasUnloading) {
      if (load[node]! > capacity) break
      if (load[node]! + demand > capacity) continue
      if (!isOpenPair && mostLoad[behind]! + demand > capacity) continue
    }
    const isBeforeLunch = behind >= stopCount && behind < firstStart
    const target = isBeforeLunch ? next[behind]! : behind
    const wayTo = travel[at[node]! * placeCount + there]!
    const wayOn = travel[rowThere + at[target]!]!
    let cost = wayTo + wayOn - leg[target]!
    if (cost >= best) continue
    const begin = Math.max(opens, leave[node]! + Math.max(0, wayTo - ahead[node]!))
    const isLate = begin > closes
    if (isLate) cost += weight * (begin - closes)
    const beginBehind = Math.max(earliest[behind]!, begin + service + wayOn)
    const delays = isBeforeLunch || beginBehind > limit[behind]!
    if (isLate || delays) {
      if (delays && !isBeforeLunch) {
        const isLateAnyway = start[behind]! > limit[behind]!
        cost += isLateAnyway
          ? pressure[behind]! * Math.max(0, beginBehind - start[behind]!)
          : limitBy[behind]! * (beginBehind - limit[behind]!)
      }
      if (cost >= best) continue
      if (!mayBeLate) {
        if (cost < passedOver) {
          passedOver = cost
          found.likely[0] = node
        }
        continue
      }
      cost = insertionCost(routes, node, stop, best)
      if (cost >= best) continue
    } else if (mayBeLate) continue
    if (node === avoided) continue
    best = cost
    found.after[0] = node
  }
  found.cost[0] = best
  found.passedOver[0] = passedOver
}

/** What it costs to put a stop after a node. Infinity as soon as it reaches `budget`. */
function insertionCost(routes: Routes, node: number, stop: number, budget: number): number {
  const { instance, next, at, leg, leave, ahead } = routes
  const { travel, placeCount, earliest, latest, service, weight, stopCount, firstStart } = instance
  const behind = next[node]!
  const isBeforeLunch = behind >= stopCount && behind < firstStart
  const target = isBeforeLunch ? next[behind]! : behind
  const wayTo = travel[at[node]! * placeCount + at[stop]!]!
  const wayOn = travel[at[stop]! * placeCount + at[target]!]!
  const begin = Math.max(earliest[stop]!, leave[node]! + Math.max(0, wayTo - ahead[node]!))
  const done = begin + service[stop]!
  const cost = wayTo + wayOn - leg[target]! + weight[stop]! * Math.max(0, begin - latest[stop]!)
  if (cost >= budget) return Number.POSITIVE_INFINITY
  if (isBeforeLunch) return cost + delayLunch(routes, behind, done, wayOn, budget - cost)
  return cost + delay(routes, behind, done + wayOn, budget - cost)
}

/** The cost for all stops from a node on if the vehicle arrives there later. Infinity as soon as it is too much. */
function delay(routes: Routes, from: number, arrivalThere: number, budget: number): number {
  const { instance, next, start, leg, lateCost } = routes
  const { earliest, latest, service, weight, stopCount, firstStart, firstEnd } = instance
  let added = 0
  let arrival = arrivalThere
  for (let node = from; ; node = next[node]!) {
    const begin = Math.max(earliest[node]!, arrival)
    const isLunch = node >= stopCount && node < firstStart
    if (!isLunch && begin <= start[node]!) return added
    added += weight[node]! * Math.max(0, begin - latest[node]!) - lateCost[node]!
    if (added >= budget) return Number.POSITIVE_INFINITY
    if (node >= firstEnd) return added
    const way = leg[next[node]!]!
    arrival = begin + service[node]! + (isLunch ? Math.max(0, way - (begin - arrival)) : way)
  }
}

/** The same for a lunch that is taken at another place, with another trip after it. */
function delayLunch(routes: Routes, lunch: number, arrival: number, wayBehind: number, budget: number): number {
  const { instance, next, lateCost } = routes
  const begin = Math.max(instance.earliest[lunch]!, arrival)
  const added = instance.weight[lunch]! * Math.max(0, begin - instance.latest[lunch]!) - lateCost[lunch]!
  if (added >= budget) return Number.POSITIVE_INFINITY
  const onwards = begin + instance.service[lunch]! + Math.max(0, wayBehind - (begin - arrival))
  return added + delay(routes, next[lunch]!, onwards, budget - added)
}

/** The first node after which a stop can come. */
function findFirst(routes: Routes, vehicle: number, stop: number): number {
  const { instance, vehicleOf, position } = routes
  let first = instance.head[vehicle]!
  for (const other of instance.precedence.before[stop]!)
    if (vehicleOf[other] === vehicle && position[other]! > position[first]!) first = other
  return first
}

/** The node before which it must come at the latest. */
function findLast(routes: Routes, vehicle: number, stop: number): number {
  const { instance, vehicleOf, position } = routes
  let last = instance.firstEnd + vehicle
  for (const other of instance.precedence.after[stop]!)
    if (vehicleOf[other] === vehicle && position[other]! < position[last]!) last = other
  return last
}

/** Whether the load of this stop is unloaded at one not yet in the route; then it does not fill the rest of the day. */
function isWithoutFollowers(routes: Routes, stop: number): boolean {
  const { instance, vehicleOf } = routes
  if (instance.demand[stop]! <= 0) return false
  for (const other of instance.precedence.after[stop]!)
    if (vehicleOf[other] === -1 && instance.demand[other]! < 0) return true
  return false
}

/** Tries a likely place first: the better the first guess, the less has to be walked later. */
export function tryLikely(routes: Routes, stop: number, found: Found, avoided: number) {
  if (found.likely[0] === avoided) return
  const cost = insertionCost(routes, found.likely[0]!, stop, found.cost[0]!)
  if (cost >= found.cost[0]!) return
  found.cost[0] = cost
  found.after[0] = found.likely[0]!
}

/** The node after which lunch delays the day least. */
export function findLunchPlace(routes: Routes, vehicle: number): number {
  const { instance, next, leave, leg, lateCost } = routes
  const lunch = instance.firstLunch + vehicle
  const end = instance.firstEnd + vehicle
  const [opens, closes] = [instance.earliest[lunch]!, instance.latest[lunch]!]
  lateCost[lunch] = 0
  let best = Number.POSITIVE_INFINITY
  let after = instance.head[vehicle]!
  for (let node = after; node !== end; node = next[node]!) {
    const behind = next[node]!
    const begin = Math.max(opens, leave[node]!)
    let cost = instance.weight[lunch]! * Math.max(0, begin - closes)
    if (cost >= best) break
    const driven = begin - leave[node]!
    const arrival = begin + instance.service[lunch]! + Math.max(0, leg[behind]! - driven)
    cost += delay(routes, behind, arrival, best - cost)
    if (cost >= best) continue
    best = cost
    after = node
  }
  return after
}
