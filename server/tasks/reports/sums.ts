import { Assigned, Failed, InTransit, Succeeded, Unassigned } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import { plannedAnew, raw, type Sql, sql } from '../../db/sql.ts'
import { leftHundredths, leftToNextTry, priceHundredths } from '../money.ts'
import { endedOn, isForDay, isOfToday, isOpen } from '../read/conditions.ts'
import type { TaskGroup } from './groups.ts'

/*
 * The figures of tasks, as sums that can be added: what ended is summed up in spans of at most a month, one statement each, so that a
 * year holds no connection for long. When a window was met is the rule of core/punctuality.ts, and what became of money that of
 * core/money.ts; tables of cases run against both. Money is in hundredths, so that sums are exact.
 */

const names = [
  'tasks',
  'unassigned',
  'assigned',
  'in_transit',
  'succeeded',
  'failed',
  'judged',
  'on_time',
  'late_seconds',
  'first_tries',
  'first_succeeded',
  'distance_metres',
  'collected',
  'to_collect',
  'unpaid',
  'lost',
  'ratings',
  'stars',
] as const
/** What is not of tasks, but of lines of cash (taken.ts). */
export const takenNames = ['cash', 'card', 'other'] as const
const allNames = [...names, ...takenNames]
export type Sums = Record<(typeof allNames)[number], number>

/** A month is added up from its days. */
export type SummedGroup = Exclude<TaskGroup, 'month'>
export type SumRow = Sums & { grouped: SummedGroup | 'all'; key: string | null }

export interface Span {
  start: Date
  end: Date
}

export interface Days extends Span {
  /** When today ends, if it is one of them. */
  todayEnd: Date | undefined
  now: Date
  timezone: string
}

export const noSums = (): Sums => Object.fromEntries(allNames.map((name) => [name, 0])) as Sums

export function addSums(into: Sums, more: Partial<Sums>) {
  for (const name of allNames) into[name] += more[name] ?? 0
}

/** By what is grouped, and how a value of it is written as text. */
const columns: Record<SummedGroup, [column: string, key: string]> = {
  day: ['day', "to_char(day, 'YYYY-MM-DD')"],
  hour: ['hour', 'hour::text'],
  driver: ['user_id', 'user_id::text'],
  team: ['team_id', 'team_id::text'],
  customer: ['customer_id', 'customer_id::text'],
  reason: ['reason', 'reason'],
  payment: ['payment_type_id', 'payment_type_id::text'],
}

/** Which group a row is of, and its value there. */
export function groupColumns(by: readonly SummedGroup[]): Sql {
  const choose = (textOf: (group: SummedGroup) => string, otherwise: string) =>
    by.length === 0
      ? otherwise
      : `case ${by.map((group) => `when grouping(${columns[group][0]}) = 0 then ${textOf(group)}`).join(' ')} else ${otherwise} end`
  return raw(
    `${choose((group) => `'${group}'`, "'all'")} as grouped, ${choose((group) => columns[group][1], 'null::text')} as key`,
  )
}

export const groupingSets = (by: readonly SummedGroup[]) =>
  raw(['()', ...by.map((group) => `(${columns[group][0]})`)].join(', '))

const count = (condition: string) => raw(`(count(*) filter (where ${condition}))::int`)
const amount = (expression: string) => raw(`coalesce(sum(${expression}), 0)::float8`)

/** A task that follows another is no first try, nor is the way back of a parcel. */
const isFirstTry = raw('(t.attempt_of is null and t.return_of is null)')

export interface Wanted {
  by: readonly SummedGroup[]
  /** The only ones that are told apart. */
  customerIds: readonly number[]
}

/**
 * All figures of some tasks in one pass. What a partner has does not wait for a driver of ours (`shownStatus` of core/delegation).
 */
