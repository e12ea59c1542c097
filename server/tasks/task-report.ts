import { Refusal } from '../../contract/errors.ts'
import { type TaskFigures, type TaskReport, type TaskReportQuery, taskGroups } from '../../contract/report.ts'
import { amountOf } from '../../core/money.ts'
import { Assigned, Failed, InTransit, Succeeded, Unassigned } from '../../core/task-status.ts'
import { endOfDay } from '../../core/time.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { plannedAnew, raw, type Sql, sql } from '../db/sql.ts'
import type { Organisation } from '../organisations/queries.ts'
import { leftHundredths, priceHundredths } from './money.ts'
import { endedOn, isForDay, isOfToday, isOpen } from './read/conditions.ts'
import { readDays } from './time-span.ts'

type Group = (typeof taskGroups)[number]

interface Days {
  start: Date
  end: Date
  /** When today ends, if it is one of them. */
  todayEnd: Date | undefined
  now: Date
  timezone: string
}

/** What became of the tasks of some days, together and by day, hour, driver, reason and payment method. */
export async function reportTasks(
  { db, clock }: Context,
  { id, timezone }: Organisation,
  query: TaskReportQuery,
): Promise<TaskReport> {
  const now = clock.now()
  const { from, to, start, end, isTodayIn } = readDays(query, timezone, now)
  const todayEnd = isTodayIn ? endOfDay(now, timezone) : undefined
  const by = readGroups(query.by)
  const rows = await sumTasks(db, id, { start, end, todayEnd, now, timezone }, by)
  const of = (group: Group | 'all') => rows.filter((row) => row.grouped === group)
  const counted = of('hour').flatMap(({ hour, succeeded, failed }) =>
    hour === null ? [] : [{ hour, succeeded, failed }],
  )
  return {
    from,
    to,
    ...presentFigures(of('all')[0] as FigureRow),
    days: of('day')
      .map(({ day, ...row }) => ({ day: day as string, ...presentFigures(row) }))
      .sort((one, other) => (one.day < other.day ? -1 : 1)),
    hours: counted.sort((one, other) => one.hour - other.hour),
    drivers: of('driver')
      .map(({ user_id, driver, ...row }) => ({ driverId: user_id, name: driver, ...presentFigures(row) }))
      .sort(
        (one, other) =>
          Number(one.driverId === null) - Number(other.driverId === null) ||
          other.succeeded - one.succeeded ||
          (one.name ?? '').localeCompare(other.name ?? ''),
      ),
    reasons: of('reason')
      .flatMap(({ reason, failed }) => (reason === null ? [] : [{ reason, count: failed }]))
      .sort((one, other) => other.count - one.count || one.reason.localeCompare(other.reason))
      .slice(0, mostReasons),
    payments: of('payment')
      .map((row) => ({ paymentTypeId: row.payment_type_id as number, ...presentMoney(row) }))
      .sort((one, other) => one.paymentTypeId - other.paymentTypeId),
  }
}

const mostReasons = 100

function readGroups(text: string | undefined): readonly Group[] {
  if (text === undefined) return taskGroups
  const named = text.split(',').map((one) => one.trim())
  const known = taskGroups.filter((group) => named.includes(group))
  if (named.every((one) => taskGroups.some((group) => group === one))) return known
  throw new Refusal('VALIDATION_FAILED', {
    field: 'by',
    message: `by must be one or more of ${taskGroups.join(', ')}`,
  })
}

interface FigureRow {
  tasks: number
  unassigned: number
  assigned: number
  in_transit: number
  succeeded: number
  failed: number
  judged: number
  on_time: number
  late_seconds: number | null
  distance_metres: number
  collected: number
  to_collect: number
  unpaid: number
  lost: number
  ratings: number
  average_rating: number | null
}

interface GroupRow extends FigureRow {
  grouped: Group | 'all'
  day: string | null
  hour: number | null
  user_id: number | null
  driver: string | null
  reason: string | null
  payment_type_id: number | null
}

const columns: Record<Group, [name: string, type: string]> = {
  day: ['day', 'text'],
  hour: ['hour', 'int'],
  driver: ['user_id', 'bigint'],
  reason: ['reason', 'text'],
  payment: ['payment_type_id', 'int'],
}

/** Which column a row is grouped by, and its value; columns that nothing is grouped by are null. */
function groupColumns(by: readonly Group[]): Sql {
  const which = by.map((group) => `when grouping(${columns[group][0]}) = 0 then '${group}'`)
  const values = taskGroups.map((group) => {
    const [name, type] = columns[group]
    return by.includes(group) ? name : `null::${type} as ${name}`
  })
  return raw(
    `${which.length > 0 ? `case ${which.join(' ')} else 'all' end` : "'all'"} as grouped, ${values.join(', ')}`,
  )
}

const groupingSets = (by: readonly Group[]) => raw(['()', ...by.map((group) => `(${columns[group][0]})`)].join(', '))

const count = (condition: string) => raw(`(count(*) filter (where ${condition}))::int`)
// In hundredths, so that sums are exact.
const amount = (expression: string) => raw(`coalesce(sum(${expression}), 0)::float8`)

