import type { Point } from '../../core/geo.ts'
import { Assigned, InTransit, Unassigned } from '../../core/task-status.ts'
import { triggers } from '../../core/triggers.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Organisation, UserRow } from '../organisations/queries.ts'
import { listRoute, viewTasks } from '../tasks/read/view.ts'
import type { TaskView } from '../tasks/tables.ts'

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
  last_place: Seen | null
  /** What their device said last, whenever that was. */
  position: Seen | null
}

/** A position and its time. */
export type Seen = Point & { at: string }

const findDrivers = (db: Db, organisationId: number, dayStart: Date, condition: Sql) =>
  db.many<PlannedDriver>(sql`
    select u.id, u.name, u.in_shift, u.transportation_id, u.shift_start, u.shift_end, u.lunch_start, u.lunch_end,
      u.lunch_minutes, row_to_json(hub) as hub, row_to_json(last) as last_place, row_to_json(seen) as position,
      coalesce((
        select json_agg(m.team_id order by m.team_id) from team_drivers m
        where m.organisation_id = u.organisation_id and m.user_id = u.id), '[]') as team_ids
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
      select a.lat, a.lng, coalesce(t.completed_at, t.arrived_at) as at
      from tasks t
      join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
      where t.organisation_id = u.organisation_id and t.user_id = u.id and t.deleted_at is null
        and a.lat is not null and coalesce(t.completed_at, t.arrived_at) >= ${dayStart}
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

export const findPlannedDriver = async (db: Db, organisationId: number, driverId: number, dayStart: Date) =>
  (await findDrivers(db, organisationId, dayStart, sql`u.id = ${driverId}`))[0]

/** The active drivers of a team, or of the organisation. */
export const listPlannedDrivers = (db: Db, organisationId: number, teamId: number | undefined, dayStart: Date) =>
  findDrivers(
    db,
    organisationId,
    dayStart,
    teamId === undefined
      ? sql`u.active`
      : sql`u.active and exists (
          select from team_drivers m
          where m.organisation_id = u.organisation_id and m.user_id = u.id and m.team_id = ${teamId})`,
  )

const viewIds = (db: Db, organisationId: number, found: { id: number }[]) =>
  viewTasks(
    db,
    organisationId,
    found.map(({ id }) => id),
  )

/** The open tasks of these drivers that are for today, in the order of their routes. */
export const listRoutesOfToday = async (db: Db, organisationId: number, driverIds: number[], dayEnd: Date) =>
  viewIds(
    db,
    organisationId,
    await db.many<{ id: number }>(sql`
      select id from tasks
      where organisation_id = ${organisationId} and user_id = any(${driverIds}::bigint[])
        and status_id in (${Assigned}, ${InTransit}) and deleted_at is null
        and (complete_after is null or complete_after <= ${dayEnd})
      order by user_id, coalesce(route_position, 0), id`),
  )

/** Today's tasks without a driver, the most urgent first; with a team, those of the team and of none. */
export const listWaitingTasks = async (
  db: Db,
  organisationId: number,
  teamId: number | undefined,
  dayEnd: Date,
  limit: number,
) =>
  viewIds(
    db,
    organisationId,
    await db.many<{ id: number }>(sql`
      select id from tasks
      where organisation_id = ${organisationId} and status_id = ${Unassigned} and deleted_at is null
        and (complete_after is null or complete_after <= ${dayEnd})
        and (${teamId ?? null}::bigint is null or team_id is null or team_id = ${teamId ?? null})
      order by priority desc, id
      limit ${limit}`),
  )

/**
 * Tasks of today that were never assigned: a task that was unassigned was unassigned by a person, who knows what
 * to do with it. Their place must be known, and not only approximately.
 */
export const listNewTasks = async (db: Db, organisationId: number, dayEnd: Date, limit: number) =>
  viewIds(
    db,
    organisationId,
    await db.many<{ id: number }>(sql`
      select t.id from tasks t
      join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
      where t.organisation_id = ${organisationId} and t.status_id = ${Unassigned} and t.deleted_at is null
        and (t.complete_after is null or t.complete_after <= ${dayEnd})
        and a.lat is not null and a.precision is distinct from 'approximate'
        and not exists (
          select from events e
          where e.organisation_id = t.organisation_id and e.task_id = t.id
            and e.trigger_id = ${triggers.TASK_UNASSIGNED.id})
      order by t.priority desc, t.id
      limit ${limit}`),
  )

/** Organisations in auto-assign mode with waiting tasks and drivers on duty, and those drivers. */
export const listAutoAssigning = (db: Db) =>
  db.many<{ organisation: Organisation; on_duty: string }>(sql`
    select row_to_json(o) as organisation, d.on_duty
    from organisations o
    cross join lateral (
      select string_agg(u.id || ' ' || extract(epoch from u.updated_at), ',' order by u.id) as on_duty
      from users u
      where u.organisation_id = o.id and u.is_driver and u.active and u.in_shift and u.deleted_at is null
    ) d
    where (o.settings ->> 'enableAutoAssignMode')::boolean and d.on_duty is not null
      and exists (
        select from tasks t
        where t.organisation_id = o.id and t.status_id = ${Unassigned} and t.deleted_at is null)
    order by o.id`)

/** A driver's open tasks in the order of the route, without locking them. */
export const listOpenTasks = (db: Db, organisationId: number, driverId: number, most: number): Promise<TaskView[]> => {
  const filter = { userId: driverId, statusIds: [Assigned, InTransit] }
  return listRoute(db, organisationId, filter, { isDone: false, position: -1, id: 0 }, most)
}

export const listHubPoints = (db: Db, organisationId: number) =>
  db.many<Point>(sql`select lat, lng from hubs where organisation_id = ${organisationId}`)
