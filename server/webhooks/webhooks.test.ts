import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../sdk/verify-webhook.js'
import { sql } from '../db/sql.ts'
import { aTask } from '../test/factories.ts'
import { answer, gone, startReceiver } from '../test/receiver.ts'
import { startServer, type TestServer } from '../test/server.ts'
import { untilHolds } from '../test/until.ts'
import type { AttemptRow } from './queries.ts'

const created = 4

async function subscribe(server: TestServer, url: string, trigger = created) {
  const { status, body } = await server.post('/webHooks', { url, trigger })
  assert.equal(status, 200, JSON.stringify(body))
  return body.webHook
}

const attemptsOf = (server: TestServer) =>
  server.database.everyone.many<AttemptRow>(
    sql`select * from attempts where organisation_id = ${server.organisationId} order by event_id, number`,
  )

const pendingOf = async (server: TestServer) =>
  (await server.database.everyone.many(sql`select from deliveries where organisation_id = ${server.organisationId}`))
    .length

test('a created task reaches the receiver, signed, as in the API response', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const webhook = await subscribe(server, receiver.url)
  const { task } = (await server.post('/tasks', aTask({ awb: 'A-1' }))).body

  const message = await receiver.next()
  const headers = message.headers as Record<string, string>
  const event = new Webhook(webhook.secret).verify(message.rawBody, headers) as Record<string, never>
  assert.deepEqual(verifyWebhook(headers, message.rawBody, webhook.secret), event)

  const { data, time, recordedAt, ...envelope } = event as Record<string, { task: object; user: null; previous: null }>
  assert.deepEqual(envelope, {
    eventId: 1,
    triggerId: 4,
    triggerName: 'TASK_CREATED',
    companyId: server.organisationId,
    taskId: task.id,
    awb: 'A-1',
    userId: null,
    sequence: 1,
    actionContext: { type: 'API', id: task.timelines[0].actor.id },
  })
  assert.deepEqual([time, recordedAt] as unknown, [task.createdAt, task.createdAt])
  assert.deepEqual(data, { task: { ...task, timelines: [] }, user: null, previous: null })
  await untilHolds(async () => {
    const [attempt] = await attemptsOf(server)
    assert.deepEqual([attempt?.outcome, attempt?.status, attempt?.number], ['delivered', 200, 1])
    assert.equal(await pendingOf(server), 0)
  })
})

test('a webhook gets only events of its own trigger and its own organisation', async (t) => {
  const server = await startServer(t)
  const other = await server.another()
  const receiver = await startReceiver(t)
  await subscribe(server, `${receiver.url}/deleted`, 6)
  await subscribe(server, `${receiver.url}/created`)

  await other.post('/tasks', aTask({ awb: 'OTHER' }))
  await server.post('/tasks', aTask({ awb: 'MINE' }))

  const message = await receiver.next()
  assert.match(message.url, /created/)
  assert.equal(JSON.parse(message.rawBody).awb, 'MINE')
  assert.equal(receiver.requests.length, 1)
})

test('an event that cannot be delivered is kept and scheduled for later', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  await subscribe(server, receiver.url)
  receiver.always(answer(500))
  await server.post('/tasks', aTask())
  await receiver.next()

  await untilHolds(async () => {
    const [attempt] = await attemptsOf(server)
    assert.deepEqual([attempt?.outcome, attempt?.status, attempt?.error], ['retry', 500, 'The URL answered 500'])
  })
  const [delivery] = await server.database.everyone.many<{ seconds: number; claim: string | null }>(sql`
    select extract(epoch from due_at - now())::float8 as seconds, claim
    from deliveries where organisation_id = ${server.organisationId}`)
  assert.equal(delivery?.claim, null)
  // It is due 4 to 6 s after the attempt; on a busy machine part of that has passed already.
  assert.ok(delivery && delivery.seconds < 6.5, `due in ${delivery?.seconds} s`)
})

