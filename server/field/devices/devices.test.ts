import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as open } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../db/sql.ts'
import { trustedMs } from '../../http/requests/receive.ts'
import { aSubscription, aTask, makeDriver, signIn } from '../../test/factories.ts'
import { photo } from '../../test/pictures.ts'
import { startSecond } from '../../test/second.ts'
import { request, startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

/** A driver with a phone, and short ways to sync and to see the devices. */
async function aPhone(t: TestContext) {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const sync = (body: object = {}, key = token, url = server.url) =>
    request(url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime: new Date().toISOString(), ...body } })
  return {
    server,
    driver,
    token,
    sync,
    another: () => signIn(server, driver),
    devices: async () => (await server.get(`/drivers/${driver.id}/devices`)).body.devices,
    revoke: (deviceId: number) => server.delete(`/drivers/${driver.id}/devices/${deviceId}`),
  }
}

test('the office sees on which phones a driver is signed in, and what each told at its last sync', async (t) => {
  const { devices, sync, another } = await aPhone(t)
  const second = await another()
  const [fresh] = await devices()
  assert.deepEqual(
    { ...fresh, id: 0, signedInAt: '' },
    { id: 0, name: null, version: null, battery: null, pending: null, lastSeenAt: null, signedInAt: '' },
  )

  await sync({ device: { name: ' Galaxy A54 ', battery: 71.6, pending: 3, version: '1.4.2' } })
  await sync({ device: { name: 'Old phone', battery: -1 } }, second)
  const [one, other] = await devices()
  assert.deepEqual([one.name, one.version, one.battery, one.pending], ['Galaxy A54', '1.4.2', 72, 3])
  assert.ok(Math.abs(Date.parse(one.lastSeenAt) - Date.now()) < 60_000)
  assert.deepEqual([other.name, other.battery, other.pending], ['Old phone', null, null])

  // What is new is kept at once; what is not told stays.
  await sync({ device: { battery: '70', pending: 0 } })
  const [later] = await devices()
  assert.deepEqual([later.name, later.version, later.battery, later.pending], ['Galaxy A54', '1.4.2', 70, 0])
})

test('a phone that syncs every second writes that it was seen every ten', async (t) => {
  const { devices, sync } = await aPhone(t)
  const device = { name: 'Galaxy', battery: 50, pending: 0 }
  await sync({ device })
  const [{ lastSeenAt }] = await devices()
  await sync({ device })
  await sync()
  assert.equal((await devices())[0].lastSeenAt, lastSeenAt)
})

test('a revoked phone is refused at every process at once, and the other phones of the driver are not', async (t) => {
  const { server, driver, token, sync, another, devices, revoke } = await aPhone(t)
  const second = await startSecond(t, server)
  const other = await another()
  for (const url of [server.url, second.url]) assert.equal((await sync({}, token, url)).status, 200)

  const [{ id }] = await devices()
  assert.equal((await revoke(id)).status, 200)
  for (const url of [server.url, second.url]) {
    const { status, body } = await sync({}, token, url)
    assert.deepEqual([status, body.error.code], [401, 'UNAUTHORIZED'])
    assert.equal((await sync({}, other, url)).status, 200)
  }
  assert.equal((await devices()).length, 1)
  assert.equal((await revoke(id)).body.error.code, 'DEVICE_NOT_FOUND')
  const stranger = await makeDriver(server)
  const [{ id: theirs }] = await devices()
  const reply = await server.delete(`/drivers/${stranger.id}/devices/${theirs}`)
  assert.equal(reply.body.error.code, 'DEVICE_NOT_FOUND', `it is a device of ${driver.name}`)
})

test('a phone signs itself out, and only itself', async (t) => {
  const { server, token, sync, another, devices } = await aPhone(t)
  const other = await another()
  assert.equal((await request(server.url, 'DELETE', '/api/v1/driver/session', { key: token })).status, 200)
  assert.deepEqual([(await sync()).status, (await sync({}, other)).status], [401, 200])
  assert.equal((await devices()).length, 1)
})

/** A request whose body arrives slowly, once its sender is known and `meanwhile` is over. */
async function sendSlowly(
  url: string,
  { method, path, key, type, body }: { method: string; path: string; key: string; type: string; body: Uint8Array },
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { authorization: key, 'content-type': type, 'content-length': body.length, expect: '100-continue' }
  const sent = open(`${url}/api/v1${path}`, { method, headers }, (response) => {
    response.resume().once('end', () => resolve(response.statusCode as number))
  })
  sent.on('error', reject)
  sent.flushHeaders()
  // The server reads a body only after it has identified the sender.
  await Promise.race([once(sent, 'continue'), promise])
  await meanwhile()
  await pause(trustedMs + 1)
  sent.end(body)
  return promise
}

