import { mostTries } from '../../../core/attempt.ts'
import type { Term } from '../../../core/search.ts'
import { Assigned, Failed, InTransit, Unassigned } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import { plannedAnew, raw, type Sql, sql } from '../../db/sql.ts'
import { type Day, endedOn, isDoubtful, isEnded, isForDay, isOpen } from '../read/conditions.ts'
import { matching as found, hasExactly } from '../search/find.ts'

const openIds: number[] = [Unassigned, Assigned, InTransit]

export interface Filter {
  statusIds?: number[] | undefined
  userId?: number | undefined
  teamId?: number | undefined
  awb?: string | undefined
  partnerId?: number | undefined
  /** What was searched for. */
  terms?: readonly Term[] | undefined
  customerId?: number | undefined
  /** In E.164. */
  phone?: string | undefined
  /** As a word (core/search). */
  address?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  updatedAfter?: Date | undefined
  /** Open tasks whose address is to be checked. */
  isDoubtful?: boolean | undefined
  /** Failed tasks of this try or a later one, which nothing follows. */
  lastTry?: number | undefined
  /** The tasks of a day: those that ended on it, and open ones that could be done on it. */
  day?: Day | undefined
}

const filtered = (organisationId: number, filter: Omit<Filter, 'terms'>): Sql => {
  const conditions = [sql`t.organisation_id = ${organisationId} and t.deleted_at is null`]
  if (filter.statusIds) conditions.push(sql`t.status_id = any(${filter.statusIds}::smallint[])`)
  // Repeated as text, because the planner cannot derive it from parameters, and open tasks have their own index.
  if (filter.statusIds?.every((id) => openIds.includes(id))) conditions.push(sql`t.${isOpen}`)
  if (filter.userId) conditions.push(sql`t.user_id = ${filter.userId}`)
  if (filter.teamId) conditions.push(sql`t.team_id = ${filter.teamId}`)
  if (filter.partnerId) conditions.push(sql`(t.owner_id = ${filter.partnerId} or t.fulfiller_id = ${filter.partnerId})`)
  if (filter.awb !== undefined) conditions.push(sql`t.awb = ${filter.awb}`)
  if (filter.from) conditions.push(sql`t.planned_at >= ${filter.from}`)
  if (filter.to) conditions.push(sql`t.planned_at <= ${filter.to}`)
  if (filter.updatedAfter) conditions.push(sql`t.updated_at > ${filter.updatedAfter}`)
  if (filter.customerId) conditions.push(sql`t.customer_id = ${filter.customerId}`)
  if (filter.phone !== undefined)
    conditions.push(sql`t.customer_id = any(array(
      select id from customers
      where organisation_id = ${organisationId} and (phone = ${filter.phone} or typed_phone = ${filter.phone} and typed_phone > '')))`)
  if (filter.address !== undefined) conditions.push(hasExactly(organisationId, filter.address))
  // As a value, so that the address of each open task is looked up; a join may read all addresses there ever were.
  if (filter.isDoubtful)
    conditions.push(sql`t.${isOpen} and (
      select ${isDoubtful} from addresses a where a.organisation_id = t.organisation_id and a.task_id = t.id)`)
  if (filter.lastTry !== undefined) conditions.push(isToDecide(organisationId, filter.lastTry))
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`)
}

/** In the words of the indexes. The rule is `afterFailure` of core/attempt; list/to-decide.test.ts holds both together. */
const nothingFollows = raw(
  't.status_id = 10 and t.deleted_at is null and t.reattempted_as is null and t.returned_as is null and t.closed_at is null',
)
const isDeletedTry = raw('n.deleted_at is not null and coalesce(n.attempt_of, n.return_of) is not null')

/** As a list of ids, which two small indexes give, so that the planner never walks through all tasks there ever were. */
function isToDecide(organisationId: number, lastTry: number): Sql {
  if (lastTry === Number.POSITIVE_INFINITY) return sql`false`
  const isLast = sql`t.attempt >= ${lastTry} and (t.return_of is null or t.attempt >= ${mostTries})`
  return sql`t.owner_id is null and t.erased_at is null and t.id = any(array(
    select t.id from tasks t
    where t.organisation_id = ${organisationId} and ${nothingFollows} and ${isLast}
    union all
    select t.id from tasks t
    where t.organisation_id = ${organisationId} and t.status_id = ${Failed} and ${isLast}
      and t.id = any(array(
        select coalesce(n.attempt_of, n.return_of) from tasks n
        where n.organisation_id = ${organisationId} and ${isDeletedTry}))
      and (t.reattempted_as is not null or t.returned_as is not null) and t.closed_at is null
      and not exists (
        select from tasks n
        where n.organisation_id = ${organisationId} and n.id in (t.reattempted_as, t.returned_as) and n.deleted_at is null)))`
}

/** Where a page begins, and which way it goes. */
export interface From {
  id: number
  isNewestFirst: boolean
}

/**
 * The ids of a page of tasks, in id order, after the given one. With several states, each is read along its own index,
 * as far as the page may need it. With times, PostgreSQL plans anew for their values: walking along the ids is right
 * for everything changed since January, and wrong for what changed in the last hour.
 */
export async function listTaskIds(
  db: Db,
  organisationId: number,
  { statusIds, day, terms, ...filter }: Filter,
  { id, isNewestFirst }: From,
  limit: number,
): Promise<number[]> {
  // The tasks of a day, of a customer or of an address are few.
  const isNarrow = [day, filter.awb, filter.lastTry, filter.customerId, filter.phone, filter.address].some(
    (one) => one !== undefined,
  )
  const isFound = terms ? sql`and ${await found(db, organisationId, terms, isNarrow)}` : sql``
  const after = isNewestFirst ? sql`t.id < ${id}` : sql`t.id > ${id}`
  const direction = isNewestFirst ? sql`desc` : sql``
  const matching = (condition: Sql) => sql`
    select t.id from tasks t
    where ${filtered(organisationId, filter)} and ${after} ${isFound} ${condition}`
  const inPage = (condition: Sql) => sql`${matching(condition)} order by t.id ${direction} limit ${limit}`
  const inStates = (wanted: number[], condition: Sql) => sql`
    select found.id
    from unnest(${[...new Set(wanted)]}::smallint[]) as wanted (status_id)
    cross join lateral (${inPage(sql`and t.status_id = wanted.status_id ${condition}`)}) found`
  const inOrder = (ids: Sql) => sql`select id from (${ids}) every order by id ${direction} limit ${limit}`
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
  // Open tasks are few among all that ever were.
  const states = filter.isDoubtful ? (statusIds?.filter((id) => openIds.includes(id)) ?? openIds) : statusIds
  const ids = day ? inOrder(ofDay(day)) : states ? inOrder(inStates(states, sql``)) : inPage(sql``)
  const hasTimes = day ?? filter.from ?? filter.to ?? filter.updatedAfter
  return (await db.many<{ id: number }>(hasTimes ? plannedAnew(ids) : ids)).map(({ id }) => id)
}

export interface RoutePlace {
  isEnded: boolean
  position: number
  id: number
}

/** A page of a driver's tasks: open ones first, in route order, then ended ones. */
export const listRoute = (
  db: Db,
  organisationId: number,
  filter: Omit<Filter, 'terms'>,
  after: RoutePlace,
  limit: number,
) =>
  db.many<{ id: number; is_ended: boolean; route_position: number | null }>(sql`
    select t.id, t.${isEnded} as is_ended, t.route_position from tasks t
    where ${filtered(organisationId, filter)}
      and (t.${isEnded}, t.route_position, t.id) > (${after.isEnded}, ${after.position}::bigint, ${after.id}::bigint)
    order by t.${isEnded}, t.route_position, t.id
    limit ${limit}`)
