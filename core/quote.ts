import { evaluateRoute, type Plan } from './optimise/evaluate.ts'
import type { Budget, Problem, Route, Solution } from './optimise/problem.ts'
import { solve } from './optimise/solve.ts'

/*
 * What one more stop would cost each vehicle, to compare drivers and to explain why one was chosen, or why none could
 * be.
 */

export interface Quote {
  vehicle: number
  /** How many visits come before it. */
  position: number
  arrival: number
  waitSeconds: number
  /** The additional cost of the route, in the optimiser's units. */
  cost: number
  addedTravelSeconds: number
  /** How late this stop would be, and how much later the other stops, the end of the shift and lunch. */
  lateSeconds: number
  othersLateSeconds: number
  addedOvertimeSeconds: number
  lunchLateSeconds: number
}

export type NoQuote = { vehicle: number; refusal: 'capacity' | 'not allowed' | 'dependency' }

/** One entry per vehicle, in their order. */
export type Quotes = (Quote | NoQuote)[]

export interface Assignment extends Solution {
  /** By stop, for those that may be left out: the quote of each vehicle, with all other stops unchanged. */
  quotes: Map<number, Quotes>
}

/** Assigns the stops that may be left out to vehicles, and explains the choice. */
export function assign(problem: Problem, budget: Budget): Assignment {
  const solution = solve(problem, budget)
  return { ...solution, quotes: quoteAll(problem, solution.routes.map(planOf)) }
}

/** Quotes for the current routes: which vehicle could take which stop if nothing else changed. */
export function quoteOrders(problem: Problem): Map<number, Quotes> {
  const plans = problem.vehicles.map(({ order = [] }, vehicle) => bestPlan(problem, vehicle, [...order]))
  return quoteAll(problem, plans)
}

const planOf = ({ visits, lunch }: Route): Plan => ({
  stops: visits.map(({ stop }) => stop),
  lunchPosition: lunch?.position ?? 0,
})

function bestPlan(problem: Problem, vehicle: number, stops: number[]): Plan {
  const plans = [...stops.keys(), stops.length].map((lunchPosition) => ({ stops, lunchPosition }))
  const costs = plans.map((plan) => evaluateRoute(problem, vehicle, plan).cost.total)
  return plans[costs.indexOf(Math.min(...costs))] as Plan
}

function quoteAll(problem: Problem, plans: readonly Plan[]): Map<number, Quotes> {
  const free = [...problem.stops.keys()].filter((stop) => problem.stops[stop]?.unservedPenalty !== undefined)
  return new Map(free.map((stop) => [stop, quoteStop(problem, plans, stop)]))
}

/** The quote of each vehicle for this stop; its current vehicle is quoted as if it did not have it. */
export function quoteStop(problem: Problem, plans: readonly Plan[], stop: number): Quotes {
  const others = plans.map((plan) => without(plan, stop))
  const needs = (problem.precedences ?? []).filter(([before, after]) => before === stop || after === stop)
  return others.map((plan, vehicle) => {
    const refusal = refusalOf(problem, others, vehicle, stop, needs)
    return refusal ? { vehicle, refusal } : bestInsertion(problem, vehicle, plan, stop, needs)
  })
}

function without({ stops, lunchPosition }: Plan, stop: number): Plan {
  const place = stops.indexOf(stop)
  if (place < 0) return { stops, lunchPosition }
  return { stops: stops.toSpliced(place, 1), lunchPosition: lunchPosition > place ? lunchPosition - 1 : lunchPosition }
}

type Pairs = readonly (readonly [before: number, after: number])[]

function refusalOf(problem: Problem, plans: readonly Plan[], vehicle: number, stop: number, needs: Pairs) {
  const { vehicles: allowed, demand = 0 } = problem.stops[stop] as Problem['stops'][number]
  if (allowed && !allowed.includes(vehicle)) return 'not allowed'
  const { capacity = Number.POSITIVE_INFINITY } = problem.vehicles[vehicle] as Problem['vehicles'][number]
  const load = plans[vehicle]?.stops.reduce((sum, other) => sum + (problem.stops[other]?.demand ?? 0), 0) ?? 0
  if (load + demand > capacity) return 'capacity'
  const partners = needs.map(([before, after]) => (before === stop ? after : before))
  const isElsewhere = partners.some((partner) =>
    plans.some((plan, other) => other !== vehicle && plan.stops.includes(partner)),
  )
  return isElsewhere ? 'dependency' : undefined
}

function bestInsertion(problem: Problem, vehicle: number, plan: Plan, stop: number, needs: Pairs): Quote {
  const base = evaluateRoute(problem, vehicle, plan)
  const place = (other: number) => plan.stops.indexOf(other)
  const first = Math.max(
    problem.vehicles[vehicle]?.pinnedFirst === undefined ? 0 : 1,
    ...needs.map(([before, after]) => (after === stop ? place(before) + 1 : 0)),
  )
  const last = Math.min(
    plan.stops.length,
    ...needs.map(([before, after]) => (before === stop && place(after) >= 0 ? place(after) : plan.stops.length)),
  )
  let best: { route: Route; position: number } | undefined
  for (let position = Math.min(first, plan.stops.length); position <= Math.max(first, last); position += 1)
    for (const lunchPosition of lunchPlaces(plan, position)) {
      const stops = plan.stops.toSpliced(position, 0, stop)
      const route = evaluateRoute(problem, vehicle, { stops, lunchPosition })
      if (!best || route.cost.total < best.route.cost.total) best = { route, position }
    }
  return describe(problem, vehicle, base, best as { route: Route; position: number })
}

/** Lunch keeps its place among the stops; next to the new stop it can be on either side. */
const lunchPlaces = ({ lunchPosition }: Plan, position: number) => {
  if (position === lunchPosition) return [lunchPosition, lunchPosition + 1]
  return [position < lunchPosition ? lunchPosition + 1 : lunchPosition]
}

function describe(
  problem: Problem,
  vehicle: number,
  base: Route,
  { route, position }: { route: Route; position: number },
): Quote {
  const visit = route.visits[position] as Route['visits'][number]
  const lateIn = (visits: Route['visits']) => visits.reduce((sum, { lateSeconds }) => sum + lateSeconds, 0)
  const { shiftEnd } = problem.vehicles[vehicle] as Problem['vehicles'][number]
  const overtimeIn = ({ visits, finish }: Route) => (visits.length > 0 ? Math.max(0, finish - shiftEnd) : 0)
  return {
    vehicle,
    position,
    arrival: visit.arrival,
    waitSeconds: visit.waitSeconds,
    cost: route.cost.total - base.cost.total,
    addedTravelSeconds: route.cost.travel - base.cost.travel,
    lateSeconds: visit.lateSeconds,
    othersLateSeconds: lateIn(route.visits) - visit.lateSeconds - lateIn(base.visits),
    addedOvertimeSeconds: overtimeIn(route) - overtimeIn(base),
    lunchLateSeconds: (route.lunch?.lateSeconds ?? 0) - (base.lunch?.lateSeconds ?? 0),
  }
}
