import { type LeftReason, leftReasons } from '../../../contract/planning.ts'
import type { PageQuery } from '../../../contract/schema.ts'
import { settingsOf } from '../../../core/settings.ts'
import { triggers } from '../../../core/triggers.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type Row, table, unnest } from '../../db/table.ts'
import { pageById } from '../../http/answers/cursor.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { isOfToday, isPlannedAlone } from '../../tasks/read/conditions.ts'
import { isLeftToUs, isWaiting } from './queries.ts'

/* Why automatic assignment leaves tasks alone: its worker writes it down, and people read it. */

export const leftTasks = table('left_tasks', {
  organisation_id: 'bigint',
  task_id: 'bigint',
  reason: 'text',
  tried_at: 'timestamptz?',
})
type LeftTask = Pick<Row<typeof leftTasks>, 'task_id' | 'reason'>

/** So many are explained; who has more waiting tasks than this has another problem. */
export const mostLeft = 1_000

/** Tasks of today that the mode does not even try: nobody knows where they are, or a person decides about them. */
export const listUntried = (db: Db, organisation: Organisation, dayEnd: Date) =>
  db.many<LeftTask>(sql`
    select t.id as task_id,
      case when a.lat is null then ${'WITHOUT_PLACE' satisfies LeftReason}
        when not ${isPlannedAlone} then ${'DOUBTFUL_PLACE' satisfies LeftReason}
        else ${'UNASSIGNED_BEFORE' satisfies LeftReason} end as reason
    from tasks t
    join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
    where t.organisation_id = ${organisation.id} and ${isWaiting}
      and ${isOfToday(dayEnd)} and ${isLeftToUs(organisation)}
      and (not ${isPlannedAlone} or exists (
        select from events e
        where e.organisation_id = t.organisation_id and e.task_id = t.id
          and e.trigger_id = ${triggers.TASK_UNASSIGNED.id}))
    order by t.id
    limit ${mostLeft}`)

/** Keeps these, and of the others only those that were tried before and would not be found to be different. Says whether anything is new. */
export async function keepLeft(
  db: Db,
  organisationId: number,
  left: readonly LeftTask[],
  tried: readonly number[] = [],
) {
  const kept = [...left.map(({ task_id }) => task_id), ...tried]
  const gone = await db.many<{ task_id: number }>(sql`
    delete from left_tasks
    where organisation_id = ${organisationId} and task_id <> all(${kept}::bigint[])
    returning task_id`)
  // A task that was deleted meanwhile has nothing to say.
  const written = await db.many<{ task_id: number }>(sql`
    insert into left_tasks as l (organisation_id, task_id, reason)
    select ${organisationId}, given.task_id, given.reason
    from ${unnest(leftTasks, ['task_id', 'reason'], [...left])}
    join tasks t on t.organisation_id = ${organisationId} and t.id = given.task_id
    where not exists (
      select from left_tasks k
      where k.organisation_id = ${organisationId} and k.task_id = given.task_id and k.reason = given.reason)
    order by given.task_id
    on conflict (organisation_id, task_id) do update set reason = excluded.reason
    returning l.task_id`)
  return gone.length + written.length > 0
}

/** For these, if they are still left, a plan has just looked for a driver. */
export const noteTried = (db: Db, organisationId: number, taskIds: readonly number[], now: Date) =>
  db.run(sql`
    update left_tasks set tried_at = ${now}
    where organisation_id = ${organisationId} and task_id = any(${[...taskIds]}::bigint[])`)

const listLeft = (db: Db, organisationId: number, afterId: number, limit: number) =>
  db.many<{ id: number; awb: string; reason: LeftReason }>(sql`
    select t.id, t.awb, l.reason
    from left_tasks l
    join tasks t on t.organisation_id = l.organisation_id and t.id = l.task_id
    where l.organisation_id = ${organisationId} and l.task_id > ${afterId} and ${isWaiting}
    order by l.task_id
    limit ${limit}`)

/** A page of the tasks that automatic assignment has left without a driver; none if it is off. */
export async function findLeft(db: Db, organisation: Organisation, query: PageQuery) {
  const { page, ...more } = await pageById(query, async (afterId, limit) =>
    settingsOf(organisation).enableAutoAssignMode ? listLeft(db, organisation.id, afterId, limit) : [],
  )
  return {
    left: page.map(({ id, awb, reason }) => ({ taskId: id, awb, reason, message: leftReasons[reason] })),
    ...more,
  }
}
