import { InTransit, type StatusId } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Organisation } from '../organisations/queries.ts'
import { isOfToday } from '../tasks/read/conditions.ts'
import type { TaskView } from '../tasks/tables.ts'

/** A task and its organisation, by the tracking token alone: asked before the tenant is known. */
export const findTracked = (db: Db, uuid: string) =>
  db.find<{ id: number; status_id: StatusId; completed_at: Date | null; organisation: Organisation }>(sql`
    select t.id, t.status_id, t.completed_at, row_to_json(o) as organisation
    from tasks t
    join organisations o on o.id = t.organisation_id
    where t.uuid = ${uuid} and t.deleted_at is null and t.erased_at is null`)

/** The tasks of these events, and their drivers. */
export const listTouched = (db: Db, organisationId: number, afterId: number, lastId: number) =>
  db.many<{ task_id: number; user_id: number | null }>(sql`
    select distinct task_id, user_id from events
    where organisation_id = ${organisationId} and id > ${afterId} and id <= ${lastId}`)

/** Who has these tasks, and whether they are on the way. */
export const listWays = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<{ id: number; user_id: number | null; status_id: StatusId }>(sql`
    select id, user_id, status_id from tasks
    where organisation_id = ${organisationId} and id = any(${taskIds}::bigint[]) and deleted_at is null`)

/** What a customer may know of the driver's way to them. */
export interface WayThere {
  transportation_id: number | null
  /** Where the driver was last seen, and when. */
  lat: number | null
  lng: number | null
  seen_at: Date | null
  /** Where the driver goes today up to this task, in the order of the route. */
  way: Pick<TaskView['address'], 'lat' | 'lng' | 'precision' | 'address' | 'city'>[]
}

/** Nobody waits for their turn behind more than these. */
const longestWay = 500

/** Of today's route only. What is on its way comes before the rest of it, as the arrivals are computed. */
export const findWayThere = (db: Db, organisationId: number, taskId: number, dayEnd: Date) =>
  db.find<WayThere>(sql`
    select u.transportation_id, p.lat, p.lng, p.occurred_at as seen_at, (
        select coalesce(json_agg(json_build_object(
          'lat', lat, 'lng', lng, 'precision', precision, 'address', address, 'city', city) order by place), '[]') from (
          select a.lat, a.lng, a.precision, a.address, a.city, (t.status_id <> ${InTransit}, t.route_position, t.id) as place
          from tasks t
          join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
          where t.organisation_id = own.organisation_id and t.user_id = own.user_id and t.deleted_at is null
            and ${isOfToday(dayEnd)}
            and (t.status_id <> ${InTransit}, t.route_position, t.id)
              <= (own.status_id <> ${InTransit}, own.route_position, own.id)
          order by place desc
          limit ${longestWay}
        ) stop
      ) as way
    from tasks own
    join users u on u.organisation_id = own.organisation_id and u.id = own.user_id
    left join driver_positions p on p.organisation_id = own.organisation_id and p.driver_id = own.user_id
    where own.organisation_id = ${organisationId} and own.id = ${taskId}`)
