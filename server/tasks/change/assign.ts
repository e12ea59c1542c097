import { orThrow, Refusal } from '../../../contract/errors.ts'
import { settingsOf } from '../../../core/settings.ts'
import { assigningMove, InTransit, type MoveName, Unassigned } from '../../../core/task-status.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { listConflicted } from '../read/conflicted.ts'
import { lockDriver, lockDrivers } from '../read/drivers.ts'
import { lockOpenTasksOfDriver, lockTasks, lockTasksByAwb } from '../read/lock.ts'
import type { TaskView } from '../tables.ts'
import { changeTasks } from './change.ts'
import { decideEach, type MoveResults, moveTask, withoutDriver } from './move.ts'

type LockedDriver = Awaited<ReturnType<typeof lockDrivers>>[number]

/** Puts a task at the end of a driver's route, after those appended before it in the same set, if they may have it. */
export function appendTask(task: TaskView, move: MoveName, locked: LockedDriver, appendedBefore: number) {
  const { last_position: lastPosition, active, ...driver } = locked
  if (!active) return new Refusal('DRIVER_INACTIVE')
  const set = { ...withoutDriver, user_id: driver.id, route_position: lastPosition + appendedBefore + 1 }
  return moveTask(task, move, set, { joined: { driver } })
}

/**
 * Appends tasks to a driver's route, in the order given. Tasks the driver already has stay where they are.
 * `lock` finds the tasks; `referenceOf` returns the reference the caller used for one.
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

/**
 * Assigns tasks to the drivers chosen for them, as one set. A task that is no longer unassigned is refused, and one about
 * which a driver reported something while they were chosen.
 */
export async function assignWaitingTasks(
  context: Context,
  organisation: Organisation,
  chosen: readonly { taskId: number; driverId: number }[],
): Promise<MoveResults<number>> {
  const driverOf = new Map(chosen.map(({ taskId, driverId }) => [taskId, driverId]))
  return commitWithEvents(context, async (db) => {
    const locked = await lockDrivers(db, organisation.id, [...new Set(driverOf.values())])
    const drivers = new Map(locked.map((driver) => [driver.id, driver]))
    const tasks = await lockTasks(db, organisation.id, [...driverOf.keys()])
    const conflicted = await listConflicted(db, organisation.id, [...driverOf.keys()])
    const found = new Map(tasks.filter(({ id }) => !conflicted.has(id)).map((task) => [task.id, task]))
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

/** Unassigns tasks; one without a driver stays as it is. Returns every task found, as it is afterwards. */
export async function unassignTasksByAwb(context: Context, organisation: Organisation, awbs: string[]) {
  if (settingsOf(organisation).disableAdminUnassignToOrg) {
    const found = await context.db.transaction((db) => lockTasksByAwb(db, organisation.id, awbs))
    const tasks = new Map(found.map((task) => [task.awb, task]))
    return {
      tasks,
      ...decideEach(awbs, tasks, () => forbiddenBySetting('disableAdminUnassignToOrg', 'unassigning tasks')),
    }
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

/** Unassigns a driver's open tasks, as part of a larger change. Refused if one is in transit, unless forced. */
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
