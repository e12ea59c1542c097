import type { PhoneChanges, PhoneTask, SettledOp } from '../../../contract/sync.ts'
import { endOfDay, startOfDay } from '../../../core/time.ts'
import type { Context } from '../../context.ts'
import { presentDriver } from '../../drivers/present.ts'
import { presentForm } from '../../forms/present.ts'
import { listForms } from '../../forms/queries.ts'
import { encodeCursor, isId, readCursor } from '../../http/cursor.ts'
import { presentSettings } from '../../organisations/present.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { presentReason } from '../../reasons/present.ts'
import { listReasons } from '../../reasons/queries.ts'
import { arrivalOf } from '../../tasks/arrival.ts'
import { presentTask } from '../../tasks/present.ts'
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
  listDecisions,
  listTasksOfToday,
  type SettledRow,
  saveTold,
} from './queries.ts'

/*
 * What changed for a driver since the last time. The cursor is a place in the log of events, and names the event that
 * stands there: in a database that was restored from a backup the same number is another event, and then, as for a
 * cursor we cannot read, the phone gets everything. Arrivals that moved have no event; they come along (arrivals.ts). A
 * decision of the office about what the driver did has the number of the last event before it, which a phone passes with
 * the next event (docs/decisions/0033).
 */

/** The last is the number of the last answer that gave this device an arrival. */
type Place = [driverId: number, eventId: number, recordedMs: number, arrivalsNumber?: number]

/** More than this since the last time, and reading everything costs less than reading what happened. */
export const mostEvents = 20_000
const mostTasks = 1_000

export async function readChanges(
  { db, clock }: Context,
  given: Organisation,
  { driverId, deviceId }: { driverId: number; deviceId: number },
  cursor: string | null | undefined,
): Promise<{ cursor: string; lastEventId: number; changes: PhoneChanges }> {
  // The end first: what happens while we read is told the next time, too.
  const end = await findLastEvent(db, given.id)
  const place = cursor ? readCursor(cursor, isPlace) : undefined
  const ids = await listSince(db, given.id, driverId, place, end?.id ?? 0)
  const organisation = (await findOrganisation(db, given.id)) ?? given
  const now = clock.now()
  const { timezone } = organisation
  const today = { start: startOfDay(now, timezone), end: endOfDay(now, timezone), isToday: true }
  const route = await listTasksOfToday(db, given.id, driverId, today)
  const coming = route.filter(({ is_open }) => is_open).map((task) => ({ id: task.id, arrival: arrivalOf(task) }))
  const arrivals = await openArrivals(db, given.id, deviceId, coming.slice(0, mostTasks), ids && (place?.[3] ?? 0))
  const wanted = ids ? [...new Set([...ids, ...arrivals.moved])] : route.map(({ id }) => id)
  const own = (await viewTasks(db, given.id, wanted)).filter(({ user_id }) => user_id === driverId)
  const kept = new Set(own.map(({ id }) => id))
  const driver = await getOwnDriver(db, given.id, driverId)
  const number = await arrivals.save(own.map((view) => ({ id: view.id, arrival: arrivalOf(view) })))
  return {
    cursor: encodeCursor([driverId, end?.id ?? 0, end?.recorded_at.getTime() ?? 0, number] satisfies Place),
    lastEventId: end?.id ?? 0,
    changes: {
      full: ids === undefined,
      tasks: own.map((view) => presentPhoneTask(view, organisation, now)),
      removed: ids === undefined ? [] : wanted.filter((id) => !kept.has(id)),
      order: coming.map(({ id }) => id),
      user: presentDriver(driver, organisation, now),
      settings: presentSettings(organisation),
      forms: (await listForms(db, given.id)).map(presentForm),
      reasons: (await listReasons(db, given.id)).map(presentReason),
      settled: (await listDecisions(db, given.id, driverId, ids && place ? place[1] : 0, mostTasks)).map(
        presentSettled,
      ),
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

/** Undefined if that is not known, or is too much. */
async function listSince(
  db: Context['db'],
  organisationId: number,
  driverId: number,
  place: Place | undefined,
  lastId: number,
): Promise<number[] | undefined> {
  const [whose, eventId, recordedMs] = place ?? []
  if (whose !== driverId || eventId === undefined || lastId - eventId > mostEvents) return undefined
  const event = await findEvent(db, organisationId, eventId)
  if (event?.recorded_at.getTime() !== recordedMs) return undefined
  const changed = await listChangedTasks(db, organisationId, driverId, eventId, lastId, mostTasks + 1)
  return changed.length > mostTasks ? undefined : changed.map(({ task_id }) => task_id)
}

/** Cursors of the previous version have three parts. */
const isPlace = (value: unknown): value is Place =>
  Array.isArray(value) && (value.length === 3 || value.length === 4) && value.every(isId)

function presentPhoneTask(view: TaskView, organisation: Organisation, now: Date): PhoneTask {
  const { timelines: _, ...task } = presentTask(view, organisation, now)
  return presentForDriver(task, organisation)
}

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
