import { Refusal, unknownInBody } from '../../../contract/errors.ts'
import { type PlaceEstimate, type PlacesInput, type Placing, placings } from '../../../contract/planning.ts'
import { assigningMove, isOpen } from '../../../core/task-status.ts'
import type { Context } from '../../context.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { appendTask } from '../../tasks/change/assign.ts'
import { changeTasks, type TaskChange } from '../../tasks/change/change.ts'
import { decideEach, type MoveResults } from '../../tasks/change/move.ts'
import { findTaskIds } from '../../tasks/queries.ts'
import { lockDriver } from '../../tasks/read/drivers.ts'
import { lockTasksAndRoutes } from '../../tasks/read/lock.ts'
import { viewTasks } from '../../tasks/read/view.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { findInsertion, layOutInsertion } from './insert.ts'
import { getOpenRoute } from './open-route.ts'
import { mergeRoute } from './save.ts'
import { timeRoute } from './timetable.ts'

/** A place in the route, of today or of another day. */
interface Where {
  position: Placing
  day?: string | null | undefined
}

/**
 * Assigns tasks to a driver and puts them into the route, with a plan for all of it. The place is found without locks;
 * changes in the meantime are merged when it is saved. Tasks the driver already has move there, too.
 */
export async function placeTasks(
  context: Context,
  organisation: Organisation,
  driverId: number,
  ids: number[],
  { position, day }: Where,
): Promise<MoveResults<number>> {
  const open = await getOpenRoute(context, organisation, driverId, day)
  const insertion = await layOutInsertion(context, open, await viewTasks(context.db, organisation.id, ids))
  const order = await findInsertion(context, insertion, position)
  return commitWithEvents(context, async (db) => {
    const driver = await lockDriver(db, organisation.id, driverId)
    if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
    const locked = await lockTasksAndRoutes(db, organisation.id, ids, [driverId])
    const found = new Map(locked.map((task) => [task.id, task]))
    const { results, changes } = decideEach(ids, found, (task, changesBefore) => {
      const move = assigningMove({ statusId: task.status_id, userId: task.user_id }, driverId)
      return move && appendTask(task, move, driver, changesBefore)
    })
    const route = routeWith(locked, driverId, changes)
    const now = context.clock.now()
    const planned = mergeRoute(insertion.day, { order }, [], route, now)
    await changeTasks(context, db, organisation, joinChanges(changes, planned), now)
    return results
  })
}

export async function placeTasksByAwb(
  context: Context,
  organisation: Organisation,
  driverId: number,
  awbs: string[],
  where: Where,
): Promise<MoveResults<string>> {
  const found = new Map((await findTaskIds(context.db, organisation.id, awbs)).map(({ awb, id }) => [awb, id]))
  const results = await placeTasks(
    context,
    organisation,
    driverId,
    awbs.flatMap((awb) => found.get(awb) ?? []),
    where,
  )
  const outcomeOf = (id: number | undefined) => (id === undefined ? new Refusal('TASK_NOT_FOUND') : results.get(id))
  return new Map(awbs.map((awb) => [awb, outcomeOf(found.get(awb))]))
}

/** The open tasks of the driver once these are assigned. */
function routeWith(locked: readonly TaskView[], driverId: number, assigned: readonly TaskChange[]): TaskView[] {
  const own = locked.filter(({ user_id }) => user_id === driverId)
  return [...own.filter(isOpenTask), ...assigned.map(({ before, set, joined }) => ({ ...before, ...set, ...joined }))]
}
const isOpenTask = ({ status_id }: TaskView) => isOpen({ statusId: status_id })

/** One change for each task: what is assigned fires what assigning fires, and has its plan from the beginning. */
function joinChanges(assigned: readonly TaskChange[], planned: readonly TaskChange[]): TaskChange[] {
  const plans = new Map(planned.map((change) => [change.before.id, change]))
  const ids = new Set(assigned.map(({ before }) => before.id))
  return [
    ...assigned.map((change) => ({ ...change, set: { ...change.set, ...plans.get(change.before.id)?.set } })),
    ...planned.filter(({ before }) => !ids.has(before.id)),
  ]
}

/** What each place for these tasks would mean for the driver's day. Nothing is written. */
export async function estimatePlaces(
  context: Context,
  organisation: Organisation,
  driverId: number,
  { tasks: ids, day: wanted }: PlacesInput,
): Promise<PlaceEstimate[]> {
  const open = await getOpenRoute(context, organisation, driverId, wanted)
  const tasks = await viewTasks(context.db, organisation.id, ids)
  const missing = ids.find((wanted) => !tasks.some(({ id }) => id === wanted))
  if (missing !== undefined) throw unknownInBody('TASK_NOT_FOUND', 'tasks', `Task ${missing} not found`)
  const insertion = await layOutInsertion(context, open, tasks)
  const { day, added } = insertion
  const before = timeRoute(day, [...open.ofDay.keys()].slice(0, day.tasks.length))
  const lateBefore = new Map(before.stops.map(({ lateSeconds }, index) => [index, lateSeconds]))
  const estimates: PlaceEstimate[] = []
  for (const placing of added.length > 0 ? placings : []) {
    const order = await findInsertion(context, insertion, placing)
    const after = timeRoute(day, order)
    const first = order.findIndex((stop) => added.includes(stop))
    estimates.push({
      position: placing,
      place: first + 1,
      arrivalTime: after.stops[first]?.arrivalTime as string,
      addedSeconds: after.totals.durationSeconds - before.totals.durationSeconds,
      addedTravelSeconds: after.totals.travelSeconds - before.totals.travelSeconds,
      addedOvertimeSeconds: after.totals.overtimeSeconds - before.totals.overtimeSeconds,
      late: order.flatMap((stop, index) => {
        const lateSeconds = after.stops[index]?.lateSeconds ?? 0
        const { id, awb } = day.tasks[stop] as TaskView
        return lateSeconds > 0 && !lateBefore.get(stop) ? [{ taskId: id, awb, lateSeconds }] : []
      }),
    })
  }
  return estimates
}
