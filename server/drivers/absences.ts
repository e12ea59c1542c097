import type { Absence, AbsenceInput, AbsenceQuery, KeptReason, UnavailableInput } from '../../contract/absence.ts'
import { orThrow, Refusal } from '../../contract/errors.ts'
import { mostAbsences } from '../../contract/limits.ts'
import { settingsOf } from '../../core/settings.ts'
import { dayOf, isOfToday } from '../../core/task-day.ts'
import { InTransit } from '../../core/task-status.ts'
import { readDay } from '../../core/time.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type Row, table } from '../db/table.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { forbiddenBySetting } from '../organisations/refusals.ts'
import { changeTasks } from '../tasks/change/change.ts'
import { moveTask, withoutDriver } from '../tasks/change/move.ts'
import { listConflicted } from '../tasks/read/conflicted.ts'
import { lockOpenTasksOfDriver } from '../tasks/read/lock.ts'
import type { TaskView } from '../tasks/tables.ts'
import { type DriverRow, findDriver, lockDriver, setDuty } from './queries.ts'

/* Days on which drivers do not work. Plans leave them out (server/planning). */

const absences = table('absences', {
  organisation_id: 'bigint',
  id: 'bigint',
  driver_id: 'bigint',
  from_day: 'text',
  to_day: 'text',
  reason: 'text',
  created_at: 'timestamptz',
})
export type AbsenceRow = Row<typeof absences>

/** The absences of a driver, or of all, in the days given. */
export const listAbsences = (db: Db, organisationId: number, driverId: number | null, { from, to }: Days) =>
  db.many<AbsenceRow>(sql`
    select * from absences
    where organisation_id = ${organisationId} and (${driverId}::bigint is null or driver_id = ${driverId})
      and (${from}::text is null or to_day >= ${from}) and (${to}::text is null or from_day <= ${to})
    order by from_day, id`)

/** Not more than the driver may have; nothing is returned then. */
const insertAbsence = (db: Db, organisationId: number, driverId: number, from: string, to: string, reason: string) =>
  db.find<AbsenceRow>(sql`
    insert into absences (organisation_id, driver_id, from_day, to_day, reason)
    select ${organisationId}, ${driverId}, ${from}, ${to}, ${reason}
    where (select count(*) from absences where organisation_id = ${organisationId} and driver_id = ${driverId})
      < ${mostAbsences}
    returning *`)

const deleteRow = (db: Db, organisationId: number, driverId: number, id: number) =>
  db.find<AbsenceRow>(sql`
    delete from absences where organisation_id = ${organisationId} and driver_id = ${driverId} and id = ${id}
    returning *`)

interface Days {
  from: string | null
  to: string | null
}

export const readDays = (query: AbsenceQuery, { timezone }: Organisation): Days => ({
  from: query.from === undefined ? null : requireDay('from', query.from, timezone),
  to: query.to === undefined ? null : requireDay('to', query.to, timezone),
})

function requireDay(field: string, text: string, timezone: string): string {
  if (readDay(text, timezone)) return text.trim()
  throw new Refusal('INVALID_TIME', { field, message: `${field} must look like 2026-11-15` })
}

export async function createAbsence(
  context: Context,
  organisation: Organisation,
  driverId: number,
  input: AbsenceInput,
): Promise<AbsenceRow> {
  const from = requireDay('from', input.from, organisation.timezone)
  const to = input.to === undefined ? from : requireDay('to', input.to, organisation.timezone)
  if (to < from) throw new Refusal('INVALID_TIME_WINDOW', { field: 'to', message: 'to must not be before from' })
  return context.db.transaction(async (db) => {
    if (!(await lockDriver(db, organisation.id, driverId))) throw new Refusal('DRIVER_NOT_FOUND')
    return addAbsence(context, db, organisation, driverId, { from, to, reason: input.reason ?? '' })
  })
}

/** Why somebody is absent is their own affair: the audit log does not repeat it. */
async function addAbsence(
  context: Context,
  db: Db,
  organisation: Organisation,
  driverId: number,
  { from, to, reason }: { from: string; to: string; reason: string },
): Promise<AbsenceRow> {
  const absence = await insertAbsence(db, organisation.id, driverId, from, to, reason.trim())
  if (!absence) throw new Refusal('TOO_MANY_ITEMS', { message: `A driver can have at most ${mostAbsences} absences` })
  const changes = [{ field: 'from', after: from }, { field: 'to', after: to }, ...(reason ? [{ field: 'reason' }] : [])]
  await recordAudit(context, db, organisation.id, [{ kind: 'driver.absenceAdded', subjectId: driverId, changes }])
  return absence
}

