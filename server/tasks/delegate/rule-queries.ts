import { Unassigned } from '../../../core/task-status.ts'
import { triggers } from '../../../core/triggers.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'

/** Organisations with a rule in which something happened since they were last searched. */
export const listDelegating = (db: Db) =>
  db.many<{ id: number }>(sql`
    select o.id from delegation_progress g
    join event_counters c on c.organisation_id = g.organisation_id
    join organisations o on o.id = g.organisation_id
    where c.last_event_id > g.event_id and o.settings ->> 'delegateNewTasksTo' is not null
    order by o.id`)

/** How far it was searched; undefined if another process is searching. */
export const lockProgress = (db: Db, organisationId: number) =>
  db.find<{ event_id: number }>(sql`
    select event_id from delegation_progress where organisation_id = ${organisationId} for update skip locked`)

export const saveProgress = (db: Db, organisationId: number, eventId: number) =>
  db.run(sql`update delegation_progress set event_id = ${eventId} where organisation_id = ${organisationId}`)

/** The events after one, in order, and the tasks that were created by them. */
export const listCreated = (db: Db, organisationId: number, afterId: number, limit: number) =>
  db.many<{ id: number; created_task_id: number | null }>(sql`
    select id, case when trigger_id = ${triggers.TASK_CREATED.id} then task_id end as created_task_id from events
    where organisation_id = ${organisationId} and id > ${afterId}
    order by id
    limit ${limit}`)

/** For tasks `t`: what the rule is for. What came from a partner is given on by people only, or it could go round. */
export const isForRule = (teamId: number | null): Sql =>
  sql`t.owner_id is null and (${teamId}::bigint is null or t.team_id is not distinct from ${teamId})`

/** Those of some new tasks that the rule gives away. */
export const listToDelegate = async (db: Db, organisationId: number, ids: number[], teamId: number | null) =>
  (
    await db.many<{ id: number }>(sql`
      select t.id from tasks t
      where t.organisation_id = ${organisationId} and t.id = any(${ids}::bigint[]) and t.status_id = ${Unassigned}
        and t.deleted_at is null and t.fulfiller_id is null and ${isForRule(teamId)}
      order by t.id`)
  ).map(({ id }) => id)

/** For tasks `t` of an organisation with a rule: it has not been looked at yet. */
export const willBeDelegated = (teamId: number | null): Sql => sql`(
  ${isForRule(teamId)} and exists (
    select from events e
    join delegation_progress g on g.organisation_id = e.organisation_id
    where e.organisation_id = t.organisation_id and e.task_id = t.id and e.trigger_id = ${triggers.TASK_CREATED.id}
      and e.id > g.event_id))`
