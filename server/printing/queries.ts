import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { HubRow } from '../teams/queries.ts'

export type Hub = Pick<HubRow, 'name' | 'address' | 'city'>

/** The hubs of these teams. Whose task has no team leaves from the only hub there is. */
export const listHubs = (db: Db, organisationId: number, teamIds: number[]) =>
  db.many<Hub & { team_id: number | null }>(sql`
    select t.id as team_id, h.name, h.address, h.city
    from teams t
    join hubs h on h.organisation_id = t.organisation_id and h.id = t.hub_id
    where t.organisation_id = ${organisationId} and t.id = any(${teamIds}::bigint[])
    union all
    select null, min(name), min(address), min(city) from hubs
    where organisation_id = ${organisationId}
    having count(*) = 1`)
