import { Assigned, InTransit, Succeeded, Unassigned } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import { containing, plannedAnew, raw, type Sql, sql } from '../../db/sql.ts'
import { columnList } from '../../db/table.ts'
import { type EventFacts, eventFacts } from '../../events/record.ts'
import type { DriverView, TaskView } from '../tables.ts'

/** 0 off duty, 1 on duty and free, 2 on duty with a task in transit. Derived, so that it cannot be wrong. */
export const driverStatus = raw(`
  case when not u.in_shift then 0
    when exists (
      select from tasks own
      where own.organisation_id = u.organisation_id and own.user_id = u.id
        and own.status_id = ${InTransit} and own.deleted_at is null) then 2
    else 1 end`)

/**
 * Whether a task is done or open. The number is in the SQL text, not a parameter: an index over it, or over those for
 * which it holds, is only considered where PostgreSQL can see that it is the same.
 */
const isDone = raw(`t.status_id >= ${Succeeded}`)
const isOpen = raw(`status_id < ${Succeeded}`)

const view = sql`
  select t.*, row_to_json(a) as address, row_to_json(c) as customer, row_to_json(d) as driver, row_to_json(m) as team,
    coalesce(n.list, '[]') as notes, coalesce(p.list, '[]') as dependencies`

/**
 * What belongs to a task. Each is found by its key, and `limit 1` sees to it: without, the planner may read the whole
 * organisation and compare, because on a young or fast-growing database it takes every table for a small one. Assigning
 * 1,000 tasks then took 9 s instead of 0.3.
 */
const joins = sql`
  cross join lateral (
    select * from addresses
    where organisation_id = t.organisation_id and task_id = t.id limit 1
  ) a
  left join lateral (
    select * from customers
    where organisation_id = t.organisation_id and id = t.customer_id limit 1
  ) c on true
  left join lateral (
    select id, name from teams
    where organisation_id = t.organisation_id and id = t.team_id limit 1
  ) m on true
  left join lateral (
    select u.id, u.name, u.avatar, u.email, u.phone, u.in_shift, ${driverStatus} as status from users u
    where u.organisation_id = t.organisation_id and u.id = t.user_id limit 1
  ) d on true
  left join lateral (
    select json_agg(written order by written.id) as list
    from (
      select w.*, row_to_json(author) as author
      from notes w
      cross join lateral (
        select id, name, avatar from users
        where organisation_id = w.organisation_id and id = w.user_id limit 1
      ) author
      where w.organisation_id = t.organisation_id and w.task_id = t.id
    ) written
  ) n on true
  left join lateral (
    select json_agg(needed order by needed.task_id) as list
    from dependencies x
    cross join lateral (
      select id as task_id, awb, status_id from tasks
      where organisation_id = x.organisation_id and id = x.depends_on_id and deleted_at is null limit 1
    ) needed
    where x.organisation_id = t.organisation_id and x.task_id = t.id
  ) p on true`

/** The tasks with these ids and all that belongs to them, in the order of the ids given. */
export const viewTasks = (db: Db, organisationId: number, ids: number[]) =>
  db.many<TaskView>(sql`
    ${view}
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
    cross join lateral (
      select * from tasks
      where organisation_id = ${organisationId} and id = wanted.id and deleted_at is null limit 1
    ) t
    ${joins}
    order by wanted.place`)

export const findTask = (db: Db, organisationId: number, taskId: number) =>
  db.find<TaskView>(sql`
    ${view} from tasks t ${joins}
    where t.organisation_id = ${organisationId} and t.id = ${taskId} and t.deleted_at is null`)

export const findTaskByAwb = (db: Db, organisationId: number, awb: string) =>
  db.find<TaskView>(sql`
    ${view} from tasks t ${joins}
    where t.organisation_id = ${organisationId} and t.awb = ${awb} and t.deleted_at is null`)

export interface Filter {
  statusIds?: number[] | undefined
  userId?: number | undefined
  teamId?: number | undefined
  awb?: string | undefined
  text?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  updatedAfter?: Date | undefined
  day?: Day | undefined
}

/** What matters on a day: what ended on it, and what is open and could be done on it. */
export interface Day {
  start: Date
  end: Date
  /** What is left of earlier days, or for no day at all, is for today. */
  isToday: boolean
}

