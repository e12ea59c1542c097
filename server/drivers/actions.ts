import type { DriverInput, DriverUpdate } from '../../contract/driver.ts'
import { type ErrorDetail, Refusal, unknownInBody } from '../../contract/errors.ts'
import { refusalOf } from '../../contract/read/refusal.ts'
import { examplePhone, readPhone } from '../../core/phone.ts'
import { readTimeOfDay, type Shift, shiftProblem } from '../../core/shift.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import { claimPicture, dropPicture } from '../files/claims.ts'
import type { Organisation } from '../organisations/queries.ts'
import { readShiftTimes } from '../organisations/shift-times.ts'
import { unassignAllOfDriver } from '../tasks/change/assign.ts'
import { holdTeams } from '../tasks/queries.ts'
import {
  type DriverFields,
  type DriverRow,
  deleteDevices,
  deleteInvitations,
  deleteDriver as deleteRow,
  findDriver,
  insertDriver,
  lockDriver,
  saveDriver,
  saveTeamsOfDriver,
  setDuty,
} from './queries.ts'

export async function createDriver(
  context: Context,
  organisation: Organisation,
  input: DriverInput,
): Promise<DriverRow> {
  const fields = readFields(input, organisation, noFields)
  return context.db.transaction(async (db) => {
    await requireTeams(db, organisation.id, input.teams)
    const avatar = await claimAvatar(db, organisation.id, input, noFields)
    const driverId = await insertDriver(db, organisation.id, { ...fields, avatar })
    await saveTeamsOfDriver(db, organisation.id, driverId, input.teams)
    const driver = (await findDriver(db, organisation.id, driverId)) as DriverRow
    const changes = tellChanges(null, tellDriver(driver), personal)
    await recordAudit(context, db, organisation.id, [{ kind: 'driver.created', subjectId: driverId, changes }])
    return driver
  })
}

export async function updateDriver(
  context: Context,
  organisation: Organisation,
  driverId: number,
  input: DriverUpdate,
): Promise<DriverRow> {
  return context.db.transaction(async (db) => {
    const before = await lockDriver(db, organisation.id, driverId)
    if (!before) throw new Refusal('DRIVER_NOT_FOUND')
    const fields = readFields(input, organisation, before)
    if (input.teams) {
      await requireTeams(db, organisation.id, input.teams)
      await saveTeamsOfDriver(db, organisation.id, driverId, input.teams)
    }
    const avatar = await claimAvatar(db, organisation.id, input, before)
    await saveDriver(db, organisation.id, driverId, { ...fields, avatar })
    if (before.active !== fields.active) await switchAccess(context, db, organisation.id, driverId, fields.active)
    await dropPicture(db, organisation.id, before.avatar, avatar)
    const driver = (await findDriver(db, organisation.id, driverId)) as DriverRow
    const tell = (one: DriverRow) => ({ ...tellDriver(one), active: one.active })
    const changes = tellChanges(tell(before), tell(driver), personal)
    if (changes.length > 0)
      await recordAudit(context, db, organisation.id, [{ kind: 'driver.changed', subjectId: driverId, changes }])
    return driver
  })
}

/**
 * Who may not sign in is off duty, and every session has ended. Which those were is known until the driver may sign in
 * again, so that a phone can say why it was signed out: then they go, and nobody gets in with an old one.
 */
async function switchAccess(context: Context, db: Db, organisationId: number, driverId: number, active: boolean) {
  if (active) return deleteDevices(db, organisationId, driverId)
  await setDuty(db, organisationId, driverId, false, context.clock.now())
  return deleteInvitations(db, organisationId, driverId)
}

/** What the audit log compares, as it is called on the wire. */
const tellDriver = (driver: DriverRow) => ({
  name: driver.name,
  phone: driver.phone,
  email: driver.email,
  avatar: driver.avatar,
  teams: driver.teams.map(({ id }) => id),
  driverTransportationId: driver.transportation_id,
  startShiftTime: driver.shift_start,
  endShiftTime: driver.shift_end,
  shiftTimes: driver.shift_times,
  lunchBreakStart: driver.lunch_start,
  lunchBreakEnd: driver.lunch_end,
  lunchBreakDuration: driver.lunch_minutes,
})
/** Of these it says only that they have changed. */
const personal = ['name', 'phone', 'email', 'avatar']

