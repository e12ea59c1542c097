import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { isOpen } from '../read/conditions.ts'
import type { TaskRow } from '../tables.ts'
import { isSamePlan, type PlanRow, planOf, type TaskPlan } from './plan.ts'

/*
 * What callers may still undo. Each change that has an undo id keeps the plans of its tasks, before and after, in its own
 * transaction; and of the other tasks of their routes, so that an undo can tell whether somebody has changed those since.
 */

/** What one change meant for a task; the same twice for the other tasks of the route. */
export interface KeptPlan {
  id: number
  awb: string
  was: TaskPlan
  became: TaskPlan
}

export const undoSteps = table('undo_steps', {
  organisation_id: 'bigint',
  id: 'bigint',
  undo_id: 'uuid',
  tasks: 'jsonb',
  created_at: 'timestamptz',
})

/** What is undone is undone soon: the rest only takes space. */
const mostSteps = 500
const keptHours = 1

const listOthersInRoutes = (db: Db, organisationId: number, driverIds: number[], taskIds: number[]) =>
  db.many<PlanRow & Pick<TaskRow, 'id' | 'awb'>>(sql`
    select id, awb, user_id, status_id, route_position, route, eta_at, accepted_at, loaded_at from tasks
    where organisation_id = ${organisationId} and user_id = any(${driverIds}::bigint[]) and ${isOpen}
      and deleted_at is null and not (id = any(${taskIds}::bigint[]))`)

const insertStep = (db: Db, organisationId: number, undoId: string, tasks: KeptPlan[]) =>
  db.run(sql`
    with gone as (
      delete from undo_steps
      where organisation_id = ${organisationId} and id <= (
        select id from undo_steps where organisation_id = ${organisationId} order by id desc offset ${mostSteps} limit 1)
    )
    insert into undo_steps (organisation_id, undo_id, tasks)
    values (${organisationId}, ${undoId}, ${JSON.stringify(tasks)}::jsonb)`)

/** Takes the steps of an undo, in their order: nothing is undone twice. */
export const takeSteps = (db: Db, organisationId: number, undoId: string) =>
  db.many<{ tasks: KeptPlan[] }>(sql`
    with taken as (
      delete from undo_steps
      where organisation_id = ${organisationId} and undo_id = ${undoId}
        and created_at > now() - make_interval(hours => ${keptHours})
      returning id, tasks
    )
    select tasks from taken order by id`)

export const forgetOldSteps = (db: Db) =>
  db.run(sql`delete from undo_steps where created_at <= now() - make_interval(hours => ${keptHours})`)

/** Keeps what a change does to plans, if it does something to them. */
export async function keepStep(
  db: Db,
  organisationId: number,
  undoId: string,
  changes: readonly { before: TaskRow; after: TaskRow }[],
) {
  const kept = changes
    .map(
      ({ before, after }): KeptPlan => ({ id: after.id, awb: after.awb, was: planOf(before), became: planOf(after) }),
    )
    .filter(({ was, became }) => !isSamePlan(was, became))
  if (kept.length === 0) return
  const driverIds = new Set(kept.flatMap(({ was, became }) => [was.userId, became.userId].filter((id) => id !== null)))
  const others = await listOthersInRoutes(
    db,
    organisationId,
    [...driverIds],
    kept.map(({ id }) => id),
  )
  const unchanged = others.map((row): KeptPlan => ({ id: row.id, awb: row.awb, was: planOf(row), became: planOf(row) }))
  await insertStep(db, organisationId, undoId, [...kept, ...unchanged])
}
