import { evaluateRoute, type Plan } from './evaluate.ts'
import type { Precedence } from './precedence.ts'
import { type Problem, travelBetween } from './problem.ts'

/*
 * The last step: within each route, strings of up to three stops are moved (or-opt, I. Or 1976) and strings of any
 * length reversed (2-opt, G. Croes 1958), until no such move helps. Sums give the change in travel in constant time; a
 * route is evaluated only if that, plus all lateness that could be saved, could be a gain. After ruin and recreate
 * there is little left to do here, unless its budget was too short for so many stops.
 */

const longestString = 3

/** How far a string is moved, and how long a reversed one may be. Larger values find hardly anything. */
const reach = 150

/** How many stops the evaluations of a route may visit: with much lateness, every move looks as if it could help. */
const mostVisits = 100_000

export function polish(problem: Problem, precedence: Precedence, plans: Plan[], isSpent: () => boolean): Plan[] {
  return plans.map((plan, vehicle) => polishRoute(problem, precedence, vehicle, plan, isSpent))
}

function polishRoute(problem: Problem, precedence: Precedence, vehicle: number, given: Plan, isSpent: () => boolean) {
  const first = problem.vehicles[vehicle]!.pinnedFirst === undefined ? 0 : 1
  let plan = given
  let visits = 0
  let route = measure(problem, vehicle, plan)
  const attempt = (gain: number, stops: () => number[]): boolean => {
    if (gain + route.slack <= 0 || visits >= mostVisits) return false
    const candidate = { ...plan, stops: stops() }
    if (!keepsOrder(precedence, candidate.stops) || !keepsLoads(problem, vehicle, candidate.stops)) return false
    visits += plan.stops.length
    if (evaluateRoute(problem, vehicle, candidate).cost.total >= route.total) return false
    plan = candidate
    route = measure(problem, vehicle, plan)
    return true
  }
  for (let improved = true; improved; ) {
    improved = false
    for (let from = first; from < plan.stops.length && !isSpent(); from += 1)
      for (let to = Math.max(first, from - reach); to < Math.min(plan.stops.length, from + reach); to += 1) {
        if (to > from) improved = turnRound(route, plan.stops, from, to, attempt) || improved
        for (let length = 1; length <= longestString; length += 1)
          improved = moveString(route, plan.stops, from, length, to, attempt) || improved
      }
  }
  return plan
}

type Attempt = (gain: number, stops: () => number[]) => boolean

/** Sums of a route, to know the travel of any part of it, forwards and backwards. */
interface Measured {
  total: number
  /** Lateness and overtime: no move can gain more than this and what it saves in travel. */
  slack: number
  forwards: Float64Array
  backwards: Float64Array
  /** Travel between two positions; -1 is the start, the number of stops the end. */
  way(from: number, to: number): number
}

function measure(problem: Problem, vehicleIndex: number, { stops, lunchPosition }: Plan): Measured {
  const { cost } = evaluateRoute(problem, vehicleIndex, { stops, lunchPosition })
  const { startPlace, endPlace } = problem.vehicles[vehicleIndex]!
  const places = stops.map((stop) => problem.stops[stop]!.place)
  const way = (from: number, to: number) => {
    if (to === places.length && endPlace === null) return 0
    const start = from === -1 ? startPlace : places[from]!
    return travelBetween(problem, start, to === places.length ? endPlace! : places[to]!)
  }
  const forwards = new Float64Array(stops.length)
  const backwards = new Float64Array(stops.length)
  for (let position = 1; position < stops.length; position += 1) {
    forwards[position] = forwards[position - 1]! + way(position - 1, position)
    backwards[position] = backwards[position - 1]! + way(position, position - 1)
  }
  return { total: cost.total, slack: cost.lateness + cost.overtime, forwards, backwards, way }
}

function turnRound(route: Measured, stops: number[], from: number, to: number, attempt: Attempt): boolean {
  const { way, forwards, backwards } = route
  const inside = forwards[to]! - forwards[from]! - (backwards[to]! - backwards[from]!)
  const gain = way(from - 1, from) + way(to, to + 1) - way(from - 1, to) - way(from, to + 1) + inside
  return attempt(gain, () => [...stops.slice(0, from), ...stops.slice(from, to + 1).reverse(), ...stops.slice(to + 1)])
}

/** Moves `length` stops at `from` before the stop at `to`. */
function moveString(
  route: Measured,
  stops: number[],
  from: number,
  length: number,
  to: number,
  attempt: Attempt,
): boolean {
  const last = from + length - 1
  if (last >= stops.length || (to >= from && to <= last + 1)) return false
  const { way } = route
  const taken = way(from - 1, from) + way(last, last + 1) - way(from - 1, last + 1)
  const gain = taken + way(to - 1, to) - way(to - 1, from) - way(last, to)
  return attempt(gain, () => {
    const rest = stops.toSpliced(from, length)
    return rest.toSpliced(to > from ? to - length : to, 0, ...stops.slice(from, last + 1))
  })
}

function keepsOrder({ before, isEmpty }: Precedence, stops: number[]): boolean {
  if (isEmpty) return true
  const position = new Map(stops.map((stop, index) => [stop, index]))
  return stops.every((stop, index) => before[stop]!.every((earlier) => (position.get(earlier) ?? -1) < index))
}

function keepsLoads({ stops, vehicles }: Problem, vehicle: number, order: number[]): boolean {
  const { capacity } = vehicles[vehicle]!
  if (capacity === undefined) return true
  let load = 0
  return order.every((stop) => {
    load += stops[stop]!.demand ?? 0
    return load <= capacity
  })
}
