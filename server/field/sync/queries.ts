import type { OpResult } from '../../../contract/sync.ts'
import type { Customered } from '../../../core/driver/rules.ts'
import type { Logged } from '../../../core/driver/take-back.ts'
import { InTransit } from '../../../core/task-status.ts'
import { triggers } from '../../../core/triggers.ts'
import { system } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { columnList, type Known, type Row, table, unnest } from '../../db/table.ts'

/* Ops that were answered, and what deciding about one asks the database. */

export type Answer = Omit<OpResult, 'opId'>

export const ops = table('ops', {
  organisation_id: 'bigint',
  user_id: 'bigint',
  op_id: 'text',
  type: 'text',
  task_id: 'bigint?',
  digest: 'bytea',
  answer: 'jsonb',
  occurred_at: 'timestamptz',
  recorded_at: 'timestamptz',
  sequence: 'integer?',
})
export type OpRow = Known<Row<typeof ops>, { answer: Answer }>

/** Those that were answered before. */
export const findOps = (db: Db, organisationId: number, names: readonly Pick<OpRow, 'user_id' | 'op_id'>[]) =>
  db.many<OpRow>(sql`
    select o.* from ${unnest(ops, ['user_id', 'op_id'], names)}
    cross join lateral (
      select * from ops
      where organisation_id = ${organisationId} and user_id = given.user_id and op_id = given.op_id limit 1
    ) o`)

const opColumns = [
  'user_id',
  'op_id',
  'type',
  'task_id',
  'digest',
  'answer',
  'occurred_at',
  'recorded_at',
  'sequence',
] as const

/** Remembers ops and their answers. Writes nothing where another request was faster with the same. */
export type NewOp = Pick<OpRow, (typeof opColumns)[number]>
export const insertOps = (db: Db, organisationId: number, given: readonly NewOp[]) =>
  db.run(sql`
    insert into ops (organisation_id, ${columnList(opColumns)})
    select ${organisationId}, given.* from ${unnest(ops, opColumns, given)}
    on conflict do nothing`)

/** Promised are 90 days; a phone that was in a drawer for longer is told so by the cursor. */
export const forgetOps = (db: Db, limit: number) =>
  db.run(sql`
    delete from ops where (organisation_id, user_id, op_id) in (
      select organisation_id, user_id, op_id from ops
      where recorded_at < now() - interval '100 days'
      order by recorded_at
      limit ${limit}
      for update skip locked)`)

/** When a driver got a task, and when they lost it, in order. */
export const listTerms = (db: Db, organisationId: number, driverId: number, taskId: number) =>
  db.many<{ is_given: boolean; recorded_at: Date }>(sql`
    select trigger_id = ${triggers.TASK_ASSIGNED.id} as is_given, recorded_at from events
    where organisation_id = ${organisationId} and task_id = ${taskId} and user_id = ${driverId}
      and trigger_id in (${triggers.TASK_ASSIGNED.id}, ${triggers.TASK_UNASSIGNED.id})
    order by sequence`)

/**
 * The earliest a driver can have done something to a task: when it was first theirs, which is one of its first events, and
 * when they first signed in. Without a task only that.
 */
export const listEarliest = (db: Db, organisationId: number, pairs: readonly Pick<OpRow, 'user_id' | 'task_id'>[]) =>
  db.many<{ user_id: number; task_id: number | null; earliest: Date | null }>(sql`
    select given.user_id, given.task_id, greatest(u.first_signed_in_at, e.recorded_at) as earliest
    from ${unnest(ops, ['user_id', 'task_id'], pairs)}
    cross join lateral (
      select first_signed_in_at from users
      where organisation_id = ${organisationId} and id = given.user_id limit 1
    ) u
    left join lateral (
      select recorded_at from events
      where organisation_id = ${organisationId} and task_id = given.task_id and user_id = given.user_id
        and trigger_id = ${triggers.TASK_ASSIGNED.id}
      order by sequence
      limit 1
    ) e on true`)

/** When a driver got the tasks they have. */
export const listGiven = (db: Db, organisationId: number, driverId: number, taskIds: number[]) =>
  db.many<{ task_id: number; given_at: Date }>(sql`
    select task_id, max(recorded_at) as given_at from events
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) and user_id = ${driverId}
      and trigger_id = ${triggers.TASK_ASSIGNED.id}
    group by task_id`)

/** The tasks that these drivers are on their way to. */
export const listInTransit = (db: Db, organisationId: number, driverIds: number[]) =>
  db.many<{ id: number; user_id: number }>(sql`
    select id, user_id from tasks
    where organisation_id = ${organisationId} and user_id = any(${driverIds}::bigint[]) and status_id = ${InTransit}
      and deleted_at is null`)

/** Whose task it is; null if nobody is named. */
export const findCustomerOf = async (db: Db, organisationId: number, taskId: number): Promise<Customered> => {
  const customer = await db.find<{ id: number; name: string; phone: string }>(sql`
    select c.id, c.name, coalesce(c.phone, c.typed_phone, '') as phone
    from tasks t
    join customers c on c.organisation_id = t.organisation_id and c.id = t.customer_id
    where t.organisation_id = ${organisationId} and t.id = ${taskId}`)
  return { customerId: customer?.id ?? null, customer: customer ?? null }
}

/** Whether it was this driver who brought the task into the state it is in. */
export const wasMovedBy = async (db: Db, organisationId: number, driverId: number, taskId: number) =>
  (
    await db.find<{ is_own: boolean }>(sql`
      select actor_type = 'DRIVER' and actor_id = ${driverId} as is_own from events
      where organisation_id = ${organisationId} and task_id = ${taskId}
        and from_status_id is distinct from to_status_id
      order by sequence desc
      limit 1`)
  )?.is_own === true

/** Whether the last start of a task was made by Waybill itself. */
export const wasStartedByItself = async (db: Db, organisationId: number, taskId: number) =>
  (
    await db.find<{ is_systems: boolean }>(sql`
      select actor_type = ${system.type} as is_systems from events
      where organisation_id = ${organisationId} and task_id = ${taskId} and trigger_id = ${triggers.TASK_START.id}
      order by sequence desc
      limit 1`)
  )?.is_systems === true

/** Whether someone else has changed the task since then. That time passes and the driver moves is no one's doing. */
export const wasChangedByOthers = async (
  db: Db,
  organisationId: number,
  driverId: number,
  taskId: number,
  since: Date,
) =>
  (await db.run(sql`
    select from events
    where organisation_id = ${organisationId} and task_id = ${taskId} and recorded_at > ${since}
      and not (actor_type = 'DRIVER' and actor_id = ${driverId})
      and not (actor_type = 'SYSTEM' and trigger_id = ${triggers.TASK_UPDATED.id})
    limit 1`)) > 0

/** What the log of a task says after this entry, so far as it matters for taking that back. */
export const listLogged = async (db: Db, organisationId: number, taskId: number, after: number): Promise<Logged[]> =>
  (
    await db.many<{ sequence: number; is_nobodys: boolean; takes_back: number | null }>(sql`
      select sequence, actor_type = 'SYSTEM' and trigger_id = ${triggers.TASK_UPDATED.id} as is_nobodys,
        (remark::jsonb -> 'takenBack' ->> 'sequence')::integer as takes_back
      from events
      where organisation_id = ${organisationId} and task_id = ${taskId} and sequence > ${after}
      order by sequence`)
  ).map(({ sequence, is_nobodys, takes_back }) => ({ sequence, isNobodys: is_nobodys, takesBack: takes_back }))
