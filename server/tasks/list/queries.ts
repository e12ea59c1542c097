import { Assigned, InTransit, Unassigned } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import { containing, plannedAnew, type Sql, sql } from '../../db/sql.ts'
import { type Day, endedOn, isEnded, isForDay, isOpen } from '../read/conditions.ts'
import { selectTask, taskParts } from '../read/view.ts'
import type { TaskView } from '../tables.ts'

const openIds: number[] = [Unassigned, Assigned, InTransit]

export interface Filter {
  statusIds?: number[] | undefined
  userId?: number | undefined
  teamId?: number | undefined
  awb?: string | undefined
  text?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  updatedAfter?: Date | undefined
  /** What matters on a day: what ended on it, and what is open and could be done on it. */
  day?: Day | undefined
}

const filtered = (organisationId: number, filter: Filter): Sql => {
  const conditions = [sql`t.organisation_id = ${organisationId} and t.deleted_at is null`]
  if (filter.statusIds) conditions.push(sql`t.status_id = any(${filter.statusIds}::smallint[])`)
  // Said apart, because it cannot be seen in a list of parameters: what is open has an index of its own.
  if (filter.statusIds?.every((id) => openIds.includes(id))) conditions.push(sql`t.${isOpen}`)
  if (filter.userId) conditions.push(sql`t.user_id = ${filter.userId}`)
  if (filter.teamId) conditions.push(sql`t.team_id = ${filter.teamId}`)
  if (filter.awb !== undefined) conditions.push(sql`t.awb = ${filter.awb}`)
  if (filter.from) conditions.push(sql`t.planned_at >= ${filter.from}`)
  if (filter.to) conditions.push(sql`t.planned_at <= ${filter.to}`)
  if (filter.updatedAfter) conditions.push(sql`t.updated_at > ${filter.updatedAfter}`)
  if (filter.text) {
    const pattern = containing(filter.text)
    conditions.push(sql`(t.awb ilike ${pattern} or t.details ilike ${pattern} or a.address ilike ${pattern}
      or c.name ilike ${pattern} or c.phone ilike ${pattern} or c.typed_phone ilike ${pattern})`)
  }
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`)
}

/**
 * The ids of a page of tasks, in their order, after the one given. Of several states each is read along its own index,
 * as far as the page may need it. Times are looked at before a plan is made: of all that changed since January one
 * walks along the ids, of what changed in the last hour one does not.
 */
export async function listTaskIds(
  db: Db,
  organisationId: number,
  { statusIds, day, ...filter }: Filter,
  afterId: number,
  limit: number,
): Promise<number[]> {
  const matching = (condition: Sql) => sql`
    select t.id from tasks t ${filter.text ? taskParts : sql``}
    where ${filtered(organisationId, filter)} and t.id > ${afterId} ${condition}`
  const found = (condition: Sql) => sql`${matching(condition)} order by t.id limit ${limit}`
  const inStates = (wanted: number[], condition: Sql) => sql`
    select found.id
    from unnest(${[...new Set(wanted)]}::smallint[]) as wanted (status_id)
    cross join lateral (${found(sql`and t.status_id = wanted.status_id ${condition}`)}) found`
  const inOrder = (ids: Sql) => sql`select id from (${ids}) every order by id limit ${limit}`
  const ofDay = (wanted: Day) => {
    const open = statusIds?.filter((id) => openIds.includes(id)) ?? openIds
    const done = statusIds ? sql`and t.status_id = any(${statusIds}::smallint[])` : sql``
    // `offset 0`: all that ended on the day, and only then in order. Along the ids, the planner would hope to meet the first
    // few soon, and they are the last of a million.
    return sql`
      (${inStates(open, sql`and ${isForDay(wanted)}`)})
      union all
      (${matching(sql`and ${endedOn(wanted)} ${done}`)} offset 0)`
  }
  const ids = day ? inOrder(ofDay(day)) : statusIds ? inOrder(inStates(statusIds, sql``)) : found(sql``)
  const hasTimes = day ?? filter.from ?? filter.to ?? filter.updatedAfter
  return (await db.many<{ id: number }>(hasTimes ? plannedAnew(ids) : ids)).map(({ id }) => id)
}

export interface RoutePlace {
  isEnded: boolean
  position: number
  id: number
}

/** A page of a driver's tasks: open ones first, in the order of the route, then what is done. */
export const listRoute = (db: Db, organisationId: number, filter: Filter, after: RoutePlace, limit: number) =>
  db.many<TaskView>(sql`
    ${selectTask} from tasks t ${taskParts}
    where ${filtered(organisationId, filter)}
      and (t.${isEnded}, t.route_position, t.id) > (${after.isEnded}, ${after.position}::bigint, ${after.id}::bigint)
    order by t.${isEnded}, t.route_position, t.id
    limit ${limit}`)
