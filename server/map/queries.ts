import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type Known, type Row, table } from '../db/table.ts'

/** A file of an import, as it is kept. */
export interface KeptFile {
  name: string
  bytes: number
  sha256: string
  /** How many parts of it are in the file store; 0 if it is only in the data folder. */
  parts: number
}

export const mapImports = table('map_imports', {
  id: 'bigint',
  state: 'text',
  name: 'text',
  source: 'text',
  source_bytes: 'bigint',
  map_date: 'timestamptz?',
  began_at: 'timestamptz',
  finished_at: 'timestamptz?',
  west: 'double precision?',
  south: 'double precision?',
  east: 'double precision?',
  north: 'double precision?',
  made: 'jsonb',
  files: 'jsonb',
})
export type ImportRow = Known<
  Row<typeof mapImports>,
  { state: 'making' | 'current' | 'leaving'; made: Record<string, object>; files: KeptFile[] }
>

/** There is one at a time, so a later one has a larger id. */
export const insertImport = (
  db: Db,
  { name, source, source_bytes, map_date }: Pick<ImportRow, 'name' | 'source' | 'source_bytes' | 'map_date'>,
) =>
  db.get<{ id: number }>(sql`
    insert into map_imports (id, name, source, source_bytes, map_date)
    select greatest(floor(extract(epoch from clock_timestamp()) * 1000)::bigint, coalesce(max(id), 0) + 1),
      ${name}, ${source}, ${source_bytes}, ${map_date}
    from map_imports
    returning id`)

/** Before they are put into the store, so that they are removed from there, whatever happens. */
export const setFiles = (db: Db, id: number, files: readonly KeptFile[]) =>
  db.run(sql`update map_imports set files = ${JSON.stringify(files)} where id = ${id}`)

export const findCurrent = (db: Db) => db.find<ImportRow>(sql`select * from map_imports where state = 'current'`)

/** Of all there are, also those that are being made, or are going. */
export const listIds = async (db: Db) =>
  (await db.many<{ id: number }>(sql`select id from map_imports`)).map(({ id }) => id)

export const hasUnfinished = async (db: Db) =>
  (await db.find(sql`select from map_imports where state <> 'current'`)) !== undefined

/** Whatever is not current leaves. Called by who holds the lock of imports: nobody is making one. */
export const endUnfinished = (db: Db) => db.run(sql`update map_imports set state = 'leaving' where state = 'making'`)

export const retireCurrent = (db: Db) =>
  db.find<ImportRow>(sql`update map_imports set state = 'leaving' where state = 'current' returning *`)

/** How many have become current: none, if somebody has taken it for left behind. */
export const makeCurrent = (
  db: Db,
  id: number,
  [west, south, east, north]: readonly [number, number, number, number],
  made: Record<string, object>,
) =>
  db.run(sql`
    update map_imports
    set state = 'current', finished_at = now(), west = ${west}, south = ${south}, east = ${east}, north = ${north},
      made = ${JSON.stringify(made)}
    where id = ${id} and state = 'making'`)

export const listLeaving = (db: Db) =>
  db.many<ImportRow>(sql`select * from map_imports where state = 'leaving' order by id`)

export const deleteImport = (db: Db, id: number) =>
  db.run(sql`delete from map_imports where id = ${id} and state = 'leaving'`)
