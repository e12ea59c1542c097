import type { ScanPlace, ScanResult } from '../../core/loading.ts'
import type { StatusId } from '../../core/task-status.ts'
import { type TriggerName, triggers } from '../../core/triggers.ts'
import type { Actor, Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { columnList, type JsonRow, type Known, type Row, table, unnest } from '../db/table.ts'

export const eventCounters = table('event_counters', { organisation_id: 'bigint', last_event_id: 'bigint' })

export const events = table('events', {
  organisation_id: 'bigint',
  id: 'bigint',
  task_id: 'bigint',
  sequence: 'integer',
  trigger_id: 'smallint',
  snapshot_id: 'bigint',
  task: 'text?',
  awb: 'text',
  user_id: 'bigint?',
  driver: 'text?',
  previous: 'text?',
  from_status_id: 'smallint?',
  to_status_id: 'smallint?',
  actor_type: 'text',
  actor_id: 'bigint?',
  actor_name: 'text',
  lat: 'double precision?',
  lng: 'double precision?',
  occurred_at: 'timestamptz',
  recorded_at: 'timestamptz',
  remark: 'text?',
  synced_by: 'bigint?',
})
type Statuses = { from_status_id: StatusId | null; to_status_id: StatusId | null }
export type EventRow = Known<Row<typeof events>, Statuses>

/** An event without the task it froze, which is large. */
export const eventFacts = (Object.keys(events.columns) as (keyof EventRow)[]).filter((name) => name !== 'task')
export type EventFacts = Omit<EventRow, 'task'>
/** The same inside `row_to_json`. */
export type JsonEventFacts = Omit<Known<JsonRow<typeof events>, Statuses>, 'task'>

/** What a line of a timeline is made from. */
export const lineFacts = [
  'id',
  'task_id',
  'sequence',
  'trigger_id',
  'previous',
  'from_status_id',
  'to_status_id',
  'actor_type',
  'actor_id',
  'actor_name',
  'lat',
  'lng',
  'occurred_at',
  'recorded_at',
  'remark',
] as const satisfies (keyof EventFacts)[]
type LineFact = (typeof lineFacts)[number]
export type LineFacts = Pick<EventFacts, LineFact>
export type JsonLineFacts = Pick<JsonEventFacts, LineFact>

/** One change of one task: its new state, and what it fires. */
export interface Change {
  taskId: number
  awb: string
  /** The task after the change, as JSON text. Frozen here: it is never rebuilt from today's row. */
  snapshot: string
  fires: readonly Fired[]
  /** The task's `last_sequence` after the change: its events take the numbers up to this one. */
  lastSequence: number
  previous: object | null
  fromStatusId: StatusId | null
  toStatusId: StatusId | null
  recordedAt: Date
  /** When and where it happened, if not now. */
  happened?: Happened | undefined
  /** What the event says besides the task. */
  remark?: Remark | undefined
  /** Who did it, if not everything in the set was done by the same. */
  by?: Actor | undefined
}

/** When and where a driver did it, if we heard of it later. */
export interface Happened {
  at: Date
  lat: number | null
  lng: number | null
  /** What the phone said, if it cannot have been then. */
  claimedAt?: Date
  /** How exact that place is, if they said so. */
  accuracyMetres?: number | null
}

/** An op of a driver that could not be applied, or its outcome; a scanned code; that a parcel was scanned into a hub or vehicle; a payment; a picture whose bytes came; a start or arrival that was taken back; what became of a message to the customer; that its personal data was erased; that it was given to a partner, taken back, or could not be given as the rule says. */
export type Remark =
  | { noted: string }
  | { conflict: { id: number; type: string } }
  | { settled: { conflictId: number; type: string; applied: boolean; note: string | null } }
  | { scan: { code: string; matches: boolean; field?: string } }
  | { load: { at: ScanPlace; result: ScanResult; userId: number | null } }
  | { payment: { id: number; amount: number; method: string } }
  | { picture: { fileId: string } }
  | { takenBack: { type: 'start' | 'arrive'; sequence: number } }
  | { erased: true }
  | { delegated: { companyId: number; name: string } }
  | { undelegated: { companyId: number; name: string } }
  | { corrected: { reason: string } }
  | { notReturned: { code: string; message: string } }
  | { notDelegated: { companyId: number; code: string; message: string } }
  | { message: { id: number; cause: string; channel: string; state: string; reason: string | null } }

/** A trigger and its driver: for TASK_UNASSIGNED the one who lost the task. */
export interface Fired {
  trigger: TriggerName
  driver: { id: number } | null
}

/** A transaction that records events and wakes their readers after the commit. */
export async function commitWithEvents<Result>(context: Context, work: (db: Db) => Promise<Result>): Promise<Result> {
  const result = await context.db.transaction(work)
  context.announceEvents()
  return result
}

/**
 * Writes the events of these changes and one delivery per listening webhook. Must be the last statement of the
 * transaction: it locks the organisation's counter until the commit, which makes the numbers appear in order
 * (docs/decisions/0001).
 */
export async function recordEvents(context: Context, db: Db, organisationId: number, changes: readonly Change[]) {
  const rows = numberEvents(context, organisationId, changes)
  if (rows.length === 0) return []
  const { before } = await db.get<{ before: number }>(insertEvents(organisationId, rows))
  return rows.map((row) => ({ ...row, id: row.id + before, snapshot_id: row.snapshot_id + before }))
}

/**
 * The same for callers that need no numbers: sent with the commit, so that the counter is locked only while PostgreSQL
 * writes, and not until this process has heard of it. While the previous statement is still `running`, it is prepared.
 */
export async function recordEventsAtEnd(
  context: Context,
  db: Db,
  organisationId: number,
  changes: readonly Change[],
  running: Promise<unknown>,
) {
  const rows = numberEvents(context, organisationId, changes)
  const insert = rows.length > 0 ? insertEvents(organisationId, rows) : undefined
  await running
  if (insert) await db.finish(insert)
}

function numberEvents(context: Context, organisationId: number, changes: readonly Change[]): EventRow[] {
  const rows: EventRow[] = []
  for (const change of changes) rows.push(...eventsOf(change, context, organisationId, rows.length + 1))
  return rows
}

/** The rows of one change, numbered from `first` within this recording. */
function eventsOf(change: Change, context: Context, organisationId: number, first: number): EventRow[] {
  const actor = change.by ?? context.actor
  const { recordedAt, happened = { at: recordedAt, lat: null, lng: null } as Happened } = change
  // First, so that it is found where nothing else is said.
  const remark = { ...(happened.claimedAt && { claimedAt: happened.claimedAt }), ...change.remark }
  return change.fires.map(({ trigger, driver }, index) => ({
    organisation_id: organisationId,
    id: first + index,
    task_id: change.taskId,
    sequence: change.lastSequence - change.fires.length + index + 1,
    trigger_id: triggers[trigger].id,
    snapshot_id: first,
    task: index === 0 ? change.snapshot : null,
    awb: change.awb,
    user_id: driver?.id ?? null,
    driver: driver && JSON.stringify(driver),
    previous: change.previous && JSON.stringify(change.previous),
    from_status_id: change.fromStatusId,
    to_status_id: change.toStatusId,
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    lat: happened.lat,
    lng: happened.lng,
    occurred_at: happened.at,
    recorded_at: recordedAt,
    remark: change.remark || happened.claimedAt ? JSON.stringify(remark) : null,
    synced_by: actor.syncingDeviceId ?? null,
  }))
}

const ofActor = ['actor_type', 'actor_id', 'actor_name', 'synced_by'] as const
const shared: readonly (keyof EventRow)[] = ['organisation_id', 'recorded_at', ...ofActor]
const numbered: readonly string[] = ['id', 'snapshot_id']
const own = (Object.keys(events.columns) as (keyof EventRow)[]).filter((name) => !shared.includes(name))
const ownValues = raw(own.map((name) => (numbered.includes(name) ? `before + ${name}` : name)).join(', '))

/** The actor is mostly the same for all rows, and then sent once; drivers whose phones sync at the same time share a set. */
const isByOne = ([first, ...others]: readonly EventRow[]) =>
  others.every((row) => ofActor.every((name) => row[name] === first?.[name]))

/** Numbers count from 1 within the recording; the counter says how many came before. */
function insertEvents(organisationId: number, rows: EventRow[]): Sql {
  const { actor_type, actor_id, actor_name, synced_by, recorded_at } = rows[0] as EventRow
  const isShared = isByOne(rows)
  const actor = isShared
    ? sql`${actor_type}, ${actor_id}::bigint, ${actor_name}, ${synced_by}::bigint`
    : sql`${columnList(ofActor)}`
  return sql`
    with counter as (
      update event_counters set last_event_id = last_event_id + ${rows.length}
      where organisation_id = ${organisationId}
      returning last_event_id - ${rows.length} as before
    ), recorded as (
      insert into events (organisation_id, recorded_at, ${columnList(ofActor)}, ${columnList(own)})
      select ${organisationId}, ${recorded_at}, ${actor}, ${ownValues}
      from counter, ${unnest(events, isShared ? own : [...ofActor, ...own], rows)}
      returning id, task_id, sequence, trigger_id
    ), queued as (
      insert into deliveries (organisation_id, webhook_id, event_id, receiver_id, task_id, sequence, due_at)
      select ${organisationId}, w.id, r.id, w.receiver_id, r.task_id, r.sequence, coalesce((
        -- Behind one that waits for its retry there is no use in being looked at earlier.
        select max(d.due_at) from deliveries d
        where d.organisation_id = ${organisationId} and d.receiver_id = w.receiver_id and d.task_id = r.task_id
          and d.claim is null), now())
      from recorded r
      join webhooks w on w.organisation_id = ${organisationId} and w.trigger_id = r.trigger_id and w.is_enabled
      for key share of w
    )
    select before from counter`
}
