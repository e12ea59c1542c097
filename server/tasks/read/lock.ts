import type { Db } from '../../db/db.ts'
import { keyList, type Sql, sql } from '../../db/sql.ts'
import type { TaskView } from '../tables.ts'
import { type Link, linkColumns, lockAfter, lockBefore, lockRows } from './chain.ts'
import { isOpen } from './conditions.ts'
import { findEvenDeleted, viewTasks } from './view.ts'

/**
 * Locks tasks until the transaction ends, in id order, so that two changes queue up instead of racing; then reads them.
 * Two statements, because a statement that waited for a lock sees the new version of the locked row, but joined rows as
 * they were before. `no key`, because rows that refer to a task (a note, a dependency) need not wait for its change. What
 * partners have of a task is locked with it.
 */
async function lockAndView(db: Db, organisationId: number, condition: Sql): Promise<TaskView[]> {
  const ids = await lock(db, organisationId, condition)
  return ids.length > 0 ? viewTasks(db, organisationId, ids) : []
}

async function lock(db: Db, organisationId: number, condition: Sql): Promise<number[]> {
  const others = await lockBefore(db, organisationId, condition)
  const locked = await db.many<Link>(sql`
    select ${linkColumns} from tasks
    where organisation_id = ${organisationId} and deleted_at is null and ${condition}
    order by id
    for no key update`)
  if (locked.length > 0) await lockAfter(db, organisationId, locked, others)
  return locked.map(({ id }) => id)
}

const areThese = (ids: number[]) => sql`id = any(${keyList(ids)}::bigint[])`

/** Only locks tasks, for who reads them later or not all of them. Answers which there are. */
export const lockTaskIds = (db: Db, organisationId: number, ids: number[]) => lock(db, organisationId, areThese(ids))

export const lockTasks = (db: Db, organisationId: number, ids: number[]) =>
  lockAndView(db, organisationId, areThese(ids))

/**
 * A task even if it was deleted: money that was taken for it counts all the same. That of a next try counts for the task before it,
 * where it lowers what is asked for. Nobody else locks a deleted row together with others, so it need not wait for its turn.
 */
export async function lockToPay(db: Db, organisationId: number, taskId: number): Promise<TaskView | undefined> {
  const [task] = await lockTasks(db, organisationId, [taskId])
  if (task) return task
  await lockRows(db, organisationId, [taskId])
  const deleted = await findEvenDeleted(db, organisationId, taskId)
  const before = deleted?.attempt_of && (await lockToPay(db, organisationId, deleted.attempt_of))
  return before || deleted
}

export const lockTasksByAwb = (db: Db, organisationId: number, awbs: string[]) =>
  lockAndView(db, organisationId, sql`awb = any(${keyList(awbs)}::text[])`)

export const lockOpenTasksOfDriver = (db: Db, organisationId: number, driverId: number) =>
  lockAndView(db, organisationId, sql`user_id = ${driverId} and ${isOpen}`)

/** Some tasks, and all open ones of some drivers. */
export const lockTasksAndRoutes = (db: Db, organisationId: number, ids: number[], driverIds: number[]) =>
  lockAndView(
    db,
    organisationId,
    sql`(id = any(${ids}::bigint[]) or (user_id = any(${driverIds}::bigint[]) and ${isOpen}))`,
  )

/** Some of a team's tasks, open and done. */
export const lockTasksOfTeam = (db: Db, organisationId: number, teamId: number, limit: number) =>
  lockAndView(
    db,
    organisationId,
    sql`id in (
      select id from tasks
      where organisation_id = ${organisationId} and team_id = ${teamId} and deleted_at is null
      order by id
      limit ${limit})`,
  )