const filtered = (organisationId: number, filter: Filter): Sql => {
  const conditions = [sql`t.organisation_id = ${organisationId} and t.deleted_at is null`]
  if (filter.statusIds) conditions.push(sql`t.status_id = any(${filter.statusIds}::smallint[])`)
  // Said apart, because it cannot be seen in a list of parameters: what is open has an index of its own.
  if (filter.statusIds?.every((id) => id < Succeeded)) conditions.push(sql`t.${isOpen}`)
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

const openIds = [Unassigned, Assigned, InTransit]

/** A window that is open at one end is meant for the day of the other. */
const isForDay = ({ start, end, isToday }: Day): Sql =>
  isToday
    ? sql`(t.complete_after is null or t.complete_after <= ${end} or t.status_id = ${InTransit})`
    : sql`coalesce(t.complete_after, t.complete_before) <= ${end}
        and coalesce(t.complete_before, t.complete_after) >= ${start}`

const endedOn = ({ start, end }: Day): Sql => sql`${isDone} and t.completed_at between ${start} and ${end}`

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
    select t.id from tasks t ${filter.text ? joins : sql``}
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
  isDone: boolean
  position: number
  id: number
}

/** A page of a driver's tasks: open ones first, in the order of the route, then what is done. */
export const listRoute = (db: Db, organisationId: number, filter: Filter, after: RoutePlace, limit: number) =>
  db.many<TaskView>(sql`
    ${view} from tasks t ${joins}
    where ${filtered(organisationId, filter)}
      and (${isDone}, t.route_position, t.id) > (${after.isDone}, ${after.position}::bigint, ${after.id}::bigint)
    order by ${isDone}, t.route_position, t.id
    limit ${limit}`)

export const listEvents = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<EventFacts>(sql`
    select ${columnList(eventFacts)} from events
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
    order by task_id, sequence`)

/**
 * Locks tasks until the transaction ends, in id order, so that two changes queue up instead of racing; then reads them.
 * Two statements, because one that has waited for a lock sees the row it waited for as it is now, but what belongs to
 * it as it was before. `no key`, because rows that refer to a task (a note, a dependency) do not have to wait for its change.
 */
async function lockAndView(db: Db, organisationId: number, condition: Sql): Promise<TaskView[]> {
  const locked = await db.many<{ id: number }>(sql`
    select id from tasks
    where organisation_id = ${organisationId} and deleted_at is null and ${condition}
    order by id
    for no key update`)
  if (locked.length === 0) return []
  return viewTasks(
    db,
    organisationId,
    locked.map(({ id }) => id),
  )
}

export const lockTasks = (db: Db, organisationId: number, ids: number[]) =>
  lockAndView(db, organisationId, sql`id = any(${ids}::bigint[])`)

export const lockTasksByAwb = (db: Db, organisationId: number, awbs: string[]) =>
  lockAndView(db, organisationId, sql`awb = any(${awbs}::text[])`)

export const lockOpenTasksOfDriver = (db: Db, organisationId: number, driverId: number) =>
  lockAndView(db, organisationId, sql`user_id = ${driverId} and ${isOpen}`)

/** Some of a team's tasks, open and done. */
export const lockTasksOfTeam = (db: Db, organisationId: number, teamId: number, limit: number) =>
  lockAndView(
    db,
    organisationId,
    sql`id in (
      select id from tasks
      where organisation_id = ${organisationId} and team_id = ${teamId} and deleted_at is null
      order by id
      limit ${limit})`,
  )

export const isDriver = async (db: Db, organisationId: number, driverId: number) =>
  (await db.run(sql`
    select from users
    where organisation_id = ${organisationId} and id = ${driverId} and is_driver and deleted_at is null`)) > 0

/**
 * Locks drivers in id order, so that two sets of tasks are appended to a route one after the other; then reads where
 * their routes end, in a statement of its own that sees what the other set appended.
 */
export async function lockDrivers(db: Db, organisationId: number, driverIds: number[]) {
  const locked = await db.many<{ id: number }>(sql`
    select id from users
    where organisation_id = ${organisationId} and id = any(${driverIds}::bigint[]) and is_driver and deleted_at is null
    order by id
    for no key update`)
  return db.many<DriverView & { last_position: number }>(sql`
    select u.id, u.name, u.avatar, u.email, u.phone, u.in_shift, ${driverStatus} as status,
      coalesce((
        select max(t.route_position) from tasks t
        where t.organisation_id = u.organisation_id and t.user_id = u.id and t.${isOpen}
          and t.deleted_at is null), 0) as last_position
    from users u
    where u.organisation_id = ${organisationId} and u.id = any(${locked.map(({ id }) => id)}::bigint[])`)
}

export const lockDriver = async (db: Db, organisationId: number, driverId: number) =>
  (await lockDrivers(db, organisationId, [driverId]))[0]
