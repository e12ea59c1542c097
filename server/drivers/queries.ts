import { toleratedMs } from '../../core/device-clock.ts'
import type { WeekdayShift } from '../../core/shift-bounds.ts'
import type { Db } from '../db/db.ts'
import { containing, raw, type Sql, sql } from '../db/sql.ts'
import { assignments, columnList, type Known, unnest } from '../db/table.ts'
import { type UserRow, users } from '../organisations/queries.ts'
import { driverStatus } from '../tasks/read/drivers.ts'
import { lastSeen, type PositionOfDriver, positionOfDriver } from './positions.ts'

/** A driver with teams and position. */
export type DriverRow = Known<UserRow, { shift_times: WeekdayShift[] }> & {
  status: number
  teams: { id: number; name: string }[]
  position: PositionOfDriver | null
}

const selectDrivers = sql`
  select u.*, ${driverStatus} as status, ${positionOfDriver} as position,
    coalesce((
      select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.id)
      from team_drivers m
      join teams t on t.organisation_id = m.organisation_id and t.id = m.team_id
      where m.organisation_id = u.organisation_id and m.user_id = u.id), '[]') as teams
  from users u`

const isDriver = raw('u.is_driver and u.deleted_at is null')

export const findDriver = (db: Db, organisationId: number, driverId: number) =>
  db.find<DriverRow>(sql`
    ${selectDrivers}
    where u.organisation_id = ${organisationId} and u.id = ${driverId} and ${isDriver}`)

export const lockDriver = (db: Db, organisationId: number, driverId: number) =>
  db.find<DriverRow>(sql`
    ${selectDrivers}
    where u.organisation_id = ${organisationId} and u.id = ${driverId} and ${isDriver}
    for no key update of u`)

export interface DriverFilter {
  teamId?: number | undefined
  inShift?: boolean | undefined
  text?: string | undefined
}

export function listDrivers(db: Db, organisationId: number, filter: DriverFilter, afterId: number, limit: number) {
  const conditions: Sql[] = [sql`u.organisation_id = ${organisationId} and ${isDriver} and u.id > ${afterId}`]
  if (filter.inShift !== undefined) conditions.push(sql`u.in_shift = ${filter.inShift}`)
  if (filter.teamId)
    conditions.push(sql`exists (
      select from team_drivers m
      where m.organisation_id = u.organisation_id and m.user_id = u.id and m.team_id = ${filter.teamId})`)
  if (filter.text) {
    const pattern = containing(filter.text)
    conditions.push(sql`(u.name ilike ${pattern} or u.phone ilike ${pattern} or u.email ilike ${pattern})`)
  }
  const where = conditions.reduce((all, condition) => sql`${all} and ${condition}`)
  return db.many<DriverRow>(sql`${selectDrivers} where ${where} order by u.id limit ${limit}`)
}

const columns = [
  'name',
  'phone',
  'email',
  'transportation_id',
  'shift_start',
  'shift_end',
  'lunch_start',
  'lunch_end',
  'lunch_minutes',
  'shift_times',
  'avatar',
  'active',
] as const satisfies (keyof UserRow)[]
export type DriverFields = Pick<DriverRow, (typeof columns)[number]>

export const insertDriver = async (db: Db, organisationId: number, fields: DriverFields) =>
  (
    await db.get<{ id: number }>(sql`
      insert into users (organisation_id, is_driver, ${columnList(columns)})
      select ${organisationId}, true, given.* from ${unnest(users, columns, [fields])}
      returning id`)
  ).id

export const saveDriver = (db: Db, organisationId: number, driverId: number, fields: DriverFields) =>
  db.run(sql`
    update users u set ${assignments(columns)}, updated_at = now()
    from ${unnest(users, columns, [fields])}
    where u.organisation_id = ${organisationId} and u.id = ${driverId}`)

export const saveProfile = (
  db: Db,
  organisationId: number,
  driverId: number,
  { avatar, has_dismissed_intro }: Pick<UserRow, 'avatar' | 'has_dismissed_intro'>,
) =>
  db.run(sql`
    update users set avatar = ${avatar}, has_dismissed_intro = ${has_dismissed_intro}, updated_at = now()
    where organisation_id = ${organisationId} and id = ${driverId}`)

