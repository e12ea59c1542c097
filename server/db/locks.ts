import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/* Locks that belong to no row: what processes of one database ask each other before they begin. */

/** Every advisory lock with a fixed number. One database, one space of numbers: a new one takes the next. */
export const locks = {
  /** Changing tables. A backup holds it shared, so that they stay as they are until it has read them. */
  schema: 7_204_118_201,
  /** Making the first organisation: of processes that start together, one does it. */
  firstStart: 7_204_118_202,
  /** Making and dropping the partitions of days. A backup holds it shared, too. */
  partitions: 7_204_118_203,
  /** Using a data folder: held by the process that runs its embedded database. */
  dataFolder: 1_463_900_514,
  /** Locks of two numbers: the second is an organisation. Linking its tasks by dependencies. */
  dependencies: 7_204_118,
} as const

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
