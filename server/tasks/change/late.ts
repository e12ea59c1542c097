import { isOpen } from '../../../core/task-status.ts'
import { contextOf, type Service, system } from '../../context.ts'
import { getTime } from '../../db/clock.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { isDelayed } from '../arrival.ts'
import { isOverdue } from '../read/conditions.ts'
import { lockTasks } from '../read/lock.ts'
import { changeTasks } from './change.ts'

const atOnce = 500

/** Open tasks whose window has ended and that do not say so yet, by organisation. */
const listLateTasks = (db: Db, limit: number) =>
  db.many<{ organisation: Organisation; ids: number[] }>(sql`
    with late as (
      select t.organisation_id, t.id from tasks t
      where ${isOverdue} and t.deleted_at is null and not t.delayed
      order by t.complete_before
      limit ${limit}
    )
    select row_to_json(o) as organisation, l.ids
    from (select organisation_id, json_agg(id) as ids from late group by 1 order by 1) l
    join organisations o on o.id = l.organisation_id`)

/**
 * Marks tasks that time alone made late, each once and with an event. What to do follows from the tasks, so a restart
 * repeats and misses nothing. The database's clock decides.
 */
export async function markLateTasks(service: Service, stopping: AbortSignal) {
  while (!stopping.aborted) {
    const late = await listLateTasks(service.database.everyone, atOnce)
    for (const { organisation, ids } of late) await markLate(service, organisation, ids)
    if (late.reduce((count, { ids }) => count + ids.length, 0) < atOnce) return
  }
}

async function markLate(service: Service, organisation: Organisation, ids: number[]) {
  const context = contextOf(service, organisation.id, system)
  await commitWithEvents(context, async (db) => {
    const tasks = await lockTasks(db, organisation.id, ids)
    const now = await getTime(db)
    // Another process may have been faster, or somebody ended the task or moved its window.
    const late = tasks.filter((task) => isOpen({ statusId: task.status_id }) && !task.delayed && isDelayed(task, now))
    const changes = late.map((before) => ({ before, set: {}, fires: ['TASK_UPDATED'] as const }))
    await changeTasks(context, db, organisation, changes, now)
  })
}
