import type { Instance } from './instance.ts'
import { scanPlainRoutes } from './plain-scan.ts'
import type { Routes } from './route-numbers.ts'
import { clear, type Found, makeFound, scanRoute, tryLikely } from './scan.ts'

/*
 * Where in all routes a stop costs least. Most routes do not change from one attempt to the next, so the result of a
 * scan is remembered with the version of the route. Routes changed by an attempt are scanned again and not remembered:
 * each stop needs them once, and the attempt will most likely be undone.
 */

export interface Workbench {
  found: Found
  /** The vehicles in use, and one unused vehicle of each kind. The last element is their number. */
  candidates: Int32Array
  isKindListed: Uint8Array
  /** Vehicles whose routes will be scanned together. */
  changed: Int32Array
  /** By vehicle: a lower bound for the cheapest place skipped because a stop would become late. */
  passedOverBy: Float64Array
  memory: Memory | undefined
}

interface Memory {
  scanned: Found
  vehicle: Int32Array
  /** At `(stop * vehicleCount + vehicle) * recordSize`: the result of a scan; at first, of no version. */
  records: Float64Array
}

const versionField = 0
const costField = 1
const afterField = 2
const passedOverField = 3
const likelyField = 4
const recordSize = 5

/** 80 MB; for larger problems every route is scanned every time. */
const mostRemembered = 2_000_000

export function makeWorkbench({ stopCount, vehicleCount, kindCount }: Instance): Workbench {
  const size = stopCount * vehicleCount
  const remembers = vehicleCount > 1 && size <= mostRemembered
  return {
    found: makeFound(),
    candidates: new Int32Array(vehicleCount + 1),
    isKindListed: new Uint8Array(kindCount),
    changed: new Int32Array(vehicleCount),
    passedOverBy: new Float64Array(vehicleCount),
    memory: remembers ? makeMemory(size) : undefined,
  }
}

const makeMemory = (size: number): Memory => ({
  scanned: makeFound(),
  vehicle: new Int32Array(1),
  records: new Float64Array(size * recordSize),
})

/** To be called whenever a vehicle gets its first stop or loses its last. */
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

/** Searches all routes for the place that costs least, and less than `most`. The result is in `bench.found`. */
export function findPlace(routes: Routes, stop: number, bench: Workbench, most: number, avoided: number) {
  const { found, memory, candidates, changed, passedOverBy } = bench
  const { instance, loadOf, latenessOf, undo } = routes
  const { vehicleCount, isAllowed, capacity, hasLunch, hasUnloading } = instance
  const demand = instance.demand[stop]!
  const isPlain = !hasUnloading && instance.isTied[stop] === 0
  const count = candidates[vehicleCount]!
  let changedCount = 0
  clear(found)
  found.cost[0] = most
  for (let index = 0; index < count; index += 1) {
    const vehicle = candidates[index]!
    passedOverBy[vehicle] = Number.POSITIVE_INFINITY
    if (isAllowed !== undefined && isAllowed[stop * vehicleCount + vehicle] === 0) continue
    if (!hasUnloading && loadOf[vehicle]! + demand > capacity[vehicle]!) continue
    if (memory !== undefined && undo.isTouched[vehicle] === 0) recall(routes, vehicle, stop, bench, memory, avoided)
    else if (isPlain && latenessOf[vehicle] === 0 && hasLunch[vehicle] === 0) {
      changed[changedCount] = vehicle
      changedCount += 1
    } else scanOne(routes, vehicle, stop, bench, avoided)
  }
  // Cached results come first: the better the best so far, the less has to be scanned.
  if (changedCount > 0) scanPlainRoutes(routes, changed, changedCount, stop, found, passedOverBy, avoided)
  if (found.passedOver[0]! < found.cost[0]!) findLatePlace(routes, stop, bench, avoided)
}

/** Tries the skipped places too: one that makes a stop late may cost less than the best so far. */
function findLatePlace(routes: Routes, stop: number, { found, candidates, passedOverBy }: Workbench, avoided: number) {
  const count = candidates[routes.instance.vehicleCount]!
  tryLikely(routes, stop, found, avoided)
  for (let index = 0; index < count; index += 1) {
    const vehicle = candidates[index]!
    if (passedOverBy[vehicle]! < found.cost[0]!) scanRoute(routes, vehicle, stop, true, found, avoided)
  }
}

function scanOne(routes: Routes, vehicle: number, stop: number, { found, passedOverBy }: Workbench, avoided: number) {
  const passedOver = found.passedOver[0]!
  const likely = found.likely[0]!
  found.passedOver[0] = Number.POSITIVE_INFINITY
  scanRoute(routes, vehicle, stop, false, found, avoided)
  passedOverBy[vehicle] = found.passedOver[0]!
  if (passedOverBy[vehicle]! < passedOver) return
  found.passedOver[0] = passedOver
  found.likely[0] = likely
}

/** Scans a route, unless it was scanned for this stop and has not changed since. */
function recall(routes: Routes, vehicle: number, stop: number, bench: Workbench, memory: Memory, avoided: number) {
  const { records } = memory
  const { found } = bench
  const record = (stop * routes.instance.vehicleCount + vehicle) * recordSize
  if (records[record + versionField] !== routes.version[vehicle]) remember(routes, vehicle, stop, bench, memory, record)
  const passedOver = records[record + passedOverField]!
  bench.passedOverBy[vehicle] = passedOver
  if (passedOver < found.passedOver[0]!) {
    found.passedOver[0] = passedOver
    found.likely[0] = records[record + likelyField]!
  }
  const cost = records[record + costField]!
  if (cost >= found.cost[0]!) return
  const after = records[record + afterField]!
  if (after === avoided) return scanOne(routes, vehicle, stop, bench, avoided)
  found.cost[0] = cost
  found.after[0] = after
}

function remember(
  routes: Routes,
  vehicle: number,
  stop: number,
  bench: Workbench,
  { scanned, vehicle: one, records }: Memory,
  record: number,
) {
  const { instance, latenessOf } = routes
  clear(scanned)
  one[0] = vehicle
  if (instance.hasUnloading || instance.isTied[stop] || instance.hasLunch[vehicle] || latenessOf[vehicle] !== 0)
    scanRoute(routes, vehicle, stop, false, scanned, -1)
  else scanPlainRoutes(routes, one, 1, stop, scanned, bench.passedOverBy, -1)
  records[record + versionField] = routes.version[vehicle]!
  records[record + costField] = scanned.cost[0]!
  records[record + afterField] = scanned.after[0]!
  records[record + passedOverField] = scanned.passedOver[0]!
  records[record + likelyField] = scanned.likely[0]!
}
