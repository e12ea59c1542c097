import type { Instance } from './instance.ts'
import {
  afterField,
  costField,
  likelyField,
  passedOverField,
  recordSize,
  scanPlainRoute,
  versionField,
} from './plain-scan.ts'
import { drawUnit, type Random } from './random.ts'
import { insertAfter, putIntoBank, type Routes, refresh, unlink } from './routes.ts'
import { clear, type Found, findLunchPlace, makeFound, scanRoute, tryLikely } from './scan.ts'

/*
 * Putting stops into routes: one, a lunch, or a group that belongs together. With several vehicles most routes are the same
 * from one attempt to the next, so what a scan found is remembered with the version of the route.
 */

/** Where it delays the day least. */
export function insertLunch(routes: Routes, vehicle: number) {
  insertAfter(routes, findLunchPlace(routes, vehicle), routes.instance.firstLunch + vehicle)
}

export function mayServe(instance: Instance, vehicle: number, stop: number): boolean {
  return instance.isAllowed === undefined || instance.isAllowed[stop * instance.vehicleCount + vehicle] === 1
}

/** What the search remembers between two scans. */
export interface Workbench {
  found: Found
  /** The vehicles in use, and of those that are not, one of each kind. The last element is how many. */
  candidates: Int32Array
  isKindListed: Uint8Array
  /** Only if there are several vehicles: most of their routes are the same from one attempt to the next. */
  cache: Cache | undefined
}

interface Cache {
  scanned: Found
  /** Vehicles whose routes are to be scanned. */
  unknown: Int32Array
  /** At `(stop * vehicleCount + vehicle) * recordSize`: what a scan of the route found. */
  records: Float64Array
}

/** 80 MB; beyond it every route is scanned every time. */
const mostCached = 2_000_000

export function makeWorkbench(instance: Instance): Workbench {
  const size = instance.stopCount * instance.vehicleCount
  const isCached = instance.vehicleCount > 1 && size <= mostCached
  return {
    found: makeFound(),
    candidates: new Int32Array(instance.vehicleCount + 1),
    isKindListed: new Uint8Array(instance.kindCount),
    cache: isCached ? makeCache(size, instance.vehicleCount) : undefined,
  }
}

const makeCache = (size: number, vehicleCount: number): Cache => ({
  scanned: makeFound(),
  unknown: new Int32Array(vehicleCount),
  records: new Float64Array(size * recordSize),
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
    const vehicle = vehicleOf[after]!
    onTouch(routes, vehicle)
    insertAfter(routes, after, stop)
    if (routes.stopsOf[vehicle] === 1) listCandidates(routes, bench)
    return found.cost[0]!
  }
  if (instance.penalty[stop]! >= budget) return Number.POSITIVE_INFINITY
  putIntoBank(routes, stop)
  return instance.penalty[stop]!
}

/** Looks through all routes for the place that costs least, and less than `most`. */
function findPlace(routes: Routes, stop: number, bench: Workbench, most: number, avoided: number) {
  const { found, cache, candidates } = bench
  const { instance, version, loadOf } = routes
  const { vehicleCount, isAllowed, hasUnloading } = instance
  const demand = instance.demand[stop]!
  const count = candidates[vehicleCount]!
  let unknown = 0
  clear(found)
  found.cost[0] = most
  for (let index = 0; index < count; index += 1) {
    const vehicle = candidates[index]!
    const slot = stop * vehicleCount + vehicle
    if (isAllowed !== undefined && isAllowed[slot] === 0) continue
    if (!hasUnloading && loadOf[vehicle]! + demand > instance.capacity[vehicle]!) continue
    if (!cache) scanRoute(routes, vehicle, stop, false, found, avoided)
    else if (cache.records[slot * recordSize + versionField] === version[vehicle])
      lookUp(routes, vehicle, stop, cache, found, avoided)
    else {
      cache.unknown[unknown] = vehicle
      unknown += 1
    }
  }
  // What is known came first: the better the best, the less is to be scanned.
  for (let index = 0; index < unknown; index += 1) lookUp(routes, cache!.unknown[index]!, stop, cache!, found, avoided)
  if (found.passedOver[0]! >= found.cost[0]!) return
  tryLikely(routes, stop, found, avoided)
  for (let index = 0; index < count; index += 1) {
    const vehicle = candidates[index]!
    if (!mayServe(instance, vehicle, stop)) continue
    const record = (stop * vehicleCount + vehicle) * recordSize
    if (cache && cache.records[record + passedOverField]! >= found.cost[0]!) continue
    scanRoute(routes, vehicle, stop, true, found, avoided)
  }
}

