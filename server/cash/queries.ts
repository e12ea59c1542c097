import { Failed, Succeeded } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { plannedAnew, raw, sql } from '../db/sql.ts'
import { columnList, unnest } from '../db/table.ts'
import { type CashLineRow, cashLines, cashNotes } from '../tasks/cash/tables.ts'
import { leftHundredths, leftToNextTry, priceHundredths } from '../tasks/money.ts'
import { endedOn, isOfToday } from '../tasks/read/conditions.ts'

/** Some days of an organisation. */
export interface Days {
  from: string
  to: string
  start: Date
  end: Date
  timezone: string
  today: string
  /** When today ends, if it is one of them. */
  todayEnd: Date | undefined
}

/** Amounts are hundredths. */
export interface CashDayRow {
  user_id: number
  user_name: string
  day: string
  to_collect: number
  unpaid: number
  lost: number
  cash: number
  card: number
  other: number
  earlier: number
  handed_in: number
  corrected: number
  counted: number | null
  closed_at: Date | null
  closed_by: number | null
  closed_by_name: string | null
  note: string | null
}

/** Where a page goes on: after this driver of this day; the latest day comes first. */
export type DayPlace = [day: string, userId: number]
export const firstPlace: DayPlace = ['9999-12-31', 0]

const sum = (expression: string, condition: string) =>
  raw(`coalesce(sum(${expression}) filter (where ${condition}), 0)::bigint`)
const of = (method: string) => sum('hundredths', `kind = 'payment' and method = '${method}'`)

/** Every day of a driver with lines, with tasks to collect money for, or closed. */
export const listDays = (
  db: Db,
  organisationId: number,
  userId: number | null,
  { from, to, start, end, timezone, today, todayEnd }: Days,
  [day, afterUserId]: DayPlace,
  limit: number,
) =>
  db.many<CashDayRow>(
    plannedAnew(sql`
      with sums as (
        select user_id, day, ${of('cash')} as cash, ${of('card')} as card, ${of('other')} as other,
          ${sum('hundredths', "kind = 'payment' and method = 'cash' and of_day is not null")} as earlier,
          ${sum('hundredths', "kind <> 'payment'")} as handed_in, ${sum('hundredths', "kind = 'correction'")} as corrected
        from cash_lines
        where organisation_id = ${organisationId} and day between ${from} and ${to}
          and (${userId}::bigint is null or user_id = ${userId})
        group by user_id, day
      ),
      wanted as (
        select t.user_id, to_char(t.completed_at at time zone ${timezone}, 'YYYY-MM-DD') as day, t.status_id,
          ${priceHundredths} - ${leftToNextTry} as price, ${leftHundredths} - ${leftToNextTry} as left_to_pay
        from tasks t
        where t.organisation_id = ${organisationId} and t.deleted_at is null and t.collect_payment and t.total_price is not null
          and t.user_id is not null and (${userId}::bigint is null or t.user_id = ${userId})
          and ${endedOn({ start, end, isToday: false })}
        union all
        select t.user_id, ${today}, t.status_id, ${priceHundredths}, ${leftHundredths}
        from tasks t
        where ${todayEnd !== undefined} and t.organisation_id = ${organisationId} and t.deleted_at is null
          and t.collect_payment and t.total_price is not null and t.user_id is not null
          and (${userId}::bigint is null or t.user_id = ${userId}) and ${isOfToday(todayEnd ?? end)}
      ),
      due as (
        select user_id, day, sum(price)::bigint as to_collect, ${sum('left_to_pay', `status_id = ${Succeeded}`)} as unpaid,
          ${sum('left_to_pay', `status_id = ${Failed}`)} as lost
        from wanted
        group by user_id, day
        having sum(price) > 0
      ),
      closed as (
        select c.user_id, c.day, c.closed_at, l.hundredths as counted, l.counted_by as closed_by, n.note
        from cash_close_outs c
        join cash_lines l on l.organisation_id = ${organisationId} and l.id = c.line_id
        left join cash_notes n on n.organisation_id = ${organisationId} and n.line_id = c.line_id
        where c.organisation_id = ${organisationId} and c.day between ${from} and ${to}
          and (${userId}::bigint is null or c.user_id = ${userId})
      )
      select user_id, u.name as user_name, day, coalesce(due.to_collect, 0) as to_collect, coalesce(due.unpaid, 0) as unpaid,
        coalesce(due.lost, 0) as lost, coalesce(sums.cash, 0) as cash, coalesce(sums.card, 0) as card,
        coalesce(sums.other, 0) as other, coalesce(sums.earlier, 0) as earlier,
        coalesce(sums.handed_in, 0) as handed_in, coalesce(sums.corrected, 0) as corrected,
        closed.counted, closed.closed_at, closed.closed_by, counter.name as closed_by_name, closed.note
      from sums
      full join due using (user_id, day)
      full join closed using (user_id, day)
      join users u on u.organisation_id = ${organisationId} and u.id = user_id
      left join users counter on counter.organisation_id = ${organisationId} and counter.id = closed.closed_by
      where day < ${day} or (day = ${day} and user_id > ${afterUserId})
      order by day desc, user_id
      limit ${limit}`),
  )