/**
 * All figures in one pass over the tasks: those that ended on the days, along their index, and open ones that belong to
 * one of them. What a partner has does not wait for a driver of ours (`shownStatus` of core/delegation). An open task is counted once: today if it belongs to today, else on the first of the days that its window
 * touches. When a window was met is the rule of core/punctuality.ts, and what became of money that of core/money.ts;
 * tables of cases run against both.
 */
const sumTasks = (db: Db, organisationId: number, days: Days, by: readonly Group[]) =>
  db.many<GroupRow>(
    plannedAnew(sql`
      with chosen as (
        ${chosen(organisationId, days, sql`${endedOn({ ...days, isToday: false })}`, sql`t.completed_at`)}
        union all
        ${chosen(organisationId, days, isOpenOn(days), dayOfOpen(days))}
      ),
      measured as (
        select *,
          case when complete_before is null then null
            when late > 0 then late
            when status_id = ${Succeeded} then 0 end as judged_late,
          case when collect_payment then coalesce(left_hundredths, 0) else 0 end as left_to_pay,
          case when collect_payment then greatest(0, coalesce(price, 0) - coalesce(left_hundredths, 0)) else 0 end as paid
        from chosen
      ),
      figures as (
        select ${groupColumns(by)},
          count(*)::int as tasks,
          ${count(`status_id = ${Unassigned} and not is_given`)} as unassigned,
          ${count(`status_id = ${Assigned} or (status_id = ${Unassigned} and is_given)`)} as assigned,
          ${count(`status_id = ${InTransit}`)} as in_transit,
          ${count(`status_id = ${Succeeded}`)} as succeeded,
          ${count(`status_id = ${Failed}`)} as failed,
          count(judged_late)::int as judged,
          ${count('judged_late = 0')} as on_time,
          (avg(judged_late) filter (where judged_late > 0))::float8 as late_seconds,
          coalesce(sum(distance), 0)::float8 as distance_metres,
          ${amount('paid')} as collected,
          ${amount(`left_to_pay * (status_id < ${Succeeded})::int`)} as to_collect,
          ${amount(`left_to_pay * (status_id = ${Succeeded})::int`)} as unpaid,
          ${amount(`left_to_pay * (status_id = ${Failed})::int`)} as lost,
          count(rating)::int as ratings,
          avg(rating)::float8 as average_rating
        from measured
        group by grouping sets (${groupingSets(by)})
      )
      select f.*, u.name as driver from figures f
      left join users u on u.organisation_id = ${organisationId} and u.id = f.user_id`),
  )

/** The tasks that fit, with what is counted of them; `dayAt` is a time of the day on which each is counted. */
const chosen = (organisationId: number, { now, timezone }: Days, condition: Sql, dayAt: Sql) => sql`
  select t.status_id, t.fulfiller_id is not null as is_given, t.user_id, t.payment_type_id, t.complete_before, t.collect_payment,
    ${priceHundredths} as price, ${leftHundredths} as left_hundredths, (t.feedback ->> 'rating')::int as rating, (t.route ->> 'distanceMetres')::float8 as distance,
    to_char(${dayAt} at time zone ${timezone}, 'YYYY-MM-DD') as day,
    extract(hour from t.completed_at at time zone ${timezone})::int as hour,
    case when t.status_id = ${Failed} then trim(coalesce(t.cancel_reason, '')) end as reason,
    extract(epoch from coalesce(t.completed_at, ${now}::timestamptz) - t.complete_before) as late
  from tasks t
  where t.organisation_id = ${organisationId} and t.deleted_at is null and ${condition}`

function isOpenOn({ start, end, todayEnd }: Days): Sql {
  const meant = isForDay({ start, end, isToday: false })
  return todayEnd ? sql`t.${isOpen} and (${isOfToday(todayEnd)} or (${meant}))` : sql`t.${isOpen} and ${meant}`
}

function dayOfOpen({ start, todayEnd }: Days): Sql {
  const first = sql`greatest(coalesce(t.complete_after, t.complete_before), ${start}::timestamptz)`
  return todayEnd ? sql`case when ${isOfToday(todayEnd)} then ${todayEnd}::timestamptz else ${first} end` : first
}

const presentMoney = ({ collected, to_collect, unpaid, lost }: FigureRow) => ({
  collected: amountOf(collected),
  toCollect: amountOf(to_collect),
  unpaid: amountOf(unpaid),
  lost: amountOf(lost),
})

const presentFigures = (row: FigureRow): TaskFigures => ({
  tasks: row.tasks,
  unassigned: row.unassigned,
  assigned: row.assigned,
  inTransit: row.in_transit,
  succeeded: row.succeeded,
  failed: row.failed,
  windows: row.judged,
  windowsMet: row.on_time,
  meanLateSeconds: row.late_seconds === null ? null : Math.round(row.late_seconds),
  distanceMetres: Math.round(row.distance_metres),
  ...presentMoney(row),
  ratings: row.ratings,
  averageRating: row.average_rating === null ? null : Math.round(100 * row.average_rating) / 100,
})
