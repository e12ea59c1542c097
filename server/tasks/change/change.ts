import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Task } from '../../../contract/task.ts'
import { isEnded } from '../../../core/task-status.ts'
import type { TriggerName } from '../../../core/triggers.ts'
import type { Actor, Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { type Change, type Fired, type Happened, type Remark, recordEventsAtEnd } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { isDelayed, willBeDelayed } from '../arrival.ts'
import { deleteFreeCustomers } from '../customers/queries.ts'
import { keepStep } from '../kept-plans/steps.ts'
import { noteMessages } from '../noted-messages/note.ts'
import { presentDriverSummary, presentTask } from '../present.ts'
import { notePromises } from '../promises.ts'
import { queueLeaving, saveTasks } from '../queries.ts'
import { viewTasks } from '../read/view.ts'
import { changeWords } from '../search/words.ts'
import type { TaskRow, TaskView } from '../tables.ts'
import { freeze } from './frozen.ts'
import { queueDueReturns } from './last-try.ts'
import { mirrorSteps } from './mirror.ts'

/*
 * The only way to change a stored task. The caller locks the tasks and says what changes and which events that fires;
 * this writes the changes, reads the tasks again and records the events, the whole set in three statements; and what
 * they promise, and what customers are told, if there is anything. A set can hold several changes of one task, each of
 * what the one before left (`viewAfter`): they are written once, and each has its events.
 */

export interface TaskChange {
  before: TaskView
  /** The columns to change. */
  set: Partial<TaskRow>
  fires: readonly TriggerName[]
  /** Related records that changed, if the caller already has them. */
  joined?: Partial<Pick<TaskView, JoinedPart>>
  /** Related records to read again. The others stay as read under the lock: other transactions may be changing them. */
  rereads?: readonly JoinedPart[]
  /** When and where it happened, if not now. */
  happened?: Happened
  /** What its events say besides the task. */
  remark?: Remark
  /** Who does it, if not everything in the set is done by the same. */
  by?: Actor
}

export type JoinedPart = 'address' | 'customer' | 'driver' | 'team' | 'notes' | 'dependencies' | 'partners' | 'tries'

/** What is left to do once everything else is written: the events of an organisation, which lock its counter. */
export interface Recording {
  organisationId: number
  record: () => Promise<void>
}

/** Writes the changes and their events. Returns the tasks as they are now, in the order of the changes. */
export async function changeTasks(
  context: Context,
  db: Db,
  organisation: Organisation,
  changes: readonly TaskChange[],
  now: Date,
): Promise<TaskView[]> {
  const { after, recordings } = await writeChanges(context, db, organisation, changes, now)
  await recordInOrder(recordings)
  return after
}

/** In the order of organisations, like all locks that several have. */
export async function recordInOrder(recordings: readonly Recording[]) {
  for (const { record } of recordings.toSorted((one, other) => one.organisationId - other.organisationId))
    await record()
}

/** The same without the events, which come last. What partners have of the tasks follows. */
export async function writeChanges(
  context: Context,
  db: Db,
  organisation: Organisation,
  changes: readonly TaskChange[],
  now: Date,
  from?: number,
): Promise<{ after: TaskView[]; recordings: Recording[] }> {
  if (changes.length === 0) return { after: [], recordings: [] }
  const rows = changes.map((change) => rowAfter(change, now))
  const touched = new Set(['last_sequence', 'updated_at', ...changes.flatMap(({ set }) => Object.keys(set))])
  for (const column of derived)
    if (rows.some((row, index) => row[column] !== changes[index]?.before[column])) touched.add(column)
  // Node prepares the events while PostgreSQL writes the tasks: a thousand assignments take 0.8 times as long as in
  // sequence. `saving` is awaited where the written rows are needed, and there its error is thrown.
  const steps = changes.map(({ before, happened }, index) => ({ before, after: rows[index] as TaskRow, happened }))
  const saving = saveTasks(db, organisation.id, lastOfEach(rows), touched).then(() =>
    notePromises(db, organisation.id, steps, now),
  )
  saving.catch(() => {})
  await nextTurn()
  const after = await viewChanged(db, organisation.id, changes, rows, saving)
  const described = changes.map((change, index) => describeChange(change, after[index] as TaskView, organisation, now))
  const others = reworded(changes, after)
  // If the task cannot be written, as with a taken awb, that is the error to throw.
  if (others.length > 0) await saving
  await changeWords(db, organisation, others)
  const left = changes.flatMap(({ before, set }) =>
    set.customer_id !== undefined && set.customer_id !== before.customer_id ? (before.customer_id ?? []) : [],
  )
  if (left.length > 0) await saving.then(() => deleteFreeCustomers(db, organisation.id, left))
  const seen = changes.map(({ before, happened }, index) => ({ before, after: after[index] as TaskView, happened }))
  await noteMessages(context, db, organisation, seen, now)
  await queueDueReturns(db, organisation, seen)
  if (context.undoId) await saving.then(() => keepStep(db, organisation.id, context.undoId as string, steps))
  const own = {
    organisationId: organisation.id,
    record: () => recordEventsAtEnd(context, db, organisation.id, described, saving),
  }
  const shared = changes
    .map((change, index) => ({ ...change, after: after[index] as TaskView }))
    .filter(({ before, remark }) => isShared(before) && !(remark && 'erased' in remark))
  if (shared.length === 0) return { after, recordings: [own] }
  await saving
  const taken = shared.filter(({ after }) => after.owner_id !== null && after.deleted_at !== null)
  await queueLeaving(
    db,
    organisation.id,
    taken.map(({ after }) => after.id),
  )
  const recordings: Recording[] = [own]
  for (const partner of await mirrorSteps(context, db, organisation, shared, from)) {
    const done = await writeChanges(
      partner.context,
      partner.db,
      partner.organisation,
      partner.changes,
      now,
      organisation.id,
    )
    recordings.push(...done.recordings)
  }
  return { after, recordings }
}

/** Partners have a row of it, too, which follows each of its changes. */
export const isShared = ({ owner_id, fulfiller_id }: TaskRow) => owner_id !== null || fulfiller_id !== null

/** The row of a task after a change, with all that was joined before. */
const rowAfter = ({ before, set, fires, happened }: TaskChange, now: Date): TaskView => ({
  ...before,
  ...set,
  ...derive(before, { ...before, ...set }, happened, now),
  last_sequence: before.last_sequence + fires.length,
  updated_at: laterThan(before.updated_at, now),
})

/** No two versions of a task have the same time, however fast they follow each other: callers say by it which one they have seen. */
const laterThan = (before: Date, now: Date) => (now > before ? now : new Date(before.getTime() + 1))

/** The task after a change that needs nothing read again, before it is written. */
export const viewAfter = (change: TaskChange, now: Date): TaskView => ({ ...rowAfter(change, now), ...change.joined })

/** Of several states of one task the last. */
const lastOfEach = <Row extends { id: number }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
]

