import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { insertPaymentLines, shareBag } from './lines.ts'

/*
 * Puts payments on their days that are on none: those of a version without cash, of one of its processes that still ran, or
 * restored from its backup. Along the ids, each payment once, some time after it was made.
 */

const atOnce = 500
/** A pause after each set, so that requests come first. */
const restMs = 50
/** By then a transaction that began with a lower id has ended, and so has a process of the previous version. */
const settledMs = 10 * 60_000

/** Held until the transaction ends: another process that is at it gets nothing. */
async function lockProgress(db: Db, organisationId: number) {
  await db.run(sql`insert into cash_progress (organisation_id) values (${organisationId}) on conflict do nothing`)
  return db.find<{ payment_id: number }>(sql`
    select payment_id from cash_progress where organisation_id = ${organisationId} for update skip locked`)
}

const listNext = (db: Db, organisationId: number, afterId: number, before: Date) =>
  db.many<{ id: number; user_id: number; has_line: boolean }>(sql`
    select p.id, p.user_id, exists (
      select from cash_lines l where l.organisation_id = ${organisationId} and l.payment_id = p.id) as has_line
    from payments p
    where organisation_id = ${organisationId} and id > ${afterId} and recorded_at < ${before}
    order by id
    limit ${atOnce}`)

/** Looks at the next payments of an organisation. Returns how many. */
const fillSome = (db: Db, organisationId: number, before: Date): Promise<number> =>
  db.transaction(async (db) => {
    const progress = await lockProgress(db, organisationId)
    const next = progress ? await listNext(db, organisationId, progress.payment_id, before) : []
    const last = next.at(-1)
    if (!last) return 0
    const lacking = next.filter(({ has_line }) => !has_line)
    for (const driverId of [...new Set(lacking.map(({ user_id }) => user_id))].sort((one, other) => one - other))
      await shareBag(db, driverId)
    const ids = lacking.map(({ id }) => id)
    if (ids.length > 0) await insertPaymentLines(db, organisationId, ids)
    await db.run(sql`update cash_progress set payment_id = ${last.id} where organisation_id = ${organisationId}`)
    return next.length
  })

/** Looks at the payments of every organisation that were not looked at. */
export async function fillBags({ database, clock }: Pick<Service, 'database' | 'clock'>, stopping: AbortSignal) {
  const before = new Date(clock.now().getTime() - settledMs)
  const organisations = await database.everyone.many<{ id: number }>(sql`select id from organisations order by id`)
  for (const { id } of organisations)
    while (!stopping.aborted && (await fillSome(database.of(id), id, before)) === atOnce) await pause(restMs)
}
