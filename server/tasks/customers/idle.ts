import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { deleteFreeCustomers, scanCustomers } from './queries.ts'

/*
 * Customers go with their last task, in its transaction. Left behind are those that two transactions took their last tasks
 * from at the same time, or that somebody else had locked at that moment, and those that tasks were taken from by a version that
 * left them. They are found by looking at all, a few at a time.
 */

const atOnce = 1_000
/** A pause after each set, so that requests come first. */
const restMs = 20

export async function forgetIdleCustomers({ database }: Pick<Service, 'database'>, stopping: AbortSignal) {
  const organisations = await database.everyone.many<{ id: number }>(sql`select id from organisations order by id`)
  for (const { id } of organisations) {
    const db = database.of(id)
    for (let afterId: number | undefined = 0; afterId !== undefined && !stopping.aborted; ) {
      const scanned = await scanCustomers(db, id, afterId, atOnce)
      const idle = scanned.filter(({ is_idle }) => is_idle).map((customer) => customer.id)
      if (idle.length > 0) await db.transaction((db) => deleteFreeCustomers(db, id, idle))
      afterId = scanned.length === atOnce ? scanned.at(-1)?.id : undefined
      if (afterId !== undefined) await pause(restMs)
    }
  }
}
