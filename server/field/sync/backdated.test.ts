import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, letDaysPass, makeDriver, signIn } from '../../test/factories.ts'
import { request, startServer } from '../../test/server.ts'

/* What a driver says about when something happened: never before it can have been. */

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const longAgo = '1970-01-01T00:00:00.000Z'
const hours = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

async function aDay(t: TestContext) {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  const give = async (awb: string): Promise<Wire> =>
    (await server.post('/tasks', aTask({ awb, userId: driver.id }))).body.task
  const task = await give('A-1')
  const op = (type: string, given: object = {}) => ({
    opId: randomUUID(),
    type,
    taskId: task.id,
    occurredAt: longAgo,
    ...given,
  })
  const sync = async (ops: object[], token = key): Promise<Wire[]> =>
    (await request(server.url, 'POST', '/api/v1/driver/sync', { key: token, body: { deviceTime: ago(0), ops } })).body
      .results
  const codes = (results: Wire[]) => results.map(({ success, error }) => (success ? 'done' : error.code))
  const look = async (awb = 'A-1'): Promise<Wire> => (await server.get(`/tasks/awb/${awb}`)).body.task
  return { server, driver, key, task, give, op, sync, look, do: async (...ops: object[]) => codes(await sync(ops)) }
}

test('what a phone says was before the task was given is taken as of then, and the timeline tells both', async (t) => {
  const { do: act, op, look, server } = await aDay(t)
  assert.deepEqual(await act(op('start'), op('note', { note: 'Ring' }), op('complete')), ['done', 'done', 'done'])
  const { timelines, startedAt, completedAt, uuid } = await look()
  const given = timelines.find(({ event }: Wire) => event === 'TASK_ASSIGNED').recordedAt
  assert.deepEqual([startedAt, completedAt], [given, given])
  for (const { occurredAt, data } of timelines.slice(2))
    assert.deepEqual([occurredAt, data.claimedAt, data.late], [given, longAgo, undefined])
  const page = await request(server.url, 'GET', `/t/${uuid}`)
  assert.equal(page.status, 200, 'the page of the customer is still open')
  const { events } = (await server.get('/events?limit=1000')).body
  assert.equal(events.at(-1).time, given)
})

test('rules are those of the corrected time', async (t) => {
  const { do: act, op, server } = await aDay(t)
  await server.post('/reasons', { code: 'AWAY', label: 'Away', photoRequired: true })
  await server.put('/company', { settings: { allowDriverToTakeNotesOnSite: false } })
  // Given after the rules were made.
  await server.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  const other = await makeDriver(server)
  const key = await signIn(server, other)
  await server.put(`/containers/drivers/${other.id}`, { tasks: ['A-1'] })
  const claims = [op('start'), op('note', { note: 'Forbidden' }), op('fail', { reasonCode: 'AWAY' })]
  const body = { deviceTime: ago(0), ops: claims }
  const { results } = (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body })).body
  assert.deepEqual(
    results.map(({ success, error, conflict }: Wire) => [success ? 'done' : error.code, conflict]),
    [
      ['done', undefined],
      ['FORBIDDEN_BY_SETTING', undefined],
      ['PHOTO_REQUIRED', undefined],
    ],
  )
  assert.deepEqual(await act(op('photo', { fileId: randomUUID() })), ['done'], 'kept, as of when it was theirs')
})

test('nothing was done before the first sign-in, and to sign in again changes no time', async (t) => {
  const { server, driver, task, op, sync, look, key } = await aDay(t)
  await letDaysPass(server)
  const db = server.database.everyone
  const firstAt = ago(5 * hours)
  await db.run(sql`update users set first_signed_in_at = ${firstAt} where id = ${driver.id}`)
  const before = op('accept', { occurredAt: ago(6 * hours) })
  await sync([before])
  assert.equal((await look()).acceptedAt, firstAt)
  // Signed out at noon, with the work of the morning still on the phone.
  await request(server.url, 'DELETE', '/api/v1/driver/session', { key })
  const { code } = (await server.post(`/drivers/${driver.id}/invite`)).body
  const { token } = (await server.post('/driver/login', { phone: driver.phone, code })).body
  const start = op('start', { occurredAt: ago(3 * hours) })
  assert.equal((await sync([start], token))[0].success, true)
  const { startedAt, timelines } = await look()
  assert.equal(startedAt, start.occurredAt)
  assert.equal(timelines.at(-1).data.claimedAt, undefined)
  const [row] = await db.many<{ first_signed_in_at: Date }>(sql`
    select first_signed_in_at from users where id = ${driver.id}`)
  assert.equal(row?.first_signed_in_at.toISOString(), firstAt)
  assert.equal(task.statusId, 6)
})

test('a task that comes back keeps the time it was first given', async (t) => {
  const { server, driver, op, sync, look } = await aDay(t)
  await letDaysPass(server)
  await server.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['A-1'] })
  const start = op('start', { occurredAt: ago(hours) })
  await sync([start])
  assert.equal((await look()).startedAt, start.occurredAt)
})
