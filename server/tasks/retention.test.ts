import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver } from '../test/factories.ts'
import { photo } from '../test/pictures.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { dropEndedTasks } from './retention.ts'

const dayMs = 24 * 3_600_000

/** Makes these tasks look untouched for this many days. */
const age = ({ database, organisationId }: TestServer, awb: string, days: number) =>
  database.everyone.run(sql`
    update tasks set updated_at = updated_at - make_interval(days => ${days}::int),
      deleted_at = deleted_at - make_interval(days => ${days}::int)
    where organisation_id = ${organisationId} and awb = ${awb}`)

const drop = ({ database, organisationId }: TestServer, days: number, limit = 100) =>
  dropEndedTasks(database.of(organisationId), organisationId, new Date(Date.now() - days * dayMs), limit)

const awbsOf = async (server: TestServer) =>
  (await server.get('/tasks')).body.tasks.map(({ awb }: { awb: string }) => awb)

/** A task completed by a driver, with a note and a payment. */
async function complete(server: TestServer, awb: string) {
  const driver = await makeDriver(server)
  const { task } = (await server.post('/tasks', aTask({ awb, userId: driver.id, totalPrice: 20 }))).body
  await server.post(`/tasks/${task.id}/payments`, { amount: 20, method: 'cash' })
  await server.post(`/tasks/awb/${awb}/notes`, { note: 'Rang twice' })
  await server.put(`/tasks/awb/${awb}/forceComplete`, {})
}

test('a task that ended long ago is deleted with its events; open and recent ones stay', async (t) => {
  const server = await startServer(t)
  for (const awb of ['OLD', 'RECENT']) await complete(server, awb)
  await server.post('/tasks', aTask({ awb: 'OPEN' }))
  await age(server, 'OLD', 40)
  await age(server, 'RECENT', 20)
  await age(server, 'OPEN', 400)

  assert.equal(await drop(server, 30), 1)
  assert.deepEqual(await awbsOf(server), ['RECENT', 'OPEN'])
  assert.deepEqual(await server.triggers('OLD'), [])
  const { events } = (await server.get('/events')).body
  assert.deepEqual(new Set(events.map(({ awb }: { awb: string }) => awb)), new Set(['RECENT', 'OPEN']))
  assert.equal(await drop(server, 30), 0)
})

test('what customers were told about a task is deleted with it', async (t) => {
  const server = await startServer(t)
  await server.put('/company', { settings: { messageDelivered: true } })
  for (const awb of ['OLD-TOLD', 'NEW-TOLD']) await complete(server, awb)
  const told = async () => (await server.get('/messages')).body.messages as { awb: string; endedAt: string | null }[]
  await until('both to end', async () => (await told()).filter(({ endedAt }) => endedAt).length === 2)
  await age(server, 'OLD-TOLD', 40)
  assert.equal(await drop(server, 30), 1)
  assert.deepEqual(
    (await told()).map(({ awb }) => awb),
    ['NEW-TOLD'],
  )
})

test('a deleted task is removed once its deletion is old enough', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'GONE' }))
  await server.delete('/tasks/awb/GONE')
  assert.equal(await drop(server, 30), 0)
  await age(server, 'GONE', 31)
  assert.equal(await drop(server, 30), 1)
  assert.deepEqual(await server.triggers('GONE'), [])
})

test('a task that another one depends on stays, and so does one with events still to be delivered', async (t) => {
  const server = await startServer(t)
  for (const awb of ['FIRST', 'TOLD']) await complete(server, awb)
  await server.post('/tasks', aTask({ awb: 'SECOND', dependencies: ['FIRST'] }))
  const db = server.database.everyone
  const id = server.organisationId
  await db.run(sql`insert into receivers (organisation_id, url, secret) values (${id}, 'http://127.0.0.1:9/', 's')`)
  await db.run(sql`
    insert into webhooks (organisation_id, receiver_id, trigger_id, verification, is_enabled)
    select ${id}, id, 2, 'reachable', false from receivers where organisation_id = ${id}`)
  await db.run(sql`
    insert into deliveries (organisation_id, webhook_id, event_id, receiver_id, task_id, sequence, due_at)
    select ${id}, w.id, e.id, w.receiver_id, e.task_id, e.sequence, now() + interval '1 day'
    from webhooks w, events e
    where w.organisation_id = ${id} and e.organisation_id = ${id} and e.awb = 'TOLD' and e.trigger_id = 2`)
  for (const awb of ['FIRST', 'TOLD']) await age(server, awb, 40)

  assert.equal(await drop(server, 30), 0)
  await db.run(sql`
    with given_up as (delete from deliveries where organisation_id = ${id} returning *)
    insert into dead_deliveries (organisation_id, webhook_id, event_id, attempts, reason, died_at)
    select ${id}, webhook_id, event_id, 1, 'Nobody there', now() from given_up`)
  assert.equal(await drop(server, 30), 1)
  await server.delete('/tasks/awb/SECOND')
  assert.equal(await drop(server, 30), 1)
  assert.deepEqual(await awbsOf(server), [])
})

test('old tasks are deleted a few at a time, and one in use waits for the next round', async (t) => {
  const server = await startServer(t)
  for (const awb of ['A', 'B', 'C']) {
    await complete(server, awb)
    await age(server, awb, 40)
  }
  await server.database.everyone.transaction(async (db) => {
    await db.run(sql`select from tasks where organisation_id = ${server.organisationId} and awb = 'A' for update`)
    assert.equal(await drop(server, 30, 1), 1)
    assert.equal(await drop(server, 30, 5), 1)
    assert.equal(await drop(server, 30, 5), 0)
  })
  assert.deepEqual(await awbsOf(server), ['A'])
  assert.equal(await drop(server, 30), 1)
})

test('nothing of another organisation is deleted', async (t) => {
  const server = await startServer(t)
  const stranger = { ...server, ...(await server.another()) }
  await complete(stranger, 'THEIRS')
  await age(stranger, 'THEIRS', 400)
  assert.equal(await drop(server, 30), 0)
  assert.deepEqual(await awbsOf(stranger), ['THEIRS'])
})

test('the pictures of a task are deleted with it', async (t) => {
  const server = await startServer(t)
  const headers = { 'content-type': 'image/jpeg' }
  const { file } = (await request(server.url, 'POST', '/api/v1/files', { key: server.key, raw: photo, headers })).body
  await server.post('/tasks', aTask({ awb: 'OLD' }))
  await server.post('/tasks/awb/OLD/notes', { fileId: file.id })
  await server.delete('/tasks/awb/OLD')
  await age(server, 'OLD', 40)
  assert.equal(await drop(server, 30), 1)
  assert.equal((await request(server.url, 'GET', file.path, { key: server.key })).status, 404)
  const left = await server.database.everyone.many(sql`
    select from leftovers where organisation_id = ${server.organisationId}`)
  assert.equal(left.length, 1, 'its bytes are to be deleted')
})