export const deleteAbsence = (context: Context, organisation: Organisation, driverId: number, absenceId: number) =>
  context.db.transaction(async (db) => {
    const gone = await deleteRow(db, organisation.id, driverId, absenceId)
    if (!gone) throw new Refusal('ABSENCE_NOT_FOUND')
    const changes = [
      { field: 'from', before: gone.from_day },
      { field: 'to', before: gone.to_day },
    ]
    await recordAudit(context, db, organisation.id, [{ kind: 'driver.absenceDeleted', subjectId: driverId, changes }])
  })

interface Kept {
  task: TaskView
  reason: KeptReason
}

export interface Unavailable {
  driver: DriverRow
  taken: TaskView[]
  kept: Kept[]
  absence: AbsenceRow | null
}

/**
 * A driver cannot go on: what they have not started is unassigned, what is in transit stays or is taken as the caller
 * says, they are off duty, and the absence is noted if wanted. All of it, or nothing. A task with an open conflict stays:
 * maybe it was delivered, so somebody decides first.
 */
export async function makeUnavailable(
  context: Context,
  organisation: Organisation,
  driverId: number,
  { inTransit, through, absence: isNoted, reason = '', dryRun }: UnavailableInput,
): Promise<Unavailable> {
  const { id, timezone } = organisation
  const now = context.clock.now()
  const today = dayOf(now, timezone)
  const lastDay = through === undefined ? undefined : requireDay('through', through, timezone)
  if (lastDay !== undefined && lastDay < today)
    throw new Refusal('INVALID_TIME', { field: 'through', message: 'through must be today or later' })
  if (settingsOf(organisation).disableAdminUnassignToOrg && !dryRun)
    throw forbiddenBySetting('disableAdminUnassignToOrg', 'unassigning tasks')
  return commitWithEvents(context, async (db) => {
    const driver = await lockDriver(db, id, driverId)
    if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
    const open = await lockOpenTasksOfDriver(db, id, driverId)
    const ids = open.map((task) => task.id)
    const conflicted = await listConflicted(db, id, ids)
    const started = open.filter((task) => task.status_id === InTransit && !conflicted.has(task.id))
    if (started.length > 0 && !inTransit && !dryRun) {
      const message = `The driver has ${started[0]?.awb} in transit; say with inTransit whether to keep or to take it`
      throw new Refusal('DRIVER_BUSY', { field: 'inTransit', message })
    }
    const isBy = (day: string, { status_id: statusId, complete_after: completeAfter }: TaskView) =>
      isOfToday({ statusId, completeAfter }, day, timezone)
    const whyKept = (task: TaskView): KeptReason | undefined => {
      if (conflicted.has(task.id)) return 'OPEN_CONFLICT'
      if (task.status_id === InTransit && inTransit !== 'take') return 'IN_TRANSIT'
      return lastDay === undefined || isBy(lastDay, task) ? undefined : 'LATER_DAY'
    }
    const sorted = open.map((task) => ({ task, reason: whyKept(task) }))
    const taken = sorted.flatMap(({ task, reason }) => (reason ? [] : [task]))
    const kept = sorted.flatMap(({ task, reason }) => (reason ? [{ task, reason }] : []))
    if (dryRun) return { driver, taken, kept, absence: null }
    await setDuty(db, id, driverId, false, now)
    const days = { from: today, to: lastDay ?? today, reason }
    const absence = isNoted ? await addAbsence(context, db, organisation, driverId, days) : null
    const after = (await findDriver(db, id, driverId)) as DriverRow
    const changes = taken.map((task) =>
      orThrow(moveTask(task, 'unassign', withoutDriver, { joined: { driver: null } })),
    )
    return { driver: after, taken: await changeTasks(context, db, organisation, changes, now), kept, absence }
  })
}

export const presentAbsence = (row: AbsenceRow): Absence => ({
  id: row.id,
  driverId: row.driver_id,
  from: row.from_day,
  to: row.to_day,
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
})

export const presentKept = ({ task, reason }: Kept) => ({ ...presentTaken(task), reason })

export const presentTaken = ({ id, awb, status_id }: TaskView) => ({ taskId: id, awb, statusId: status_id })