test('a receiver that is gone gets nothing more, and its pending deliveries are dead', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  await subscribe(server, receiver.url)
  receiver.always(gone)
  await server.post('/tasks', aTask())

  await untilHolds(async () => {
    assert.equal((await server.get('/webHooks')).body.webHooks[0].isEnabled, false)
    assert.equal((await attemptsOf(server))[0]?.outcome, 'dead')
  })
  await server.post('/tasks', aTask())
  assert.equal(await pendingOf(server), 0)
})

test('a url has one secret, shown only when its webhook is created', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const first = await subscribe(server, receiver.url, 4)
  const second = await subscribe(server, receiver.url, 6)
  const elsewhere = await subscribe(server, `${receiver.url}/other`, 4)

  assert.match(first.secret, /^whsec_/)
  assert.equal(second.secret, first.secret)
  assert.notEqual(elsewhere.secret, first.secret)
  const { webHooks } = (await server.get('/webHooks')).body
  assert.deepEqual(
    webHooks.map(({ id, trigger, companyId }: Record<string, number>) => [id, trigger, companyId]),
    [first, second, elsewhere].map(({ id, trigger }) => [id, trigger, server.organisationId]),
  )
  assert.ok(!JSON.stringify(webHooks).includes('whsec_'))
})

test('several triggers at once make one webhook each, with one secret and one check of the url', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { webHooks } = (await server.post('/webHooks/bulkCreate', { url: receiver.url, triggers: [4, 6, 4, 2] })).body

  assert.deepEqual(
    webHooks.map(({ trigger, secret }: { trigger: number; secret: string }) => [trigger, secret]),
    [4, 6, 2].map((trigger) => [trigger, webHooks[0].secret]),
  )
  assert.equal((await server.get('/webHooks')).body.webHooks.length, 3)
  for (const triggers of [[], [0], [10], 'all', undefined]) {
    const { status, body } = await server.post('/webHooks/bulkCreate', { url: receiver.url, triggers })
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_FAILED'], JSON.stringify(triggers))
  }
  const lost = await server.post('/webHooks/bulkCreate', { url: 'http://127.0.0.1:1/', triggers: [1, 2] })
  assert.equal(lost.body.error.code, 'WEBHOOK_URL_NOT_VERIFIED')
  assert.equal((await server.get('/webHooks')).body.webHooks.length, 3)
})

test('a url that does not answer is not stored', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  await receiver.close()
  const reply = await server.post('/webHooks', { url: receiver.url, trigger: 4 })

  assert.equal(reply.status, 400)
  assert.deepEqual([reply.body.error.code, reply.body.error.field], ['WEBHOOK_URL_NOT_VERIFIED', 'url'])
  assert.deepEqual((await server.get('/webHooks')).body.webHooks, [])
})

test('loopback is forbidden if the server has a public address or the operator says so', async (t) => {
  const receiver = await startReceiver(t)
  for (const environment of [{ WAYBILL_WEBHOOK_ALLOW: 'none' }, { WAYBILL_PUBLIC_URL: 'https://waybill.example' }]) {
    const server = await startServer(t, environment as Record<string, string>)
    const reply = await server.post('/webHooks', { url: receiver.url, trigger: 4 })
    assert.equal(reply.body.error.code, 'WEBHOOK_URL_FORBIDDEN')
  }
  assert.equal(receiver.connections, 0)
})

test('a trigger is a number from 1 to 9', async (t) => {
  const server = await startServer(t)
  for (const trigger of [0, 10, 1.5, 'x', undefined]) {
    const { body } = await server.post('/webHooks', { url: 'http://127.0.0.1:1/', trigger })
    assert.deepEqual([body.error.code, body.error.field], ['VALIDATION_FAILED', 'trigger'], String(trigger))
  }
})

test('deleting a webhook ends its pending deliveries', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id } = await subscribe(server, receiver.url)
  receiver.always(answer(500))
  await server.post('/tasks', aTask())
  await receiver.next()
  await untilHolds(async () => assert.equal((await attemptsOf(server)).length, 1))

  assert.equal((await server.delete(`/webHooks/${id}`)).status, 200)
  assert.equal(await pendingOf(server), 0)
  assert.equal((await server.delete(`/webHooks/${id}`)).body.error.code, 'WEBHOOK_NOT_FOUND')
})
