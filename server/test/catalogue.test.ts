import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import '../app.ts'
import { dumpSchema } from '../db/dump.ts'
import { sql } from '../db/sql.ts'
import { knownTables } from '../db/table.ts'
import { isUpdating } from './documents.ts'
import { startServer } from './server.ts'

const short: Record<string, string> = { 'timestamp with time zone': 'timestamptz' }

test('row types match the columns in the database', async (t) => {
  const { database } = await startServer(t)
  const columns = await database.everyone.many<{ table: string; name: string; type: string; nullable: boolean }>(sql`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
    where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped and c.relname <> 'migrations'
    order by a.attnum`)

  const described = (rows: { name: string; type: string; nullable: boolean }[]) =>
    Object.fromEntries(rows.map(({ name, type, nullable }) => [name, `${short[type] ?? type}${nullable ? '?' : ''}`]))
  const inDatabase = Object.fromEntries(
    [...Map.groupBy(columns, (column) => column.table)].map(([name, rows]) => [name, described(rows)]),
  )
  const inCode = Object.fromEntries(knownTables.map(({ name, columns }) => [name, { ...columns }]))
  assert.deepEqual(inCode, inDatabase)
})

test('schema.sql matches the schema made by the migrations', async (t) => {
  const { database } = await startServer(t)
  const file = new URL('../db/schema.sql', import.meta.url)
  const dumped = await dumpSchema(database.everyone)
  if (isUpdating) await writeFile(file, dumped)
  assert.equal(await readFile(file, 'utf8'), dumped, 'run npm run update, and read the diff')
})
