import type { Point } from '../../core/geo.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Where a driver's day begins: the hub of their first team that has one. */
export const findHubPoint = (db: Db, organisationId: number, driverId: number) =>
  db.find<Point>(sql`
    select h.lat, h.lng
    from team_drivers m
    join teams t on t.organisation_id = m.organisation_id and t.id = m.team_id
    join hubs h on h.organisation_id = t.organisation_id and h.id = t.hub_id
    where m.organisation_id = ${organisationId} and m.user_id = ${driverId}
    order by t.id
    limit 1`)
