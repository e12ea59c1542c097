import type pg from 'pg'

/** The tables of a register, each with a partition for every register there is. */
export const registerTables = [
  'register_places',
  'register_streets',
  'register_words',
  'register_spellings',
  'register_postings',
] as const
export type RegisterTable = (typeof registerTables)[number]

/** The operator's own registers have negative numbers. */
export const partitionOf = (table: RegisterTable, registerId: number) =>
  `${table}_${registerId < 0 ? 'own_' : ''}${Math.abs(registerId)}`

/** Empty partitions of a new register, which nobody looks for yet. What an earlier attempt left there is dropped. */
export async function makePartitions(client: pg.Client, registerId: number) {
  await dropPartitions(client, [registerId])
  for (const table of registerTables)
    await client.query(
      `create table ${partitionOf(table, registerId)} partition of ${table} for values in (${Math.trunc(registerId)})`,
    )
}

export async function dropPartitions(client: pg.Client, registerIds: readonly number[]) {
  for (const registerId of registerIds)
    for (const table of registerTables) await client.query(`drop table if exists ${partitionOf(table, registerId)}`)
}

/** The registers that have partitions, complete or not. */
export async function listPartitioned(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `select distinct substring(pg_get_expr(c.relpartbound, c.oid) from '-?\\d+')::bigint as id
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = any($1::text[]::regclass[])`,
    [registerTables],
  )
  return rows.map(({ id }) => id)
}
