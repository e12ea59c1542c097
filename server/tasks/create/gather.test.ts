import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAsOwner } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { aTask } from '../../test/factories.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'

/** Removes ids, times and names, so that two responses can be compared. */
const blank = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replace(/"(id|taskId|ownerId|fulfillerId|customerId|companyId|sequence)":\d+/g, '"$1":0')
    .replace(/"(uuid|awb)":"[^"]*"/g, '"$1":""')

const settled = async (calls: Promise<{ status: number; body: { error?: { code: string } } }>[]) =>
  (await Promise.all(calls)).map(({ status, body }) => body.error?.code ?? status)

const count = async ({ database, organisationId }: TestServer, of: 'tasks' | 'events') =>
  (
    await database.everyone.get<{ count: number }>(
      of === 'tasks'
        ? sql`select count(*) from tasks where organisation_id = ${organisationId}`
        : sql`select count(*) from events where organisation_id = ${organisationId}`,
    )
  ).count

test('tasks created at the same moment get the same responses as one by one', async (t) => {
  const server = await startServer(t, { WAYBILL_GATHER_CREATES: 'true' })
  const input = (n: number) =>
    aTask({ awb: `A-${n}`, details: 'Two boxes', customer: { name: 'Ana', phone: '0712345678' } })
  const alone = await server.post('/tasks', input(0))

  const together = await Promise.all(Array.from({ length: 80 }, (_, n) => server.post('/tasks', input(n + 1))))

  for (const [n, { status, body, text }] of together.entries()) {
    assert.equal(status, 200)
    assert.equal(body.task.awb, `A-${n + 1}`)
    assert.equal(blank(text), blank(alone.text))
    const { body: read } = await server.get(`/tasks/awb/A-${n + 1}`)
    assert.deepEqual(read.task, body.task)
  }
  assert.equal(await count(server, 'events'), 81)
})

test('if some of the tasks created at the same moment are refused, each gets its own reason', async (t) => {
  const server = await startServer(t, { WAYBILL_GATHER_CREATES: 'true' })
  const inputs = Array.from({ length: 40 }, (_, n) => {
    if (n % 4 === 0) return aTask({ awb: 'SAME' })
    if (n % 4 === 1) return aTask({ userId: 999_999_999 })
    if (n % 4 === 2) return aTask({ completeAfter: '2026-11-15 10:00:00', completeBefore: '2026-11-15 09:00:00' })
    return aTask({ awb: `GOOD-${n}` })
  })

  const outcomes = await settled(inputs.map((input) => server.post('/tasks', input)))

  const tally = (outcome: string | number) => outcomes.filter((one) => one === outcome).length
  assert.deepEqual(
    {
      good: tally(200),
      taken: tally('AWB_TAKEN'),
      driver: tally('DRIVER_NOT_FOUND'),
      window: tally('INVALID_TIME_WINDOW'),
    },
    { good: 11, taken: 9, driver: 10, window: 10 },
  )
  assert.equal(await count(server, 'tasks'), 11)
  assert.equal(await count(server, 'events'), 11)
})

test('a task the database refuses does not affect others created at the same moment', async (t) => {
  const server = await startServer(t, { WAYBILL_GATHER_CREATES: 'true', WAYBILL_LOG: 'silent' })
  const owner = await connectAsOwner(server.config.databaseUrl as string, 'test')
  await owner.query(`alter table tasks add constraint no_poison check (details <> 'poison')`)
  await owner.end()

  const outcomes = await settled(
    Array.from({ length: 30 }, (_, n) => server.post('/tasks', aTask({ details: n === 17 ? 'poison' : 'well' }))),
  )

  assert.deepEqual(
    outcomes.map((outcome, n) => (n === 17 ? outcome : outcome === 200)),
    outcomes.map((_, n) => (n === 17 ? 'INTERNAL' : true)),
  )
  assert.equal(await count(server, 'tasks'), 29)
})

test('a repeated request among many creates its task once', async (t) => {
  const server = await startServer(t, { WAYBILL_GATHER_CREATES: 'true' })
  const keyed = (n: number) =>
    request(server.url, 'POST', '/api/v1/tasks', {
      key: server.key,
      body: aTask({ awb: `K-${n}` }),
      headers: { 'idempotency-key': `key-${n}` },
    })

  const first = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? keyed(n) : server.post('/tasks', aTask({ awb: `P-${n}` })))),
  )
  const again = await Promise.all(Array.from({ length: 10 }, (_, n) => keyed(2 * n + 1)))

  assert.ok(first.every(({ status }) => status === 200))
  assert.deepEqual(
    again.map(({ text }) => text),
    first.filter((_, n) => n % 2).map(({ text }) => text),
  )
  assert.equal(await count(server, 'tasks'), 20)
})
