import { toleratedMs } from '../../../core/device-clock.ts'
import type { StatusId } from '../../../core/task-status.ts'
import { triggers } from '../../../core/triggers.ts'
import type { Db } from '../../db/db.ts'
import { reserveIds } from '../../db/reserve.ts'
import { sql } from '../../db/sql.ts'
import { columnList, type Known, type Row, table, unnest } from '../../db/table.ts'
import type { NoteView } from '../../tasks/tables.ts'
import type { TaskAction } from './op.ts'

/* What drivers did that could not be applied, until the office has decided. */

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