export type CashLineView = CashLineRow & {
  user_name: string
  awb: string | null
  counted_by_name: string | null
  note: string | null
}

export const listLines = (
  db: Db,
  organisationId: number,
  userId: number | null,
  { from, to }: Pick<Days, 'from' | 'to'>,
  afterId: number,
  limit: number,
) =>
  db.many<CashLineView>(sql`
    select l.*, u.name as user_name, t.awb, counter.name as counted_by_name, n.note from cash_lines l
    join users u on u.organisation_id = ${organisationId} and u.id = l.user_id
    left join users counter on counter.organisation_id = ${organisationId} and counter.id = l.counted_by
    left join tasks t on t.organisation_id = ${organisationId} and t.id = l.task_id
    left join cash_notes n on n.organisation_id = ${organisationId} and n.line_id = l.id
    where l.organisation_id = ${organisationId} and l.day between ${from} and ${to} and l.id > ${afterId}
      and (${userId}::bigint is null or l.user_id = ${userId})
    order by l.id
    limit ${limit}`)

/** The sums of a day of a driver, in hundredths. */
export const sumDay = (db: Db, organisationId: number, userId: number, day: string) =>
  db.get<{ cash: number; handed_in: number }>(sql`
    select ${of('cash')} as cash, ${sum('hundredths', "kind <> 'payment'")} as handed_in
    from cash_lines
    where organisation_id = ${organisationId} and user_id = ${userId} and day = ${day}`)

export const findCloseOut = (db: Db, organisationId: number, userId: number, day: string) =>
  db.find<{ closed_at: Date; closed_by: string }>(sql`
    select c.closed_at, u.name as closed_by from cash_close_outs c
    join cash_lines l on l.organisation_id = ${organisationId} and l.id = c.line_id
    join users u on u.organisation_id = ${organisationId} and u.id = l.counted_by
    where c.organisation_id = ${organisationId} and c.user_id = ${userId} and c.day = ${day}`)

const newColumns = ['user_id', 'day', 'kind', 'method', 'hundredths', 'counted_by', 'occurred_at'] as const
export type NewCounted = Pick<CashLineRow, (typeof newColumns)[number]>

/** Something that was counted, with the note beside it. Returns the number of its line. */
export async function insertCounted(db: Db, organisationId: number, given: NewCounted, note: string | null) {
  const { id } = await db.get<{ id: number }>(sql`
    insert into cash_lines (organisation_id, ${columnList(newColumns)})
    select ${organisationId}, given.* from ${unnest(cashLines, newColumns, [given])}
    returning id`)
  const beside = note === null ? [] : [{ line_id: id, note }]
  await db.run(sql`
    insert into cash_notes (organisation_id, line_id, note)
    select ${organisationId}, given.* from ${unnest(cashNotes, ['line_id', 'note'], beside)}`)
  return id
}

export const insertCloseOut = (db: Db, organisationId: number, { userId, day, lineId, cash, handedIn, at }: CloseOut) =>
  db.run(sql`
    insert into cash_close_outs (organisation_id, user_id, day, line_id, cash_hundredths, handed_in_hundredths, closed_at)
    values (${organisationId}, ${userId}, ${day}, ${lineId}, ${cash}, ${handedIn}, ${at})`)

/** The sums in hundredths, what was counted included. */
interface CloseOut {
  userId: number
  day: string
  lineId: number
  cash: number
  handedIn: number
  at: Date
}
