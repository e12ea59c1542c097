import { settingsOf } from '../../../core/settings.ts'
import { Assigned, InTransit, Unassigned } from '../../../core/task-status.ts'
import { triggers } from '../../../core/triggers.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { willBeDelegated } from '../../tasks/delegate/rule-queries.ts'
import { type Day, isForDay, isOfToday, isPlannedAlone } from '../../tasks/read/conditions.ts'
import { viewTasks } from '../../tasks/read/view.ts'

const viewIds = (db: Db, organisationId: number, found: { id: number }[]) =>
  viewTasks(
    db,
    organisationId,
    found.map(({ id }) => id),
  )

/** The open tasks of these drivers that may be done on a day, in the order of their routes. */
export const listRoutesOfDay = async (db: Db, organisationId: number, driverIds: number[], day: Day) =>
  viewIds(
    db,
    organisationId,
    await db.many<{ id: number }>(sql`
      select t.id from tasks t
      where t.organisation_id = ${organisationId} and t.user_id = any(${driverIds}::bigint[])
        and t.status_id in (${Assigned}, ${InTransit}) and t.deleted_at is null and ${isForDay(day)}
      order by t.user_id, coalesce(t.route_position, 0), t.id`),
  )

/** Those of these drivers who have an open task that may be done on a day. */
export const listBusyDrivers = (db: Db, organisationId: number, driverIds: number[], day: Day) =>
  db.many<{ id: number }>(sql`
    select distinct t.user_id as id from tasks t
    where t.organisation_id = ${organisationId} and t.user_id = any(${driverIds}::bigint[])
      and t.status_id in (${Assigned}, ${InTransit}) and t.deleted_at is null and ${isForDay(day)}
    order by 1`)

/** For tasks `t`: they need a driver of this organisation; what a partner does is not for us to plan. `awaitsDriver` of core/delegation. */
export const isWaiting = sql`t.status_id = ${Unassigned} and t.fulfiller_id is null and t.deleted_at is null`

/** The tasks of a day without a driver, the most urgent first; with a team, those of the team and of none. */
export const listWaitingTasks = async (
  db: Db,
  organisationId: number,
  teamId: number | undefined,
  day: Day,
  limit: number,
) =>
  viewIds(
    db,
    organisationId,
    await db.many<{ id: number }>(sql`
      select t.id from tasks t
      where t.organisation_id = ${organisationId} and ${isWaiting}
        and ${isForDay(day)}
        and (${teamId ?? null}::bigint is null or t.team_id is null or t.team_id = ${teamId ?? null})
      order by t.priority desc, t.id
      limit ${limit}`),
  )

/** For tasks `t`: no rule gives them to a partner. */
export function isLeftToUs({ settings }: Organisation): Sql {
  const { delegateNewTasksTo, delegateNewTasksOfTeam } = settingsOf({ settings })
  return delegateNewTasksTo === null ? sql`true` : sql`not ${willBeDelegated(delegateNewTasksOfTeam)}`
}

/**
 * Tasks of today that were never assigned: a task that was unassigned was unassigned by a person, who knows what
 * to do with it. Their place must be sure enough. What is given to a partner, or will be by a rule, is the partner's. Those never
 * tried come first, then those whose last try is longest ago: tasks that nobody can take must not keep others from being tried.
 */
export const listNewTasks = (db: Db, organisation: Organisation, dayEnd: Date, limit: number) =>
  db.many<{ id: number; priority: number; updated_at: Date; tried_at: Date | null }>(sql`
    select t.id, t.priority, t.updated_at, l.tried_at from tasks t
    join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
    left join left_tasks l on l.organisation_id = t.organisation_id and l.task_id = t.id
    where t.organisation_id = ${organisation.id} and ${isWaiting}
      and ${isOfToday(dayEnd)} and ${isLeftToUs(organisation)}
      and ${isPlannedAlone}
      and not exists (
        select from events e
        where e.organisation_id = t.organisation_id and e.task_id = t.id
          and e.trigger_id = ${triggers.TASK_UNASSIGNED.id})
    order by l.tried_at nulls first, t.priority desc, t.id
    limit ${limit}`)

/** Organisations in auto-assign mode with waiting tasks, or such as were left, and their drivers on duty, if there are any. */
export const listAutoAssigning = (db: Db) =>
  db.many<{ organisation: Organisation; on_duty: string | null }>(sql`
    select row_to_json(o) as organisation, d.on_duty
    from organisations o
    cross join lateral (
      select string_agg(u.id || ' ' || extract(epoch from u.updated_at), ',' order by u.id) as on_duty
      from users u
      where u.organisation_id = o.id and u.is_driver and u.active and u.in_shift and u.deleted_at is null
    ) d
    where (o.settings ->> 'enableAutoAssignMode')::boolean
      and (exists (
          select from tasks t
          where t.organisation_id = o.id and ${isWaiting})
        or exists (select from left_tasks l where l.organisation_id = o.id))
    order by o.id`)
