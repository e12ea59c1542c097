import { Refusal } from '../../contract/errors.ts'
import type { RouteSummary } from '../../contract/planning.ts'
import { wholeMax } from '../../contract/schema.ts'
import { type Point, readTraffic } from '../../core/geo.ts'
import { settingsOf } from '../../core/settings.ts'
import { InTransit } from '../../core/task-status.ts'
import { endOfDay } from '../../core/time.ts'
import type { Context } from '../context.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { changeTasks, type TaskChange } from '../tasks/change.ts'
import type { TaskView } from '../tasks/tables.ts'
import { lockDriver, lockOpenTasksOfDriver } from '../tasks/view.ts'
import { isWorse, orderStops, type Plan, type Stop, timeStops } from './order.ts'
import { findHubPoint } from './queries.ts'

/** Puts a driver's open tasks of today into a good order, never a worse one than they have. */
export async function optimiseToday(
  context: Context,
  organisation: Organisation,
  driverId: number,
  trafficName: string | null | undefined,
): Promise<RouteSummary> {
  if (!settingsOf(organisation).enableRouteOptimization)
    throw new Refusal('FORBIDDEN_BY_SETTING', { message: 'The setting enableRouteOptimization forbids that' })
  const traffic = readTraffic(trafficName)
  const now = new Date()
  return commitWithEvents(context, async (db) => {
    if (!(await lockDriver(db, organisation.id, driverId))) throw new Refusal('DRIVER_NOT_FOUND')
    const start = (await findHubPoint(db, organisation.id, driverId)) ?? null
    const open = await lockOpenTasksOfDriver(db, organisation.id, driverId)
    const inRouteOrder = open.toSorted((one, other) => (one.route_position ?? 0) - (other.route_position ?? 0))
    const dayEnd = endOfDay(now, organisation.timezone)
    const isToday = (task: TaskView) => !task.complete_after || task.complete_after <= dayEnd
    const present = inRouteOrder.filter(isToday).map(stopOf)

    const before = timeStops(present, start, now, traffic)
    const proposed = orderStops(present, start, traffic)
    const proposedPlan = timeStops(proposed, start, now, traffic)
    const [order, after] = isWorse(proposedPlan, before) ? [present, before] : [proposed, proposedPlan]

    const later = inRouteOrder.filter((task) => !isToday(task))
    await changeTasks(context, db, organisation, plannedChanges(order, after, later, now), now)
    return summaryOf(traffic, before, after, order)
  })
}

const stopOf = (task: TaskView): Stop & { task: TaskView } => {
  const { lat, lng } = task.address
  return {
    id: task.id,
    task,
    point: lat === null || lng === null ? null : ({ lat, lng } satisfies Point),
    completeAfter: task.complete_after,
    completeBefore: task.complete_before,
    serviceSeconds: (task.service_minutes ?? 0) * 60,
    isInTransit: task.status_id === InTransit,
  }
}

/** Only tasks whose place or times really change; what comes later than today keeps its order, behind. */
function plannedChanges(order: readonly { task: TaskView }[], plan: Plan, later: TaskView[], now: Date): TaskChange[] {
  const planned = order.map(({ task }, index): TaskChange => {
    const route = plan.stops[index] as Plan['stops'][number]
    const seconds = Math.round((Date.parse(route.arrivalTime) - now.getTime()) / 1000)
    const eta = Math.min(Math.max(0, seconds), wholeMax)
    return { before: task, set: { route_position: index + 1, route, eta_seconds: eta }, fires: ['TASK_UPDATED'] }
  })
  const moved = planned.filter(({ before, set }) => {
    const was = before.route as Plan['stops'][number] | null
    return (
      before.route_position !== set.route_position || was?.position !== (set.route as Plan['stops'][number]).position
    )
  })
  const pushed = later
    .map((task, index): TaskChange => ({ before: task, set: { route_position: order.length + index + 1 }, fires: [] }))
    .filter(({ before, set }) => before.route_position !== set.route_position)
  return [...moved, ...pushed]
}

const totalsOf = ({ distanceMetres, durationSeconds, lateSeconds }: Plan) => ({
  distanceMetres,
  durationSeconds,
  lateSeconds,
})

const summaryOf = (
  traffic: string,
  before: Plan,
  after: Plan,
  order: readonly (Stop & { task: TaskView })[],
): RouteSummary => ({
  traffic,
  before: totalsOf(before),
  after: totalsOf(after),
  late: order.filter((_, index) => (after.stops[index]?.lateSeconds ?? 0) > 0).map(({ task }) => task.awb),
  withoutPlace: order.filter(({ point }) => point === null).map(({ task }) => task.awb),
})
