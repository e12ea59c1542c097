import { InTransit } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { columnList, table, unnest } from '../../db/table.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { isDoor, isOfToday, isOpen } from '../../tasks/read/conditions.ts'
import { type TaskRow, tasks } from '../../tasks/tables.ts'
import type { Underway } from '../problem/stops.ts'

export const followedDrivers = table('followed_drivers', {
  organisation_id: 'bigint',
  driver_id: 'bigint',
  followed_at: 'timestamptz',
})

export interface Pace {
  /** How often a driver is looked at who has reported a position since, and one who has not. */
  newsSeconds: number
  quietSeconds: number
}

/**
 * Takes drivers on duty with open tasks who are due, by organisation. The claim is the time itself: another process
 * that wants the same driver waits for this statement and then finds that it is too early.
 */
export const claimDrivers = (db: Db, { newsSeconds, quietSeconds }: Pace, limit: number) =>
  db.many<{ organisation: Organisation; ids: number[] }>(sql`
    with due as (
      select u.organisation_id, u.id as driver_id
      from users u
      left join followed_drivers f on f.organisation_id = u.organisation_id and f.driver_id = u.id
      left join driver_positions p on p.organisation_id = u.organisation_id and p.driver_id = u.id
      where u.is_driver and u.in_shift and u.deleted_at is null
        and (f.followed_at is null
          or f.followed_at <= now() - make_interval(secs => ${quietSeconds})
          or (f.followed_at <= now() - make_interval(secs => ${newsSeconds}) and p.recorded_at > f.followed_at))
        and exists (
          select from tasks t
          where t.organisation_id = u.organisation_id and t.user_id = u.id and t.${isOpen} and t.deleted_at is null)
      order by f.followed_at nulls first
      limit ${limit}
    ), claimed as (
      insert into followed_drivers as f (organisation_id, driver_id, followed_at)
      select organisation_id, driver_id, now() from due
      order by organisation_id, driver_id
      on conflict (organisation_id, driver_id) do update
      set followed_at = now()
      where f.followed_at <= now() - make_interval(secs => ${newsSeconds})
      returning organisation_id, driver_id
    )
    select row_to_json(o) as organisation, c.ids
    from (select organisation_id, json_agg(driver_id) as ids from claimed group by 1 order by 1) c
    join organisations o on o.id = c.organisation_id`)

const columns = [
  'id',
  'awb',
  'user_id',
  'team_id',
  'status_id',
  'complete_after',
  'complete_before',
  'completed_at',
  'service_minutes',
  'priority',
  'driver_arrived',
  'arrived_at',
  'route',
  'route_position',
  'eta_at',
  'will_be_delayed',
  'updated_at',
  'owner_id',
] as const satisfies (keyof TaskRow)[]

/** A task of a route that is followed: only what its arrival depends on. */
export type FollowedTask = Pick<TaskRow, (typeof columns)[number]> & Underway

/** What these drivers still have to do today, in the order of their routes. */
export const listRoutes = (db: Db, organisationId: number, driverIds: number[], dayEnd: Date, most: number) =>
  db.many<FollowedTask>(sql`
    select t.*, to_jsonb(a) as address, '[]'::json as dependencies
    from unnest(${driverIds}::bigint[]) as driver (id)
    cross join lateral (
      select ${columnList(columns)} from tasks t
      where t.organisation_id = ${organisationId} and t.user_id = driver.id and t.deleted_at is null
        and ${isOfToday(dayEnd)}
      order by t.status_id = ${InTransit} desc, t.route_position, t.id
      limit ${most}
    ) t
    cross join lateral (
      select lat, lng, precision, address, city from addresses where organisation_id = ${organisationId} and task_id = t.id limit 1
    ) a
    order by t.user_id, t.status_id = ${InTransit} desc, t.route_position, t.id`)

const etaColumns = ['id', 'eta_at', 'updated_at'] as const satisfies (keyof TaskRow)[]

/**
 * Stores arrivals without an event. A task that somebody has changed since it was read, or is changing now, is left
 * for the next time: nobody waits for this. Returns the tasks that were stored.
 */
export const saveArrivals = (db: Db, organisationId: number, moved: Pick<TaskRow, (typeof etaColumns)[number]>[]) =>
  db.many<{ id: number; eta_at: Date }>(sql`
    with free as materialized (
      select found.place, given.eta_at
      from ${unnest(tasks, etaColumns, moved)}
      cross join lateral (
        select ctid as place from tasks
        where organisation_id = ${organisationId} and id = given.id
          and date_trunc('milliseconds', updated_at) = given.updated_at
        for no key update skip locked
      ) found
    )
    update tasks t set eta_at = free.eta_at from free
    where t.ctid = free.place and t.organisation_id = ${organisationId}
    returning t.id, t.eta_at`)

type Told = Pick<TaskRow, 'id' | 'eta_at'>

/** The same for tasks that are locked: what a partner tells. Returns them, and whose they are in turn. */
export const saveToldArrivals = (db: Db, organisationId: number, told: Told[]) =>
  db.many<Told & Pick<TaskRow, 'owner_id' | 'owner_task_id'>>(sql`
    update tasks t set eta_at = given.eta_at
    from ${unnest(tasks, ['id', 'eta_at'], told)}
    where t.organisation_id = ${organisationId} and t.id = given.id
    returning t.id, t.eta_at, t.owner_id, t.owner_task_id`)

export interface Nearby {
  id: number
  driver_id: number
  occurred_at: Date
  lat: number
  lng: number
  task_lat: number
  task_lng: number
}

/**
 * Positions of these drivers near the tasks they have in transit, the first ones first, in a square: whether one is in the circle is for
 * core to say. Since the start, as a phone may send late what it saw. What is not the door is no place to arrive at.
 */
export const listNearby = (db: Db, organisationId: number, driverIds: number[], metres: number) =>
  db.many<Nearby>(sql`
    select t.id, l.driver_id, l.occurred_at, l.lat, l.lng, a.lat as task_lat, a.lng as task_lng
    from tasks t
    join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
    join locations l on l.organisation_id = t.organisation_id and l.driver_id = t.user_id
      and l.occurred_at >= t.started_at
    where t.organisation_id = ${organisationId} and t.user_id = any(${driverIds}::bigint[])
      and t.status_id = ${InTransit} and t.${isOpen} and t.deleted_at is null and not t.driver_arrived
      and not t.arrival_taken_back
      and ${isDoor}
      and coalesce(l.accuracy_metres, 0) <= ${metres}
      and abs(l.lat - a.lat) * 111000 <= ${metres}::float8
      and least(abs(l.lng - a.lng), 360 - abs(l.lng - a.lng)) * 111000 * cos(radians(a.lat)) <= ${metres}::float8
    order by l.occurred_at`)
