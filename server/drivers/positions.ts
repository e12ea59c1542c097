import type { DriverPosition } from '../../contract/driver.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { assignments, columnList, type JsonRow, type Row, table, unnest } from '../db/table.ts'

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
export type PositionRow = Row<typeof driverPositions>

const columns = [
  'lat',
  'lng',
  'heading',
  'speed_metres_per_second',
  'accuracy_metres',
  'occurred_at',
] as const satisfies (keyof PositionRow)[]
export type NewPosition = Pick<PositionRow, (typeof columns)[number]>

/** Ignores a position older than the stored one: the device was offline. Returns whether it was stored. */
export const savePosition = async (db: Db, organisationId: number, driverId: number, position: NewPosition) =>
  (await db.run(sql`
    insert into driver_positions as p (organisation_id, driver_id, ${columnList(columns)})
    select ${organisationId}, u.id, given.*
    from ${unnest(driverPositions, columns, [position])}
    join users u on u.organisation_id = ${organisationId} and u.id = ${driverId} and u.deleted_at is null
    on conflict (organisation_id, driver_id) do update
    set ${assignments(columns, 'excluded')}, recorded_at = now()
    where p.occurred_at < excluded.occurred_at`)) > 0

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
