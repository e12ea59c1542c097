import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/* Locks that belong to no row: what processes of one database ask each other before they begin. */

/** Changing tables. A backup holds it shared, so that they stay as they are until it has read them. */
export const schemaLock = 7_204_118_201
/** Making and dropping the partitions of days. A backup holds it shared, too. */
export const partitionLock = 7_204_118_203

/**
 * Takes a lock for the rest of the session. Asks again and again instead of queueing: a statement that waits would hold
 * on to a snapshot, and so to every row that is deleted meanwhile.
 */
export async function takeLock(
  client: pg.Client,
  key: number,
  { shared = false, onWait = () => {} }: { shared?: boolean; onWait?: () => void } = {},
): Promise<void> {
  const text = `select pg_try_advisory_lock${shared ? '_shared' : ''}($1) as locked`
  for (let tries = 0; ; tries += 1) {
    const { rows } = await client.query<{ locked: boolean }>(text, [key])
    if (rows[0]?.locked) return
    if (tries === 10) onWait()
    await sleep(tries < 10 ? 20 : 200)
  }
}
