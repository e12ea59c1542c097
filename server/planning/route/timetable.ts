import type { Totals } from '../../../contract/planning.ts'
import type { PlannedStop } from '../../../contract/task.ts'
import { evaluateRoute } from '../../../core/optimise/evaluate.ts'
import type { Problem, Route } from '../../../core/optimise/problem.ts'
import type { Clock } from '../problem/clock.ts'
import { lateSeconds, type Underway } from '../problem/stops.ts'
import type { Ways } from '../problem/trips.ts'
import type { Day } from './day.ts'

/** Tasks of a day by their index, in the order they are to be done. */
export interface PlannedOrder {
  order: readonly number[]
  /** The number of tasks before lunch, where it costs least. */
  lunchPosition?: number | undefined
}

export interface TimedRoute {
  /** One per stop, in the order given. */
  stops: PlannedStop[]
  totals: Totals
}

/** The arrival times in this order. Lunch is where it costs least, or at `lunchPosition` if that costs less. */
export function timeRoute(day: Day<Underway>, order: readonly number[], lunchPosition?: number): TimedRoute {
  const { problem, clock, ways } = day
  const [vehicle] = problem.vehicles
  const candidates = vehicle?.lunch ? lunchPositions(problem, order, vehicle.lunch.earliest) : [0]
  if (lunchPosition !== undefined) candidates.push(lunchPosition)
  const route = candidates
    .map((position) => evaluateRoute(problem, 0, { stops: [...order], lunchPosition: position }))
    .reduce((best, other) => (other.cost.total < best.cost.total ? other : best))
  return describe(day, route, ways, clock)
}

/** Before and after the moment when lunch becomes possible. */
function lunchPositions(problem: Problem, order: readonly number[], earliest: number): number[] {
  const { visits } = evaluateRoute(problem, 0, { stops: [...order], lunchPosition: -1 })
  const first = visits.findIndex(({ arrival, waitSeconds }) => arrival + waitSeconds >= earliest)
  const position = first < 0 ? order.length : first
  return [position, Math.max(0, position - 1), Math.min(order.length, position + 1)]
}

function describe({ tasks, problem }: Day<Underway>, route: Route, ways: Ways, clock: Clock): TimedRoute {
  const [vehicle] = problem.vehicles
  let place = vehicle?.startPlace ?? ways.nowhere
  const stops = route.visits.map(({ stop, arrival, waitSeconds }, index): PlannedStop => {
    const to = problem.stops[stop]?.place ?? ways.nowhere
    const distanceMetres = ways.metres[place * ways.placeCount + to] ?? 0
    if (to !== ways.nowhere) place = to
    return {
      position: index + 1,
      arrivalTime: new Date(clock.now.getTime() + arrival * 1000).toISOString(),
      distanceMetres,
      waitSeconds,
      lateSeconds: lateSeconds(tasks[stop] as Underway, clock, arrival + waitSeconds),
    }
  })
  const sum = (field: 'distanceMetres' | 'waitSeconds' | 'lateSeconds') =>
    stops.reduce((total, stop) => total + stop[field], 0)
  return {
    stops,
    totals: {
      distanceMetres: sum('distanceMetres'),
      durationSeconds: stops.length === 0 ? 0 : route.finish - (vehicle?.shiftStart ?? 0),
      travelSeconds: route.cost.travel,
      waitSeconds: sum('waitSeconds'),
      lateSeconds: sum('lateSeconds'),
      overtimeSeconds: stops.length === 0 ? 0 : Math.max(0, route.finish - Math.max(0, vehicle?.shiftEnd ?? 0)),
    },
  }
}
