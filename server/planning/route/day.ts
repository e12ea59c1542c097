import type { Point, Traffic } from '../../../core/geo.ts'
import type { Problem } from '../../../core/optimise/problem.ts'
import { transportOf } from '../../../core/travel.ts'
import type { Context } from '../../context.ts'
import type { TravelRequest } from '../../outside/travel/travel.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { Clock } from '../problem/clock.ts'
import { isInTransit, pointOf, precedencesIn, stopOf, type Underway } from '../problem/stops.ts'
import { findWays, findWaysAlong, type Ways } from '../problem/trips.ts'
import { learnedFor, startOf, type Working, workingOf } from '../problem/vehicle.ts'
import type { OpenRoute } from './open-route.ts'

/** One driver's day: all tasks as stops of one vehicle, those without coordinates nowhere. */
export interface Day<Task extends Underway = TaskView> {
  tasks: readonly Task[]
  /** Where the route begins, if somebody knows. */
  start: Point | null
  problem: Problem
  ways: Ways
  clock: Clock
  working: Working
  traffic: Traffic
}

type Open = Pick<OpenRoute, 'driver' | 'clock'>

/** Some of the driver's tasks as a problem with one vehicle. */
export const layOutDay = <Task extends Underway>(
  { travel }: Pick<Context, 'travel'>,
  open: Open,
  tasks: readonly Task[],
  traffic: Traffic,
): Promise<Day<Task>> => layOut(open, tasks, traffic, (request) => findWays(travel, request))

/** The same for tasks that stay in their order: only the trips from each to the next are looked for. */
export const layOutOrder = <Task extends Underway>(
  { travel }: Pick<Context, 'travel'>,
  open: Open,
  tasks: readonly Task[],
  traffic: Traffic,
): Promise<Day<Task>> => layOut(open, tasks, traffic, (request, order) => findWaysAlong(travel, request, order))

async function layOut<Task extends Underway>(
  { driver, clock }: Open,
  tasks: readonly Task[],
  traffic: Traffic,
  find: (request: TravelRequest, order: readonly number[]) => Promise<Ways>,
): Promise<Day<Task>> {
  const working = workingOf(driver, clock)
  const start = startOf(driver, tasks, clock)
  const places: Point[] = start ? [start] : []
  const placeOf = tasks.map((task) => {
    const point = pointOf(task)
    if (point) return places.push(point) - 1
    // We do not know where they are going, so we assume it is as far from there as from here.
    return start && isInTransit(task) ? 0 : undefined
  })
  const order = [...(start ? [0] : []), ...placeOf.filter((place) => place !== undefined)]
  const request = {
    places,
    traffic,
    transport: transportOf(driver.transportation_id),
    learned: learnedFor(driver, working, clock),
  }
  const ways = await find(request, order)
  const problem: Problem = {
    placeCount: ways.placeCount,
    travelSeconds: ways.seconds,
    stops: tasks.map((task, index) => stopOf(task, placeOf[index] ?? ways.nowhere, clock)),
    vehicles: [{ startPlace: start ? 0 : ways.nowhere, endPlace: null, ...working.vehicle }],
    precedences: precedencesIn(tasks),
  }
  return { tasks, start, problem, ways, clock, working, traffic }
}
