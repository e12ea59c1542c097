import type { Instance } from './instance.ts'
import { findPlace, listCandidates, type Workbench } from './places.ts'
import { drawUnit, type Random } from './random.ts'
import type { Routes } from './route-numbers.ts'
import { insertAfter, putIntoBank, unlink } from './routes.ts'
import { clear, type Found, findLunchPlace, scanRoute, tryLikely } from './scan.ts'
import { refresh } from './times.ts'

/* Putting stops into routes: one, a lunch, or a group that belongs together. */

/** Puts the lunch where it delays the day least. */
export function insertLunch(routes: Routes, vehicle: number) {
  insertAfter(routes, findLunchPlace(routes, vehicle), routes.instance.firstLunch + vehicle)
}

export function mayServe(instance: Instance, vehicle: number, stop: number): boolean {
  return instance.isAllowed === undefined || instance.isAllowed[stop * instance.vehicleCount + vehicle] === 1
}

/** Places are skipped at random ("blinks"), which lets the search leave a local optimum. */
const blinkRate = 0.01

/**
 * Puts a stop where it costs least, or into the bank, and returns the cost. If that is `budget` or more, it changes
 * nothing and returns Infinity: the caller would not keep the result anyway.
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
    // Skipping the only possible place must not lose a task.
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

type Touch = (routes: Routes, vehicle: number) => void

/** Stops that belong together: tried in every vehicle, and put into the one where all of them together cost least. */
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

/** What all of them cost together; Infinity if they do not fit. The route stays unchanged. */
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
