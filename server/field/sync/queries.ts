import type { OpResult } from '../../../contract/sync.ts'
import { toleratedMs } from '../../../core/device-clock.ts'
import type { Logged } from '../../../core/driver/take-back.ts'
import { InTransit, type StatusId } from '../../../core/task-status.ts'
import { triggers } from '../../../core/triggers.ts'
import type { Db } from '../../db/db.ts'
import { reserveIds } from '../../db/reserve.ts'
import { sql } from '../../db/sql.ts'
import { columnList, type Known, type Row, table, unnest } from '../../db/table.ts'
import { type Day, endedOn, isEnded, isOpen } from '../../tasks/read/conditions.ts'
import type { NoteView, PaymentRow, TaskView } from '../../tasks/tables.ts'
import type { Told } from './arrivals.ts'
import type { TaskAction } from './op.ts'

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

export const conflicts = table('conflicts', {
  organisation_id: 'bigint',
  id: 'bigint',
  user_id: 'bigint',
  task_id: 'bigint',
  op_id: 'text?',
  op: 'jsonb',
  code: 'text',
  message: 'text',
  occurred_at: 'timestamptz',
  recorded_at: 'timestamptz',
  settled_at: 'timestamptz?',
  applied: 'boolean?',
  note: 'text?',
  settled_by: 'text?',
  settled_after_event_id: 'bigint?',
})
/** What a driver did and where, as it is kept. */
export type KeptOp = Exclude<TaskAction, { type: 'takeBack' }> & {
  lat: number | null
  lng: number | null
  accuracyMetres?: number
}
export type ConflictRow = Known<Row<typeof conflicts>, { op: KeptOp }> & {
  awb: string
  driver_name: string
  /** Of the task as it is now; null if it was deleted. */
  status_id: StatusId | null
  assigned_to: { id: number; name: string } | null
  address: string
  address_lat: number | null
  address_lng: number | null
  /** The picture of the op has arrived. */
  has_picture: boolean
}

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

export const reserveConflictIds = (db: Db, count: number) => reserveIds(db, sql`nextval('conflicts_id_seq')`, count)

const newColumns = ['id', 'user_id', 'task_id', 'op_id', 'op', 'code', 'message', 'occurred_at', 'recorded_at'] as const

export type NewConflict = Pick<ConflictRow, (typeof newColumns)[number]>
export const insertConflicts = (db: Db, organisationId: number, given: readonly NewConflict[]) =>
  db.run(sql`
    insert into conflicts (organisation_id, ${columnList(newColumns)})
    overriding system value
    select ${organisationId}, given.* from ${unnest(conflicts, newColumns, given)}`)

const selectConflicts = sql`
  select c.*, t.awb, u.name as driver_name, case when t.deleted_at is null then t.status_id end as status_id,
    case when d.id is not null and t.deleted_at is null then json_build_object('id', d.id, 'name', d.name) end as assigned_to,
    a.address, a.lat as address_lat, a.lng as address_lng, f.store_key is not null as has_picture
  from conflicts c
  join tasks t on t.organisation_id = c.organisation_id and t.id = c.task_id
  join addresses a on a.organisation_id = c.organisation_id and a.task_id = c.task_id
  join users u on u.organisation_id = c.organisation_id and u.id = c.user_id
  left join users d on d.organisation_id = c.organisation_id and d.id = t.user_id
  left join files f on f.organisation_id = c.organisation_id and f.id = (c.op ->> 'fileId')::uuid`

/** Open ones, and all, in the order they came. The index of open ones makes them cost the same however many are settled. */
export const listConflicts = (db: Db, organisationId: number, isOpen: boolean, afterId: number, limit: number) =>
  db.many<ConflictRow>(sql`
    ${selectConflicts}
    where c.organisation_id = ${organisationId} and c.id > ${afterId} ${isOpen ? sql`and c.settled_at is null` : sql``}
    order by c.id
    limit ${limit}`)

/** Only what marks a task: the rest of a conflict is large, and there may be many. */
export const listOpenConflicts = (db: Db, organisationId: number, afterId: number, limit: number) =>
  db.many<Pick<ConflictRow, 'id' | 'task_id' | 'user_id' | 'driver_name'>>(sql`
    select c.id, c.task_id, c.user_id, u.name as driver_name from conflicts c
    join users u on u.organisation_id = c.organisation_id and u.id = c.user_id
    where c.organisation_id = ${organisationId} and c.id > ${afterId} and c.settled_at is null
    order by c.id
    limit ${limit}`)

export const listSettledConflicts = (db: Db, organisationId: number, beforeId: number, limit: number) =>
  db.many<ConflictRow>(sql`
    ${selectConflicts}
    where c.organisation_id = ${organisationId} and c.id < ${beforeId} and c.settled_at is not null
    order by c.id desc
    limit ${limit}`)

export interface MeanwhileRow {
  conflict_id: number
  snapshot_id: number
  trigger_id: number
  actor_type: string
  actor_id: number | null
  actor_name: string
  driver: string | null
  /** The fields that changed. */
  changed: string[] | null
  occurred_at: Date
}