test('what was on its way when its sender was signed out is not accepted', async (t) => {
  const { server, driver, token, devices, revoke } = await aPhone(t)
  const { task } = (await server.post('/tasks', aTask({ userId: driver.id }))).body
  const [{ id }] = await devices()
  const { key } = (await server.post('/keys', { name: 'Short-lived' })).body
  const path = `/driver/files/${randomUUID()}`
  const picture = { type: 'image/jpeg', body: photo }
  const note = { type: 'application/json', body: Buffer.from(JSON.stringify({ note: 'x'.repeat(500) })) }
  let known = 0
  const revoked = Promise.withResolvers<unknown>()
  const end = () => {
    known += 1
    if (known === 3) revoked.resolve(Promise.all([revoke(id), server.delete(`/keys/${key.id}`)]))
    return revoked.promise
  }
  const answers = await Promise.all([
    sendSlowly(server.url, { method: 'PUT', path, key: token, ...picture }, end),
    sendSlowly(server.url, { method: 'POST', path: `/driver/tasks/${task.id}/notes`, key: token, ...note }, end),
    sendSlowly(server.url, { method: 'POST', path: '/files', key: key.secret, ...picture }, end),
  ])
  assert.deepEqual(answers, [401, 401, 401])
  assert.deepEqual((await server.get(`/tasks/${task.id}`)).body.task.notes, [])
})

test('a long batch ends where its phone is signed out, and what was applied until then stays', async (t) => {
  const { server, driver, sync, devices, revoke } = await aPhone(t)
  const { task } = (await server.post('/tasks', aTask({ userId: driver.id }))).body
  const occurredAt = new Date().toISOString()
  const note = () => ({ opId: randomUUID(), type: 'note', taskId: task.id, note: 'Hello', occurredAt })
  const [{ id }] = await devices()
  const batch = sync({ ops: Array.from({ length: 500 }, note) })
  const kept = async () => (await server.get(`/tasks/${task.id}`)).body.task.notes.length
  await until('the first ops', async () => (await kept()) > 0)
  await revoke(id)
  assert.equal((await batch).status, 401)
  assert.ok((await kept()) < 500)
})

test('a phone has one push subscription, which goes with the phone', async (t) => {
  const { server, driver, token, another } = await aPhone(t)
  const other = await another()
  const save = async (body: object, key = token) => {
    const reply = await request(server.url, 'PUT', '/api/v1/driver/push', { key, body })
    return reply.body.error?.field ?? reply.body.error?.code ?? reply.status
  }
  const kept = async () =>
    (
      await server.database.everyone.many<{ endpoint: string }>(sql`
        select p.endpoint from push_subscriptions p
        join driver_tokens d on d.organisation_id = p.organisation_id and d.id = p.device_id
        where d.user_id = ${driver.id}
        order by p.device_id`)
    ).map(({ endpoint }) => endpoint)

  const [first, second] = [aSubscription(), aSubscription()]
  assert.equal(await save(first), 200)
  assert.equal(await save(second), 200)
  assert.deepEqual(await kept(), [second.endpoint])
  // The same browser after signing in again.
  assert.equal(await save(second, other), 200)
  assert.deepEqual(await kept(), [second.endpoint])
  assert.equal(await save(first), 200)
  await request(server.url, 'DELETE', '/api/v1/driver/push', { key: token })
  assert.deepEqual(await kept(), [second.endpoint])
  await request(server.url, 'DELETE', '/api/v1/driver/session', { key: other })
  assert.deepEqual(await kept(), [])
})

test('a push subscription that could not be used, or leads into our own network, is refused', async (t) => {
  const { server, token } = await aPhone(t)
  const good = aSubscription()
  const { p256dh, auth } = good.keys
  for (const [given, field, code] of [
    [{ endpoint: 'http://push.example.org/x' }, 'endpoint', 'VALIDATION_FAILED'],
    [{ endpoint: 'push.example.org' }, 'endpoint', 'VALIDATION_FAILED'],
    [{ endpoint: 'https://user:pass@push.example.org' }, 'endpoint', 'VALIDATION_FAILED'],
    [{ endpoint: 'https://10.0.0.1/x' }, 'endpoint', 'PUSH_ENDPOINT_FORBIDDEN'],
    [{ endpoint: 'https://[fd00::1]/x' }, 'endpoint', 'PUSH_ENDPOINT_FORBIDDEN'],
    [{ keys: undefined }, 'keys', 'VALIDATION_FAILED'],
    [{ keys: { p256dh: p256dh.slice(0, 80), auth } }, 'keys.p256dh', 'VALIDATION_FAILED'],
    [{ keys: { p256dh: 'A'.repeat(87), auth } }, 'keys.p256dh', 'VALIDATION_FAILED'],
    [{ keys: { p256dh, auth: `${auth}AAAA` } }, 'keys.auth', 'VALIDATION_FAILED'],
  ] as const) {
    const body = { ...good, ...given }
    const { status, body: told } = await request(server.url, 'PUT', '/api/v1/driver/push', { key: token, body })
    assert.deepEqual([status, told.error.code, told.error.field], [400, code, field], JSON.stringify(given))
  }
})
