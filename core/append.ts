import { evaluateRoute } from './optimise/evaluate.ts'
import type { Problem, Vehicle } from './optimise/problem.ts'

/*
 * Stops that can only come after the current routes, as a problem of their own: each vehicle begins where and when its
 * route ends. Nothing of the routes themselves can move.
 */

export interface Appending {
  /** The stops from `firstFree` on, numbered from 0. */
  problem: Problem
  /** This stop would come after one that has to follow it, or to another vehicle than what it follows. */
  breaksDependency: (free: number, vehicle: number) => boolean
}

/** The stops before `firstFree` are those of the current orders. */
export function afterOrders(problem: Problem, firstFree: number): Appending {
  const { vehicles, stops, precedences = [] } = problem
  const vehicleOf = new Map(
    vehicles.flatMap(({ order = [] }, vehicle) => order.map((stop) => [stop, vehicle] as const)),
  )
  const isFree = (stop: number) => stop >= firstFree
  const followed = precedences.filter(([before, after]) => isFree(before) !== isFree(after))
  const breaksDependency = (free: number, vehicle: number) =>
    followed.some(
      ([before, after]) =>
        before === free + firstFree || (after === free + firstFree && vehicleOf.get(before) !== vehicle),
    )
  const allowed = ({ vehicles: allowed = [...vehicles.keys()] }: Problem['stops'][number], free: number) =>
    allowed.filter((vehicle) => !breaksDependency(free, vehicle))
  return {
    problem: {
      ...problem,
      stops: stops
        .slice(firstFree)
        .map((stop, free) => (followed.length > 0 ? { ...stop, vehicles: allowed(stop, free) } : stop)),
      vehicles: vehicles.map((_, vehicle) => afterOrder(problem, vehicle)),
      precedences: precedences
        .filter(([before, after]) => isFree(before) && isFree(after))
        .map(([before, after]) => [before - firstFree, after - firstFree] as const),
    },
    breaksDependency,
  }
}

function afterOrder(problem: Problem, vehicle: number): Vehicle {
  const { order = [], pinnedFirst: _, lunch, ...given } = problem.vehicles[vehicle] as Vehicle
  const last = problem.stops[order.at(-1) ?? -1]
  if (!last) return { ...given, ...(lunch && { lunch }) }
  const evaluate = (own: Vehicle, lunchPosition: number) =>
    evaluateRoute({ ...problem, vehicles: [{ ...own, endPlace: null }] }, 0, { stops: [...order], lunchPosition })
  const driven = evaluate(given, 0)
  const withLunch = lunch && [...order.keys(), order.length].map((at) => evaluate({ ...given, lunch }, at))
  const least = Math.min(...(withLunch ?? []).map(({ cost }) => cost.total))
  const best = withLunch?.filter(({ cost }) => cost.total === least) ?? []
  // Lunch may come after the current route if that costs no more, and is not late then.
  const isOpen = best.some(({ lunch }) => lunch?.position === order.length && lunch.lateSeconds === 0)
  const load = order.reduce((sum, stop) => sum + (problem.stops[stop]?.demand ?? 0), 0)
  return {
    ...given,
    startPlace: last.place,
    shiftStart: lunch && !isOpen ? Math.min(...best.map(({ finish }) => finish)) : driven.finish,
    ...(given.capacity !== undefined && { capacity: given.capacity - load }),
    ...(lunch && isOpen && { lunch }),
  }
}
