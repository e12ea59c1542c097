import type { DriverRefusalCode } from '../../../contract/planning.ts'
import { afterOrders } from '../../../core/append.ts'
import type { Point } from '../../../core/geo.ts'
import type { Problem, Stop } from '../../../core/optimise/problem.ts'
import { transportOf } from '../../../core/travel.ts'
import type { Context } from '../../context.ts'
import type { Clock } from '../problem/clock.ts'
import { dueOf, isInTransit, type Plannable, pointOf, precedencesIn, stopOf } from '../problem/stops.ts'
import { findWays, type Ways } from '../problem/trips.ts'
import { learnedFor, startOf } from '../problem/vehicle.ts'
import type { FleetDriver, Rules } from './drivers.ts'
import { judgePairs } from './pairs.ts'

/*
 * Several drivers with their tasks, and candidates for assignment, as one problem. Here windows, shifts and lunch are
 * practically hard: rather than promise a time that cannot be kept, a task stays without a driver, with an
 * explanation.
 */

/** A second late, or after the shift, costs more than any trip. */
const strictWeight = 100_000
/** What a task without a driver costs: more than a day of driving, less than ten seconds of delay. */
const unassignedPenalty = 1_000_000

/** A task that may be assigned; one that does not exist yet has no id. */
export interface Candidate {
  task: Plannable
  point: Point
}

export interface Fleet {
  /** The drivers who can take tasks, as the vehicles of the problem. */
  vehicles: FleetDriver[]
  refused: FleetDriver[]
  candidates: Candidate[]
  /** The stop of the first candidate; the others follow. Before them are those of the routes, if they are in the problem. */
  firstCandidate: number
  problem: Problem
  ways: Ways
  /** Why these vehicles cannot take this candidate. */
  forbidden: (candidate: number, vehicle: number) => DriverRefusalCode | undefined
  clock: Clock
}

export async function layOutFleet(
  { travel }: Pick<Context, 'travel'>,
  drivers: readonly FleetDriver[],
  candidates: Candidate[],
  rules: Rules,
  clock: Clock,
): Promise<Fleet> {
  const vehicles = drivers.filter(({ refusal }) => !refusal)
  const refused = drivers.filter(({ refusal }) => refusal)
  const places: Point[] = []
  const addPlace = (point: Point | null) => (point ? places.push(point) - 1 : undefined)
  const starts = vehicles.map(({ driver, tasks }) => addPlace(startOf(driver, tasks, clock)))
  // Tasks without coordinates go last in any route, so they do not affect the others.
  const routes = vehicles.map(({ tasks }) =>
    tasks.filter(pointOf).map((task) => ({ task, place: addPlace(pointOf(task)) as number })),
  )
  const own = routes.flat()
  const placed = candidates.map(({ task, point }) => ({ task, place: addPlace(point) as number }))
  const usual = usualDriver(vehicles)
  const ways = await findWays(travel, {
    places,
    traffic: rules.traffic,
    transport: transportOf(usual?.driver.transportation_id),
    learned: usual && learnedFor(usual.driver, usual.working, clock),
  })
  const placedDrivers = vehicles.map(({ driver }, at) => {
    const places = [starts[at], ...(routes[at] ?? []).map(({ place }) => place)]
    return { driver, places: places.filter((place) => place !== undefined) }
  })
  const { forbidden, allowed } = judgePairs(placedDrivers, placed, ways, rules)

  const ownStops = routes.flatMap((route, vehicle) =>
    route.map(({ task, place }): Stop => ({ ...strictStop(task, place, clock), demand: 1, vehicles: [vehicle] })),
  )
  const freeStops = placed.map(({ task, place }, index): Stop => {
    const may = allowed(index)
    return {
      ...strictStop(task, place, clock),
      demand: 1,
      unservedPenalty: unassignedPenalty * (1 + Math.min(10, Math.max(0, task.priority))),
      ...(may.length < vehicles.length && { vehicles: may }),
    }
  })
  const firstOf = routes.map((_, vehicle) => routes.slice(0, vehicle).reduce((sum, route) => sum + route.length, 0))
  const problem: Problem = {
    placeCount: ways.placeCount,
    travelSeconds: ways.seconds,
    stops: [...ownStops, ...freeStops],
    vehicles: vehicles.map(({ working, tasks }, vehicle) => {
      const route = routes[vehicle] as (typeof routes)[number]
      const first = firstOf[vehicle] as number
      const pinned = route.findIndex(({ task }) => isInTransit(task))
      const order = route.map((_, index) => first + index)
      const { lunch, ...shift } = working.vehicle
      return {
        ...shift,
        startPlace: starts[vehicle] ?? ways.nowhere,
        endPlace: null,
        overtimeWeight: working.hasShift ? strictWeight : 0,
        ...(lunch && { lunch: { ...lunch, lateWeight: strictWeight } }),
        ...(rules.maxTasksPerDriver && {
          capacity: Math.max(rules.maxTasksPerDriver - (tasks.length - route.length), route.length),
        }),
        ...(pinned >= 0 && { pinnedFirst: first + pinned }),
        order: pinned > 0 ? [first + pinned, ...order.toSpliced(pinned, 1)] : order,
      }
    }),
    precedences: precedencesIn([...own.map(({ task }) => task), ...candidates.map(({ task }) => task)]),
  }
  return { vehicles, refused, candidates, firstCandidate: own.length, problem, ways, forbidden, clock }
}

/** The same if the routes stay as they are and tasks can only be appended to them. */
export function appendingTo(fleet: Fleet): Fleet {
  const { problem, breaksDependency } = afterOrders(fleet.problem, fleet.firstCandidate)
  const forbidden = (candidate: number, vehicle: number) =>
    fleet.forbidden(candidate, vehicle) ?? (breaksDependency(candidate, vehicle) ? 'DEPENDENCY' : undefined)
  return { ...fleet, problem, firstCandidate: 0, forbidden }
}

/** A task that is already late cannot be on time any more, only soon. */
export const isOverdue = (task: Plannable, clock: Clock) => {
  const due = dueOf(task, clock)
  return due !== null && due <= clock.now
}

function strictStop(task: Plannable, place: number, clock: Clock): Stop {
  const stop = stopOf(task, place, clock)
  if (isOverdue(task, clock)) return { ...stop, latest: 0, lateWeight: 1 }
  return dueOf(task, clock) ? { ...stop, lateWeight: strictWeight } : stop
}

/** All share one matrix, so it is made for one of those who drive what most of them drive. */
function usualDriver(vehicles: readonly FleetDriver[]): FleetDriver | undefined {
  const groups = Map.groupBy(vehicles, ({ driver }) => transportOf(driver.transportation_id))
  const [most] = [...groups.values()].sort((one, other) => other.length - one.length)
  return most?.[0]
}
