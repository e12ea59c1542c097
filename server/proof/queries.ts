import { triggers } from '../../core/triggers.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { columnList, type Row, table, unnest } from '../db/table.ts'
import type { EventRow } from '../events/record.ts'
import type { FileRow } from '../files/queries.ts'
import type { Organisation } from '../organisations/queries.ts'
import { sumOfLines } from '../tasks/money.ts'
import type { PaymentRow } from '../tasks/tables.ts'

export type Ending = Pick<EventRow, 'task_id' | 'actor_type' | 'occurred_at' | 'recorded_at'>

const ends = [triggers.TASK_COMPLETE.id, triggers.TASK_FAILED.id]

/** How each of these tasks ended. */
export const listEndings = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<Ending>(sql`
    select distinct on (task_id) task_id, actor_type, occurred_at, recorded_at from events
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
      and trigger_id = any(${ends}::smallint[])
    order by task_id, sequence desc`)

export type PaidBy = Pick<PaymentRow, 'task_id' | 'method'> & { hundredths: number }

/** What was paid for these tasks, by method. */
export const sumPaid = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<PaidBy>(sql`
    select task_id, method, ${sumOfLines} as hundredths from payments
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
    group by task_id, method
    having ${sumOfLines} <> 0
    order by task_id, method`)

export type StoredPicture = Pick<FileRow, 'id' | 'store_key' | 'type'>

/** All pictures of these tasks. */
export const listPicturesOf = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<StoredPicture>(sql`
    select id, store_key, type from files
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])`)

export const findTaskIdsByAwb = (db: Db, organisationId: number, awbs: string[]) =>
  db.many<{ id: number; awb: string }>(sql`
    select id, awb from tasks
    where organisation_id = ${organisationId} and awb = any(${awbs}::text[]) and deleted_at is null`)

export const proofLinks = table('proof_links', {
  organisation_id: 'bigint',
  id: 'bigint',
  hash: 'bytea',
  created_by: 'text',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  revoked_at: 'timestamptz?',
})
type LinkRow = Row<typeof proofLinks>

export const proofLinkTasks = table('proof_link_tasks', {
  organisation_id: 'bigint',
  link_id: 'bigint',
  task_id: 'bigint',
  place: 'integer',
})

export const insertLink = (db: Db, organisationId: number, hash: Buffer, createdBy: string, days: number) =>
  db.get<LinkRow>(sql`
    insert into proof_links (organisation_id, hash, created_by, expires_at)
    values (${organisationId}, ${hash}, ${createdBy}, now() + make_interval(days => ${days}))
    returning *`)

const linkTaskColumns = ['link_id', 'task_id', 'place'] as const

export const insertLinkTasks = (
  db: Db,
  organisationId: number,
  tasks: Pick<Row<typeof proofLinkTasks>, (typeof linkTaskColumns)[number]>[],
) =>
  db.run(sql`
    insert into proof_link_tasks (organisation_id, ${columnList(linkTaskColumns)})
    select ${organisationId}, given.* from ${unnest(proofLinkTasks, linkTaskColumns, tasks)}`)

export type LinkView = LinkRow & { awbs: string[] }

/** The links of an organisation, or those that show one of its tasks; the latest first. */
export const listLinks = (db: Db, organisationId: number, awb: string | undefined, beforeId: number, limit: number) =>
  db.many<LinkView>(sql`
    select l.*, coalesce(shown.awbs, '{}') as awbs
    from proof_links l
    cross join lateral (
      select array_agg(t.awb order by x.place) as awbs
      from proof_link_tasks x
      join tasks t on t.organisation_id = x.organisation_id and t.id = x.task_id and t.deleted_at is null
      where x.organisation_id = l.organisation_id and x.link_id = l.id
    ) shown
    where l.organisation_id = ${organisationId} and l.id < ${beforeId}
      and (${awb ?? null}::text is null or ${awb ?? null} = any(shown.awbs))
    order by l.id desc
    limit ${limit}`)

/** 0 if there is none, or it was revoked before. */
export const markLinkRevoked = (db: Db, organisationId: number, linkId: number) =>
  db.run(sql`
    update proof_links set revoked_at = now()
    where organisation_id = ${organisationId} and id = ${linkId} and revoked_at is null`)

/** By hash alone: asked before the tenant is known. */
export const findLinked = (db: Db, hash: Buffer) =>
  db.find<{ id: number; organisation: Organisation; expires_at: Date; task_ids: number[] }>(sql`
    select l.id, row_to_json(o) as organisation, l.expires_at, (
        select coalesce(json_agg(x.task_id order by x.place), '[]') from proof_link_tasks x
        where x.organisation_id = l.organisation_id and x.link_id = l.id
      ) as task_ids
    from proof_links l
    join organisations o on o.id = l.organisation_id
    where l.hash = ${hash} and l.expires_at > now() and l.revoked_at is null`)
