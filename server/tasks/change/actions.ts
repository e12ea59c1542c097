import { orThrow, Refusal } from '../../../contract/errors.ts'
import type { ForceCompletion, Task, TaskUpdate } from '../../../contract/task.ts'
import { settingsOf } from '../../../core/settings.ts'
import {
  assigningMove,
  decideMove,
  InTransit,
  type MoveName,
  type StatusId,
  Unassigned,
} from '../../../core/task-status.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { violatedUnique } from '../../db/faults.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { presentTask } from '../present.ts'
import { getFirstAdminId, insertNotes } from '../queries.ts'
import { lockDriver, lockDrivers, lockOpenTasksOfDriver, lockTasks, lockTasksByAwb, viewTasks } from '../read/view.ts'
import type { TaskRow, TaskView } from '../tables.ts'
import { changeTasks, differenceOf, partsOf, presentTasks, type TaskChange } from './change.ts'
import { applyUpdate } from './edit.ts'

/** What a move makes of a task, or why the task does not make it. */
export function moveTask(
  task: TaskView,
  name: MoveName,
  set: Partial<TaskRow> = {},
  parts: Pick<TaskChange, 'joined' | 'rereads'> = { rereads: ['driver'] },
): TaskChange | Refusal {
  const move = decideMove(name, task.status_id as StatusId)
  if (typeof move === 'string') return new Refusal(move)
  const status = move.to === 'gone' ? {} : { status_id: move.to }
  return { before: task, set: { ...set, ...status }, fires: move.fires, ...parts }
}

/** Off the driver's route, and not started. */
const withoutDriver = {
  user_id: null,
  route_position: null,
  route: null,
  driver_arrived: false,
  accepted_at: null,
  started_at: null,
  arrived_at: null,
} satisfies Partial<TaskRow>

/** The outcome of each requested task; undefined is success, even if nothing had to change. */
export type MoveResults<Reference> = Map<Reference, Refusal | undefined>

/** Decides for each requested task, in the given order, what changes; some need nothing, some are refused. */
function decideEach<Reference>(
  references: readonly Reference[],
  found: Map<Reference, TaskView>,
  decide: (task: TaskView, changesBefore: number) => TaskChange | Refusal | undefined,
) {
  const results: MoveResults<Reference> = new Map()
  const changes: TaskChange[] = []
  for (const reference of new Set(references)) {
    const task = found.get(reference)
    const outcome = task ? decide(task, changes.length) : new Refusal('TASK_NOT_FOUND')
    if (outcome && !(outcome instanceof Refusal)) changes.push(outcome)
    results.set(reference, outcome instanceof Refusal ? outcome : undefined)
  }
  return { results, changes }
}

type LockedDriver = Awaited<ReturnType<typeof lockDrivers>>[number]

/** Puts a task at the end of a driver's route, behind those that were appended just before. */
function appendTask(task: TaskView, move: MoveName, locked: LockedDriver, appendedBefore: number) {
  const { last_position: lastPosition, ...driver } = locked
  const set = { ...withoutDriver, user_id: driver.id, route_position: lastPosition + appendedBefore + 1 }
  return moveTask(task, move, set, { joined: { driver } })
}

/**
 * Appends tasks to a driver's route, in the order given. Tasks the driver has already stay where they are.
 * `lock` finds the tasks; `referenceOf` says by what the caller knows them.
 */
async function assignTasks<Reference>(
  context: Context,
  organisation: Organisation,
  driverId: number,
  references: readonly Reference[],
  lock: (db: Db) => Promise<TaskView[]>,
  referenceOf: (task: TaskView) => Reference,
): Promise<MoveResults<Reference>> {
  return commitWithEvents(context, async (db) => {
    const locked = await lockDriver(db, organisation.id, driverId)
    if (!locked) throw new Refusal('DRIVER_NOT_FOUND')
    const found = new Map((await lock(db)).map((task) => [referenceOf(task), task]))
    const { results, changes } = decideEach(references, found, (task, changesBefore) => {
      const move = assigningMove({ statusId: task.status_id, userId: task.user_id }, driverId)
      return move && appendTask(task, move, locked, changesBefore)
    })
    await changeTasks(context, db, organisation, changes, context.clock.now())
    return results
  })
}

export const assignTasksByAwb = (context: Context, organisation: Organisation, driverId: number, awbs: string[]) =>
  assignTasks(
    context,
    organisation,
    driverId,
    awbs,
    (db) => lockTasksByAwb(db, organisation.id, awbs),
    (task) => task.awb,
  )

export const assignTasksById = (context: Context, organisation: Organisation, driverId: number, ids: number[]) =>
  assignTasks(
    context,
    organisation,
    driverId,
    ids,
    (db) => lockTasks(db, organisation.id, ids),
    (task) => task.id,
  )

/** Gives tasks to the drivers chosen for them, the whole set at once. One that does not wait for a driver any more refuses. */
export async function assignWaitingTasks(
  context: Context,
  organisation: Organisation,
  chosen: readonly { taskId: number; driverId: number }[],
): Promise<MoveResults<number>> {
  const driverOf = new Map(chosen.map(({ taskId, driverId }) => [taskId, driverId]))
  return commitWithEvents(context, async (db) => {
    const locked = await lockDrivers(db, organisation.id, [...new Set(driverOf.values())])
    const drivers = new Map(locked.map((driver) => [driver.id, driver]))
    const found = new Map((await lockTasks(db, organisation.id, [...driverOf.keys()])).map((task) => [task.id, task]))
    const appended = new Map<number, number>()
    const { results, changes } = decideEach([...driverOf.keys()], found, (task) => {
      const driver = drivers.get(driverOf.get(task.id) as number)
      if (!driver) return new Refusal('DRIVER_NOT_FOUND')
      const before = appended.get(driver.id) ?? 0
      const change = appendTask(task, 'assign', driver, before)
      if (!(change instanceof Refusal)) appended.set(driver.id, before + 1)
      return change
    })
    await changeTasks(context, db, organisation, changes, context.clock.now())
    return results
  })
}