/** To be called whenever a vehicle came into use or out of it. */
export function listCandidates({ instance, stopsOf }: Routes, { candidates, isKindListed }: Workbench) {
  const { vehicleCount, kind } = instance
  let count = 0
  isKindListed.fill(0)
  for (let vehicle = 0; vehicle < vehicleCount; vehicle += 1) {
    if (stopsOf[vehicle] === 0) {
      if (isKindListed[kind[vehicle]!]) continue
      isKindListed[kind[vehicle]!] = 1
    }
    candidates[count] = vehicle
    count += 1
  }
  candidates[vehicleCount] = count
}

/**
 * Scans a route, unless it was scanned for this stop and is still the same. A scan looks only for what costs less than
 * what is known; if there was nothing, the cache knows that below `cost` there is nothing.
 */
function lookUp(routes: Routes, vehicle: number, stop: number, cache: Cache, found: Found, avoided: number) {
  const { records } = cache
  const record = (stop * routes.instance.vehicleCount + vehicle) * recordSize
  const most = found.cost[0]!
  const isKnown = records[record + versionField] === routes.version[vehicle]
  if (!isKnown || (records[record + afterField] === -1 && records[record + costField]! < most))
    if (isPlain(routes, vehicle, stop)) scanPlainRoute(routes, vehicle, stop, most, records, record)
    else scanInto(routes, vehicle, stop, cache, record, most)
  const passedOver = records[record + passedOverField]!
  if (passedOver < found.passedOver[0]!) {
    found.passedOver[0] = passedOver
    found.likely[0] = records[record + likelyField]!
  }
  const cost = records[record + costField]!
  if (cost >= most) return
  const after = records[record + afterField]!
  if (after === avoided) return scanRoute(routes, vehicle, stop, false, found, avoided)
  found.cost[0] = cost
  found.after[0] = after
}

function scanInto(routes: Routes, vehicle: number, stop: number, cache: Cache, record: number, most: number) {
  const { scanned, records } = cache
  clear(scanned)
  scanned.cost[0] = most
  scanRoute(routes, vehicle, stop, false, scanned, -1)
  records[record + versionField] = routes.version[vehicle]!
  records[record + costField] = scanned.cost[0]!
  records[record + afterField] = scanned.after[0]!
  records[record + passedOverField] = scanned.passedOver[0]!
  records[record + likelyField] = scanned.likely[0]!
}

/** Nobody is late, nobody unloads, no lunch, and no tie decides. */
const isPlain = ({ instance, latenessOf }: Routes, vehicle: number, stop: number) =>
  latenessOf[vehicle] === 0 && !instance.hasUnloading && instance.isTied[stop] === 0 && instance.hasLunch[vehicle] === 0

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
  for (let index = 0; index < bench.candidates[instance.vehicleCount]!; index += 1) {
    const vehicle = bench.candidates[index]!
    if (home !== -1 && vehicle !== home) continue
    if (!missing.every((stop) => mayServe(instance, vehicle, stop))) continue
    const { cost, places } = tryAll(routes, vehicle, missing, bench.found, best, onTouch)
    if (cost >= best) continue
    best = cost
    chosen = places
  }
  if (chosen) {
    for (const [index, stop] of missing.entries()) insertAfter(routes, chosen[index]!, stop)
    listCandidates(routes, bench)
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
