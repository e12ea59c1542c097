import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/* Locks that belong to no row: how processes on one database coordinate. */

/** Every advisory lock with a fixed number. They share one number space, so a new one takes the next number. */
export const locks = {
  /** Changing tables. A backup shares it, so that tables do not change while it reads them. */
  schema: 7_204_118_201,
  /** Creating the first organisation: of several processes that start together, one does it. */
  firstStart: 7_204_118_202,
  /** Creating and dropping daily partitions. A backup shares it too. */
  partitions: 7_204_118_203,
  /** Erasing again what a restored backup brought back: processes that start wait for the one that does it. */
  erasures: 7_204_118_204,
  /** Importing a map, removing one, and tidying up after either. */
  mapImports: 7_204_118_205,
  /** Importing the operator's own places. */
  ownPlaces: 7_204_118_206,
  /** Using a data folder: held by the process that runs its embedded database. */
  dataFolder: 1_463_900_514,
  /** Locks with two numbers, the second being an organisation: linking its tasks by dependencies. */
  dependencies: 7_204_118,
  /** With two numbers too, the second being a driver: closing a day of their cash. What is added to it shares the lock. */
  cash: 7_204_119,
} as const

/**
 * Takes a lock for the rest of the session. It polls instead of queueing: a waiting statement would hold a snapshot,
 * and so every row that is deleted in the meantime.
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
