import type { Totals } from '../../../contract/planning.ts'
import type { PlannedStop } from '../../../contract/task.ts'
import { evaluateOrder } from '../../../core/optimise/order.ts'
import type { Route } from '../../../core/optimise/problem.ts'
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
export const timeRoute = (day: Day<Underway>, order: readonly number[], lunchPosition?: number): TimedRoute =>
  describe(day, evaluateOrder(day.problem, order, lunchPosition), day.ways, day.clock)

function describe({ tasks, problem }: Day<Underway>, route: Route, ways: Ways, clock: Clock): TimedRoute {
  const [vehicle] = problem.vehicles
  let place = vehicle?.startPlace ?? ways.nowhere
  const stops = route.visits.map(({ stop, arrival, waitSeconds, isTogether }, index): PlannedStop => {
    const to = problem.stops[stop]?.place ?? ways.nowhere
    const distanceMetres = isTogether ? 0 : (ways.metres[place * ways.placeCount + to] ?? 0)
    if (to !== ways.nowhere) place = to
    return {
      position: index + 1,
      arrivalTime: new Date(clock.now.getTime() + arrival * 1000).toISOString(),
      distanceMetres,
      waitSeconds,
      lateSeconds: lateSeconds(tasks[stop] as Underway, clock, arrival + waitSeconds),
    }
  })
  const sum = (field: 'distanceMetres' | 'lateSeconds') => stops.reduce((total, stop) => total + stop[field], 0)
  return {
    stops,
    totals: {
      distanceMetres: sum('distanceMetres'),
      durationSeconds: stops.length === 0 ? 0 : route.finish - (vehicle?.shiftStart ?? 0),
      travelSeconds: route.cost.travel,
      waitSeconds: waitingIn(route),
      lateSeconds: sum('lateSeconds'),
      overtimeSeconds: stops.length === 0 ? 0 : Math.max(0, route.finish - Math.max(0, vehicle?.shiftEnd ?? 0)),
    },
  }
}

/** At each stop as long as the parcel that waits longest. */
const waitingIn = ({ visits }: Route): number =>
  visits.reduce(
    ({ total, here }, { waitSeconds, isTogether }) => {
      const longest = isTogether ? Math.max(here, waitSeconds) : waitSeconds
      return { total: total + longest - (isTogether ? here : 0), here: longest }
    },
    { total: 0, here: 0 },
  ).total
