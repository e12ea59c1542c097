import type { Instance } from './instance.ts'
import { drawUnit, type Random } from './random.ts'
import { insertAfter, linkAfter, putIntoBank, type Routes, refresh, unlink } from './routes.ts'

/*
 * Putting stops where they cost least. What an insertion costs is known exactly without walking the route in nearly all
 * cases: the detour alone already costs too much, or nobody behind becomes late (`limit`), or the one who would be late
 * first already costs too much (`limitBy`). Only what remains is walked.
 */

/** Where to put a stop: after whom, and what it costs. */
export interface Found {
  after: Int32Array
  cost: Float64Array
  /** At least this costs what was passed over because somebody would become late, and where that is. */
  passedOver: Float64Array
  likely: Int32Array
}

const makeFound = (): Found => ({
  after: Int32Array.of(-1),
  cost: Float64Array.of(Number.POSITIVE_INFINITY),
  passedOver: Float64Array.of(Number.POSITIVE_INFINITY),
  likely: Int32Array.of(-1),
})

function clear(found: Found) {
  found.after[0] = -1
  found.cost[0] = Number.POSITIVE_INFINITY
  found.passedOver[0] = Number.POSITIVE_INFINITY
  found.likely[0] = -1
}

/**
 * Looks for a place in one vehicle's route that costs less than what was found before. First those where nobody becomes
 * late, in all routes; only if another one could cost less, those where somebody does: otherwise half of all places of a
 * day with narrow windows would be walked, one a little less bad than the other (a hundred times slower with 100 stops).
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
  const isBound = instance.precedence.before[stop]!.length > 0 || instance.precedence.after[stop]!.length > 0
  const last = isBound ? findLast(routes, vehicle, stop) : firstEnd + vehicle
  const isOpenPair = hasUnloading && isBound && isWithoutFollowers(routes, stop)
  let node = isBound ? findFirst(routes, vehicle, stop) : instance.head[vehicle]!
  if (isBound && position[node]! >= position[last]!) return
  let best = found.cost[0]!
  let passedOver = found.passedOver[0]!

  // Limits never fall along a route: as long as even the earliest service is too late for those behind, go on. That says
  // nothing where they are late anyway, and with unloading every step counts, since the load must fit all the way.
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

/** What it costs to put a stop after a node. Infinity as soon as it is as much as `budget`. */
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

/** What it costs everyone from a node on if the vehicle arrives there later. Infinity as soon as it is too much. */
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

/** The same for a lunch that is taken elsewhere, with another way behind it. */
function delayLunch(routes: Routes, lunch: number, arrival: number, wayBehind: number, budget: number): number {
  const { instance, next, lateCost } = routes
  const begin = Math.max(instance.earliest[lunch]!, arrival)
  const added = instance.weight[lunch]! * Math.max(0, begin - instance.latest[lunch]!) - lateCost[lunch]!
  if (added >= budget) return Number.POSITIVE_INFINITY
  const onwards = begin + instance.service[lunch]! + Math.max(0, wayBehind - (begin - arrival))
  return added + delay(routes, next[lunch]!, onwards, budget - added)
}

/** The one after whom a stop may stand at the earliest. */
function findFirst(routes: Routes, vehicle: number, stop: number): number {
  const { instance, vehicleOf, position } = routes
  let first = instance.head[vehicle]!
  for (const other of instance.precedence.before[stop]!)
    if (vehicleOf[other] === vehicle && position[other]! > position[first]!) first = other
  return first
}

/** The one before whom it must stand at the latest. */
function findLast(routes: Routes, vehicle: number, stop: number): number {
  const { instance, vehicleOf, position } = routes
  let last = instance.firstEnd + vehicle
  for (const other of instance.precedence.after[stop]!)
    if (vehicleOf[other] === vehicle && position[other]! < position[last]!) last = other
  return last
}

/** What is loaded here will be unloaded by somebody not yet in the route: so it does not fill the rest of the day. */
function isWithoutFollowers(routes: Routes, stop: number): boolean {
  const { instance, vehicleOf } = routes
  if (instance.demand[stop]! <= 0) return false
  for (const other of instance.precedence.after[stop]!)
    if (vehicleOf[other] === -1 && instance.demand[other]! < 0) return true
  return false
}

