import pg from 'pg'
import type { Manifest } from './contents.ts'

/* What the database says about its tables, so that a backup does not need to know them. */

export interface StoredTable {
  name: string
  /** Those that can be written; generated columns are computed again. */
  columns: string[]
  /** About how many, according to PostgreSQL's last count. */
  rows: number
  bytes: number
}

/**
 * Tables that are made from public files, and can be made again: an import of the map, and the addresses in it. They are several
 * times larger than all else. Places from the operator's own files are not public.
 */
const leftOut = '^(map_|register_(?!own_places))'

export async function listMigrations(client: pg.Client) {
  const { rowCount } = await client.query("select where to_regclass('public.migrations') is not null")
  if (!rowCount) throw new Error('This database has no Waybill data yet, so there is nothing to back up')
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  )
  return rows
}

export async function listTables(client: pg.Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(`
    select t.relname::text as name, array(
        select a.attname::text from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum
      ) as columns, size.rows, size.bytes
    from pg_class t
    cross join lateral (
      select sum(greatest(c.reltuples, 0))::float8 as rows, sum(pg_table_size(c.oid))::float8 as bytes
      from pg_class c
      where c.oid = t.oid and c.relkind = 'r' or c.oid in (select relid from pg_partition_tree(t.oid) where isleaf)
    ) size
    where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = 'public'::regnamespace
      and t.relname <> 'migrations' and t.relpersistence = 'p' and t.relname !~ '${leftOut}'
    order by t.relname`)
  return rows
}

export async function listPartitions(client: pg.Client): Promise<Manifest['partitions']> {
  const { rows } = await client.query<Manifest['partitions'][number]>(`
    select c.relname::text as name, p.relname::text as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid and c.relispartition and c.relkind = 'r'
    join pg_class p on p.oid = i.inhparent and p.relnamespace = 'public'::regnamespace
    where p.relname !~ '${leftOut}'
    order by 2, 1`)
  return rows
}

/** What the map is called that is left out; undefined if there is none. */
export async function findMap(client: pg.Client): Promise<string | undefined> {
  const { rowCount } = await client.query("select where to_regclass('public.map_imports') is not null")
  if (!rowCount) return undefined
  const { rows } = await client.query<{ name: string }>("select name from map_imports where state = 'current'")
  return rows[0]?.name
}

/** Imports whose files are still somewhere, in a store or a data folder. */
export interface Leftover {
  id: string
  name: string
  isCurrent: boolean
  files: unknown
}

/** To be remembered over a restore, which knows nothing of them. */
export async function listMaps(client: pg.Client): Promise<Leftover[]> {
  const { rowCount } = await client.query("select where to_regclass('public.map_imports') is not null")
  if (!rowCount) return []
  const { rows } = await client.query<Leftover>(
    `select id::text as id, name, state = 'current' as "isCurrent", files from map_imports`,
  )
  return rows
}

export async function readSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_class
    where relkind = 'S' and relnamespace = 'public'::regnamespace
    order by 1`)
  const sequences: Manifest['sequences'] = []
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${pg.escapeIdentifier(name)}`,
    )
    sequences.push({ name, ...(values[0] as { lastValue: string; isCalled: boolean }) })
  }
  return sequences
}
