import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { sql } from '../db/sql.ts'
import { aTask, letDaysPass, makeDriver, signIn } from '../test/factories.ts'
import { answer, startReceiver } from '../test/receiver.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'

const subscribe = async (server: TestServer, url: string, trigger = 4) =>
  (await server.post('/webHooks', { url, trigger })).body.webHook

const deliveries = async (server: TestServer, id: number, query = '') =>
  (await server.get(`/webHooks/${id}/deliveries${query}`)).body.deliveries

/** Makes all pending deliveries dead, as if all attempts had failed. */
const bury = (server: TestServer) =>
  server.database.everyone.run(sql`
    with ended as (delete from deliveries where organisation_id = ${server.organisationId} returning *)
    insert into dead_deliveries (organisation_id, webhook_id, event_id, attempts, reason, died_at)
    select organisation_id, webhook_id, event_id, 11, 'All 11 attempts failed', now() from ended`)

test('the log shows what was delivered, what is pending and what is dead, with every attempt', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id } = await subscribe(server, receiver.url)
  receiver.queue(answer(503, { body: 'out of\0 order', headers: { 'retry-after': '3600' } }))
  await server.post('/tasks', aTask({ awb: 'A' }))
  await receiver.next()
  await server.post('/tasks', aTask({ awb: 'B' }))

  const [arrived] = await until('the log', async () => {
    const found = await deliveries(server, id, '?state=delivered')
    return found.length === 1 && found
  })
  assert.deepEqual([arrived.awb, arrived.state, arrived.attempts[0].status], ['B', 'delivered', 200])
  const [waiting] = await deliveries(server, id, '?state=pending')
  assert.deepEqual([waiting.awb, waiting.attempts[0].outcome], ['A', 'retry'])
  assert.equal(waiting.attempts[0].answer, 'out of order')
  assert.ok(Date.parse(waiting.nextAttemptAt) > Date.now())

  await bury(server)
  const [dead] = await deliveries(server, id, '?state=dead')
  assert.deepEqual([dead.awb, dead.reason], ['A', 'All 11 attempts failed'])
  assert.deepEqual(
    (await deliveries(server, id)).map(({ awb }: { awb: string }) => awb),
    ['B', 'A'],
  )
  assert.deepEqual((await deliveries(server, id, '?awb=A')).length, 1)
  assert.deepEqual(await deliveries(server, id, '?trigger=9'), [])
  const first = (await server.get(`/webHooks/${id}/deliveries?limit=1`)).body
  const second = (await server.get(`/webHooks/${id}/deliveries?limit=1&cursor=${first.nextCursor}`)).body
  assert.deepEqual([first.deliveries[0].awb, second.deliveries[0].awb], ['B', 'A'])
})

test('the log shows the body that was sent, to those who may read events', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id } = await subscribe(server, receiver.url)
  await server.post('/tasks', aTask({ awb: 'A', details: 'Ring twice „la poartă”' }))
  const sent = await receiver.next()
  const [{ eventId }] = await until('the log', async () => {
    const found = await deliveries(server, id)
    return found.length === 1 && found
  })

  const { delivery } = (await server.get(`/webHooks/${id}/deliveries/${eventId}`)).body
  assert.equal(delivery.body, sent.rawBody)
  assert.equal(delivery.messageId, sent.headers['webhook-id'])
  assert.equal(delivery.eventId, eventId)

  const missing = await server.get(`/webHooks/${id}/deliveries/999999`)
  assert.deepEqual([missing.status, missing.body.error.code], [404, 'EVENT_NOT_FOUND'])
  const { key } = (await server.post('/keys', { name: 'Watcher', scopes: ['webhooks:read'] })).body
  const path = `/api/v1/webHooks/${id}/deliveries/${eventId}`
  assert.equal((await request(server.url, 'GET', path, { key: key.secret })).status, 403)
})