const sumUp = (db: Db, { by, customerIds }: Wanted, chosen: Sql) =>
  db.many<Omit<SumRow, (typeof takenNames)[number]>>(
    plannedAnew(sql`
      with chosen as (${chosen}),
      measured as (
        select status_id, is_given, user_id, team_id, payment_type_id, rating, distance, day, hour, is_first,
          case when customer_id = any(${customerIds}::bigint[]) then customer_id end as customer_id,
          case when status_id = ${Failed} then trim(coalesce(cancel_reason, '')) end as reason,
          case when complete_before is null then null
            when late > 0 then late
            when status_id = ${Succeeded} then 0 end as judged_late,
          case when collect_payment then coalesce(left_hundredths - left_to_next_try, 0) else 0 end as left_to_pay,
          case when collect_payment then greatest(0, coalesce(price, 0) - coalesce(left_hundredths, 0)) else 0 end as paid
        from chosen
      )
      select ${groupColumns(by)},
        count(*)::int as tasks,
        ${count(`status_id = ${Unassigned} and not is_given`)} as unassigned,
        ${count(`status_id = ${Assigned} or (status_id = ${Unassigned} and is_given)`)} as assigned,
        ${count(`status_id = ${InTransit}`)} as in_transit,
        ${count(`status_id = ${Succeeded}`)} as succeeded,
        ${count(`status_id = ${Failed}`)} as failed,
        count(judged_late)::int as judged,
        ${count('judged_late = 0')} as on_time,
        coalesce(sum(judged_late), 0)::float8 as late_seconds,
        ${count(`is_first and status_id >= ${Succeeded}`)} as first_tries,
        ${count(`is_first and status_id = ${Succeeded}`)} as first_succeeded,
        coalesce(sum(distance), 0)::float8 as distance_metres,
        ${amount('paid')} as collected,
        ${amount(`left_to_pay * (status_id < ${Succeeded})::int`)} as to_collect,
        ${amount(`left_to_pay * (status_id = ${Succeeded})::int`)} as unpaid,
        ${amount(`left_to_pay * (status_id = ${Failed})::int`)} as lost,
        count(rating)::int as ratings,
        coalesce(sum(rating), 0)::float8 as stars
      from measured
      group by grouping sets (${groupingSets(by)})`),
  )

/** What ended in a span of the days, along its index. */
export const sumEnded = (db: Db, organisationId: number, days: Days, span: Span, wanted: Wanted) =>
  sumUp(db, wanted, tasksOf(organisationId, days, endedIn(span), sql`t.completed_at`))

/**
 * Open tasks that belong to one of the days. Each is counted once: today if it belongs to today, else on the first of the days that
 * its window touches.
 */
export const sumOpen = (db: Db, organisationId: number, days: Days, wanted: Wanted) =>
  sumUp(db, wanted, tasksOf(organisationId, days, isOpenOn(days), dayOfOpen(days)))

/** The customers with the most tasks. Erased tasks have none. */
export const listTopCustomers = (db: Db, organisationId: number, days: Days, most: number) =>
  db.many<{ id: number }>(
    plannedAnew(sql`
      select customer_id as id from (
        select customer_id from tasks t where ${ofOrganisation(organisationId)} and ${endedIn(days)}
        union all
        select customer_id from tasks t where ${ofOrganisation(organisationId)} and ${isOpenOn(days)}
      ) chosen
      where customer_id is not null
      group by customer_id
      order by count(*) desc, customer_id
      limit ${most}`),
  )

const ofOrganisation = (organisationId: number) => sql`t.organisation_id = ${organisationId} and t.deleted_at is null`
const endedIn = ({ start, end }: Span) => endedOn({ start, end, isToday: false })

/** The tasks that fit, with what is counted of them; `dayAt` is a time of the day on which each is counted. */
const tasksOf = (organisationId: number, { now, timezone }: Days, condition: Sql, dayAt: Sql) => sql`
  select t.status_id, t.fulfiller_id is not null as is_given, t.user_id, t.team_id, t.customer_id, t.payment_type_id,
    t.complete_before, t.collect_payment, t.cancel_reason, ${isFirstTry} as is_first,
    ${priceHundredths} as price, ${leftHundredths} as left_hundredths, ${leftToNextTry} as left_to_next_try, (t.feedback ->> 'rating')::int as rating,
    (t.route ->> 'distanceMetres')::float8 as distance,
    (${dayAt} at time zone ${timezone})::date as day,
    extract(hour from t.completed_at at time zone ${timezone})::int as hour,
    extract(epoch from coalesce(t.completed_at, ${now}::timestamptz) - t.complete_before)::float8 as late
  from tasks t
  where ${ofOrganisation(organisationId)} and ${condition}`

function isOpenOn({ start, end, todayEnd }: Days): Sql {
  const meant = isForDay({ start, end, isToday: false })
  return todayEnd ? sql`t.${isOpen} and (${isOfToday(todayEnd)} or (${meant}))` : sql`t.${isOpen} and ${meant}`
}

function dayOfOpen({ start, todayEnd }: Days): Sql {
  const first = sql`greatest(coalesce(t.complete_after, t.complete_before), ${start}::timestamptz)`
  return todayEnd ? sql`case when ${isOfToday(todayEnd)} then ${todayEnd}::timestamptz else ${first} end` : first
}