/** For drivers whose phone cannot say it. Whether it comes from the office or from the phone is the same. */
export const switchDuty = (
  context: Context,
  organisationId: number,
  driverId: number,
  inShift: boolean,
): Promise<DriverRow> =>
  context.db.transaction(async (db) => {
    const driver = await lockDriver(db, organisationId, driverId)
    if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
    if (inShift && !driver.active) throw new Refusal('DRIVER_INACTIVE')
    await setDuty(db, organisationId, driverId, inShift, context.clock.now())
    return (await findDriver(db, organisationId, driverId)) as DriverRow
  })

/** Assigned tasks become unassigned. A driver with a task in transit can only be deleted with `force`. */
export async function deleteDriver(context: Context, organisation: Organisation, driverId: number, force: boolean) {
  await commitWithEvents(context, async (db) => {
    const driver = await lockDriver(db, organisation.id, driverId)
    if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
    await deleteRow(db, organisation.id, driverId)
    const changes = tellChanges(tellDriver(driver), null, personal)
    await recordAudit(context, db, organisation.id, [{ kind: 'driver.deleted', subjectId: driverId, changes }])
    await unassignAllOfDriver(context, db, organisation, driverId, force)
  })
}

const claimAvatar = async (db: Db, organisationId: number, { avatar }: DriverUpdate, before: DriverFields) =>
  avatar ? claimPicture(db, organisationId, avatar, 'avatar') : avatar === null ? null : before.avatar

async function requireTeams(db: Db, organisationId: number, teamIds: number[]) {
  const found = await holdTeams(db, organisationId, teamIds)
  const missing = teamIds.find((id) => !found.some((team) => team.id === id))
  if (missing !== undefined) throw unknownInBody('TEAM_NOT_FOUND', 'teams', `Team ${missing} not found`)
}

const noFields: DriverFields = {
  name: '',
  phone: '',
  email: null,
  transportation_id: null,
  shift_start: null,
  shift_end: null,
  lunch_start: null,
  lunch_end: null,
  lunch_minutes: null,
  shift_times: [],
  avatar: null,
  active: true,
}

/** Fields that are not given keep their values. */
function readFields(input: DriverUpdate, { country }: Organisation, before: DriverFields): DriverFields {
  const problems: ErrorDetail[] = []
  const phone = input.phone === undefined ? before.phone : readPhone(input.phone, country)
  if (phone === undefined) {
    const message = `phone is not a valid number; example: ${examplePhone(country)}`
    problems.push({ field: 'phone', code: 'INVALID_PHONE', message })
  }
  const shift = readShift(input, before, problems)
  const shiftTimes = input.shiftTimes ? readShiftTimes(input.shiftTimes, problems) : before.shift_times
  if (problems.length > 0) throw refusalOf(problems)
  return {
    name: input.name?.trim() ?? before.name,
    phone: phone as string,
    email: input.email === undefined ? before.email : input.email,
    transportation_id:
      input.driverTransportationId === undefined ? before.transportation_id : input.driverTransportationId,
    shift_start: shift.start,
    shift_end: shift.end,
    lunch_start: shift.lunchStart,
    lunch_end: shift.lunchEnd,
    lunch_minutes: input.lunchBreakDuration === undefined ? before.lunch_minutes : input.lunchBreakDuration,
    shift_times: shiftTimes,
    avatar: before.avatar,
    active: input.active ?? before.active,
  }
}

const shiftFields = {
  start: 'startShiftTime',
  end: 'endShiftTime',
  lunchStart: 'lunchBreakStart',
  lunchEnd: 'lunchBreakEnd',
} as const satisfies Record<keyof Shift, keyof DriverUpdate>

function readShift(input: DriverUpdate, before: DriverFields, problems: ErrorDetail[]): Shift {
  const read = (part: keyof Shift, was: string | null): string | null => {
    const field = shiftFields[part]
    const text = input[field]
    if (text === undefined) return was
    if (text === null || text.trim() === '') return null
    const time = readTimeOfDay(text)
    if (time === undefined)
      problems.push({ field, code: 'INVALID_TIME', message: `${field} must look like 8:30 or 08:30` })
    return time ?? null
  }
  const shift: Shift = {
    start: read('start', before.shift_start),
    end: read('end', before.shift_end),
    lunchStart: read('lunchStart', before.lunch_start),
    lunchEnd: read('lunchEnd', before.lunch_end),
  }
  const problem = problems.length === 0 ? shiftProblem(shift) : undefined
  if (problem) {
    const field = shiftFields[problem[0]]
    problems.push({ field, code: 'INVALID_TIME', message: `${field} ${problem[1]}` })
  }
  return shift
}
