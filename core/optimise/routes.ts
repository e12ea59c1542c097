import type { Plan } from './evaluate.ts'
import type { Instance } from './instance.ts'

/*
 * The routes while they are being searched: doubly linked lists of nodes, and for every node what makes an insertion
 * before it cheap to judge. After Savelsbergh (1992), for soft windows:
 *
 *   leave    when the vehicle goes on from here
 *   limit    whoever arrives here no later makes nobody late from here to the end of the route
 *   limitBy  the weight of the one who would be late first
 *   pressure if the rest of the route is late already: the weight of all who are, up to the next wait
 *
 * `limit` does not depend on what lies before, `leave` not on what lies behind: an insertion changes the first only
 * backwards and the second only forwards, and both only until waiting has swallowed the difference.
 */

export interface Routes {
  instance: Instance
  next: Int32Array
  previous: Int32Array
  /** The vehicle of a node, -1 for whom nobody serves. */
  vehicleOf: Int32Array
  /** Where the vehicle stands at a node; a lunch takes the place of the node before it. */
  at: Int32Array
  /** Position in the route. Kept only if there are precedences. */
  position: Int32Array
  /** Travel from the node before. */
  leg: Float64Array
  start: Float64Array
  leave: Float64Array
  /** At a lunch, the wait before it, in which the vehicle drives on; otherwise 0. */
  ahead: Float64Array
  lateCost: Float64Array
  limit: Float64Array
  limitBy: Float64Array
  /** What every further second of delay costs at least, where somebody is late already. */
  pressure: Float64Array
  /** What the vehicle carries after a node, and the most it carries from there on. Kept only if something is unloaded. */
  load: Float64Array
  mostLoad: Float64Array

  /** By vehicle. */
  stopsOf: Int32Array
  /** Two routes of a vehicle with the same version are the same. The last element is the newest version of all. */
  version: Int32Array
  /** The sum of all that is loaded. */
  loadOf: Float64Array
  travelOf: Float64Array
  latenessOf: Float64Array

  /** Stops nobody serves. */
  bank: Int32Array
  bankSize: Int32Array
  undo: Undo
}

/** The touched routes as they were, one after the other: vehicle, length, nodes. */
interface Undo {
  log: Int32Array
  /** How much of the log is used, and how many stops were in the bank. */
  used: Int32Array
  isTouched: Uint8Array
  version: Int32Array
  bank: Int32Array
}

export function makeRoutes(instance: Instance): Routes {
  const { nodeCount, stopCount, vehicleCount } = instance
  const routes: Routes = {
    instance,
    next: new Int32Array(nodeCount).fill(-1),
    previous: new Int32Array(nodeCount).fill(-1),
    vehicleOf: new Int32Array(nodeCount).fill(-1),
    at: Int32Array.from(instance.place),
    position: new Int32Array(nodeCount),
    leg: new Float64Array(nodeCount),
    start: new Float64Array(nodeCount),
    leave: new Float64Array(nodeCount),
    ahead: new Float64Array(nodeCount),
    lateCost: new Float64Array(nodeCount),
    limit: new Float64Array(nodeCount),
    limitBy: new Float64Array(nodeCount),
    pressure: new Float64Array(nodeCount),
    load: new Float64Array(nodeCount),
    mostLoad: new Float64Array(nodeCount),
    stopsOf: new Int32Array(vehicleCount),
    version: new Int32Array(vehicleCount + 1),
    loadOf: new Float64Array(vehicleCount),
    travelOf: new Float64Array(vehicleCount),
    latenessOf: new Float64Array(vehicleCount),
    bank: Int32Array.from({ length: stopCount }, (_, stop) => stop),
    bankSize: Int32Array.of(stopCount),
    undo: {
      log: new Int32Array(nodeCount + 2 * vehicleCount),
      used: new Int32Array(2),
      isTouched: new Uint8Array(vehicleCount),
      version: new Int32Array(vehicleCount),
      bank: new Int32Array(stopCount),
    },
  }
  for (let vehicle = 0; vehicle < vehicleCount; vehicle += 1) {
    const start = instance.firstStart + vehicle
    const end = instance.firstEnd + vehicle
    routes.vehicleOf[start] = vehicle
    routes.vehicleOf[end] = vehicle
    routes.start[start] = instance.earliest[start]!
    routes.leave[start] = instance.earliest[start]!
    link(routes, start, end)
    if (instance.hasLunch[vehicle]) linkAfter(routes, start, instance.firstLunch + vehicle)
    refresh(routes, vehicle)
  }
  return routes
}