/** Where lunch delays the day least. */
export function insertLunch(routes: Routes, vehicle: number) {
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
  insertAfter(routes, after, lunch)
}

function mayServe(instance: Instance, vehicle: number, stop: number): boolean {
  return instance.isAllowed === undefined || instance.isAllowed[stop * instance.vehicleCount + vehicle] === 1
}

/** What the search remembers between two scans. */
export interface Workbench {
  found: Found
  triedKind: Uint8Array
  /** Only if there are several vehicles: most of their routes are the same from one attempt to the next. */
  cache: Cache | undefined
}

/** By `stop * vehicleCount + vehicle`, what a scan of a route of this version found. */
interface Cache {
  scanned: Found
  version: Int32Array
  after: Int32Array
  cost: Float64Array
  likely: Int32Array
  passedOver: Float64Array
}

/** Some 60 MB; beyond it every route is scanned every time. */
const mostCached = 2_000_000

export function makeWorkbench(instance: Instance): Workbench {
  const size = instance.stopCount * instance.vehicleCount
  const isCached = instance.vehicleCount > 1 && size <= mostCached
  return {
    found: makeFound(),
    triedKind: new Uint8Array(instance.kindCount),
    cache: isCached ? makeCache(size) : undefined,
  }
}

const makeCache = (size: number): Cache => ({
  scanned: makeFound(),
  version: new Int32Array(size),
  after: new Int32Array(size),
  cost: new Float64Array(size),
  likely: new Int32Array(size),
  passedOver: new Float64Array(size),
})

/** Now and then the best place is overlooked, which is what lets the search leave a rut ("blinks"). */
const blinkRate = 0.01

/**
 * Puts a stop where it costs least, or into the bank. Returns what that costs. If it costs as much as `budget` or more, the
 * stop stays outside and Infinity is returned: whoever calls would not keep the result anyway.
 */
export function insertBest(
  routes: Routes,
  stop: number,
  bench: Workbench,
  random: Random | undefined,
  onTouch: Touch,
  budget: number,
): number {
  const { instance, vehicleOf } = routes
  const group = instance.movesGroups ? instance.precedence.groups[stop] : undefined
  if (group !== undefined) return insertGroup(routes, group, bench, onTouch, budget)
  const { found } = bench
  const most = instance.mayBeLeftOut[stop] ? Math.min(budget, instance.penalty[stop]!) : budget
  findPlace(routes, stop, bench, most, -1)
  if (found.after[0] !== -1 && random !== undefined && drawUnit(random) < blinkRate) {
    const [after, cost] = [found.after[0]!, found.cost[0]!]
    findPlace(routes, stop, bench, most, after)
    // Overlooking the only place must not lose a task.
    if (found.after[0] === -1) [found.after[0], found.cost[0]] = [after, cost]
  }
  const after = found.after[0]!
  if (after !== -1) {
    onTouch(routes, vehicleOf[after]!)
    insertAfter(routes, after, stop)
    return found.cost[0]!
  }
  if (instance.penalty[stop]! >= budget) return Number.POSITIVE_INFINITY
  putIntoBank(routes, stop)
  return instance.penalty[stop]!
}

/** Looks through all routes for the place that costs least, and less than `most`. */
function findPlace(routes: Routes, stop: number, bench: Workbench, most: number, avoided: number) {
  const { found, cache } = bench
  clear(found)
  found.cost[0] = most
  const { instance } = routes
  const { vehicleCount } = instance
  bench.triedKind.fill(0)
  for (let vehicle = 0; vehicle < vehicleCount; vehicle += 1) {
    if (!mayServe(instance, vehicle, stop) || isTried(routes, vehicle, bench)) continue
    if (cache) lookUp(routes, vehicle, stop, cache, found, avoided)
    else scanRoute(routes, vehicle, stop, false, found, avoided)
  }
  if (found.passedOver[0]! >= found.cost[0]!) return
  tryLikely(routes, stop, found, avoided)
  bench.triedKind.fill(0)
  for (let vehicle = 0; vehicle < vehicleCount; vehicle += 1) {
    if (!mayServe(instance, vehicle, stop) || isTried(routes, vehicle, bench)) continue
    if (cache && cache.passedOver[stop * vehicleCount + vehicle]! >= found.cost[0]!) continue
    scanRoute(routes, vehicle, stop, true, found, avoided)
  }
}

