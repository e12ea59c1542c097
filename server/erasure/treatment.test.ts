import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../db/sql.ts'
import { startServer } from '../test/server.ts'
import { type Change, namesIn, treatments } from './treatment.ts'

const columnsOf = <Scope>({ cleared, emptied, replaced = {} }: Change<Scope> = { rows: () => sql`true` }) => [
  ...namesIn(cleared),
  ...namesIn(emptied),
  ...Object.keys(replaced),
]

test('for every column of every table it is decided what erasure does to it', async (t) => {
  const { database } = await startServer(t)
  const stored = await database.everyone.many<{ table: string; column: string }>(sql`
    select c.relname as table, a.attname as column
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
    where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`)
  const inDatabase = stored.map(({ table, column }) => `${table}.${column}`).sort()

  const decided = Object.entries(treatments).flatMap(
    ([table, { ofTasks, ofDriver, ofDriversTasks, rewritten, kept }]) => {
      const changes = [...columnsOf(ofTasks), ...columnsOf(ofDriver), ...columnsOf(ofDriversTasks)]
      const changed = [...changes, ...namesIn(rewritten)]
      const staying = namesIn(kept)
      const both = staying.filter((column) => changed.includes(column))
      assert.deepEqual(both, [], `${table}: a column stays and is changed`)
      return [...new Set([...changed, ...staying])].map((column) => `${table}.${column}`)
    },
  )
  assert.deepEqual(decided.sort(), inDatabase, 'decide in server/erasure/treatment.ts')
})
