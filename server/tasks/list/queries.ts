import { Assigned, InTransit, Unassigned } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import { containing, plannedAnew, type Sql, sql } from '../../db/sql.ts'
import { type Day, endedOn, isEnded, isForDay, isOpen } from '../read/conditions.ts'
import { taskParts } from '../read/view.ts'

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
  /** The tasks of a day: those that ended on it, and open ones that could be done on it. */
  day?: Day | undefined
}

const filtered = (organisationId: number, filter: Filter): Sql => {
  const conditions = [sql`t.organisation_id = ${organisationId} and t.deleted_at is null`]
  if (filter.statusIds) conditions.push(sql`t.status_id = any(${filter.statusIds}::smallint[])`)
  // Repeated as text, because the planner cannot derive it from parameters, and open tasks have their own index.
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
 * The ids of a page of tasks, in id order, after the given one. With several states, each is read along its own index,
 * as far as the page may need it. With times, PostgreSQL plans anew for their values: walking along the ids is right
 * for everything changed since January, and wrong for what changed in the last hour.
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
    // `offset 0` makes PostgreSQL find all tasks that ended on the day before it sorts them. Otherwise the planner
    // walks along the ids and expects to find a page soon, although these tasks are the last of a million.
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

/** A page of a driver's tasks: open ones first, in route order, then ended ones. */
export const listRoute = (db: Db, organisationId: number, filter: Filter, after: RoutePlace, limit: number) =>
  db.many<{ id: number; is_ended: boolean; route_position: number | null }>(sql`
    select t.id, t.${isEnded} as is_ended, t.route_position from tasks t ${filter.text ? taskParts : sql``}
    where ${filtered(organisationId, filter)}
      and (t.${isEnded}, t.route_position, t.id) > (${after.isEnded}, ${after.position}::bigint, ${after.id}::bigint)
    order by t.${isEnded}, t.route_position, t.id
    limit ${limit}`)
