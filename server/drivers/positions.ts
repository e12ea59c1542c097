import type { DriverPosition } from '../../contract/driver.ts'
import type { Point } from '../../core/geo.ts'
import type { Db } from '../db/db.ts'
import { violatedUnique } from '../db/faults.ts'
import { type Sql, sql } from '../db/sql.ts'
import { assignments, columnList, type JsonRow, type Row, table, unnest } from '../db/table.ts'
import type { UserRow } from '../organisations/queries.ts'

/** Where each driver was seen last, and in `locations` where they were before. */
export const driverPositions = table('driver_positions', {
  organisation_id: 'bigint',
  driver_id: 'bigint',
  lat: 'double precision',
  lng: 'double precision',
  heading: 'double precision?',
  speed_metres_per_second: 'double precision?',
  accuracy_metres: 'double precision?',
  occurred_at: 'timestamptz',
  recorded_at: 'timestamptz',
})

export const locations = table('locations', {
  organisation_id: 'bigint',
  driver_id: 'bigint',
  occurred_at: 'timestamptz',
  lat: 'double precision',
  lng: 'double precision',
  accuracy_metres: 'real?',
  speed_metres_per_second: 'real?',
  heading: 'real?',
  battery: 'smallint?',
})
export type LocationRow = Row<typeof locations>

/** What is kept of the newest position of a driver. */
export const lastSeen = [
  'driver_id',
  'occurred_at',
  'lat',
  'lng',
  'accuracy_metres',
  'speed_metres_per_second',
  'heading',
] as const satisfies (keyof LocationRow)[]
const columns = [...lastSeen, 'battery'] as const
export type NewLocation = Pick<LocationRow, (typeof columns)[number]>

/**
 * Keeps positions of several drivers; one that is there already stays. Returns the drivers for whom one of these is the
 * newest, as what a device sends late is no news. Not in a transaction: a phone that repeats itself is rare, and until
 * one does, half of the work of `on conflict` is saved.
 */
export async function saveLocations(db: Db, organisationId: number, given: readonly NewLocation[]): Promise<number[]> {
  try {
    return await insertLocations(db, organisationId, given, sql``)
  } catch (error) {
    if (!violatedUnique(error)) throw error
    return insertLocations(db, organisationId, given, sql`on conflict do nothing`)
  }
}

/** Drivers in order, so that two sets queue up instead of deadlocking. */
const insertLocations = async (db: Db, organisationId: number, given: readonly NewLocation[], ifThere: Sql) =>
  (
    await db.many<{ driver_id: number }>(sql`
      with given as materialized (
        select * from ${unnest(locations, columns, given)}
      ), kept as (
        insert into locations (organisation_id, ${columnList(columns)})
        select ${organisationId}, * from given
        ${ifThere}
      )
      insert into driver_positions as p (organisation_id, ${columnList(lastSeen)})
      select distinct on (driver_id) ${organisationId}::bigint, ${columnList(lastSeen)}
      from given
      order by driver_id, occurred_at desc
      on conflict (organisation_id, driver_id) do update
      set ${assignments(lastSeen, 'excluded')}, recorded_at = now()
      where p.occurred_at < excluded.occurred_at
      returning driver_id`)
  ).map(({ driver_id }) => driver_id)

type DutyRow = Pick<UserRow, 'id' | 'in_shift' | 'duty_started_at' | 'duty_ended_at'>

export const listDuties = (db: Db, organisationId: number, driverIds: number[]) =>
  db.many<DutyRow>(sql`
    select id, in_shift, duty_started_at, duty_ended_at from users
    where organisation_id = ${organisationId} and id = any(${driverIds}::bigint[]) and is_driver and deleted_at is null`)

/** A part of a driver's positions, in the order of their times. */
export const listLocations = (
  db: Db,
  organisationId: number,
  driverId: number,
  after: Date,
  until: Date,
  limit: number,
) =>
  db.many<LocationRow>(sql`
    select * from locations
    where organisation_id = ${organisationId} and driver_id = ${driverId}
      and occurred_at > ${after} and occurred_at <= ${until}
    order by occurred_at
    limit ${limit}`)

/** How long before that moment a position still says where a driver was. */
const sameMinutes = 5

/** Where a driver was at that moment, if a position says so and is accurate enough. */
export const findPlaceAt = (db: Db, organisationId: number, driverId: number, at: Date, accuracyMetres: number) =>
  db.find<Point>(sql`
    select lat, lng from locations
    where organisation_id = ${organisationId} and driver_id = ${driverId}
      and occurred_at > ${at}::timestamptz - ${sameMinutes} * interval '1 minute' and occurred_at <= ${at}
      and coalesce(accuracy_metres, 0) <= ${accuracyMetres}
    order by occurred_at desc
    limit 1`)

/** A column for queries that read drivers as `u`. */
export const positionOfDriver = sql`(
  select row_to_json(p) from driver_positions p
  where p.organisation_id = u.organisation_id and p.driver_id = u.id)`

export type PositionOfDriver = JsonRow<typeof driverPositions>

export const presentPosition = ({ lat, lng, heading, occurred_at }: PositionOfDriver): DriverPosition => ({
  lat,
  lng,
  heading,
  occurredAt: new Date(occurred_at).toISOString(),
})
