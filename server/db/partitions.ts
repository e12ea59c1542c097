import type pg from 'pg'
import { locks } from './locks.ts'
import { connectAsOwner } from './migrate.ts'

/** A table with a partition for each day or month, and how many days it keeps. */
export interface PartitionedTable {
  name: string
  /** The time that decides in which partition a row is. */
  column: string
  days: number
  /** How much time a partition holds; a day by default. */
  per?: 'day' | 'month'
  /** Nobody may delete rows of it one by one, not even its owner. */
  isAppendOnly?: true
}

const dayMs = 24 * 3_600_000
const daysAhead = 2

/**
 * Creates the partitions of the coming days and drops expired ones, on its own connection: only the owner may change
 * tables, and the working role may not be the owner.
 */
export async function keepPartitions(url: string, tables: readonly PartitionedTable[], given?: Date) {
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
      if (table.isAppendOnly)
        for (const date of await listStrays(client, table)) await makePartition(client, table, date)
      await dropBefore(client, table, new Date(now.getTime() - table.days * dayMs))
    }
  } finally {
    await client.end()
  }
}

/** `2026-11-17` or `2026-11`. */
const spanOf = ({ per = 'day' }: PartitionedTable, date: Date) => date.toISOString().slice(0, per === 'day' ? 10 : 7)

const partitionOf = (table: PartitionedTable, date: Date) => `${table.name}_${spanOf(table, date).replaceAll('-', '')}`

/** The first days of a span and of the next one. */
function boundsOf(table: PartitionedTable, date: Date): [first: string, next: string] {
  const span = spanOf(table, date)
  const first = new Date(span)
  const next = new Date(first)
  if (table.per === 'month') next.setUTCMonth(first.getUTCMonth() + 1)
  else next.setUTCDate(first.getUTCDate() + 1)
  return [first.toISOString().slice(0, 10), next.toISOString().slice(0, 10)]
}

/** By the database's clock: a machine whose clock is a month ahead must not drop a month. */
async function getTime(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select now()')
  return rows[0]!.now
}

/** Times of rows in the default partition, one for each span: they get a partition too, to be dropped with it. */
async function listStrays(client: pg.Client, { name, column, per = 'day' }: PartitionedTable): Promise<Date[]> {
  const { rows } = await client.query<{ time: Date }>(
    `select min(${column}) as time from ${name}_default group by date_trunc('${per}', ${column} at time zone 'UTC')`,
  )
  return rows.map(({ time }) => time)
}

/**
 * Created separately and then attached, so that writing continues. Rows of that time in the default partition are moved:
 * otherwise PostgreSQL refuses the partition. Where nobody may delete, the owner has the right to for this transaction only.
 */
async function makePartition(client: pg.Client, table: PartitionedTable, date: Date) {
  const partition = partitionOf(table, date)
  const { rowCount } = await client.query('select from pg_class where relname = $1', [partition])
  if (rowCount) return
  const { name, column, isAppendOnly } = table
  const [first, next] = boundsOf(table, date)
  const [begin, end] = isAppendOnly
    ? [
        `grant delete on ${name}_default to current_user;`,
        `revoke delete on ${name}_default from current_user;
         revoke update, delete, truncate on ${partition} from current_user;`,
      ]
    : ['', '']
  await client.query(`
    create table ${partition} (like ${name} including defaults including constraints);
    ${begin}
    lock table ${name}_default in share row exclusive mode;
    with caught as (
      delete from ${name}_default where ${column} >= '${first}Z' and ${column} < '${next}Z' returning *
    )
    insert into ${partition} select * from caught;
    ${end}
    alter table ${name} attach partition ${partition} for values from ('${first}Z') to ('${next}Z')`)
}

async function dropBefore(client: pg.Client, table: PartitionedTable, oldest: Date) {
  const { name, column, isAppendOnly } = table
  const { rows } = await client.query<{ partition: string }>(
    `select c.relname as partition from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and c.relname ~ ('^' || $1 || '_\\d{6,8}$') and c.relname < $2`,
    [name, partitionOf(table, oldest)],
  )
  for (const { partition } of rows) await client.query(`drop table ${partition}`)
  if (!isAppendOnly) await client.query(`delete from ${name}_default where ${column} < $1`, [oldest])
}
