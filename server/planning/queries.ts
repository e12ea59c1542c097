import type { Point } from '../../core/geo.ts'
import type { WeekdayShift } from '../../core/shift-bounds.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { UserRow } from '../organisations/queries.ts'
import { listFactors, usualTransportation } from './speeds/queries.ts'

/** The fields of a driver that planning needs. */
export type PlannedDriver = Pick<
  UserRow,
  | 'id'
  | 'name'
  | 'in_shift'
  | 'transportation_id'
  | 'shift_start'
  | 'shift_end'
  | 'lunch_start'
  | 'lunch_end'
  | 'lunch_minutes'
> & {
  shift_times: WeekdayShift[]
  /** Of the organisation. */
  opening_hours: WeekdayShift[]
  /** On the day that is planned. */
  is_absent: boolean
  team_ids: number[]
  /** The hub of their first team that has one. */
  hub: Point | null
  /** Where they last finished, or arrived at, a task today. */
  last_place: Seen | null
  /** The last position of their device, however old. */
  position: Seen | null
  /** How much slower than the roads say, in each hour of the week; undefined as long as nobody knows. */
  hour_factors: readonly number[] | undefined
}

/** A position and its time. */
export type Seen = Point & { at: string }

/** The day that is planned, as YYYY-MM-DD and by its first instant. */
interface PlannedDay {
  day: string
  start: Date
}

/** Drivers with what was learned of how fast they are, all of them together. */
async function findDrivers(db: Db, organisationId: number, day: PlannedDay, condition: Sql): Promise<PlannedDriver[]> {
  const [drivers, factors] = await Promise.all([
    listDriverRows(db, organisationId, day, condition),
    listFactors(db, organisationId),
  ])
  return drivers.map((driver) => ({
    ...driver,
    hour_factors: factors.get(driver.transportation_id ?? usualTransportation),
  }))
}

const listDriverRows = (db: Db, organisationId: number, { day, start }: PlannedDay, condition: Sql) =>
  db.many<Omit<PlannedDriver, 'hour_factors'>>(sql`
    select u.id, u.name, u.in_shift, u.transportation_id, u.shift_start, u.shift_end, u.lunch_start, u.lunch_end,
      u.lunch_minutes, u.shift_times, o.shift_times as opening_hours, row_to_json(hub) as hub, row_to_json(last) as last_place,
      row_to_json(seen) as position,
      coalesce((
        select json_agg(m.team_id order by m.team_id) from team_drivers m
        where m.organisation_id = u.organisation_id and m.user_id = u.id), '[]') as team_ids,
      exists (
        select from absences a
        where a.organisation_id = u.organisation_id and a.driver_id = u.id
          and ${day} between a.from_day and a.to_day) as is_absent
    from users u
    join organisations o on o.id = u.organisation_id
    left join lateral (
      select h.lat, h.lng
      from team_drivers m
      join teams t on t.organisation_id = m.organisation_id and t.id = m.team_id
      join hubs h on h.organisation_id = t.organisation_id and h.id = t.hub_id
      where m.organisation_id = u.organisation_id and m.user_id = u.id
      order by t.id
      limit 1
    ) hub on true
    left join lateral (
      select a.lat, a.lng, coalesce(t.completed_at, t.arrived_at) as at
      from tasks t
      join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
      where t.organisation_id = u.organisation_id and t.user_id = u.id and t.deleted_at is null
        and a.lat is not null and coalesce(t.completed_at, t.arrived_at) >= ${start}
      order by coalesce(t.completed_at, t.arrived_at) desc
      limit 1
    ) last on true
    left join lateral (
      select p.lat, p.lng, p.occurred_at as at
      from driver_positions p
      where p.organisation_id = u.organisation_id and p.driver_id = u.id
    ) seen on true
    where u.organisation_id = ${organisationId} and u.is_driver and u.deleted_at is null and ${condition}
    order by u.id`)

export const findPlannedDriver = async (db: Db, organisationId: number, driverId: number, day: PlannedDay) =>
  (await findDrivers(db, organisationId, day, sql`u.id = ${driverId}`))[0]

export const listDriversById = (db: Db, organisationId: number, driverIds: number[], day: PlannedDay) =>
  findDrivers(db, organisationId, day, sql`u.id = any(${driverIds}::bigint[])`)

/** The active drivers of a team, or of the organisation. */
export const listPlannedDrivers = (db: Db, organisationId: number, teamId: number | undefined, day: PlannedDay) =>
  findDrivers(
    db,
    organisationId,
    day,
    teamId === undefined
      ? sql`u.active`
      : sql`u.active and exists (
          select from team_drivers m
          where m.organisation_id = u.organisation_id and m.user_id = u.id and m.team_id = ${teamId})`,
  )

export const listHubPoints = (db: Db, organisationId: number) =>
  db.many<Point>(sql`select lat, lng from hubs where organisation_id = ${organisationId}`)
