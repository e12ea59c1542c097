import type { PhoneChanges, PhoneTask } from '../../../contract/sync.ts'
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
import { presentTask } from '../../tasks/present.ts'
import { viewTasks } from '../../tasks/read/view.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { getOwnDriver } from '../devices/devices.ts'
import { presentForDriver } from '../present.ts'
import { findOrganisation } from '../queries.ts'
import { findEvent, findLastEvent, listChangedTasks, listTasksOfToday } from './queries.ts'

/*
 * What changed for a driver since the last time. The cursor is a place in the log of events, and names the event that
 * stands there: in a database that was restored from a backup the same number is another event, and then, as for a
 * cursor we cannot read, the phone gets everything.
 */

type Place = [driverId: number, eventId: number, recordedMs: number]

/** More than this since the last time, and reading everything costs less than reading what happened. */
export const mostEvents = 20_000
const mostTasks = 1_000

export async function readChanges(
  { db, clock }: Context,
  given: Organisation,
  driverId: number,
  cursor: string | null | undefined,
): Promise<{ cursor: string; lastEventId: number; changes: PhoneChanges }> {
  // The end first: what happens while we read is told the next time, too.
  const end = await findLastEvent(db, given.id)
  const ids = await listSince(db, given.id, driverId, cursor ? readCursor(cursor, isPlace) : undefined, end?.id ?? 0)
  const organisation = (await findOrganisation(db, given.id)) ?? given
  const now = clock.now()
  const { timezone } = organisation
  const today = { start: startOfDay(now, timezone), end: endOfDay(now, timezone), isToday: true }
  const route = await listTasksOfToday(db, given.id, driverId, today)
  const wanted = ids ?? route.map(({ id }) => id)
  const own = (await viewTasks(db, given.id, wanted)).filter(({ user_id }) => user_id === driverId)
  const kept = new Set(own.map(({ id }) => id))
  const driver = await getOwnDriver(db, given.id, driverId)
  return {
    cursor: encodeCursor([driverId, end?.id ?? 0, end?.recorded_at.getTime() ?? 0] satisfies Place),
    lastEventId: end?.id ?? 0,
    changes: {
      full: ids === undefined,
      tasks: own.map((view) => presentPhoneTask(view, organisation, now)),
      removed: ids === undefined ? [] : wanted.filter((id) => !kept.has(id)),
      order: route.filter(({ is_open }) => is_open).map(({ id }) => id),
      user: presentDriver(driver, organisation, now),
      settings: presentSettings(organisation),
      forms: (await listForms(db, given.id)).map(presentForm),
      reasons: (await listReasons(db, given.id)).map(presentReason),
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

const isPlace = (value: unknown): value is Place => Array.isArray(value) && value.length === 3 && value.every(isId)

function presentPhoneTask(view: TaskView, organisation: Organisation, now: Date): PhoneTask {
  const { timelines: _, ...task } = presentTask(view, organisation, now)
  return presentForDriver(task, organisation)
}
