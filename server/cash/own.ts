import type { OwnCash } from '../../contract/cash.ts'
import { differenceOf, toHandInOf } from '../../core/cash.ts'
import { amountOf, sumAmounts } from '../../core/money.ts'
import { dayOf } from '../../core/task-day.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Organisation } from '../organisations/queries.ts'

interface OwnRow {
  cash: number
  card: number
  handed_in: number
  cash_before: number
  handed_in_before: number
  closed_at: Date | null
}

/**
 * Today's lines of a driver, and those of the other days that are still in their bag: the days after the last that was
 * closed. Before the first time that a day of theirs is closed it is only today, or all they ever collected would be.
 */
const sumOwn = (db: Db, organisationId: number, userId: number, today: string) =>
  db.get<OwnRow>(sql`
    with last as (
      select max(day) as day from cash_close_outs where organisation_id = ${organisationId} and user_id = ${userId}
    ),
    lines as (
      select l.*, l.day = ${today} as is_today, l.day > coalesce(last.day, ${today}) and l.day <> ${today} as is_before
      from last, cash_lines l
      where l.organisation_id = ${organisationId} and l.user_id = ${userId} and l.day >= least(last.day, ${today})
    )
    select
      coalesce(sum(hundredths) filter (where is_today and kind = 'payment' and method = 'cash'), 0)::bigint as cash,
      coalesce(sum(hundredths) filter (where is_today and kind = 'payment' and method = 'card'), 0)::bigint as card,
      coalesce(sum(hundredths) filter (where is_today and kind <> 'payment'), 0)::bigint as handed_in,
      coalesce(sum(hundredths) filter (where is_before and kind = 'payment' and method = 'cash'), 0)::bigint as cash_before,
      coalesce(sum(hundredths) filter (where is_before and kind <> 'payment'), 0)::bigint as handed_in_before,
      (select closed_at from cash_close_outs
        where organisation_id = ${organisationId} and user_id = ${userId} and day = ${today}) as closed_at
    from lines`)

/** What a driver has, as far as we know. */
export async function findOwnCash(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, timezone }: Pick<Organisation, 'id' | 'timezone'>,
  driverId: number,
): Promise<OwnCash> {
  const day = dayOf(clock.now(), timezone)
  const row = await sumOwn(db, id, driverId, day)
  const sums = { cash: amountOf(row.cash), handedIn: amountOf(row.handed_in) }
  const before = toHandInOf({ cash: amountOf(row.cash_before), handedIn: amountOf(row.handed_in_before) })
  const isClosed = row.closed_at !== null
  return {
    day,
    ...sums,
    card: amountOf(row.card),
    before,
    toHandIn: sumAmounts([before, isClosed ? 0 : toHandInOf(sums)]),
    closedAt: row.closed_at?.toISOString() ?? null,
    difference: isClosed ? differenceOf(sums) : null,
  }
}