/**
 * What others did to the tasks of conflicts, from when the driver got the task until now or until it was settled. Per task
 * the last events only: a change has up to three.
 */
export const listMeanwhile = (db: Db, organisationId: number, conflictIds: number[]) =>
  db.many<MeanwhileRow>(sql`
    select c.id as conflict_id, e.* from conflicts c
    cross join lateral (
      select coalesce(
        max(snapshot_id) filter (where recorded_at <= c.occurred_at + ${toleratedMs} * interval '1 ms'),
        min(snapshot_id)) as given
      from events
      where organisation_id = ${organisationId} and task_id = c.task_id and user_id = c.user_id
        and trigger_id = ${triggers.TASK_ASSIGNED.id}
    ) term
    cross join lateral (
      select snapshot_id, trigger_id, actor_type, actor_id, actor_name, driver, occurred_at, sequence,
        (select json_agg(name) from json_object_keys(previous::json) as name) as changed
      from events
      where organisation_id = ${organisationId} and task_id = c.task_id and snapshot_id > term.given
        -- A time that was corrected is all that is said beside what changed.
        and (remark is null or (remark like '{"claimedAt"%' and remark not like '%,%'))
        and not (actor_type = 'DRIVER' and actor_id = c.user_id)
        and (c.settled_at is null or recorded_at < c.settled_at)
      order by sequence desc
      limit 60
    ) e
    where c.organisation_id = ${organisationId} and c.id = any(${conflictIds}::bigint[])
    order by c.id, e.sequence`)

/** More than this is not needed to decide about a conflict. */
const mostEvidence = 50

/** What drivers brought along on their tasks: of each pair of task and driver, the newest. */
export const listEvidence = (db: Db, organisationId: number, taskIds: number[], driverIds: number[]) =>
  db.many<NoteView>(sql`
    select w.*, json_build_object('id', u.id, 'name', u.name, 'avatar', u.avatar, 'is_driver', u.is_driver) as author
    from (select distinct * from unnest(${taskIds}::bigint[], ${driverIds}::bigint[]) as pair (task_id, user_id)) pair
    cross join lateral (
      select * from notes
      where organisation_id = ${organisationId} and task_id = pair.task_id and user_id = pair.user_id
      order by id desc
      limit ${mostEvidence}
    ) w
    join users u on u.organisation_id = ${organisationId} and u.id = w.user_id
    order by w.id`)

export const findConflict = (db: Db, organisationId: number, id: number) =>
  db.find<ConflictRow>(sql`${selectConflicts} where c.organisation_id = ${organisationId} and c.id = ${id}`)

/**
 * Writes the decision, unless there is one already, and its place in the log. The counter stays locked until the commit:
 * whoever saw a later event sees the decision, too.
 */
export const settle = (
  db: Db,
  organisationId: number,
  id: number,
  { settled_at, applied, note, settled_by }: Pick<ConflictRow, 'settled_at' | 'applied' | 'note' | 'settled_by'>,
) =>
  db.run(sql`
    with counter as (
      select last_event_id from event_counters where organisation_id = ${organisationId} for update
    )
    update conflicts
    set settled_at = ${settled_at}, applied = ${applied}, note = ${note}, settled_by = ${settled_by},
      settled_after_event_id = counter.last_event_id
    from counter
    where organisation_id = ${organisationId} and id = ${id} and settled_at is null`)

export type SettledRow = Pick<ConflictRow, 'id' | 'op_id' | 'op' | 'task_id' | 'awb'> & {
  applied: boolean
  note: string | null
  settled_at: Date
}

/**
 * What the office decided about what a driver did, from an event on, the latest if there are more than the limit. The
 * one at that event itself is told again: a decision about a deleted task has no event of its own.
 */
export const listDecisions = (db: Db, organisationId: number, driverId: number, fromEventId: number, limit: number) =>
  db.many<SettledRow>(sql`
    select c.id, c.op_id, c.op, c.task_id, t.awb, c.applied, c.note, c.settled_at from conflicts c
    join tasks t on t.organisation_id = c.organisation_id and t.id = c.task_id
    where c.organisation_id = ${organisationId} and c.user_id = ${driverId}
      and c.settled_after_event_id >= ${fromEventId}
    order by c.settled_after_event_id desc, c.id desc
    limit ${limit}`)

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

/** The tasks that these drivers are on their way to. */
export const listInTransit = (db: Db, organisationId: number, driverIds: number[]) =>
  db.many<{ id: number; user_id: number }>(sql`
    select id, user_id from tasks
    where organisation_id = ${organisationId} and user_id = any(${driverIds}::bigint[]) and status_id = ${InTransit}
      and deleted_at is null`)

/** Whose task it is; null if nobody is named. */
export const findCustomerOf = async (db: Db, organisationId: number, taskId: number) =>
  (
    await db.find<{ customer_id: number | null }>(sql`
      select customer_id from tasks where organisation_id = ${organisationId} and id = ${taskId}`)
  )?.customer_id ?? null

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

