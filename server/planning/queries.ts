import type { Point } from '../../core/geo.ts'
import { Assigned, InTransit } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { UserRow } from '../organisations/queries.ts'
import type { TaskView } from '../tasks/tables.ts'
import { listRoute } from '../tasks/view.ts'

/** A driver as far as planning is concerned. */
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
  team_ids: number[]
  /** Where their first team that has a hub begins its day. */
  hub: Point | null
  /** Where they finished, or arrived at, a task last today. */
  last_place: Point | null
}

const findDrivers = (db: Db, organisationId: number, dayStart: Date, condition: Sql) =>
  db.many<PlannedDriver>(sql`
    select u.id, u.name, u.in_shift, u.transportation_id, u.shift_start, u.shift_end, u.lunch_start, u.lunch_end,
      u.lunch_minutes, row_to_json(hub) as hub, row_to_json(last) as last_place,
      array(
        select m.team_id from team_drivers m
        where m.organisation_id = u.organisation_id and m.user_id = u.id
        order by m.team_id
      ) as team_ids
    from users u
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
      select a.lat, a.lng
      from tasks t
      join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
      where t.organisation_id = u.organisation_id and t.user_id = u.id and t.deleted_at is null
        and a.lat is not null and coalesce(t.completed_at, t.arrived_at) >= ${dayStart}
      order by coalesce(t.completed_at, t.arrived_at) desc
      limit 1
    ) last on true
    where u.organisation_id = ${organisationId} and u.is_driver and u.deleted_at is null and ${condition}
    order by u.id`)

export const findPlannedDriver = async (db: Db, organisationId: number, driverId: number, dayStart: Date) =>
  (await findDrivers(db, organisationId, dayStart, sql`u.id = ${driverId}`))[0]

/** A driver's open tasks in the order of the route, without locking them. */
export const listOpenTasks = (db: Db, organisationId: number, driverId: number, most: number): Promise<TaskView[]> => {
  const filter = { userId: driverId, statusIds: [Assigned, InTransit] }
  return listRoute(db, organisationId, filter, { isDone: false, position: -1, id: 0 }, most)
}

export const listHubPoints = (db: Db, organisationId: number) =>
  db.many<Point>(sql`select lat, lng from hubs where organisation_id = ${organisationId}`)
