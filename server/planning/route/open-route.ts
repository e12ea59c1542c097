import { Refusal } from '../../../contract/errors.ts'
import type { PlanWarning, RouteSummary } from '../../../contract/planning.ts'
import type { Point, Traffic } from '../../../core/geo.ts'
import type { Problem } from '../../../core/optimise/problem.ts'
import { startOfDay } from '../../../core/time.ts'
import { transportOf } from '../../../core/travel.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import type { TaskView } from '../../tasks/tables.ts'
import {
  type Clock,
  isInTransit,
  isToday,
  pointOf,
  precedencesIn,
  startOf,
  stopOf,
  workingOf,
} from '../problem/stops.ts'
import { findWays } from '../problem/trips.ts'
import { findPlannedDriver, listHubPoints, listOpenTasks, type PlannedDriver } from '../queries.ts'
import { isApproximate, warn, warnOfTasks } from '../warnings.ts'
import { type Day, type PlannedOrder, type TimedRoute, timeRoute } from './timetable.ts'

/** Beyond this the table of ways alone would fill the memory. */
export const mostTasks = 2_000

/** A driver and what is open, in the present order. */
export interface OpenRoute {
  driver: PlannedDriver
  /** With what is left of earlier days. */
  today: TaskView[]
  later: TaskView[]
  clock: Clock
}

/** Reads without locking, so that planning blocks nothing. */
export async function getOpenRoute(
  { db, clock: { now } }: Context,
  { id: organisationId, timezone }: Organisation,
  driverId: number,
): Promise<OpenRoute> {
  const clock = { now: now(), timezone }
  const driver = await findPlannedDriver(db, organisationId, driverId, startOfDay(clock.now, timezone))
  if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
  const open = await listOpenTasks(db, organisationId, driverId, 2 * mostTasks)
  const today = open.filter((task) => isToday(task, clock))
  return { driver, today, later: open.filter((task) => !isToday(task, clock)), clock }
}

/** These of the driver's tasks as a problem of one vehicle. */
export async function layOutDay(
  { travel }: Context,
  { driver, clock }: OpenRoute,
  tasks: TaskView[],
  traffic: Traffic,
): Promise<Day> {
  const working = workingOf(driver, clock)
  const start = startOf(driver, tasks, clock)
  const places: Point[] = start ? [start] : []
  const placeOf = tasks.map((task) => {
    const point = pointOf(task)
    if (point) return places.push(point) - 1
    // Wherever they are going: from there it is as far as from here, for all we know.
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

/** The present order against a new one. */
export async function compareOrders(
  { db }: Context,
  organisation: Organisation,
  day: Day,
  { order, lunchPosition }: PlannedOrder,
  { today }: OpenRoute,
): Promise<RouteSummary> {
  const { tasks, traffic, clock, ways } = day
  const before = timeRoute(day, [...tasks.keys()])
  const after = timeRoute(day, order, lunchPosition)
  const beyond = today.filter((task) => !tasks.includes(task))
  const hubs = await listHubPoints(db, organisation.id)
  const inOrder = order.map((stop) => tasks[stop] as TaskView)
  const awbs = (chosen: TaskView[]) => chosen.map(({ awb }) => awb)
  const { source, isEstimate } = ways.times
  return {
    traffic,
    travel: { source, isEstimate },
    before: before.totals,
    after: after.totals,
    stops: after.stops.map((planned, index) => {
      const { id, awb } = inOrder[index] as TaskView
      return { taskId: id, awb, ...planned, positionBefore: (order[index] as number) + 1 }
    }),
    late: awbs(inOrder.filter((_, index) => (after.stops[index]?.lateSeconds ?? 0) > 0)),
    withoutPlace: awbs(inOrder.filter((task) => !pointOf(task))),
    approximate: awbs(inOrder.filter(isApproximate)),
    warnings: [
      ...warnOfTasks(tasks, hubs, clock),
      ...warnOfDay(day, after),
      ...(beyond.length > 0 ? [warn('TOO_MANY_TASKS', beyond)] : []),
      ...ways.times.warnings.map((sentence) => warn('TRAVEL_TIMES', [], sentence)),
    ],
  }
}

function warnOfDay({ tasks, working }: Day, { totals }: TimedRoute): PlanWarning[] {
  if (tasks.length === 0) return []
  return [
    ...(working.isShiftOver ? [warn('SHIFT_OVER')] : []),
    ...(!working.isShiftOver && totals.overtimeSeconds > 0 ? [warn('OVERTIME')] : []),
    ...(working.isLunchTooLong ? [warn('LUNCH_TOO_LONG')] : []),
  ]
}
