import { Refusal } from '../../contract/errors.ts'
import type { BalanceQuery, PartnerBalance } from '../../contract/partner.ts'
import { amountOf } from '../../core/money.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { raw, sql } from '../db/sql.ts'
import { arePartners } from '../organisations/partner-queries.ts'
import type { Organisation } from '../organisations/queries.ts'
import { sumOfLines } from './money.ts'
import { readDays } from './time-span.ts'

/*
 * What two partners collected for each other. Every line of money says for whom it was collected, and by whom, so both sides
 * add up their own lines and come to the same. One that ended the partnership still owes.
 */

const directions = { toUs: 'collected_by', toThem: 'collected_for' } as const
type Direction = (typeof directions)[keyof typeof directions]

interface DayRow {
  day: string
  hundredths: number
  count: number
}

interface Span {
  start: Date
  end: Date
  timezone: string
}

/** Along the index of the direction, which has only lines of shared tasks. */
const sumDays = (db: Db, organisationId: number, which: Direction, partnerId: number, { start, end, timezone }: Span) =>
  db.many<DayRow>(sql`
    select to_char(occurred_at at time zone ${timezone}, 'YYYY-MM-DD') as day, ${sumOfLines} as hundredths,
      count(*)::int as count
    from payments
    where organisation_id = ${organisationId} and ${raw(which)} = ${partnerId} and occurred_at between ${start} and ${end}
    group by day
    order by day`)

const haveLines = async (db: Db, organisationId: number, partnerId: number) =>
  (
    await db.get<{ has: boolean }>(sql`
      select exists (select from payments where organisation_id = ${organisationId} and collected_by = ${partnerId})
        or exists (select from payments where organisation_id = ${organisationId} and collected_for = ${partnerId}) as has`)
  ).has

export async function sumBalance(
  { db, clock }: Context,
  { id, timezone, currency }: Organisation,
  companyId: number,
  query: BalanceQuery,
): Promise<PartnerBalance> {
  const { from, to, start, end } = readDays(query, timezone, clock.now())
  if (!(await arePartners(db, id, companyId)) && !(await haveLines(db, id, companyId)))
    throw new Refusal('PARTNER_NOT_FOUND')
  const sum = async (which: Direction) => {
    const rows = await sumDays(db, id, which, companyId, { start, end, timezone })
    const total = amountOf(rows.reduce((sum, { hundredths }) => sum + hundredths, 0))
    return { total, days: rows.map(({ day, hundredths, count }) => ({ day, amount: amountOf(hundredths), count })) }
  }
  return {
    companyId,
    currency,
    from,
    to,
    toUs: await sum(directions.toUs),
    toThem: await sum(directions.toThem),
  }
}
