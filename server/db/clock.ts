import type { Db } from './db.ts'
import { sql } from './sql.ts'

/*
 * One clock decides: the database's. What SQL compares it compares with now(). What we need ourselves, for a record or a
 * plan, comes from here: the same time, as well as it is known on this machine, whose own clock may be wrong.
 */

export interface Clock {
  now(): Date
  stop(): void
}

/** Exactly, for whoever decides by it. */
export const getTime = async (db: Db) => (await db.get<{ now: Date }>(sql`select now()`)).now

const askEveryMs = 10_000

export async function followClock(db: Db): Promise<Clock> {
  let offsetMs: number | undefined

  /** It answered at some moment between question and answer. What was thought before is kept if that agrees with it. */
  async function ask() {
    const askedAt = performance.now()
    const { ms } = await db.get<{ ms: number }>(sql`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`)
    const [least, most] = [ms - performance.now(), ms - askedAt]
    offsetMs = Math.min(most, Math.max(least, offsetMs ?? (least + most) / 2))
  }

  await ask()
  await ask()
  // Without an answer the last one counts.
  const timer = setInterval(() => ask().catch(() => {}), askEveryMs).unref()
  return {
    now: () => new Date(performance.now() + (offsetMs as number)),
    stop: () => clearInterval(timer),
  }
}
