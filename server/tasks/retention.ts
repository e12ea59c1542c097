import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { deleteFilesOfTasks } from '../files/queries.ts'
import { deleteFreeCustomers } from './customers/queries.ts'
import { deleteLearned } from './learned/queries.ts'
import { deleteMessages } from './noted-messages/queries.ts'
import { deletePromises } from './promises.ts'
import { isEnded, isOpen } from './read/conditions.ts'
import { deleteWords } from './search/words.ts'

/*
 * If the operator configures it, tasks that ended long ago are deleted with everything that refers to them, including
 * their events in the feed. A few at a time, each set in its own transaction that waits for no lock: a task in use is
 * left for the next round. Customers go with their last task.
 */

const atOnce = 200

/** Locks tasks that ended and have not changed since `before`. */
const lockEndedTasks = (db: Db, organisationId: number, before: Date, limit: number) =>
  db.many<{ id: number }>(sql`
    select t.id from (
      select id from tasks
      where organisation_id = ${organisationId} and deleted_at is null and updated_at < ${before}
        and ${isEnded}
      union all
      select id from tasks where organisation_id = ${organisationId} and deleted_at < ${before}
    ) ended
    join tasks t on t.organisation_id = ${organisationId} and t.id = ended.id
    where not exists (
        -- What it fired is still on its way.
        select from deliveries d
        where d.organisation_id = ${organisationId} and d.task_id = t.id)
      and not exists (
        -- Another one waits for it, or for ever if it failed: it must go on doing so.
        select from dependencies x
        join tasks waiting on waiting.organisation_id = x.organisation_id and waiting.id = x.task_id
        where x.organisation_id = ${organisationId} and x.depends_on_id = t.id
          and waiting.${isOpen} and waiting.deleted_at is null)
    limit ${limit}
    for update of t skip locked`)

/** Deletes tasks and everything that refers to them, children first. */
async function deleteTasks(db: Db, organisationId: number, ids: number[]) {
  const customers = await listCustomersOf(db, organisationId, ids)
  await db.run(sql`
    delete from dead_deliveries d using events e
    where e.organisation_id = ${organisationId} and e.task_id = any(${ids}::bigint[])
      and d.organisation_id = ${organisationId} and d.event_id = e.id`)
  await db.run(sql`delete from events where organisation_id = ${organisationId} and task_id = any(${ids}::bigint[])`)
  await db.run(sql`delete from conflicts where organisation_id = ${organisationId} and task_id = any(${ids}::bigint[])`)
  await deleteFilesOfTasks(db, organisationId, ids)
  await deletePromises(db, organisationId, ids)
  await deleteWords(db, organisationId, ids)
  await deleteLearned(db, organisationId, ids)
  await deleteMessages(db, organisationId, ids)
  await db.run(sql`delete from payments where organisation_id = ${organisationId} and task_id = any(${ids}::bigint[])`)
  await db.run(sql`delete from notes where organisation_id = ${organisationId} and task_id = any(${ids}::bigint[])`)
  await db.run(sql`
    delete from dependencies
    where organisation_id = ${organisationId}
      and (task_id = any(${ids}::bigint[]) or depends_on_id = any(${ids}::bigint[]))`)
  await db.run(sql`delete from addresses where organisation_id = ${organisationId} and task_id = any(${ids}::bigint[])`)
  await db.run(sql`delete from tasks where organisation_id = ${organisationId} and id = any(${ids}::bigint[])`)
  await deleteFreeCustomers(db, organisationId, customers)
}

const listCustomersOf = async (db: Db, organisationId: number, ids: number[]) =>
  (
    await db.many<{ id: number }>(sql`
      select distinct customer_id as id from tasks
      where organisation_id = ${organisationId} and id = any(${ids}::bigint[]) and customer_id is not null`)
  ).map(({ id }) => id)

/** Deletes some of an organisation's tasks that ended before then. Returns how many. */
export const dropEndedTasks = (db: Db, organisationId: number, before: Date, limit: number): Promise<number> =>
  db.transaction(async (db) => {
    const ids = (await lockEndedTasks(db, organisationId, before, limit)).map(({ id }) => id)
    if (ids.length > 0) await deleteTasks(db, organisationId, ids)
    return ids.length
  })

const dayMs = 24 * 3_600_000
/** A pause after each set, so that requests come first. */
const restMs = 50

/** Deletes the tasks of every organisation that are too old. */
export async function dropOldTasks(
  { config, database, clock }: Pick<Service, 'config' | 'database' | 'clock'>,
  stopping: AbortSignal,
) {
  const before = new Date(clock.now().getTime() - config.taskDays * dayMs)
  const organisations = await database.everyone.many<{ id: number }>(sql`select id from organisations order by id`)
  for (const { id } of organisations)
    while (!stopping.aborted && (await dropEndedTasks(database.of(id), id, before, atOnce)) === atOnce)
      await pause(restMs)
}
