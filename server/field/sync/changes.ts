import type { OwnPayment, PhoneChanges, PhoneTask, SettledOp } from '../../../contract/sync.ts'
import { endOfDay, startOfDay } from '../../../core/time.ts'
import { findOwnCash } from '../../cash/own.ts'
import type { Context } from '../../context.ts'
import { presentDriver } from '../../drivers/present.ts'
import { presentForm } from '../../forms/present.ts'
import { listForms } from '../../forms/queries.ts'
import { createGatherer } from '../../gather.ts'
import { encodeCursor, isId, readCursor } from '../../http/answers/cursor.ts'
import { presentSettings } from '../../organisations/present.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { presentReason } from '../../reasons/present.ts'
import { listReasons } from '../../reasons/queries.ts'
import { arrivalOf } from '../../tasks/arrival.ts'
import { amountOfLine } from '../../tasks/money.ts'
import { presentTask } from '../../tasks/present.ts'
import { readUpToAPage, sizeOf } from '../../tasks/read/slices.ts'
import { viewTasks } from '../../tasks/read/view.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { getOwnDriver } from '../devices/devices.ts'
import { presentForDriver } from '../present.ts'
import { findOrganisation } from '../queries.ts'
import { type Coming, listMoved, tell } from './arrivals.ts'
import {
  findEvent,
  findLastEvent,
  findTold,
  listChangedTasks,
  listErasedOf,
  listOwnPayments,
  listTasksOfToday,
  type OwnPaymentRow,
  saveTold,
} from './change-queries.ts'
import { listDecisions, type SettledRow } from './conflict-queries.ts'

/*
 * What changed for a driver since the last time. The cursor is a place in the log of events, and names the event that
 * stands there: in a database that was restored from a backup the same number is another event, and then, as for a
 * cursor we cannot read, the phone gets everything. Arrivals that moved have no event; they come along (arrivals.ts). A
 * decision of the office about what the driver did has the number of the last event before it, which a phone passes with
 * the next event (docs/decisions/0033).
 *
 * More than fits into an answer comes in several, by the numbers of the tasks. Then the cursor also says up to which task
 * the phone has them, and from which event on; what happens meanwhile is told after the last part.
 */

/** The fourth is the number of the last answer that gave this device an arrival. */
type Place = [driverId: number, eventId: number, recordedMs: number, arrivalsNumber?: number]
/** `since` is the event after which tasks had changed, or -1 if the phone gets everything. */
type Part = [...Required<Place>, afterTaskId: number, since: number]
const everything = -1

/** More than this since the last time, and reading everything costs less than reading what happened. */
export const mostEvents = 20_000
const mostTasks = 1_000
const mostPayments = 2_000

interface Wanted {
  ids: number[]
  isFull: boolean
  /** Where the log ended when this was found. */
  end: { id: number; recordedMs: number }
  since: number
  /** The phone has those up to this number already. */
  afterTaskId: number
}

interface Reading {
  organisationId: number
  ids: number[]
}

/** Phones that come back at the same time read their tasks together: planning costs as much as reading a few of them. */
const viewTogether = createGatherer<Reading, TaskView[]>({
  mostAtOnce: 2,
  largestSet: 100,
  sizeOf: ({ ids }) => ids.length,
  async write({ database }, readings) {
    const { organisationId } = readings[0] as Reading
    const ids = [...new Set(readings.flatMap((one) => one.ids))]
    const found = await viewTasks(database.of(organisationId), organisationId, ids)
    const views = new Map(found.map((view) => [view.id, view]))
    return readings.map((one) => one.ids.flatMap((id) => views.get(id) ?? []))
  },
})

