import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { assignments, columnList, type JsonRow, type Row, table, unnest } from '../db/table.ts'
import { everything } from '../http/answers/cursor.ts'

export const hubs = table('hubs', {
  organisation_id: 'bigint',
  id: 'bigint',
  name: 'text',
  lat: 'double precision',
  lng: 'double precision',
  city: 'text',
  state: 'text',
  country: 'text',
  street_number: 'text',
  street_name: 'text',
  postal_code: 'text',
  apartment: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  address: 'text',
  precision: 'text',
})
export type HubRow = Row<typeof hubs>

export const teams = table('teams', {
  organisation_id: 'bigint',
  id: 'bigint',
  name: 'text',
  hub_id: 'bigint?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
})

export const teamDrivers = table('team_drivers', { organisation_id: 'bigint', team_id: 'bigint', user_id: 'bigint' })

/** A team with its hub and its drivers. */
export type TeamView = Row<typeof teams> & { hub: JsonRow<typeof hubs> | null; drivers: { id: number; name: string }[] }

const selectTeams = sql`
  select t.*, row_to_json(h) as hub,
    coalesce((
      select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.id)
      from team_drivers m
      join users u on u.organisation_id = m.organisation_id and u.id = m.user_id
      where m.organisation_id = t.organisation_id and m.team_id = t.id), '[]') as drivers
  from teams t
  left join hubs h on h.organisation_id = t.organisation_id and h.id = t.hub_id`

export const findTeam = (db: Db, organisationId: number, teamId: number) =>
  db.find<TeamView>(sql`${selectTeams} where t.organisation_id = ${organisationId} and t.id = ${teamId}`)

export const lockTeam = (db: Db, organisationId: number, teamId: number) =>
  db.find<TeamView>(
    sql`${selectTeams} where t.organisation_id = ${organisationId} and t.id = ${teamId} for no key update of t`,
  )

export const listTeams = (db: Db, organisationId: number, afterId = 0, limit = everything) =>
  db.many<TeamView>(sql`
    ${selectTeams}
    where t.organisation_id = ${organisationId} and t.id > ${afterId} order by t.id limit ${limit}`)

export const insertTeam = async (db: Db, organisationId: number, name: string, hubId: number | null) =>
  (
    await db.get<{ id: number }>(sql`
      insert into teams (organisation_id, name, hub_id) values (${organisationId}, ${name}, ${hubId})
      returning id`)
  ).id

export const saveTeam = (db: Db, organisationId: number, teamId: number, name: string, hubId: number | null) =>
  db.run(sql`
    update teams set name = ${name}, hub_id = ${hubId}, updated_at = now()
    where organisation_id = ${organisationId} and id = ${teamId}`)

/** Foreign keys unlink its drivers and clear the team of any task left. */
export const deleteTeam = (db: Db, organisationId: number, teamId: number) =>
  db.run(sql`delete from teams where organisation_id = ${organisationId} and id = ${teamId}`)

/** Replaces the drivers of a team. */
export const saveDriversOfTeam = (db: Db, organisationId: number, teamId: number, driverIds: number[]) =>
  db.run(sql`
    with gone as (
      delete from team_drivers
      where organisation_id = ${organisationId} and team_id = ${teamId} and user_id <> all(${driverIds}::bigint[])
    )
    insert into team_drivers (organisation_id, team_id, user_id)
    select ${organisationId}, ${teamId}, user_id from unnest(${driverIds}::bigint[]) as given (user_id)
    on conflict do nothing`)

export const findDriverIds = async (db: Db, organisationId: number, ids: number[]) =>
  (
    await db.many<{ id: number }>(sql`
      select id from users
      where organisation_id = ${organisationId} and id = any(${ids}::bigint[]) and is_driver and deleted_at is null`)
  ).map(({ id }) => id)

export const listHubs = (db: Db, organisationId: number, afterId = 0, limit = everything) =>
  db.many<HubRow>(sql`
    select * from hubs where organisation_id = ${organisationId} and id > ${afterId} order by id limit ${limit}`)

export const findHub = (db: Db, organisationId: number, hubId: number) =>
  db.find<HubRow>(sql`select * from hubs where organisation_id = ${organisationId} and id = ${hubId}`)

/** Locked until the transaction ends, so that a team cannot take a hub that is being deleted. */
export const lockHub = (db: Db, organisationId: number, hubId: number) =>
  db.find<HubRow>(sql`select * from hubs where organisation_id = ${organisationId} and id = ${hubId} for update`)

const hubColumns = [
  'name',
  'lat',
  'lng',
  'city',
  'state',
  'country',
  'street_number',
  'street_name',
  'postal_code',
  'apartment',
  'address',
  'precision',
] as const satisfies (keyof HubRow)[]
export type HubFields = Pick<HubRow, (typeof hubColumns)[number]>

export const insertHub = (db: Db, organisationId: number, fields: HubFields) =>
  db.get<HubRow>(sql`
    insert into hubs (organisation_id, ${columnList(hubColumns)})
    select ${organisationId}, given.* from ${unnest(hubs, hubColumns, [fields])}
    returning *`)

export const saveHub = (db: Db, organisationId: number, hubId: number, fields: HubFields) =>
  db.get<HubRow>(sql`
    update hubs h set ${assignments(hubColumns)}, updated_at = now()
    from ${unnest(hubs, hubColumns, [fields])}
    where h.organisation_id = ${organisationId} and h.id = ${hubId}
    returning h.*`)

export const deleteHub = (db: Db, organisationId: number, hubId: number) =>
  db.run(sql`delete from hubs where organisation_id = ${organisationId} and id = ${hubId}`)

export const findTeamOfHub = (db: Db, organisationId: number, hubId: number) =>
  db.find<{ name: string }>(sql`
    select name from teams where organisation_id = ${organisationId} and hub_id = ${hubId} order by id limit 1`)