test('dead deliveries can be sent again, all of them or one', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id } = await subscribe(server, receiver.url)
  receiver.always(answer(503, { headers: { 'retry-after': '3600' } }))
  for (const awb of ['A', 'B', 'C']) await server.post('/tasks', aTask({ awb }))
  await receiver.waitFor(3)
  await until('the log', async () =>
    (await deliveries(server, id)).every(({ attempts }: { attempts: object[] }) => attempts.length === 1),
  )
  await bury(server)
  receiver.always(answer(200))

  const [{ eventId }] = await deliveries(server, id, '?awb=B')
  assert.equal((await server.post(`/webHooks/${id}/replay`, { eventId })).body.replayed, 1)
  await receiver.waitFor(4)
  assert.equal(JSON.parse(receiver.requests[3]?.rawBody as string).awb, 'B')
  assert.equal((await server.post(`/webHooks/${id}/replay`)).body.replayed, 2)
  await receiver.waitFor(6)
  await until('the log', async () => (await deliveries(server, id, '?state=delivered')).length === 3)
  const unknown = await server.post(`/webHooks/${id}/replay`, { eventId: 999_999 })
  assert.deepEqual(
    [unknown.status, unknown.body.error.code, unknown.body.error.field],
    [400, 'EVENT_NOT_FOUND', 'eventId'],
  )
})

test('a webhook that was disabled can catch up on missed events', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id } = await subscribe(server, receiver.url)
  receiver.queue(answer(410))
  await server.post('/tasks', aTask({ awb: 'A' }))
  const off = await until('the log', async () => {
    const [webhook] = (await server.get('/webHooks')).body.webHooks
    return !webhook.isEnabled && webhook
  })
  assert.match(off.disabledReason, /410/)
  await server.post('/tasks', aTask({ awb: 'MISSED' }))
  assert.equal((await server.post(`/webHooks/${id}/replay`)).body.error.code, 'WEBHOOK_DISABLED')

  const { webHook } = (await server.post(`/webHooks/${id}/enable`)).body
  assert.deepEqual([webHook.isEnabled, webHook.disabledReason], [true, null])
  assert.equal((await server.post(`/webHooks/${id}/replay`, { state: 'all' })).body.replayed, 2)
  await receiver.waitFor(3)
  assert.deepEqual(
    receiver.requests
      .slice(1)
      .map(({ rawBody }) => JSON.parse(rawBody).awb)
      .sort(),
    ['A', 'MISSED'],
  )
  const none = await server.post(`/webHooks/${id}/replay`, { state: 'all', from: '2000-01-01', to: '2000-01-02 00:00' })
  assert.equal(none.body.error.field, 'from')
  const past = await server.post(`/webHooks/${id}/replay`, { state: 'all', to: '2000-01-02 00:00' })
  assert.equal(past.body.replayed, 0)
})

test('a period has what was recorded in it, even if it happened before, and what happened in it', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id } = await subscribe(server, receiver.url, 1)
  const driver = await makeDriver(server)
  const { task } = (await server.post('/tasks', aTask({ userId: driver.id }))).body
  await letDaysPass(server)
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const ops = [{ opId: 'late', type: 'start', taskId: task.id, occurredAt: ago(60) }]
  const key = await signIn(server, driver)
  const synced = await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime: ago(0), ops } })
  assert.equal(synced.body.results[0].success, true)
  await receiver.next()

  const replayed = async (period: object) =>
    (await server.post(`/webHooks/${id}/replay`, { state: 'all', ...period })).body.replayed
  await until('the log', async () => (await deliveries(server, id, '?state=delivered')).length === 1)
  assert.equal(await replayed({ from: ago(50), to: ago(40) }), 0)
  assert.equal(await replayed({ from: ago(70), to: ago(50) }), 1)
  await receiver.waitFor(2)
  await until('the log', async () => (await deliveries(server, id, '?state=pending')).length === 0)
  assert.equal(await replayed({ from: ago(30) }), 1)
})