export async function readChanges(
  context: Context,
  given: Organisation,
  { driverId, deviceId }: { driverId: number; deviceId: number },
  cursor: string | null | undefined,
  holds: readonly number[],
): Promise<{ cursor: string; lastEventId: number | undefined; changes: PhoneChanges }> {
  const { db, clock } = context
  const organisation = (await findOrganisation(db, given.id)) ?? given
  const now = clock.now()
  const { timezone } = organisation
  const today = { start: startOfDay(now, timezone), end: endOfDay(now, timezone), isToday: true }
  // The end first: what happens while we read is told the next time, too.
  const last = await findLastEvent(db, given.id)
  const end = { id: last?.id ?? 0, recordedMs: last?.recorded_at.getTime() ?? 0 }
  const route = await listTasksOfToday(db, given.id, driverId, today)
  const coming = route.filter(({ is_open }) => is_open).map((task) => ({ id: task.id, arrival: arrivalOf(task) }))
  const all = route.map(({ id }) => id)
  const place = cursor ? readCursor(cursor, isPlace) : undefined
  const wanted = await findWanted(db, given.id, driverId, place, end, all)
  const received = wanted.isFull ? undefined : (place?.[3] ?? 0)
  const arrivals = await openArrivals(db, given.id, deviceId, coming.slice(0, mostTasks), received)
  const sought = wanted.isFull ? wanted.ids : [...new Set([...wanted.ids, ...arrivals.moved])].sort(byNumber)
  const { items, reached } = await readUpToAPage(sought, async (ids) =>
    (await viewTogether(context, String(given.id), { organisationId: given.id, ids })).map((view) => ({
      id: view.id,
      view,
      size: sizeOf(view),
    })),
  )
  const isPart = reached < sought.length
  const ids = sought.slice(0, reached)
  const own = items.map(({ view }) => view).filter((view) => view.user_id === driverId && view.erased_at === null)
  const kept = new Set(own.map(({ id }) => id))
  const removed = wanted.isFull ? [] : ids.filter((id) => !kept.has(id))
  const gone = [...new Set([...removed, ...holds])]
  const erased = gone.length > 0 ? await listErasedOf(db, given.id, driverId, gone) : []
  const driver = await getOwnDriver(db, given.id, driverId)
  const number = await arrivals.save(own.map((view) => ({ id: view.id, arrival: arrivalOf(view) })))
  const next: Required<Place> = [driverId, wanted.end.id, wanted.end.recordedMs, number]
  const afterTaskId = Math.max(wanted.afterTaskId, ids.at(-1) ?? 0)
  return {
    cursor: encodeCursor(isPart ? ([...next, afterTaskId, wanted.since] satisfies Part) : next),
    // A phone that has only a part is called until it has the rest.
    lastEventId: isPart ? undefined : wanted.end.id,
    changes: {
      full: wanted.isFull,
      tasks: inOrderOf(all, own).map((view) => presentPhoneTask(view, organisation, now)),
      removed,
      ...(erased.length > 0 && { erased }),
      ...((isPart || wanted.end.id < end.id) && { more: true }),
      order: coming.map(({ id }) => id),
      user: presentDriver(driver, organisation, now),
      settings: presentSettings(organisation),
      forms: (await listForms(db, given.id)).map(presentForm),
      reasons: (await listReasons(db, given.id)).map(presentReason),
      settled: (await listDecisions(db, given.id, driverId, !wanted.isFull && place ? place[1] : 0, mostTasks)).map(
        presentSettled,
      ),
      payments: (await listOwnPayments(db, given.id, driverId, all, mostPayments)).map(presentOwnPayment),
      cash: await findOwnCash({ db, clock }, organisation, driverId),
    },
  }
}

/**
 * What a device was given of its route: what moved since, and a way to note what it is given now. Without the number of
 * the last answer it received it begins anew.
 */
async function openArrivals(
  db: Context['db'],
  organisationId: number,
  deviceId: number,
  route: Coming[],
  receivedNumber: number | undefined,
) {
  const row = await findTold(db, organisationId, deviceId)
  const last = row?.number ?? 0
  const told = receivedNumber === undefined || !row ? {} : row.arrivals
  // After a restore a phone may have more than we remember.
  const received = receivedNumber === undefined || receivedNumber > last ? 0 : receivedNumber
  return {
    moved: listMoved(told, received, route),
    /** The number for the cursor. If another answer to this device was faster, that of before: some come twice. */
    async save(given: Coming[]): Promise<number> {
      if (!given.some(({ id, arrival }) => arrival !== null || told[id])) return received
      const next = { number: last + 1, arrivals: tell(told, last + 1, route, given) }
      return (await saveTold(db, organisationId, deviceId, next)) > 0 ? next.number : received
    },
  }
}

