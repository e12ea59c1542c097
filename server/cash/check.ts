import { amountOf } from '../../core/money.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { isInABag } from '../tasks/cash/lines.ts'

/*
 * Whether money adds up, over all of an organisation: what drivers were paid is in their bags, each payment once, and a
 * closed day has the sums it was closed with.
 */

interface Sums {
  payments: number
  paid: number
  in_bags: number
  missing: number
  wrong: number
  close_outs: number
  changed: number
}

const sumCash = (db: Db, organisationId: number) =>
  db.get<Sums>(sql`
    with paid as (
      select p.id, p.user_id, p.method, p.task_id, p.amount::bigint * 100 + p.amount_hundredths as hundredths
      from payments p
      join users u on u.organisation_id = p.organisation_id and u.id = p.user_id
      where p.organisation_id = ${organisationId} and ${isInABag}
    ),
    -- A payment goes with its task after years (WAYBILL_TASK_DAYS); its line stays.
    bags as (
      select l.payment_id as id, l.user_id, l.method, l.task_id, l.hundredths from cash_lines l
      where l.organisation_id = ${organisationId} and l.kind = 'payment' and exists (
        select from tasks t where t.organisation_id = ${organisationId} and t.id = l.task_id)
    ),
    compared as (
      select p.id as paid_id, b.id as bag_id, p.hundredths as paid, b.hundredths as in_bag,
        (p.user_id, p.method, p.task_id, p.hundredths) is distinct from (b.user_id, b.method, b.task_id, b.hundredths) as differs
      from paid p
      full join bags b on b.id = p.id
    ),
    closed as (
      select c.cash_hundredths, c.handed_in_hundredths,
        coalesce(sum(l.hundredths) filter (where l.kind = 'payment' and l.method = 'cash'), 0) as cash,
        coalesce(sum(l.hundredths) filter (where l.kind in ('handIn', 'closeOut')), 0) as handed_in,
        count(*) filter (where l.kind = 'closeOut') as lines,
        bool_or(l.id = c.line_id) as has_line
      from cash_close_outs c
      left join cash_lines l on l.organisation_id = ${organisationId} and l.user_id = c.user_id and l.day = c.day
      where c.organisation_id = ${organisationId}
      group by c.user_id, c.day, c.cash_hundredths, c.handed_in_hundredths
    )
    select
      (select count(paid_id)::int from compared) as payments,
      (select coalesce(sum(paid), 0)::bigint from compared) as paid,
      (select coalesce(sum(in_bag), 0)::bigint from compared) as in_bags,
      (select count(*)::int from compared where bag_id is null) as missing,
      (select count(*)::int from compared where bag_id is not null and differs) as wrong,
      (select count(*)::int from closed) as close_outs,
      (select count(*)::int from closed
        where cash <> cash_hundredths or handed_in <> handed_in_hundredths or lines <> 1 or not has_line) as changed`)

/** What it comes to, and what does not add up, in sentences. */
export async function checkCash(db: Db, organisationId: number): Promise<{ summary: string; faults: string[] }> {
  const { payments, paid, in_bags, missing, wrong, close_outs, changed } = await sumCash(db, organisationId)
  const faults = [
    missing > 0 && `${missing} payments of drivers are on no day of theirs`,
    wrong > 0 && `${wrong} lines of cash are not as their payments are`,
    paid !== in_bags && `Drivers were paid ${amountOf(paid)}, and their days come to ${amountOf(in_bags)}`,
    changed > 0 && `${changed} closed days no longer come to what they were closed with`,
  ].filter((fault) => fault !== false)
  return { summary: `${payments} payments of drivers, ${amountOf(paid)} in all; ${close_outs} closed days`, faults }
}
