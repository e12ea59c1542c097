import type pg from 'pg'
import { locks } from './locks.ts'
import { connectAsOwner } from './migrate.ts'

/** A table with a partition for each day, and how many days it keeps. */
export interface DailyTable {
  name: string
  /** The time that decides in which partition a row is. */
  column: string
  days: number
}

const dayMs = 24 * 3_600_000
const daysAhead = 2

/**
 * Creates the partitions of the coming days and drops expired ones, on its own connection: only the owner may change
 * tables, and the working role may not be the owner.
 */
export async function keepPartitions(url: string, tables: readonly DailyTable[], given?: Date) {
  const client = await connectAsOwner(url, 'waybill partitions')
  try {
    await client.query("set lock_timeout = '3s'")
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.partitions,
    ])
    if (!rows[0]?.locked) return
    const now = given ?? (await getTime(client))
    for (const table of tables) {
      for (let ahead = 0; ahead <= daysAhead; ahead += 1)
        await makePartition(client, table, new Date(now.getTime() + ahead * dayMs))
      await dropBefore(client, table, new Date(now.getTime() - table.days * dayMs))
    }
  } finally {
    await client.end()
  }
}

const partitionOf = ({ name }: DailyTable, date: Date) =>
  `${name}_${date.toISOString().slice(0, 10).replaceAll('-', '')}`

/** By the database's clock: a machine whose clock is a month ahead must not drop a month. */
async function getTime(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select now()')
  return rows[0]!.now
}

/**
 * Created separately and then attached, so that writing continues. Rows of that day in the default partition are moved:
 * otherwise PostgreSQL refuses the partition.
 */
async function makePartition(client: pg.Client, table: DailyTable, date: Date) {
  const partition = partitionOf(table, date)
  const { rowCount } = await client.query('select from pg_class where relname = $1', [partition])
  if (rowCount) return
  const { name, column } = table
  const day = date.toISOString().slice(0, 10)
  const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
  await client.query(`
    create table ${partition} (like ${name} including defaults including constraints);
    lock table ${name}_default in share row exclusive mode;
    with caught as (
      delete from ${name}_default where ${column} >= '${day}Z' and ${column} < '${next}Z' returning *
    )
    insert into ${partition} select * from caught;
    alter table ${name} attach partition ${partition} for values from ('${day}Z') to ('${next}Z')`)
}

async function dropBefore(client: pg.Client, table: DailyTable, oldest: Date) {
  const { name, column } = table
  const { rows } = await client.query<{ partition: string }>(
    `select c.relname as partition from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and c.relname ~ ('^' || $1 || '_\\d{8}$') and c.relname < $2`,
    [name, partitionOf(table, oldest)],
  )
  for (const { partition } of rows) await client.query(`drop table ${partition}`)
  await client.query(`delete from ${name}_default where ${column} < $1`, [oldest])
}
