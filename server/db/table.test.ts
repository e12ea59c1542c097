import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDatabase } from '../test/database.ts'
import { openDatabase } from './db.ts'
import { sql } from './sql.ts'
import { type Row, unnest } from './table.ts'

// Not one of ours: the program's tables are compared with the database.
const things = {
  name: 'things',
  columns: {
    id: 'bigint',
    text: 'text',
    maybe: 'text?',
    many: 'jsonb?',
    at: 'timestamptz',
    bytes: 'bytea',
    part: 'real',
  },
} as const
type Thing = Row<typeof things>
const names = Object.keys(things.columns) as (keyof Thing)[]

const aThing = (id: number, text: string, maybe: string | null = null): Thing => ({
  id,
  text,
  maybe,
  many: maybe === null ? null : { [text]: [maybe, null, { text }] },
  at: new Date(Date.UTC(2026, 2, 29, 0, 59, 59, id)),
  bytes: Buffer.from(text),
  part: id / 4,
})

test('rows arrive as they were given, whatever is in them', async () => {
  const { url, drop } = await makeDatabase()
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(drop)
  const database = openDatabase({ url, connections: 1, onIdleError: () => {} })
  cleanUp.defer(database.close)
  const special = [
    '',
    'NULL',
    'null',
    ' ',
    '{}',
    '{"a","b"}',
    'a,b',
    '"',
    '\\',
    '\\"',
    "'",
    'Șoseaua Ștefan 🚚',
    '\t\r\n\u001f',
    '$1',
  ]
  const rows = special.flatMap((text, id) => [aThing(2 * id, text), aThing(2 * id + 1, text, special.at(-1 - id))])
  const read = (given: Thing[]) => database.everyone.many<Thing>(sql`select * from ${unnest(things, names, given)}`)
  assert.deepEqual(await read(rows), rows)
  assert.deepEqual(await read([]), [])
  assert.deepEqual(await read([aThing(1, 'x'.repeat(3_000_000))]), [aThing(1, 'x'.repeat(3_000_000))])
  const [broken] = await read([aThing(1, 'half a \ud83d character')])
  assert.equal(broken?.text, 'half a \ufffd character')
  await assert.rejects(read([aThing(1, 'no \0 byte')]), { code: '22021' })
  assert.deepEqual(await read(rows.slice(0, 1)), rows.slice(0, 1), 'and the next statement is fine')
})
