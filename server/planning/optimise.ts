import { Refusal } from '../../contract/errors.ts'
import type { PlanWarning, RouteSummary } from '../../contract/planning.ts'
import { type Point, readTraffic, type Traffic } from '../../core/geo.ts'
import { evaluateRoute } from '../../core/optimise/evaluate.ts'
import type { Problem } from '../../core/optimise/problem.ts'
import { settingsOf } from '../../core/settings.ts'
import { startOfDay } from '../../core/time.ts'
import { transportOf } from '../../core/travel.ts'
import type { Context } from '../context.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { TaskView } from '../tasks/tables.ts'
import { arrangeTasks } from './arrange.ts'
import { limitsFor } from './limits.ts'
import {
  type Clock,
  isInTransit,
  isToday,
  pointOf,
  precedencesIn,
  startOf,
  stopOf,
  type Working,
  workingOf,
} from './model.ts'
import { findWays } from './places.ts'
import { findPlannedDriver, listHubPoints, listOpenTasks, type PlannedDriver } from './queries.ts'
import { type Day, type TimedRoute, timeRoute } from './route.ts'
import { saveRoute } from './save.ts'
import { isApproximate, warn, warnOfTasks } from './warnings.ts'

/** Beyond this the table of ways alone would fill the memory. */
const mostTasks = 2_000

/**
 * Puts a driver's open tasks of today into the best order we find, never a worse one than they have. It is found outside
 * of any lock, so nobody waits; what changed meanwhile is merged when the order is saved.
 */
export async function optimiseToday(
  context: Context,
  organisation: Organisation,
  driverId: number,
  trafficName: string | null | undefined,
): Promise<RouteSummary> {
  if (!settingsOf(organisation).enableRouteOptimization)
    throw new Refusal('FORBIDDEN_BY_SETTING', { message: 'The setting enableRouteOptimization forbids that' })
  const clock = { now: new Date(), timezone: organisation.timezone }
  const dayStart = startOfDay(clock.now, clock.timezone)
  const driver = await findPlannedDriver(context.db, organisation.id, driverId, dayStart)
  if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
  const open = await listOpenTasks(context.db, organisation.id, driverId, 2 * mostTasks)
  const today = open.filter((task) => isToday(task, clock))
  const [tasks, beyond] = [today.slice(0, mostTasks), today.slice(mostTasks)]
  const traffic = readTraffic(trafficName)

  const working = workingOf(driver, clock)
  const day = await layOutDay(context, driver, tasks, working, clock, traffic)
  const { order, lunchPosition } = await findOrder(context, day)
  const before = timeRoute(day, [...tasks.keys()])
  const after = timeRoute(day, order, lunchPosition)
  if (tasks.length > 0) await saveRoute(context, organisation, driverId, day, order, lunchPosition)

  const hubs = await listHubPoints(context.db, organisation.id)
  const warnings = [
    ...warnOfTasks(tasks, hubs, clock),
    ...warnOfDay(working, after, tasks),
    ...(beyond.length > 0 ? [warn('TOO_MANY_TASKS', beyond)] : []),
    ...day.ways.times.warnings.map((sentence) => warn('TRAVEL_TIMES', [], sentence)),
  ]
  return summaryOf(traffic, day, order, before, after, warnings)
}

/** The driver's tasks as a problem of one vehicle. */
async function layOutDay(
  context: Context,
  driver: PlannedDriver,
  tasks: TaskView[],
  working: Working,
  clock: Clock,
  traffic: Traffic,
): Promise<Day> {
  const start = startOf(driver, tasks)
  const places: Point[] = start ? [start] : []
  const placeOf = tasks.map((task) => {
    const point = pointOf(task)
    if (point) return places.push(point) - 1
    // Wherever they are going: from there it is as far as from here, for all we know.
    return start && isInTransit(task) ? 0 : undefined
  })
  const ways = await findWays(context.travel, places, traffic, transportOf(driver.transportation_id))
  const problem: Problem = {
    placeCount: ways.placeCount,
    travelSeconds: ways.seconds,
    stops: tasks.map((task, index) => stopOf(task, placeOf[index] ?? ways.nowhere, clock)),
    vehicles: [{ startPlace: start ? 0 : ways.nowhere, endPlace: null, ...working.vehicle }],
    precedences: precedencesIn(tasks),
  }
  return { tasks, problem, ways, clock }
}

/** What is on its way comes first and what has no place last; in between, the best order there is. */
async function findOrder({ solvers }: Context, day: Day) {
  const { head, body, tail } = arrangeTasks(day.tasks)
  const { problem, ways } = day
  const [vehicle] = problem.vehicles as [Problem['vehicles'][number]]
  if (body.length < 2) return { order: [...head, ...body, ...tail], lunchPosition: undefined }

  const begun = evaluateRoute(problem, 0, { stops: head, lunchPosition: -1 })
  const lastPlace = head.map((stop) => problem.stops[stop]?.place).findLast((place) => place !== ways.nowhere)
  const indexes = new Map(body.map((stop, index) => [stop, index]))
  const inner: Problem = {
    placeCount: problem.placeCount,
    travelSeconds: problem.travelSeconds.slice(),
    stops: body.map((stop) => problem.stops[stop] as Problem['stops'][number]),
    vehicles: [
      {
        ...vehicle,
        startPlace: lastPlace ?? vehicle.startPlace,
        shiftStart: begun.finish,
        order: [...body.keys()],
      },
    ],
    precedences: (problem.precedences ?? []).flatMap(([before, after]): [number, number][] => {
      const pair = [indexes.get(before), indexes.get(after)] as const
      return pair[0] === undefined || pair[1] === undefined ? [] : [[pair[0], pair[1]]]
    }),
  }
  const ids = body.map((stop) => (day.tasks[stop] as TaskView).id)
  const { routes, unserved } = await solvers.run('solve', inner, limitsFor(ids))
  const route = routes[0]
  const found = [...(route?.visits.map(({ stop }) => stop) ?? []), ...unserved].map((stop) => body[stop] as number)
  const lunchPosition = route?.lunch && head.length + route.lunch.position
  return { order: [...head, ...found, ...tail], lunchPosition }
}

function warnOfDay(working: Working, { totals }: TimedRoute, tasks: readonly TaskView[]): PlanWarning[] {
  if (tasks.length === 0) return []
  return [
    ...(working.isShiftOver ? [warn('SHIFT_OVER')] : []),
    ...(!working.isShiftOver && totals.overtimeSeconds > 0 ? [warn('OVERTIME')] : []),
    ...(working.isLunchTooLong ? [warn('LUNCH_TOO_LONG')] : []),
  ]
}

function summaryOf(
  traffic: string,
  { tasks, ways }: Day,
  order: readonly number[],
  before: TimedRoute,
  after: TimedRoute,
  warnings: PlanWarning[],
): RouteSummary {
  const inOrder = order.map((stop) => tasks[stop] as TaskView)
  const awbs = (chosen: TaskView[]) => chosen.map(({ awb }) => awb)
  const { source, isEstimate } = ways.times
  return {
    traffic,
    travel: { source, isEstimate },
    before: before.totals,
    after: after.totals,
    late: awbs(inOrder.filter((_, index) => (after.stops[index]?.lateSeconds ?? 0) > 0)),
    withoutPlace: awbs(inOrder.filter((task) => !pointOf(task))),
    approximate: awbs(inOrder.filter(isApproximate)),
    warnings,
  }
}
