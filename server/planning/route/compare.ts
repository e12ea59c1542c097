import type { PlanWarning, RouteSummary } from '../../../contract/planning.ts'
import type { PlannedStop } from '../../../contract/task.ts'
import { transportOf } from '../../../core/travel.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { listConflicted } from '../../tasks/read/conflicted.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { pointOf } from '../problem/stops.ts'
import { listHubPoints, type PlannedDriver } from '../queries.ts'
import { isDoubtful, warn, warnOfTasks } from '../warnings.ts'
import type { Day } from './day.ts'
import { drawOrders } from './lines.ts'
import type { OpenRoute } from './open-route.ts'
import { type PlannedOrder, type TimedRoute, timeRoute } from './timetable.ts'

/** The current order compared with a new one. */
export async function compareOrders(
  context: Context,
  organisation: Organisation,
  day: Day,
  { order, lunchPosition }: PlannedOrder,
  { driver, ofDay }: OpenRoute,
  /** How many lines along the streets the answer may have: none, unless it is a preview. */
  mostLines: number,
): Promise<RouteSummary> {
  const { db } = context
  const { tasks, traffic, clock, ways } = day
  const before = timeRoute(day, [...tasks.keys()])
  const after = timeRoute(day, order, lunchPosition)
  const beyond = ofDay.filter((task) => !tasks.includes(task))
  const hubs = await listHubPoints(db, organisation.id)
  const conflicted = await listConflicted(
    db,
    organisation.id,
    tasks.map(({ id }) => id),
  )
  const held = tasks.filter(({ id }) => conflicted.has(id))
  const inOrder = order.map((stop) => tasks[stop] as TaskView)
  const awbs = (chosen: TaskView[]) => chosen.map(({ awb }) => awb)
  const transport = transportOf(driver.transportation_id)
  const drawn = await drawOrders(context, { start: day.start, transport, before: tasks, after: inOrder }, mostLines)
  const { source, isEstimate } = ways.times
  return {
    traffic,
    travel: { source, isEstimate },
    before: before.totals,
    after: after.totals,
    start: day.start,
    stops: drawn.map((stop, index) => ({
      ...stop,
      ...(after.stops[index] as PlannedStop),
      positionBefore: stop.positionBefore as number,
      stopBefore: stop.stopBefore as number,
    })),
    late: awbs(inOrder.filter((_, index) => (after.stops[index]?.lateSeconds ?? 0) > 0)),
    withoutPlace: awbs(inOrder.filter((task) => !pointOf(task))),
    approximate: awbs(inOrder.filter(isDoubtful)),
    warnings: [
      ...warnOfTasks(tasks, hubs, clock),
      ...(held.length > 0 ? [warn('OPEN_CONFLICT', held)] : []),
      ...warnOfDay(day, driver, after),
      ...(beyond.length > 0 ? [warn('TOO_MANY_TASKS', beyond)] : []),
      ...ways.times.warnings.map((sentence) => warn('TRAVEL_TIMES', [], sentence)),
    ],
  }
}

function warnOfDay({ tasks, working }: Day, driver: PlannedDriver, { totals }: TimedRoute): PlanWarning[] {
  if (tasks.length === 0) return []
  return [
    ...(driver.is_absent ? [warn('ABSENT')] : []),
    ...(working.isDayOff ? [warn('DAY_OFF')] : []),
    ...(working.isStartAssumed && !working.isDayOff ? [warn('NO_SHIFT')] : []),
    ...(working.isShiftOver ? [warn('SHIFT_OVER')] : []),
    ...(!working.isShiftOver && totals.overtimeSeconds > 0 ? [warn('OVERTIME')] : []),
    ...(working.isLunchTooLong ? [warn('LUNCH_TOO_LONG')] : []),
  ]
}
