import type { Db } from '../../db/db.ts'
import { locks } from '../../db/locks.ts'
import { raw, sql } from '../../db/sql.ts'

/*
 * What a driver was paid lies in their bag: each payment is a line of the day it was made on, or, if that day of theirs was
 * closed when we heard of it, of the next one that is not.
 */

/** For payments `p` and their users `u`: a driver of ours took the money. What the office enters lies in no bag. */
export const isInABag = raw('u.is_driver and p.collected_by is null')

/**
 * Until the transaction ends, no day of the driver is closed meanwhile; several can add to a bag at a time. In a statement
 * of its own, because the next one has to see what was committed while this one waited.
 */
export const shareBag = (db: Db, driverId: number) =>
  db.run(sql`select pg_advisory_xact_lock_shared(${locks.cash}::int, (${driverId}::bigint % 2147483647)::int)`)

/** Nobody adds to the bag until the transaction ends; who did is waited for. */
export const lockBag = (db: Db, driverId: number) =>
  db.run(sql`select pg_advisory_xact_lock(${locks.cash}::int, (${driverId}::bigint % 2147483647)::int)`)

/**
 * Those of the payments that drivers took, each in its bag, if it is not there yet. The days after one that is closed are
 * as many at most as are closed, so one of them is open.
 */
export const insertPaymentLines = (db: Db, organisationId: number, paymentIds: number[]) =>
  db.run(sql`
    insert into cash_lines (organisation_id, user_id, day, of_day, kind, method, hundredths, payment_id, task_id, occurred_at)
    select p.organisation_id, p.user_id, open.day, nullif(made.day, open.day), 'payment', p.method,
      p.amount::bigint * 100 + p.amount_hundredths, p.id, p.task_id, p.occurred_at
    from payments p
    join organisations o on o.id = p.organisation_id
    join users u on u.organisation_id = p.organisation_id and u.id = p.user_id
    cross join lateral (select to_char(p.occurred_at at time zone o.timezone, 'YYYY-MM-DD') as day) made
    cross join lateral (
      select days.day from (
        select to_char(made.day::date + number, 'YYYY-MM-DD') as day
        from generate_series(0, (
          select count(*)::int from cash_close_outs c
          where c.organisation_id = ${organisationId} and c.user_id = p.user_id and c.day >= made.day)) number
      ) days
      where not exists (
        select from cash_close_outs c
        where c.organisation_id = ${organisationId} and c.user_id = p.user_id and c.day = days.day)
      order by days.day
      limit 1
    ) open
    where p.organisation_id = ${organisationId} and p.id = any(${paymentIds}::bigint[]) and ${isInABag}
    order by p.id
    on conflict do nothing`)

/** Puts payments into the bags of the drivers who took them, which are locked in the order of their ids. */
export async function putIntoBags(db: Db, organisationId: number, given: readonly { id: number; user_id: number }[]) {
  for (const driverId of [...new Set(given.map(({ user_id }) => user_id))].sort((one, other) => one - other))
    await shareBag(db, driverId)
  const ids = given.map(({ id }) => id)
  await insertPaymentLines(db, organisationId, ids)
}