/** An empty vehicle like one that was tried already. */
function isTried({ instance, stopsOf }: Routes, vehicle: number, { triedKind }: Workbench): boolean {
  if (stopsOf[vehicle] !== 0) return false
  const kind = instance.kind[vehicle]!
  if (triedKind[kind]) return true
  triedKind[kind] = 1
  return false
}

/** Scans a route, unless it was scanned for this stop and is still the same. */
function lookUp(routes: Routes, vehicle: number, stop: number, cache: Cache, found: Found, avoided: number) {
  const slot = stop * routes.instance.vehicleCount + vehicle
  const { scanned } = cache
  if (cache.version[slot] !== routes.version[vehicle]) {
    clear(scanned)
    scanRoute(routes, vehicle, stop, false, scanned, -1)
    cache.version[slot] = routes.version[vehicle]!
    cache.after[slot] = scanned.after[0]!
    cache.cost[slot] = scanned.cost[0]!
    cache.likely[slot] = scanned.likely[0]!
    cache.passedOver[slot] = scanned.passedOver[0]!
  }
  if (cache.passedOver[slot]! < found.passedOver[0]!) {
    found.passedOver[0] = cache.passedOver[slot]!
    found.likely[0] = cache.likely[slot]!
  }
  if (cache.cost[slot]! >= found.cost[0]!) return
  if (cache.after[slot] === avoided) return scanRoute(routes, vehicle, stop, false, found, avoided)
  found.cost[0] = cache.cost[slot]!
  found.after[0] = cache.after[slot]!
}

/** The better the first guess, the less of the rest needs to be walked. */
function tryLikely(routes: Routes, stop: number, found: Found, avoided: number) {
  if (found.likely[0] === avoided) return
  const cost = insertionCost(routes, found.likely[0]!, stop, found.cost[0]!)
  if (cost >= found.cost[0]!) return
  found.cost[0] = cost
  found.after[0] = found.likely[0]!
}

type Touch = (routes: Routes, vehicle: number) => void

/** Stops that belong together: tried in every vehicle, one after the other, and put into the one where all cost least. */
function insertGroup(routes: Routes, group: number[], bench: Workbench, onTouch: Touch, budget: number): number {
  const { instance, vehicleOf } = routes
  const missing = group.filter((stop) => vehicleOf[stop] === -1)
  const present = group.find((stop) => vehicleOf[stop] !== -1)
  const home = present === undefined ? pinnedHome(instance, group) : vehicleOf[present]!
  const penalty = missing.reduce((sum, stop) => sum + instance.penalty[stop]!, 0)
  const mayBeLeftOut = present === undefined && group.every((stop) => instance.mayBeLeftOut[stop])
  let best = mayBeLeftOut ? Math.min(budget, penalty) : budget
  let chosen: number[] | undefined
  bench.triedKind.fill(0)
  for (let vehicle = 0; vehicle < instance.vehicleCount; vehicle += 1) {
    if (home !== -1 && vehicle !== home) continue
    if (!missing.every((stop) => mayServe(instance, vehicle, stop))) continue
    if (isTried(routes, vehicle, bench)) continue
    const { cost, places } = tryAll(routes, vehicle, missing, bench.found, best, onTouch)
    if (cost >= best) continue
    best = cost
    chosen = places
  }
  if (chosen) {
    for (const [index, stop] of missing.entries()) insertAfter(routes, chosen[index]!, stop)
    return best
  }
  if (penalty >= budget) return Number.POSITIVE_INFINITY
  for (const stop of missing) putIntoBank(routes, stop)
  return penalty
}

const pinnedHome = (instance: Instance, group: number[]) =>
  instance.problem.vehicles.findIndex(({ pinnedFirst }) => pinnedFirst !== undefined && group.includes(pinnedFirst))

