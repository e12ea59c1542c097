import { mostReportCustomers } from '../../../contract/limits.ts'
import type { TaskFigures, TaskReport, TaskReportQuery } from '../../../contract/report.ts'
import { addDays, type DayRange, monthOf } from '../../../core/day-range.ts'
import { amountOf } from '../../../core/money.ts'
import { endOfDay, readDay } from '../../../core/time.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { raw, sql } from '../../db/sql.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { readDays } from '../time-span.ts'
import { findDriven } from './driven.ts'
import type { TaskGroup } from './groups.ts'
import {
  addSums,
  type Days,
  listTopCustomers,
  noSums,
  type Span,
  type SummedGroup,
  type SumRow,
  type Sums,
  sumEnded,
  sumOpen,
} from './sums.ts'
import { sumTaken } from './taken.ts'

type Found = Map<SummedGroup | 'all', Map<string | null, Sums>>

/** What became of the tasks of some days, together and by what is asked for. */
export async function reportTasks(
  { db, clock }: Context,
  { id, timezone }: Organisation,
  query: TaskReportQuery,
  by: readonly TaskGroup[],
): Promise<TaskReport> {
  const now = clock.now()
  const { from, to, start, end, isTodayIn } = readDays(query, timezone, now)
  const todayEnd = isTodayIn ? endOfDay(now, timezone) : undefined
  const days: Days = { start, end, todayEnd, now, timezone }
  const found = await findSums(db, id, days, monthsOf({ from, to }, timezone), by)
  const driven = await findDriven(db, id, { from, to })
  const of = (group: SummedGroup) => [...(found.get(group) ?? [])]
  const named = async (table: 'users' | 'teams' | 'customers', group: SummedGroup) => {
    const ids = of(group).flatMap(([key]) => (key === null ? [] : [Number(key)]))
    const nameOf = await findNames(db, id, table, ids)
    return of(group)
      .map(([key, sums]) => {
        const id = key === null ? null : Number(key)
        return { id, name: (id !== null && nameOf.get(id)) || null, figures: presentFigures(sums) }
      })
      .sort(
        (one, other) =>
          Number(one.id === null) - Number(other.id === null) ||
          (group === 'customer'
            ? other.figures.tasks - one.figures.tasks
            : other.figures.succeeded - one.figures.succeeded) ||
          (one.name ?? '').localeCompare(other.name ?? ''),
      )
  }
  const inOrder = of('day').sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1))
  return {
    from,
    to,
    ...presentFigures(found.get('all')?.get(null) ?? noSums()),
    ...driven.all,
    days: by.includes('day')
      ? inOrder.map(([day, sums]) => ({ day: day as string, ...presentFigures(sums), ...driven.of('day', day) }))
      : [],
    months: by.includes('month') ? addMonths(inOrder).map((one) => ({ ...one, ...driven.of('month', one.month) })) : [],
    hours: of('hour')
      .flatMap(([key, { succeeded, failed }]) => (key === null ? [] : [{ hour: Number(key), succeeded, failed }]))
      .sort((one, other) => one.hour - other.hour),
    drivers: (await named('users', 'driver')).map(({ id, name, figures }) => ({
      driverId: id,
      name,
      ...figures,
      ...driven.of('driver', id),
    })),
    teams: (await named('teams', 'team')).map(({ id, name, figures }) => ({ teamId: id, name, ...figures })),
    customers: (await named('customers', 'customer')).flatMap(({ id, name, figures }) =>
      id === null ? [] : [{ customerId: id, name: name ?? '', ...figures }],
    ),
    reasons: of('reason')
      .flatMap(([reason, { failed }]) => (reason === null ? [] : [{ reason, count: failed }]))
      .sort((one, other) => other.count - one.count || one.reason.localeCompare(other.reason))
      .slice(0, mostReasons),
    payments: of('payment')
      .flatMap(([key, sums]) => (key === null ? [] : [{ paymentTypeId: Number(key), ...presentMoney(sums) }]))
      .sort((one, other) => one.paymentTypeId - other.paymentTypeId),
  }
}

const mostReasons = 100