/** Those that may be found by other words than before. */
const reworded = (changes: readonly TaskChange[], after: readonly TaskView[]) =>
  changes.flatMap(({ before, set, joined = {}, rereads = [] }, index) => {
    const isTouched =
      ['awb', 'details', 'deleted_at', 'customer_id'].some((column) => column in set) ||
      ['address', 'customer'].some((part) => part in joined || rereads.includes(part as JoinedPart))
    return isTouched ? [{ before, after: after[index] as TaskView }] : []
  })

const derived = ['will_be_delayed', 'delayed', 'last_lat', 'last_lng'] as const satisfies (keyof TaskRow)[]

/** The columns that follow from the others, from the time and from where the driver is. */
function derive(before: TaskView, after: TaskRow, happened: Happened | undefined, now: Date) {
  return {
    will_be_delayed: willBeDelayed(after, now),
    delayed: delayedAfter(before, after, now),
    ...lastPlace(before, after, happened),
  }
}

/** Where the task was ended, whether it was started or not. Until then it is where the driver is, which is not copied to the task. */
function lastPlace(before: TaskView, after: TaskRow, happened: Happened | undefined) {
  const { last_lat, last_lng } = after
  if (isEnded({ statusId: before.status_id }) || !isEnded({ statusId: after.status_id })) return { last_lat, last_lng }
  const place = happened?.lat != null && happened.lng != null ? happened : before.seen
  // Where a partner's driver was is told by the partner.
  return place ? { last_lat: place.lat, last_lng: place.lng } : { last_lat, last_lng }
}

/** Follows from the window, the end and the time. An ended task that keeps its window keeps this, too. */
function delayedAfter(before: TaskView, after: TaskRow, now: Date): boolean {
  const hasSameWindow = before.complete_before?.getTime() === after.complete_before?.getTime()
  if (isEnded({ statusId: before.status_id }) && hasSameWindow) return before.delayed
  return isDelayed(after, now)
}

function describeChange(
  { before, fires, happened, remark, by }: TaskChange,
  after: TaskView,
  organisation: Organisation,
  now: Date,
): Change {
  const [was, is] = [before, after].map((view) => presentTask(view, organisation, now)) as [Task, Task]
  const { task, previous } = freeze(was, is)
  return {
    taskId: after.id,
    awb: after.awb,
    snapshot: JSON.stringify(task),
    fires: fires.map((trigger): Fired => ({ trigger, driver: driverOf(trigger, before, after) })),
    lastSequence: after.last_sequence,
    previous,
    fromStatusId: before.status_id,
    toStatusId: after.deleted_at ? null : after.status_id,
    recordedAt: now,
    happened,
    remark,
    by,
  }
}

/** The tasks after the change. Reading costs as much as all the rest, so only what is needed is read again. */
async function viewChanged(
  db: Db,
  organisationId: number,
  changes: readonly TaskChange[],
  rows: TaskView[],
  saving: Promise<unknown>,
) {
  const stale = changes.filter(({ rereads, set }) => rereads?.length && !set.deleted_at).map(({ before }) => before.id)
  if (stale.length > 0) await saving
  const read = stale.length > 0 ? await viewTasks(db, organisationId, stale) : []
  const views = new Map(read.map((view) => [view.id, view]))
  return changes.map(
    ({ before, joined, rereads = [] }, index): TaskView => ({
      ...before,
      ...rows[index],
      ...joined,
      ...partsOf(views.get(before.id), rereads),
    }),
  )
}

/** The named parts of a task. */
export const partsOf = (view: TaskView | undefined, parts: readonly JoinedPart[]): Partial<TaskView> =>
  view ? Object.fromEntries(parts.map((part) => [part, view[part]])) : {}

/** The driver of an event: the one who has the task, for TASK_UNASSIGNED the one who lost it. */
function driverOf(trigger: TriggerName, before: TaskView, after: TaskView) {
  const driver = trigger === 'TASK_UNASSIGNED' ? before.driver : after.driver
  return driver && presentDriverSummary(driver)
}
