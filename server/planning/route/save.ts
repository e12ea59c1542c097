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
import { isBeforePlannedDay, isInTransit, isOfPlannedDay } from '../problem/stops.ts'
import type { Day } from './day.ts'
import { type PlannedOrder, timeRoute } from './timetable.ts'

/** An arrival that moves by less is the same plan, unless it crosses the end of the window. */
const sameMs = 60_000

/**
 * Saves an order that was found without locks. Tasks removed in the meantime are left out, tasks started come
 * first, new tasks go last. Tasks of earlier days stay before them and those of later days after them, in the order of
 * `behind` if they are named there.
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
    const now = context.clock.now()
    await changeTasks(context, db, organisation, mergeRoute(day, order, behind, open, now), now)
  })
}

/** What changes so that the open tasks of a driver, locked, are in the order that was found. */
export function mergeRoute(
  day: Day,
  { order, lunchPosition }: PlannedOrder,
  behind: readonly number[],
  open: readonly TaskView[],
  now: Date,
): TaskChange[] {
  const current = new Map(open.map((task) => [task.id, task]))
  const idOf = (stop: number) => (day.tasks[stop] as TaskView).id
  const still = order.filter((stop) => current.has(idOf(stop)))
  const isStarted = (stop: number) => isInTransit(current.get(idOf(stop)) as TaskView)
  const merged = [...still.filter(isStarted), ...still.filter((stop) => !isStarted(stop))]
  const { stops } = timeRoute(day, merged, merged.length === order.length ? lunchPosition : undefined)
  const known = new Set(merged.map(idOf))
  const ranks = new Map(behind.map((id, rank) => [id, rank]))
  const rankOf = ({ id }: TaskView) => ranks.get(id) ?? behind.length
  const others = open
    .filter(({ id }) => !known.has(id))
    .sort(
      (one, other) =>
        rankOf(one) - rankOf(other) || (one.route_position ?? 0) - (other.route_position ?? 0) || one.id - other.id,
    )
  const whenOf = (task: TaskView) =>
    isOfPlannedDay(task, day.clock) ? 'new' : isBeforePlannedDay(task, day.clock) ? 'earlier' : 'later'
  const { earlier = [], new: added = [], later = [] } = Object.groupBy(others, whenOf)
  const planned = merged.map((stop, index) =>
    planChange(current.get(idOf(stop)) as TaskView, stops[index] as PlannedStop, earlier.length),
  )
  const place = (tasks: TaskView[], before: number) =>
    tasks.map((task, index): TaskChange => ({ before: task, set: { route_position: before + index + 1 }, fires: [] }))
  const unplanned = [...place(earlier, 0), ...place([...added, ...later], earlier.length + merged.length)]
  return [
    ...planned.filter((change) => isReallyChanged(change, now)),
    ...unplanned.filter(({ before, set }) => before.route_position !== set.route_position),
  ]
}

/** The position in the plan is that of the day; the one in the route also counts tasks of earlier days. */
function planChange(before: TaskView, route: PlannedStop, earlier: number) {
  const set = { route_position: earlier + route.position, route, eta_at: new Date(route.arrivalTime) }
  return { before, set, fires: ['TASK_UPDATED'] } satisfies TaskChange
}

function isReallyChanged({ before, set }: ReturnType<typeof planChange>, now: Date): boolean {
  const was = before.route
  if (!was || was.position !== set.route.position || before.route_position !== set.route_position) return true
  if (before.will_be_delayed !== willBeDelayed({ ...before, ...set }, now)) return true
  return Math.abs(Date.parse(was.arrivalTime) - Date.parse(set.route.arrivalTime)) >= sameMs
}
