import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Where a parcel can be brought back to. */
export interface ReturnHub {
  task_id: number
  name: string
  lat: number
  lng: number
  city: string
  state: string
  country: string
  street_number: string
  street_name: string
  postal_code: string
  address: string
  precision: string
}

/** For each task the hub of its team, else of a team of its driver, else the organisation's first one; none without hubs. */
export const listReturnHubs = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<ReturnHub>(sql`
    select t.id as task_id, h.name, h.lat, h.lng, h.city, h.state, h.country, h.street_number, h.street_name, h.postal_code,
      h.address, h.precision
    from tasks t
    cross join lateral (
      select h.* from hubs h
      where h.organisation_id = ${organisationId}
      order by
        h.id in (select hub_id from teams where organisation_id = ${organisationId} and id = t.team_id) desc,
        h.id in (
          select w.hub_id from team_drivers m
          join teams w on w.organisation_id = ${organisationId} and w.id = m.team_id
          where m.organisation_id = ${organisationId} and m.user_id = t.user_id and w.hub_id is not null) desc,
        h.id
      limit 1
    ) h
    where t.organisation_id = ${organisationId} and t.id = any(${taskIds}::bigint[])`)

/** The drivers of some tasks. */
export const listDriversOf = async (db: Db, organisationId: number, awbs: readonly string[], ids: readonly number[]) =>
  (
    await db.many<{ user_id: number }>(sql`
      select distinct user_id from tasks
      where organisation_id = ${organisationId} and deleted_at is null and user_id is not null
        and (awb = any(${awbs}::text[]) or id = any(${ids}::bigint[]))`)
  ).map(({ user_id }) => user_id)

/** Organisations with parcels that go back by themselves. */
export const listReturning = (db: Db) =>
  db.many<{ id: number }>(sql`select distinct organisation_id as id from due_returns order by 1`)

/** Takes some of them: whoever takes them makes their returns, in the same transaction. */
export const takeReturns = async (db: Db, organisationId: number, limit: number) =>
  (
    await db.many<{ task_id: number }>(sql`
      delete from due_returns
      where organisation_id = ${organisationId} and task_id in (
        select task_id from due_returns where organisation_id = ${organisationId}
        order by task_id
        limit ${limit}
        for update skip locked)
      returning task_id`)
  ).map(({ task_id }) => task_id)