function link(routes: Routes, first: number, second: number) {
  routes.next[first] = second
  routes.previous[second] = first
}

/** Puts a node into the list. The numbers of its route are to be made right afterwards. */
export function linkAfter(routes: Routes, after: number, node: number) {
  const vehicle = routes.vehicleOf[after]!
  link(routes, node, routes.next[after]!)
  link(routes, after, node)
  routes.vehicleOf[node] = vehicle
  if (node < routes.instance.stopCount) routes.stopsOf[vehicle]! += 1
  routes.loadOf[vehicle]! += routes.instance.demand[node]!
}

/** Takes a node out of the list. The numbers of its route are to be made right afterwards. */
export function unlink(routes: Routes, node: number) {
  const vehicle = routes.vehicleOf[node]!
  link(routes, routes.previous[node]!, routes.next[node]!)
  routes.vehicleOf[node] = -1
  if (node < routes.instance.stopCount) routes.stopsOf[vehicle]! -= 1
  routes.loadOf[vehicle]! -= routes.instance.demand[node]!
}

/** Makes all numbers of a route right. */
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
  // A vehicle nobody needs stays where it is, and costs nothing.
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

/** Times, legs and loads from a node on, until nothing changes any more. */
function updateForwards(routes: Routes, from: number) {
  const { instance, next, previous, at, leg, start, leave, ahead, lateCost, load, position } = routes
  const { travel, placeCount, earliest, latest, service, weight, demand, stopCount, firstStart, firstEnd } = instance
  const keepsGoing = instance.hasUnloading || !instance.precedence.isEmpty
  const vehicle = routes.vehicleOf[from]!
  let travelled = 0
  let lateness = 0
  let before = previous[from]!
  // The node after the first is looked at in any case: its leg is another one now.
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

/** Puts a stop or a lunch into a route and makes the numbers right. */
export function insertAfter(routes: Routes, after: number, node: number) {
  linkAfter(routes, after, node)
  const vehicle = routes.vehicleOf[node]!
  routes.leg[node] = 0
  routes.lateCost[node] = 0
  const { stopCount, firstStart, hasUnloading } = routes.instance
  const behind = routes.next[node]!
  // Around a lunch more changes than the neighbours; a first stop brings the vehicle's costs to life.
  const isSpecial = node >= stopCount || (behind >= stopCount && behind < firstStart) || routes.stopsOf[vehicle] === 1
  if (isSpecial) return refresh(routes, vehicle)
  renew(routes, vehicle)
  const wasLate = routes.latenessOf[vehicle]! > 0
  updateForwards(routes, node)
  if (hasUnloading) refreshBackwards(routes, vehicle)
  else updateBackwards(routes, node)
  if (wasLate || routes.latenessOf[vehicle]! > 0) updatePressure(routes, vehicle)
}

export function putIntoBank(routes: Routes, stop: number) {
  routes.bank[routes.bankSize[0]!] = stop
  routes.bankSize[0]! += 1
}

export function totalCost(routes: Routes): number {
  const { travelOf, latenessOf, bank, instance } = routes
  let sum = 0
  for (let vehicle = 0; vehicle < instance.vehicleCount; vehicle += 1) sum += travelOf[vehicle]! + latenessOf[vehicle]!
  for (let index = 0; index < routes.bankSize[0]!; index += 1) sum += instance.penalty[bank[index]!]!
  return sum
}

/** From here on everything can be taken back. */
export function beginAttempt(routes: Routes) {
  const { undo, bank, bankSize } = routes
  undo.used[0] = 0
  undo.used[1] = bankSize[0]!
  undo.isTouched.fill(0)
  for (let index = 0; index < bankSize[0]!; index += 1) undo.bank[index] = bank[index]!
}

/** Remembers a route as it is, before its first change. */
export function touch(routes: Routes, vehicle: number) {
  const { instance, next, undo } = routes
  if (undo.isTouched[vehicle]) return
  undo.isTouched[vehicle] = 1
  undo.version[vehicle] = routes.version[vehicle]!
  const { log } = undo
  const head = undo.used[0]!
  let used = head + 2
  const end = instance.firstEnd + vehicle
  for (let node = next[instance.firstStart + vehicle]!; node !== end; node = next[node]!) {
    log[used] = node
    used += 1
  }
  log[head] = vehicle
  log[head + 1] = used - head - 2
  undo.used[0] = used
}

/** What an attempt took out and put back where it was counts as never changed: what is remembered of it stays true. */
export function keep(routes: Routes) {
  const { instance, next, undo, version } = routes
  const { log, used } = undo
  for (let head = 0; head < used[0]!; head += 2 + log[head + 1]!) {
    const vehicle = log[head]!
    const last = head + 2 + log[head + 1]!
    let node = next[instance.firstStart + vehicle]!
    let index = head + 2
    for (; index < last && log[index] === node; index += 1) node = next[node]!
    if (index === last && node === instance.firstEnd + vehicle) version[vehicle] = undo.version[vehicle]!
  }
}

/** As it was when the attempt began. */
export function takeBack(routes: Routes) {
  const { undo, bank, bankSize, vehicleOf } = routes
  const { log, used } = undo
  bankSize[0] = used[1]!
  for (let index = 0; index < used[1]!; index += 1) {
    bank[index] = undo.bank[index]!
    vehicleOf[bank[index]!] = -1
  }
  for (let head = 0; head < used[0]!; head += 2 + log[head + 1]!) {
    const vehicle = log[head]!
    relink(routes, vehicle, log, head + 2, log[head + 1]!)
    routes.version[vehicle] = undo.version[vehicle]!
  }
}

function relink(routes: Routes, vehicle: number, order: Int32Array, from: number, length: number) {
  const { instance, vehicleOf } = routes
  let before = instance.firstStart + vehicle
  let stops = 0
  let load = 0
  for (let index = from; index < from + length; index += 1) {
    const node = order[index]!
    link(routes, before, node)
    vehicleOf[node] = vehicle
    load += instance.demand[node]!
    if (node < instance.stopCount) stops += 1
    before = node
  }
  link(routes, before, instance.firstEnd + vehicle)
  routes.stopsOf[vehicle] = stops
  routes.loadOf[vehicle] = load
  refresh(routes, vehicle)
}

/** The order of everything, to be kept or read back by `restore`. */
export function copyOrder(routes: Routes, into: Int32Array): Int32Array {
  const { instance, next } = routes
  let used = 0
  for (let vehicle = 0; vehicle < instance.vehicleCount; vehicle += 1) {
    const end = instance.firstEnd + vehicle
    for (let node = next[instance.firstStart + vehicle]!; ; node = next[node]!) {
      into[used] = node
      used += 1
      if (node === end) break
    }
  }
  into.fill(-1, used)
  return into
}

export function restore(routes: Routes, order: Int32Array) {
  const { instance, vehicleOf, bankSize } = routes
  vehicleOf.fill(-1, 0, instance.firstStart)
  let used = 0
  for (let vehicle = 0; vehicle < instance.vehicleCount; vehicle += 1) {
    const length = order.indexOf(instance.firstEnd + vehicle, used) - used
    relink(routes, vehicle, order, used, length)
    used += length + 1
  }
  bankSize[0] = 0
  for (let stop = 0; stop < instance.stopCount; stop += 1) if (vehicleOf[stop] === -1) putIntoBank(routes, stop)
}

export function readPlans(routes: Routes): Plan[] {
  const { instance, next } = routes
  return Array.from({ length: instance.vehicleCount }, (_, vehicle) => {
    const plan: Plan = { stops: [], lunchPosition: 0 }
    const end = instance.firstEnd + vehicle
    for (let node = next[instance.firstStart + vehicle]!; node !== end; node = next[node]!)
      if (node < instance.stopCount) plan.stops.push(node)
      else plan.lunchPosition = plan.stops.length
    return plan
  })
}
