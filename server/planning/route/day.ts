import type { Point, Traffic } from '../../../core/geo.ts'
import type { Problem } from '../../../core/optimise/problem.ts'
import { transportOf } from '../../../core/travel.ts'
import type { Context } from '../../context.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { Clock } from '../problem/clock.ts'
import { isInTransit, pointOf, precedencesIn, stopOf, type Underway } from '../problem/stops.ts'
import { findWays, type Ways } from '../problem/trips.ts'
import { startOf, type Working, workingOf } from '../problem/vehicle.ts'
import type { OpenRoute } from './open-route.ts'

/** One driver's day: all tasks as stops of one vehicle, those without coordinates nowhere. */
export interface Day<Task extends Underway = TaskView> {
  tasks: readonly Task[]
  problem: Problem
  ways: Ways
  clock: Clock
  working: Working
  traffic: Traffic
}

/** Some of the driver's tasks as a problem with one vehicle. */
export async function layOutDay<Task extends Underway>(
  { travel }: Pick<Context, 'travel'>,
  { driver, clock }: Pick<OpenRoute, 'driver' | 'clock'>,
  tasks: readonly Task[],
  traffic: Traffic,
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
  const ways = await findWays(travel, places, traffic, transportOf(driver.transportation_id))
  const problem: Problem = {
    placeCount: ways.placeCount,
    travelSeconds: ways.seconds,
    stops: tasks.map((task, index) => stopOf(task, placeOf[index] ?? ways.nowhere, clock)),
    vehicles: [{ startPlace: start ? 0 : ways.nowhere, endPlace: null, ...working.vehicle }],
    precedences: precedencesIn(tasks),
  }
  return { tasks, problem, ways, clock, working, traffic }
}