/** Asks for one span after the other and adds up what comes. */
async function findSums(
  db: Db,
  organisationId: number,
  days: Days,
  spans: (Span & DayRange)[],
  by: readonly TaskGroup[],
) {
  const summed = [...new Set(by.map((group): SummedGroup => (group === 'month' ? 'day' : group)))]
  const top = by.includes('customer') ? await listTopCustomers(db, organisationId, days, mostReportCustomers) : []
  const wanted = { by: summed, customerIds: top.map(({ id }) => id) }
  const found: Found = new Map()
  addRows(found, await sumOpen(db, organisationId, days, wanted))
  for (const span of spans) {
    addRows(found, await sumEnded(db, organisationId, days, span, wanted))
    addRows(found, await sumTaken(db, organisationId, span, wanted))
  }
  return found
}

function addRows(found: Found, rows: readonly (Partial<SumRow> & Pick<SumRow, 'grouped' | 'key'>)[]) {
  for (const { grouped, key, ...sums } of rows) {
    const group = found.get(grouped) ?? new Map<string | null, Sums>()
    found.set(grouped, group)
    const known = group.get(key) ?? noSums()
    group.set(key, known)
    addSums(known, sums)
  }
}

/** The days in parts, each within a month. */
function monthsOf({ from, to }: { from: string; to: string }, timezone: string): (Span & DayRange)[] {
  const spans: (Span & DayRange)[] = []
  for (let first = from; first <= to; ) {
    const endOfMonth = monthOf(first).to
    const last = endOfMonth < to ? endOfMonth : to
    const [begins, ends] = [readDay(first, timezone), readDay(last, timezone)]
    if (begins && ends) spans.push({ from: first, to: last, start: begins.start, end: ends.end })
    first = addDays(last, 1)
  }
  return spans
}

function addMonths(days: [day: string | null, sums: Sums][]) {
  const months = Map.groupBy(days, ([day]) => (day as string).slice(0, 7))
  return [...months].map(([month, all]) => {
    const sum = noSums()
    for (const [, sums] of all) addSums(sum, sums)
    return { month, ...presentFigures(sum) }
  })
}

/** Of those that are still there. */
const findNames = async (
  db: Db,
  organisationId: number,
  table: 'users' | 'teams' | 'customers',
  ids: readonly number[],
) =>
  new Map(
    ids.length === 0
      ? []
      : (
          await db.many<{ id: number; name: string }>(sql`
            select id, name from ${raw(table)} where organisation_id = ${organisationId} and id = any(${ids}::bigint[])`)
        ).map(({ id, name }) => [id, name]),
  )

const presentMoney = ({ collected, to_collect, unpaid, lost, cash, card, other }: Sums) => ({
  collected: amountOf(collected),
  toCollect: amountOf(to_collect),
  unpaid: amountOf(unpaid),
  lost: amountOf(lost),
  cash: amountOf(cash),
  card: amountOf(card),
  other: amountOf(other),
})

/** A part of a whole with three decimals, from 0 to 1. */
const shareOf = (part: number, whole: number) => (whole === 0 ? null : Math.round((1000 * part) / whole) / 1000)

const presentFigures = (sums: Sums): TaskFigures => ({
  tasks: sums.tasks,
  unassigned: sums.unassigned,
  assigned: sums.assigned,
  inTransit: sums.in_transit,
  succeeded: sums.succeeded,
  failed: sums.failed,
  windows: sums.judged,
  windowsMet: sums.on_time,
  onTimeShare: shareOf(sums.on_time, sums.judged),
  meanLateSeconds: sums.judged === sums.on_time ? null : Math.round(sums.late_seconds / (sums.judged - sums.on_time)),
  firstTries: sums.first_tries,
  firstTriesSucceeded: sums.first_succeeded,
  firstTryShare: shareOf(sums.first_succeeded, sums.first_tries),
  distanceMetres: Math.round(sums.distance_metres),
  ...presentMoney(sums),
  ratings: sums.ratings,
  averageRating: sums.ratings === 0 ? null : Math.round((100 * sums.stars) / sums.ratings) / 100,
})