/**
 * Who is on duty already stays so since then. A phone may say late that the duty has ended, also after the office has ended
 * it; what another app on it reported after that is off duty and goes, and the driver was last seen where they were before.
 * An end from before this duty began was that of another, which is not remembered.
 */
export const setDuty = (db: Db, organisationId: number, driverId: number, inShift: boolean, at: Date) =>
  db.run(sql`
    with ended as (
      select from users
      where organisation_id = ${organisationId} and id = ${driverId}
        and not ${inShift} and (in_shift or ${at} < duty_ended_at)
        and coalesce(duty_started_at <= ${at}::timestamptz + ${toleratedMs} * interval '1 ms', true)
    ), gone as (
      delete from locations
      where organisation_id = ${organisationId} and driver_id = ${driverId} and occurred_at > ${at}
        and exists (select from ended)
    ), before as (
      select ${columnList(lastSeen)} from locations
      where organisation_id = ${organisationId} and driver_id = ${driverId} and occurred_at <= ${at}
      order by occurred_at desc
      limit 1
    ), moved_back as (
      update driver_positions p set ${assignments(lastSeen, 'before')}
      from before
      where p.organisation_id = ${organisationId} and p.driver_id = ${driverId} and p.occurred_at > ${at}
        and exists (select from ended)
    ), unseen as (
      delete from driver_positions
      where organisation_id = ${organisationId} and driver_id = ${driverId} and occurred_at > ${at}
        and exists (select from ended) and not exists (select from before)
    )
    update users set updated_at = now(),
      in_shift = ${inShift} or (in_shift and not exists (select from ended)),
      duty_started_at = case when ${inShift} and not in_shift then ${at} else duty_started_at end,
      duty_ended_at = case when exists (select from ended) then ${at} else duty_ended_at end
    where organisation_id = ${organisationId} and id = ${driverId}`)

/** Of a driver who may no longer sign in. The devices stay known until they may again, so that a phone is told why. */
export const deleteInvitations = (db: Db, organisationId: number, driverId: number) =>
  db.run(sql`delete from invitations where organisation_id = ${organisationId} and user_id = ${driverId}`)

export const deleteDevices = (db: Db, organisationId: number, driverId: number) =>
  db.run(sql`delete from driver_tokens where organisation_id = ${organisationId} and user_id = ${driverId}`)

/** The row stays, because the history shows the driver's name; teams, devices, absences and positions are deleted. */
export const deleteDriver = (db: Db, organisationId: number, driverId: number) =>
  db.run(sql`
    with links as (
      delete from team_drivers where organisation_id = ${organisationId} and user_id = ${driverId}
    ), tokens as (
      delete from driver_tokens where organisation_id = ${organisationId} and user_id = ${driverId}
    ), codes as (
      delete from invitations where organisation_id = ${organisationId} and user_id = ${driverId}
    ), positions as (
      delete from driver_positions where organisation_id = ${organisationId} and driver_id = ${driverId}
    ), absent as (
      delete from absences where organisation_id = ${organisationId} and driver_id = ${driverId}
    ), track as (
      delete from locations where organisation_id = ${organisationId} and driver_id = ${driverId}
    )
    update users set deleted_at = now(), in_shift = false, updated_at = now()
    where organisation_id = ${organisationId} and id = ${driverId}`)

/** Replaces the teams of a driver. */
export const saveTeamsOfDriver = (db: Db, organisationId: number, driverId: number, teamIds: number[]) =>
  db.run(sql`
    with gone as (
      delete from team_drivers
      where organisation_id = ${organisationId} and user_id = ${driverId} and team_id <> all(${teamIds}::bigint[])
    )
    insert into team_drivers (organisation_id, team_id, user_id)
    select ${organisationId}, team_id, ${driverId} from unnest(${teamIds}::bigint[]) as given (team_id)
    on conflict do nothing`)