test('while a secret is being rotated, messages carry both signatures', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id, secret } = await subscribe(server, receiver.url)
  const { webHook } = (await server.post(`/webHooks/${id}/rotateSecret`)).body
  assert.notEqual(webHook.secret, secret)
  await server.post('/tasks', aTask())

  const { rawBody, headers } = await receiver.next()
  for (const known of [secret, webHook.secret])
    assert.doesNotThrow(() => new Webhook(known).verify(rawBody, headers as Record<string, string>))
})

test('a test message returns at once what the receiver answers', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id, secret } = await subscribe(server, receiver.url, 2)
  const good = (await server.post(`/webHooks/${id}/test`)).body.test
  assert.deepEqual([good.delivered, good.status, good.error], [true, 200, null])
  const { rawBody, headers } = await receiver.next()
  const body = new Webhook(secret).verify(rawBody, headers as Record<string, string>) as Record<string, unknown>
  assert.deepEqual([body['test'], body['triggerName']], [true, 'TASK_COMPLETE'])

  receiver.always(answer(500, { body: 'no' }))
  const bad = (await server.post(`/webHooks/${id}/test`)).body.test
  assert.deepEqual([bad.delivered, bad.status, bad.answer], [false, 500, 'no'])
  await receiver.close()
  assert.match((await server.post(`/webHooks/${id}/test`)).body.test.error, /refused/)
})

test('events of one task reach a url in order, also across webhooks', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  for (const trigger of [4, 5, 6]) await subscribe(server, receiver.url, trigger)
  receiver.queue(answer(500))
  await server.post('/tasks', aTask({ awb: 'A' }))
  await receiver.next()
  for (const details of ['one', 'two']) await server.put('/tasks/awb/A', { details })
  await server.delete('/tasks/awb/A')
  // Queued after the others, so they would have come before it if they did not wait for the first.
  await server.post('/tasks', aTask({ awb: 'B' }))
  assert.equal(((await receiver.next()).body as { awb: string }).awb, 'B')
  assert.equal(receiver.requests.length, 2)

  await server.database.everyone.run(
    sql`update deliveries set due_at = now() where organisation_id = ${server.organisationId} and attempts = 1`,
  )
  await receiver.waitFor(6)
  assert.deepEqual(
    receiver.requests
      .map(({ rawBody }) => JSON.parse(rawBody))
      .flatMap(({ awb, sequence }) => (awb === 'A' ? sequence : [])),
    [1, 1, 2, 3, 4],
  )
})

test('a webhook that has failed 300 times over more than an hour is switched off', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id } = await subscribe(server, receiver.url)
  await server.database.everyone.run(sql`
    update webhooks set consecutive_failures = 299, failing_since = now() - interval '2 hours'
    where organisation_id = ${server.organisationId} and id = ${id}`)
  receiver.always(answer(500))
  await server.post('/tasks', aTask({ awb: 'LAST' }))
  const off = await until('the log', async () => {
    const [webhook] = (await server.get('/webHooks')).body.webHooks
    return !webhook.isEnabled && webhook
  })
  assert.equal(off.disabledReason, '300 attempts in a row failed')
  const [dead] = await deliveries(server, id)
  assert.deepEqual([dead.state, dead.reason], ['dead', '300 attempts in a row failed'])
})

test('a success resets the count of failures', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { id } = await subscribe(server, receiver.url)
  await server.database.everyone.run(sql`
    update webhooks set consecutive_failures = 299, failing_since = now() - interval '2 hours'
    where organisation_id = ${server.organisationId} and id = ${id}`)
  await server.post('/tasks', aTask())
  await until('the log', async () => (await deliveries(server, id, '?state=delivered')).length === 1)
  const { failures } = await server.database.everyone.get<{ failures: number }>(sql`
    select consecutive_failures as failures from webhooks where organisation_id = ${server.organisationId} and id = ${id}`)
  assert.equal(failures, 0)
})
