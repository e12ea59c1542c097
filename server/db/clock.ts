import type { Db } from './db.ts'
import { sql } from './sql.ts'

/*
 * The database's clock decides. SQL compares with now(). Times we need ourselves, for a record or a plan, come from
 * here: the database's time as well as we know it, because this machine's own clock may be wrong.
 */

export interface Clock {
  now(): Date
  stop(): void
}

/** Exactly, for decisions. */
export const getTime = async (db: Db) => (await db.get<{ now: Date }>(sql`select now()`)).now

const askEveryMs = 10_000

export async function followClock(db: Db): Promise<Clock> {
  let offsetMs: number | undefined

  /** The database answered at some moment between question and answer. If the old estimate fits, it is kept. */
  async function ask() {
    const askedAt = performance.now()
    const { ms } = await db.get<{ ms: number }>(sql`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`)
    const [least, most] = [ms - performance.now(), ms - askedAt]
    offsetMs = Math.min(most, Math.max(least, offsetMs ?? (least + most) / 2))
  }

  await ask()
  await ask()
  // Without an answer the last one stays valid.
  const timer = setInterval(() => ask().catch(() => {}), askEveryMs).unref()
  return {
    now: () => new Date(performance.now() + (offsetMs as number)),
    stop: () => clearInterval(timer),
  }
}
