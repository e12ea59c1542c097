import type { Routes } from './route-numbers.ts'

/* Updates the numbers of a route after a change: all of them, or from there on until nothing changes any more. */

/** Updates all numbers of a route. */
export function refresh(routes: Routes, vehicle: number) {
  refreshForwards(routes, vehicle)
  refreshBackwards(routes, vehicle)
  if (routes.latenessOf[vehicle] !== 0) updatePressure(routes, vehicle)
  renew(routes, vehicle)
}

/** The same as `updateForwards` from the first node on, in about half the time: half of all time was spent here. */
function refreshForwards(routes: Routes, vehicle: number) {
  const { instance, next, at, leg, start, leave, ahead, lateCost, load, position } = routes
  const { travel, placeCount, earliest, latest, service, weight, demand, stopCount, firstStart, firstEnd } = instance
  const keepsLoads = instance.hasUnloading
  const keepsPositions = !instance.precedence.isEmpty
  // An unused vehicle stays where it is and costs nothing.
  const isUsed = routes.stopsOf[vehicle] !== 0
  let before = firstStart + vehicle
  let here = at[before]!
  let time = leave[before]!
  let driven = 0
  let travelled = 0
  let lateness = 0
  for (let node = next[before]!; ; before = node, node = next[node]!) {
    const isLunch = node >= stopCount && node < firstStart
    if (isLunch) at[node] = here
    const way = isLunch || !isUsed ? 0 : travel[here * placeCount + at[node]!]!
    here = at[node]!
    leg[node] = way
    travelled += way
    const arrival = time + Math.max(0, way - driven)
    const begin = Math.max(earliest[node]!, arrival)
    const late = begin > latest[node]! && isUsed ? weight[node]! * (begin - latest[node]!) : 0
    lateness += late
    lateCost[node] = late
    start[node] = begin
    time = begin + service[node]!
    leave[node] = time
    driven = 0
    if (isLunch) {
      driven = begin - arrival
      ahead[node] = driven
    }
    if (keepsLoads) load[node] = load[before]! + demand[node]!
    if (keepsPositions) position[node] = position[before]! + 1
    if (node >= firstEnd) break
  }
  routes.travelOf[vehicle] = travelled
  routes.latenessOf[vehicle] = lateness
}

function refreshBackwards(routes: Routes, vehicle: number) {
  const { instance, previous, leg, limit, limitBy, load, mostLoad, pressure } = routes
  const { earliest, latest, service, weight, stopCount, firstStart, firstEnd, hasUnloading } = instance
  const end = firstEnd + vehicle
  let most = latest[end]!
  let by = weight[end]!
  let behind = end
  limit[end] = most
  limitBy[end] = by
  pressure[end] = 0
  mostLoad[end] = load[end]!
  for (let node = previous[end]!; node < firstStart; node = previous[node]!) {
    const isLunch = node >= stopCount
    if (isLunch && earliest[node]! + service[node]! > most) most = Number.NEGATIVE_INFINITY
    else most -= leg[behind]! + service[node]!
    if (latest[node]! < most) {
      most = latest[node]!
      by = weight[node]!
    }
    limit[node] = most
    limitBy[node] = by
    pressure[node] = 0
    if (hasUnloading) mostLoad[node] = Math.max(load[node]!, mostLoad[behind]!)
    behind = node
  }
}

/** Updates a route after a stop or a lunch was inserted. */
export function update(routes: Routes, node: number) {
  const vehicle = routes.vehicleOf[node]!
  routes.leg[node] = 0
  routes.lateCost[node] = 0
  const { stopCount, firstStart, hasUnloading } = routes.instance
  const behind = routes.next[node]!
  // Around a lunch more than the neighbours changes; with its first stop the vehicle begins to cost.
  const isSpecial = node >= stopCount || (behind >= stopCount && behind < firstStart) || routes.stopsOf[vehicle] === 1
  if (isSpecial) return refresh(routes, vehicle)
  renew(routes, vehicle)
  const wasLate = routes.latenessOf[vehicle]! > 0
  updateForwards(routes, node)
  if (hasUnloading) refreshBackwards(routes, vehicle)
  else updateBackwards(routes, node)
  if (wasLate || routes.latenessOf[vehicle]! > 0) updatePressure(routes, vehicle)
}

/** Times, legs and loads from a node on, until nothing changes any more. */
function updateForwards(routes: Routes, from: number) {
  const { instance, next, previous, at, leg, start, leave, ahead, lateCost, load, position } = routes
  const { travel, placeCount, earliest, latest, service, weight, demand, stopCount, firstStart, firstEnd } = instance
  const keepsGoing = instance.hasUnloading || !instance.precedence.isEmpty
  const vehicle = routes.vehicleOf[from]!
  let travelled = 0
  let lateness = 0
  let before = previous[from]!
  // The node after the first is always updated: its leg has changed.
  let steps = 0
  for (let node = from; ; node = next[node]!) {
    const isLunch = node >= stopCount && node < firstStart
    if (isLunch) at[node] = at[before]!
    const way = isLunch ? 0 : travel[at[before]! * placeCount + at[node]!]!
    travelled += way - leg[node]!
    leg[node] = way
    const arrival = leave[before]! + Math.max(0, way - ahead[before]!)
    const begin = Math.max(earliest[node]!, arrival)
    const late = weight[node]! * Math.max(0, begin - latest[node]!)
    lateness += late - lateCost[node]!
    lateCost[node] = late
    if (!keepsGoing && steps > 0 && !isLunch && begin === start[node]) break
    start[node] = begin
    leave[node] = begin + service[node]!
    if (isLunch) ahead[node] = begin - arrival
    load[node] = load[before]! + demand[node]!
    position[node] = position[before]! + 1
    if (node >= firstEnd) break
    before = node
    steps += isLunch ? 0 : 1
  }
  routes.travelOf[vehicle]! += travelled
  routes.latenessOf[vehicle]! += lateness
}

/** Limits from a node back to the start, until nothing changes any more. */
function updateBackwards(routes: Routes, from: number) {
  const { instance, next, previous, leg, limit, limitBy } = routes
  const { earliest, latest, service, weight, stopCount, firstStart } = instance
  for (let node = from; node < firstStart; node = previous[node]!) {
    const behind = next[node]!
    let most = limit[behind]! - leg[behind]! - service[node]!
    let by = limitBy[behind]!
    if (node >= stopCount && earliest[node]! + service[node]! > limit[behind]!) most = Number.NEGATIVE_INFINITY
    if (latest[node]! < most) {
      most = latest[node]!
      by = weight[node]!
    }
    if (node !== from && limit[node] === most && limitBy[node] === by) return
    limit[node] = most
    limitBy[node] = by
  }
}

function renew({ version, instance }: Routes, vehicle: number) {
  version[instance.vehicleCount]! += 1
  version[vehicle] = version[instance.vehicleCount]!
}

function updatePressure(routes: Routes, vehicle: number) {
  const { instance, next, previous, start, leave, ahead, leg, lateCost, pressure } = routes
  const first = instance.firstStart + vehicle
  const end = instance.firstEnd + vehicle
  for (let node = end; node !== first; node = previous[node]!) {
    let sum = lateCost[node]! > 0 ? instance.weight[node]! : 0
    if (node !== end && ahead[node] === 0) {
      const behind = next[node]!
      if (start[behind]! === leave[node]! + leg[behind]!) sum += pressure[behind]!
    }
    pressure[node] = sum
  }
}
