import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { makeEmptyDatabase } from '../test/database.ts'
import { until } from '../test/until.ts'
import { copyIn, copyOut, streamOf } from './copy.ts'

let client: pg.Client
let database: Awaited<ReturnType<typeof makeEmptyDatabase>>

const connect = async () => {
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => {})
  await client.connect()
  return client
}

before(async () => {
  database = await makeEmptyDatabase()
  client = await connect()
  await client.query(`
    create table source as select id, repeat(E'line\\n', 100) as text from generate_series(1, 10000) id;
    create table target (like source)`)
})
after(async () => {
  await client.end()
  await database.drop()
})

const rowsIn = async (table: string) => Number((await client.query(`select count(*) from ${table}`)).rows[0].count)

test('a table is copied out in blocks of whole rows, and back in', async () => {
  const blocks: Buffer[] = []
  await copyOut(client, 'copy source to stdout', async (block) => void blocks.push(block))
  assert.ok(blocks.length > 1 && blocks.every((block) => block.at(-1) === 10))
  await client.query('truncate target')
  await copyIn(client, 'copy target from stdin', ReadableStream.from(blocks))
  assert.equal(await rowsIn('target'), 10_000)
  assert.equal(await rowsIn('(select * from source except select * from target) as lost'), 0)
})

test('while blocks wait to be stored, no more rows are read from the database', async () => {
  const gate = Promise.withResolvers<void>()
  let bytes = 0
  const copying = copyOut(client, 'copy source to stdout', async (block) => {
    await gate.promise
    bytes += block.length
  })
  await until('reading to stop', () => streamOf(client).isPaused())
  gate.resolve()
  await copying
  assert.ok(bytes > 5_000_000, `${bytes} bytes`)
})

test('a copy that fails says why, leaves no rows behind, and the connection can still be used', async () => {
  await client.query('truncate target')
  const block = Buffer.from('1\ttext\n'.repeat(20_000))
  async function* broken() {
    yield block
    throw new Error('The disk is gone')
  }
  const failures: [reason: RegExp, copy: () => Promise<void>][] = [
    [
      /nonsense/,
      () => copyIn(client, 'copy target from stdin', ReadableStream.from([block, Buffer.from('nonsense\n'), block])),
    ],
    [/The disk is gone/, () => copyIn(client, 'copy target from stdin', broken())],
    [/missing/, () => copyIn(client, 'copy missing from stdin', ReadableStream.from([block]))],
    [
      /division by zero/,
      () => copyOut(client, 'copy (select 1 / (9000 - id), text from source) to stdout', async () => {}),
    ],
  ]
  for (const [reason, copy] of failures) {
    await assert.rejects(copy(), reason)
    assert.equal(await rowsIn('target'), 0)
  }
})

test('if the rows cannot be stored, copying out ends with the reason instead of waiting', async () => {
  const client = await connect()
  const full = async () => {
    throw new Error('The disk is full')
  }
  await assert.rejects(copyOut(client, 'copy source to stdout', full), /The disk is full/)
  await assert.rejects(client.query('select 1'))
})