/** What all of them cost together, one after whom; Infinity if they do not fit. The route stays as it was. */
function tryAll(
  routes: Routes,
  vehicle: number,
  stops: number[],
  found: Found,
  budget: number,
  onTouch: Touch,
): { cost: number; places: number[] } {
  const before = routes.travelOf[vehicle]! + routes.latenessOf[vehicle]!
  const places: number[] = []
  let cost = 0
  for (const stop of stops) {
    clear(found)
    found.cost[0] = budget - cost
    scanRoute(routes, vehicle, stop, false, found, -1)
    if (found.passedOver[0]! < found.cost[0]!) {
      tryLikely(routes, stop, found, -1)
      scanRoute(routes, vehicle, stop, true, found, -1)
    }
    const after = found.after[0]!
    if (after === -1) {
      cost = Number.POSITIVE_INFINITY
      break
    }
    onTouch(routes, vehicle)
    insertAfter(routes, after, stop)
    places.push(after)
    cost = routes.travelOf[vehicle]! + routes.latenessOf[vehicle]! - before
  }
  if (places.length === 0) return { cost, places }
  for (const stop of stops) if (routes.vehicleOf[stop] === vehicle) unlink(routes, stop)
  refresh(routes, vehicle)
  return { cost, places }
}

/**
 * The present orders, with the least change that keeps the rules: the pinned stop first, whoever must come before others
 * before them, nobody where he may not be. Whoever has no place yet, or lost it, is put where he costs least.
 */
export function construct(routes: Routes, bench: Workbench) {
  const { instance } = routes
  const { vehicles } = instance.problem
  routes.bankSize[0] = 0
  for (const [vehicle, { pinnedFirst }] of vehicles.entries())
    if (pinnedFirst !== undefined) linkAfter(routes, instance.firstStart + vehicle, pinnedFirst)
  for (const [vehicle, { order = [] }] of vehicles.entries()) {
    appendAll(routes, vehicle, order)
    if (instance.hasLunch[vehicle]) {
      unlink(routes, instance.firstLunch + vehicle)
      refresh(routes, vehicle)
      insertLunch(routes, vehicle)
    } else refresh(routes, vehicle)
  }
  for (let stop = 0; stop < instance.stopCount; stop += 1)
    if (routes.vehicleOf[stop] === -1 && !isBanked(routes, stop))
      insertBest(routes, stop, bench, undefined, () => {}, Number.POSITIVE_INFINITY)
}

const isBanked = (routes: Routes, stop: number) => routes.bank.subarray(0, routes.bankSize[0]!).includes(stop)

function appendAll(routes: Routes, vehicle: number, order: readonly number[]) {
  const { instance, vehicleOf } = routes
  const { before, groups } = instance.precedence
  const members = new Set(order)
  let last = routes.previous[instance.firstEnd + vehicle]!
  const append = (stop: number) => {
    if (vehicleOf[stop] !== -1 || !members.has(stop)) return
    if (!mayServe(instance, vehicle, stop)) return
    const group = groups[stop]
    // Some of a group elsewhere: it is put together again by the insertion.
    if (group?.some((other) => vehicleOf[other] !== vehicle && !members.has(other))) return
    for (const earlier of before[stop]!) append(earlier)
    if (before[stop]!.some((earlier) => vehicleOf[earlier] !== vehicle)) return
    if (overloads(routes, vehicle, stop)) return
    linkAfter(routes, last, stop)
    last = stop
  }
  for (const stop of order) append(stop)
  dropBrokenGroups(routes, vehicle, order)
}

/** Appended at the end; with unloading the sum is what is on board there. */
const overloads = ({ instance, loadOf }: Routes, vehicle: number, stop: number) =>
  loadOf[vehicle]! + instance.demand[stop]! > instance.capacity[vehicle]!

function dropBrokenGroups(routes: Routes, vehicle: number, order: readonly number[]) {
  const { instance, vehicleOf } = routes
  for (const stop of order) {
    const group = instance.precedence.groups[stop]
    if (!group || vehicleOf[stop] !== vehicle || instance.isPinned[stop]) continue
    if (group.some((other) => vehicleOf[other] !== vehicle)) unlink(routes, stop)
  }
}
