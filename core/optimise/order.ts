import { evaluateRoute } from './evaluate.ts'
import type { Problem, Route } from './problem.ts'

/** The day of the first vehicle in this order. Lunch is where it costs least, or at `lunchPosition` if that costs less. */
export function evaluateOrder(problem: Problem, order: readonly number[], lunchPosition?: number): Route {
  const [vehicle] = problem.vehicles
  const candidates = vehicle?.lunch ? lunchPositions(problem, order, vehicle.lunch.earliest) : [0]
  if (lunchPosition !== undefined) candidates.push(lunchPosition)
  return candidates
    .map((position) => evaluateRoute(problem, 0, { stops: [...order], lunchPosition: position }))
    .reduce((best, other) => (other.cost.total < best.cost.total ? other : best))
}

/** Before and after the moment when lunch becomes possible. */
function lunchPositions(problem: Problem, order: readonly number[], earliest: number): number[] {
  const { visits } = evaluateRoute(problem, 0, { stops: [...order], lunchPosition: -1 })
  const first = visits.findIndex(({ arrival, waitSeconds }) => arrival + waitSeconds >= earliest)
  const position = first < 0 ? order.length : first
  return [position, Math.max(0, position - 1), Math.min(order.length, position + 1)]
}
