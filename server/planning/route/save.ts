import { Refusal } from '../../../contract/errors.ts'
import type { PlannedStop } from '../../../contract/task.ts'
import type { Context } from '../../context.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { willBeDelayed } from '../../tasks/arrival.ts'
import { changeTasks, type TaskChange } from '../../tasks/change/change.ts'
import { lockDriver } from '../../tasks/read/drivers.ts'
import { lockOpenTasksOfDriver } from '../../tasks/read/lock.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { isInTransit, isToday } from '../problem/stops.ts'
import type { Day } from './day.ts'
import { type PlannedOrder, timeRoute } from './timetable.ts'

/** An arrival that moves by less is the same plan, unless it crosses the end of the window. */
const sameMs = 60_000

/**
 * Saves an order that was found without locks. Tasks removed in the meantime are left out, tasks started come
 * first, new tasks go last, followed by tasks for later days, in the order of `behind` if they are named there.
 */
export async function saveRoute(
  context: Context,
  organisation: Organisation,
  driverId: number,
  day: Day,
  order: PlannedOrder,
  behind: readonly number[] = [],
) {
  await commitWithEvents(context, async (db) => {
    if (!(await lockDriver(db, organisation.id, driverId))) throw new Refusal('DRIVER_NOT_FOUND')
    const open = await lockOpenTasksOfDriver(db, organisation.id, driverId)
    const changes = mergeRoute(day, order, behind, open)
    await changeTasks(context, db, organisation, changes, context.clock.now())
  })
}

function mergeRoute(
  day: Day,
  { order, lunchPosition }: PlannedOrder,
  behind: readonly number[],
  open: readonly TaskView[],
): TaskChange[] {
  const current = new Map(open.map((task) => [task.id, task]))
  const idOf = (stop: number) => (day.tasks[stop] as TaskView).id
  const still = order.filter((stop) => current.has(idOf(stop)))
  const isStarted = (stop: number) => isInTransit(current.get(idOf(stop)) as TaskView)
  const merged = [...still.filter(isStarted), ...still.filter((stop) => !isStarted(stop))]
  const { stops } = timeRoute(day, merged, merged.length === order.length ? lunchPosition : undefined)
  const planned = merged.map((stop, index) =>
    planChange(current.get(idOf(stop)) as TaskView, stops[index] as PlannedStop),
  )

  const known = new Set(merged.map(idOf))
  const ranks = new Map(behind.map((id, rank) => [id, rank]))
  const rankOf = ({ id }: TaskView) => ranks.get(id) ?? behind.length
  const others = open
    .filter(({ id }) => !known.has(id))
    .sort(
      (one, other) =>
        rankOf(one) - rankOf(other) || (one.route_position ?? 0) - (other.route_position ?? 0) || one.id - other.id,
    )
  const unplanned = [
    ...others.filter((task) => isToday(task, day.clock)),
    ...others.filter((task) => !isToday(task, day.clock)),
  ].map((task, index): TaskChange => ({ before: task, set: { route_position: merged.length + index + 1 }, fires: [] }))
  return [
    ...planned.filter((change) => isReallyChanged(change, day.clock.now)),
    ...unplanned.filter(({ before, set }) => before.route_position !== set.route_position),
  ]
}

function planChange(before: TaskView, route: PlannedStop) {
  const set = { route_position: route.position, route, eta_at: new Date(route.arrivalTime) }
  return { before, set, fires: ['TASK_UPDATED'] } satisfies TaskChange
}

function isReallyChanged({ before, set }: ReturnType<typeof planChange>, now: Date): boolean {
  const was = before.route
  if (!was || was.position !== set.route.position || before.route_position !== set.route_position) return true
  if (before.will_be_delayed !== willBeDelayed({ ...before, ...set }, now)) return true
  return Math.abs(Date.parse(was.arrivalTime) - Date.parse(set.route.arrivalTime)) >= sameMs
}
