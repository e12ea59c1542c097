import { triggers } from '../../core/triggers.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { EventRow } from '../events/record.ts'
import type { FileRow } from '../files/queries.ts'
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

export type PaidBy = Pick<PaymentRow, 'task_id' | 'method' | 'amount'>

/** What was paid for these tasks, by method. */
export const sumPaid = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<PaidBy>(sql`
    select task_id, method, sum(amount)::bigint as amount from payments
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
    group by task_id, method
    having sum(amount) <> 0
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
