import { insertBest, insertLunch, mayServe } from './insert.ts'
import { listCandidates, type Workbench } from './places.ts'
import type { Routes } from './route-numbers.ts'
import { linkAfter, unlink } from './routes.ts'
import { refresh } from './times.ts'

/**
 * The current orders, with the least change that satisfies the rules: the pinned stop first, predecessors before their
 * successors, no stop on a forbidden vehicle. A stop without a place, or that lost it, is inserted where it costs least.
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
  listCandidates(routes, bench)
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
    // Part of its group is in another route: the insertion brings the group together.
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

/** Stops are appended at the end, where the sum is what is on board, even with unloading. */
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
