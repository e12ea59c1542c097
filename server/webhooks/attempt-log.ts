import type pg from 'pg'
import type { Service } from '../context.ts'
import { locks } from '../db/locks.ts'
import { connectAsOwner } from '../db/migrate.ts'
import { bringForward } from './queries.ts'

const dayMs = 24 * 3_600_000
const daysAhead = 2

const dayName = (date: Date) => `attempts_${date.toISOString().slice(0, 10).replaceAll('-', '')}`

/**
 * Creates the partitions of the coming days and drops expired ones, on its own connection: only the owner may change
 * tables, and the working role may not be the owner.
 */
export async function keepAttemptLog(url: string, days: number, given?: Date) {
  const client = await connectAsOwner(url, 'waybill partitions')
  try {
    await client.query("set lock_timeout = '3s'")
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.partitions,
    ])
    if (!rows[0]?.locked) return
    const now = given ?? (await getTime(client))
    for (let ahead = 0; ahead <= daysAhead; ahead += 1)
      await makePartition(client, new Date(now.getTime() + ahead * dayMs))
    await dropBefore(client, new Date(now.getTime() - days * dayMs))
  } finally {
    await client.end()
  }
}

/** By the database's clock: a machine whose clock is a month ahead must not drop a month. */
async function getTime(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select now()')
  return rows[0]!.now
}

/**
 * Created separately and then attached, so that writing continues. Rows of that day in the default partition are moved:
 * otherwise PostgreSQL refuses the partition.
 */
async function makePartition(client: pg.Client, date: Date) {
  const name = dayName(date)
  const { rowCount } = await client.query('select from pg_class where relname = $1', [name])
  if (rowCount) return
  const day = date.toISOString().slice(0, 10)
  const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
  await client.query(`
    create table ${name} (like attempts including defaults including constraints);
    lock table attempts_default in share row exclusive mode;
    with caught as (
      delete from attempts_default where attempted_at >= '${day}Z' and attempted_at < '${next}Z' returning *
    )
    insert into ${name} select * from caught;
    alter table attempts attach partition ${name} for values from ('${day}Z') to ('${next}Z')`)
}

async function dropBefore(client: pg.Client, oldest: Date) {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'attempts'::regclass and c.relname ~ '^attempts_\\d{8}$' and c.relname < $1`,
    [dayName(oldest)],
  )
  for (const { name } of rows) await client.query(`drop table ${name}`)
  await client.query('delete from attempts_default where attempted_at < $1', [oldest])
}

const hourMs = 3_600_000

/** A round repairs the order of the queue, and once an hour maintains the log of attempts. */
export function createUpkeep({ config, database }: Service, url: string) {
  let nextLogMs = performance.now() + hourMs
  return async () => {
    await bringForward(database.everyone)
    if (performance.now() < nextLogMs) return
    await keepAttemptLog(url, config.webhooks.logDays)
    nextLogMs = performance.now() + hourMs
  }
}
