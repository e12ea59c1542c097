import { areAtOneDoor, doneWith } from '../stop.ts'
import {
  type Cost,
  type LunchBreak,
  type Problem,
  type Route,
  type Stop,
  travelBetween,
  unservedPenalty,
} from './problem.ts'

/*
 * What a day costs, computed step by step in the simplest way. The search keeps its own sums for speed, but this
 * decides: it compares the given order with the result, and the solution is made from it.
 */

/** One vehicle's day: the stops in order, and how many of them come before lunch. */
export interface Plan {
  stops: number[]
  lunchPosition: number
}

export function evaluateRoute(problem: Problem, vehicleIndex: number, plan: Plan): Route {
  const vehicle = problem.vehicles[vehicleIndex]!
  const visits: Route['visits'] = []
  const cost = { travel: 0, lateness: 0, overtime: 0 }
  if (plan.stops.length === 0)
    return { visits, lunch: undefined, finish: vehicle.shiftStart, cost: { total: 0, unserved: 0, ...cost } }

  let lunch: LunchBreak | undefined
  let place = vehicle.startPlace
  let time = vehicle.shiftStart
  /** Seconds until lunch may begin, used for driving on. */
  let early = 0
  const takeLunch = (position: number) => {
    if (!vehicle.lunch) return
    const start = Math.max(time, vehicle.lunch.earliest)
    const lateSeconds = Math.max(0, start - vehicle.lunch.latest)
    cost.lateness += lateSeconds * vehicle.lunch.lateWeight
    lunch = { position, start, lateSeconds }
    early = start - time
    time = start + vehicle.lunch.seconds
  }
  const drive = (to: number) => {
    const travelSeconds = travelBetween(problem, place, to)
    cost.travel += travelSeconds
    time += Math.max(0, travelSeconds - early)
    early = 0
    place = to
    return travelSeconds
  }

  /** The stops at the door where the driver is, when they came, and the longest service among them. */
  let together: Stop[] = []
  let arrival = time
  let longest = 0
  let isLunchDue = false
  for (const [position, index] of plan.stops.entries()) {
    const stop = problem.stops[index]!
    const isTogether = joins(stop, together)
    // Nobody leaves for lunch between two parcels of one stop.
    isLunchDue ||= position === plan.lunchPosition
    if (isLunchDue && !isTogether) {
      takeLunch(position)
      isLunchDue = false
    }
    const travelSeconds = isTogether ? 0 : drive(stop.place)
    place = stop.place
    if (!isTogether) [arrival, together, longest] = [time, [], 0]
    const start = Math.max(arrival, stop.earliest)
    const lateSeconds = Math.max(0, start - stop.latest)
    cost.lateness += lateSeconds * stop.lateWeight
    visits.push({ stop: index, arrival, waitSeconds: start - arrival, lateSeconds, travelSeconds, isTogether })
    time = isTogether ? doneWith(time, longest, start, stop.serviceSeconds) : start + stop.serviceSeconds
    together.push(stop)
    longest = Math.max(longest, stop.serviceSeconds)
  }
  if (isLunchDue || plan.lunchPosition === plan.stops.length) takeLunch(plan.stops.length)
  if (vehicle.endPlace !== null) drive(vehicle.endPlace)
  cost.overtime = Math.max(0, time - vehicle.shiftEnd) * vehicle.overtimeWeight
  const total = cost.travel + cost.lateness + cost.overtime
  return { visits, lunch, finish: time, cost: { total, unserved: 0, ...cost } }
}

/** Whether a stop is served together with those before it: at one door with all of them. */
export const joins = ({ door }: Stop, together: readonly Stop[]): boolean =>
  door !== undefined &&
  together.length > 0 &&
  together.every((other) => other.door !== undefined && areAtOneDoor(other.door, door))

export function findUnserved(problem: Problem, plans: Plan[]): number[] {
  const served = new Set(plans.flatMap((plan) => plan.stops))
  return problem.stops.flatMap((_, index) => (served.has(index) ? [] : [index]))
}

export function evaluatePlans(problem: Problem, plans: Plan[]): { routes: Route[]; unserved: number[]; cost: Cost } {
  const routes = plans.map((plan, vehicle) => evaluateRoute(problem, vehicle, plan))
  const unserved = findUnserved(problem, plans)
  const cost = routes.reduce(
    (sum, route) => ({
      total: sum.total + route.cost.total,
      travel: sum.travel + route.cost.travel,
      lateness: sum.lateness + route.cost.lateness,
      overtime: sum.overtime + route.cost.overtime,
      unserved: 0,
    }),
    { total: 0, travel: 0, lateness: 0, overtime: 0, unserved: 0 },
  )
  for (const index of unserved) cost.unserved += unservedPenalty(problem.stops[index]!)
  cost.total += cost.unserved
  return { routes, unserved, cost }
}