/** Up to when a phone with this cursor knows what happened. */
export function knownUntil(cursor: string | null | undefined, driverId: number): Date | undefined {
  const [whose, , recordedMs] = (cursor && readCursor(cursor, isPlace)) || []
  return whose === driverId && recordedMs ? new Date(recordedMs) : undefined
}

/** Which tasks the phone is to be told of: what changed, the rest of an answer that was too large, or everything. */
async function findWanted(
  db: Context['db'],
  organisationId: number,
  driverId: number,
  place: Place | Part | undefined,
  end: Wanted['end'],
  all: number[],
): Promise<Wanted> {
  const isKnown = place && (await isOurs(db, organisationId, driverId, place, end.id))
  if (!isKnown) return { ids: all.toSorted(byNumber), isFull: true, end, since: everything, afterTaskId: 0 }
  const [, eventId, recordedMs, , afterTaskId, since] = place
  if (afterTaskId === undefined || since === undefined) {
    const ids = await listSince(db, organisationId, driverId, eventId, end.id)
    return { ids: ids ?? all.toSorted(byNumber), isFull: !ids, end, since: ids ? eventId : everything, afterTaskId: 0 }
  }
  const part = since === everything ? all : ((await listSince(db, organisationId, driverId, since, eventId)) ?? all)
  const ids = part.filter((id) => id > afterTaskId).toSorted(byNumber)
  return { ids, isFull: false, end: { id: eventId, recordedMs }, since, afterTaskId }
}

function inOrderOf(all: readonly number[], views: readonly TaskView[]): TaskView[] {
  const places = new Map(all.map((id, place) => [id, place]))
  const placeOf = ({ id }: TaskView) => places.get(id) ?? all.length
  return views.toSorted((one, other) => placeOf(one) - placeOf(other))
}

const byNumber = (one: number, other: number) => one - other

async function isOurs(
  db: Context['db'],
  organisationId: number,
  driverId: number,
  [whose, eventId, recordedMs]: Place | Part,
  lastId: number,
) {
  if (whose !== driverId || lastId - eventId > mostEvents) return false
  return (await findEvent(db, organisationId, eventId))?.recorded_at.getTime() === recordedMs
}

/** Undefined if it is too much. */
async function listSince(
  db: Context['db'],
  organisationId: number,
  driverId: number,
  eventId: number,
  lastId: number,
): Promise<number[] | undefined> {
  const changed = await listChangedTasks(db, organisationId, driverId, eventId, lastId, mostTasks + 1)
  return changed.length > mostTasks ? undefined : changed.map(({ task_id }) => task_id).sort(byNumber)
}

/** Cursors of the previous version have three parts. */
const isPlace = (value: unknown): value is Place | Part =>
  Array.isArray(value) &&
  (value.length === 3 || value.length === 4 || (value.length === 6 && (value[5] === everything || isId(value[5])))) &&
  value.slice(0, 5).every(isId) &&
  !Number.isNaN(new Date(value[2]).getTime())

function presentPhoneTask(view: TaskView, organisation: Organisation, now: Date): PhoneTask {
  const { timelines: _, ...task } = presentTask(view, organisation, now)
  return presentForDriver(task, organisation)
}

const presentOwnPayment = (payment: OwnPaymentRow): OwnPayment => ({
  taskId: payment.task_id,
  amount: amountOfLine(payment),
  method: payment.method,
  occurredAt: payment.occurred_at.toISOString(),
})

const presentSettled = (row: SettledRow): SettledOp => ({
  conflictId: row.id,
  opId: row.op_id,
  taskId: row.task_id,
  awb: row.awb,
  type: row.op.type,
  applied: row.applied,
  note: row.note,
  settledAt: row.settled_at.toISOString(),
})