/** Takes tasks back; one that has no driver stays as it is. Answers every task found, as it is afterwards. */
export async function unassignTasksByAwb(context: Context, organisation: Organisation, awbs: string[]) {
  if (settingsOf(organisation).disableAdminUnassignToOrg) {
    const message = 'The setting disableAdminUnassignToOrg does not allow unassigning tasks'
    const found = await context.db.transaction((db) => lockTasksByAwb(db, organisation.id, awbs))
    const tasks = new Map(found.map((task) => [task.awb, task]))
    return { tasks, ...decideEach(awbs, tasks, () => new Refusal('FORBIDDEN_BY_SETTING', { message })) }
  }
  return commitWithEvents(context, async (db) => {
    const tasks = new Map((await lockTasksByAwb(db, organisation.id, awbs)).map((task) => [task.awb, task]))
    const { results, changes } = decideEach(awbs, tasks, (task) =>
      task.status_id === Unassigned
        ? undefined
        : moveTask(task, 'unassign', withoutDriver, { joined: { driver: null } }),
    )
    for (const task of await changeTasks(context, db, organisation, changes, context.clock.now()))
      tasks.set(task.awb, task)
    return { tasks, results }
  })
}

/** Takes a driver's open tasks back, as part of a larger change. One in transit refuses, unless the caller insists. */
export async function unassignAllOfDriver(
  context: Context,
  db: Db,
  organisation: Organisation,
  driverId: number,
  force: boolean,
) {
  const open = await lockOpenTasksOfDriver(db, organisation.id, driverId)
  const inTransit = open.find((task) => task.status_id === InTransit)
  if (inTransit && !force) {
    const message = `The driver has ${inTransit.awb} in transit; use ?force=true to unassign it`
    throw new Refusal('DRIVER_BUSY', { message })
  }
  const changes = open.map((task) => orThrow(moveTask(task, 'unassign', withoutDriver, { joined: { driver: null } })))
  await changeTasks(context, db, organisation, changes, context.clock.now())
}

async function lockTaskByAwb(db: Db, organisationId: number, awb: string): Promise<TaskView> {
  const [task] = await lockTasksByAwb(db, organisationId, [awb])
  if (!task) throw new Refusal('TASK_NOT_FOUND')
  return task
}

/** Makes one change and answers the task as it is then. */
async function changeOne(context: Context, db: Db, organisation: Organisation, change: TaskChange): Promise<Task> {
  const now = context.clock.now()
  const views = await changeTasks(context, db, organisation, [change], now)
  const [task] = await presentTasks(db, organisation, views, now)
  return task as Task
}

export async function forceCompleteTask(
  context: Context,
  organisation: Organisation,
  awb: string,
  body: ForceCompletion,
): Promise<Task> {
  const settings = settingsOf(organisation)
  const succeeds = body.success ?? !settings.forceCompleteAsFailed
  return commitWithEvents(context, async (db) => {
    const task = await lockTaskByAwb(db, organisation.id, awb)
    const cancelReason = succeeds ? null : (body.failureReason ?? settings.forceCompleteAsFailedCancelReason)
    const set = { completed_at: context.clock.now(), cancel_reason: cancelReason }
    return changeOne(context, db, organisation, orThrow(moveTask(task, succeeds ? 'forceComplete' : 'forceFail', set)))
  })
}

export async function deleteTask(context: Context, organisation: Organisation, awb: string): Promise<void> {
  await commitWithEvents(context, async (db) => {
    const task = await lockTaskByAwb(db, organisation.id, awb)
    const change = orThrow(moveTask(task, 'delete', { deleted_at: context.clock.now() }))
    await changeTasks(context, db, organisation, [change], context.clock.now())
  })
}

/** An update that changes nothing writes nothing and fires nothing. */
export async function updateTask(
  context: Context,
  organisation: Organisation,
  awb: string,
  input: TaskUpdate,
): Promise<Task> {
  try {
    return await commitWithEvents(context, async (db) => {
      const before = await lockTaskByAwb(db, organisation.id, awb)
      const { set, rereads } = await applyUpdate(db, organisation, before, input)
      const [stored] = await viewTasks(db, organisation.id, [before.id])
      const after = { ...before, ...set, ...partsOf(stored, rereads) }
      const now = context.clock.now()
      if (!differenceOf(presentTask(before, organisation, now), presentTask(after, organisation, now)))
        return (await presentTasks(db, organisation, [before], now))[0] as Task
      return changeOne(context, db, organisation, { before, set, fires: ['TASK_UPDATED'], rereads })
    })
  } catch (error) {
    if (violatedUnique(error) === 'tasks_awb')
      throw new Refusal('AWB_TAKEN', { field: 'awb', message: `Another task already has AWB ${input.awb}` })
    throw error
  }
}

export async function addNote(context: Context, organisation: Organisation, awb: string, note: string): Promise<Task> {
  return commitWithEvents(context, async (db) => {
    const task = await lockTaskByAwb(db, organisation.id, awb)
    const { actor } = context
    const userId = actor.type === 'ADMIN' ? (actor.id as number) : await getFirstAdminId(db, organisation.id)
    await insertNotes(db, organisation.id, [{ task_id: task.id, user_id: userId, type: 1, note, image: null }])
    return changeOne(context, db, organisation, { before: task, set: {}, fires: ['TASK_UPDATED'], rereads: ['notes'] })
  })
}