/** Where the log ends. */
export const findLastEvent = (db: Db, organisationId: number) =>
  db.find<{ id: number; recorded_at: Date }>(sql`
    select id, recorded_at from events where organisation_id = ${organisationId} order by id desc limit 1`)

export const findEvent = (db: Db, organisationId: number, id: number) =>
  db.find<{ id: number; recorded_at: Date }>(sql`
    select id, recorded_at from events where organisation_id = ${organisationId} and id = ${id}`)

/** For which drivers which tasks looked different after one event than after another, and which device already knows it. */
const changedTasks = (organisationId: number, afterId: number, lastId: number) => sql`
  with happened as (
    select task_id, user_id, synced_by from events
    where organisation_id = ${organisationId} and id > ${afterId} and id <= ${lastId}
  ), changed as (
    select user_id, task_id, synced_by from happened where user_id is not null
    union
    -- A task shows the state of those it depends on.
    select t.user_id, x.task_id, h.synced_by from happened h
    join dependencies x on x.organisation_id = ${organisationId} and x.depends_on_id = h.task_id
    join tasks t on t.organisation_id = ${organisationId} and t.id = x.task_id
    where t.user_id is not null
  )`

/** Drivers about whose work the office decided: the event of the decision is about whoever has the task now. */
const decidedFor = (organisationId: number, afterId: number, lastId: number) => sql`
  select user_id from conflicts
  where organisation_id = ${organisationId} and settled_after_event_id >= ${afterId}
    and settled_after_event_id < ${lastId}`

/** Those of one driver, up to a limit. */
export const listChangedTasks = (
  db: Db,
  organisationId: number,
  driverId: number,
  afterId: number,
  lastId: number,
  limit: number,
) =>
  db.many<{ task_id: number }>(sql`
    ${changedTasks(organisationId, afterId, lastId)}
    select distinct task_id from changed where user_id = ${driverId} limit ${limit}`)

/** The drivers for whom something changed, each with the device that synced it and so already knows it. */
export const listConcernedDrivers = (db: Db, organisationId: number, afterId: number, lastId: number) =>
  db.many<{ user_id: number; synced_by: number | null }>(sql`
    ${changedTasks(organisationId, afterId, lastId)}
    select user_id, synced_by from changed
    union
    select user_id, null from (${decidedFor(organisationId, afterId, lastId)}) as decided`)

type RouteTask = { is_open: boolean } & Pick<
  TaskView,
  'id' | 'user_id' | 'status_id' | 'driver_arrived' | 'arrived_at' | 'eta_at' | 'route'
>

/** What a driver has to know: open tasks in the order of the route, and what ended today. */
export const listTasksOfToday = (db: Db, organisationId: number, driverId: number, today: Day) =>
  db.many<RouteTask>(sql`
    select t.id, t.${isOpen} as is_open, t.user_id, t.status_id, t.driver_arrived, t.arrived_at, t.eta_at, t.route
    from tasks t
    where t.organisation_id = ${organisationId} and t.user_id = ${driverId} and t.deleted_at is null
      and (t.${isOpen} or (${endedOn(today)} and t.erased_at is null))
    order by t.${isEnded}, t.route_position, t.id`)

/** What this driver was paid for these tasks, oldest first. */
export const listOwnPayments = (db: Db, organisationId: number, driverId: number, taskIds: number[], limit: number) =>
  db.many<OwnPaymentRow>(sql`
    select p.task_id, p.amount, p.amount_hundredths, p.method, p.occurred_at from payments p
    where p.organisation_id = ${organisationId} and p.task_id = any(${taskIds}::bigint[]) and p.user_id = ${driverId}
      and p.method in ('cash', 'card')
    order by p.id
    limit ${limit}`)
export type OwnPaymentRow = Known<
  Pick<PaymentRow, 'task_id' | 'amount' | 'amount_hundredths' | 'method' | 'occurred_at'>,
  { method: 'cash' | 'card' }
>

const toldArrivals = table('told_arrivals', {
  organisation_id: 'bigint',
  device_id: 'bigint',
  number: 'bigint',
  arrivals: 'jsonb',
})
type ToldRow = Known<Row<typeof toldArrivals>, { arrivals: Told }>

/** What a device was given of its arrivals. */
export const findTold = (db: Db, organisationId: number, deviceId: number) =>
  db.find<Pick<ToldRow, 'number' | 'arrivals'>>(sql`
    select number, arrivals from told_arrivals
    where organisation_id = ${organisationId} and device_id = ${deviceId}`)

/** 0 if something else was written in the meantime, or the device was signed out. */
export const saveTold = (
  db: Db,
  organisationId: number,
  deviceId: number,
  { number, arrivals }: Pick<ToldRow, 'number' | 'arrivals'>,
) =>
  db.run(sql`
    insert into told_arrivals as told (organisation_id, device_id, number, arrivals)
    select organisation_id, id, ${number}, ${JSON.stringify(arrivals)}::jsonb from driver_tokens
    where organisation_id = ${organisationId} and id = ${deviceId}
    on conflict (organisation_id, device_id) do update
    set number = excluded.number, arrivals = excluded.arrivals
    where told.number = excluded.number - 1`)
