import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, signIn } from '../../test/factories.ts'
import { readSender, startPushService } from '../../test/push-service.ts'
import { answer, gone, hang, unavailable } from '../../test/receiver.ts'
import { startSecond } from '../../test/second.ts'
import { request, startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

type Service = Awaited<ReturnType<typeof startPushService>>

/** A driver whose phones subscribe to a push service, and what the office does meanwhile. */
async function aFleet(t: TestContext, environment: Record<string, string> = {}) {
  const server = await startServer(t, environment)
  const service = await startPushService(t)
  const driver = await makeDriver(server)
  const db = server.database.everyone
  const { organisationId } = server
  const call = (method: string, path: string, key: string, body?: object) =>
    request(server.url, method, `/api/v1/driver${path}`, { key, ...(body && { body }) })

  async function phone(one: { id: number; phone: string } = driver) {
    const token = await signIn(server, one)
    const { subscription, received, read } = service.subscribe()
    assert.equal((await call('PUT', '/push', token, subscription)).status, 200)
    return {
      token,
      endpoint: subscription.endpoint,
      received,
      read,
      sync: (ops: object[] = []) => call('POST', '/sync', token, { deviceTime: new Date().toISOString(), ops }),
    }
  }
  return {
    server,
    service,
    driver,
    phone,
    newTask: async (given: object = {}) =>
      (await server.post('/tasks', aTask({ userId: driver.id, ...given }))).body.task as { id: number; awb: string },
    waiting: () =>
      db.many<{ endpoint: string; attempts: number; wait_seconds: number | null; pause_seconds: number | null }>(sql`
        select endpoint, attempts, extract(epoch from due_at - now())::float as wait_seconds,
          extract(epoch from due_at - called_at)::float as pause_seconds
        from push_subscriptions where organisation_id = ${organisationId}
        order by device_id`),
    /** As if every wait were over, and until nothing is left to do. */
    async passTime() {
      await server.makeRound('push')
      await db.run(sql`
        update push_subscriptions set due_at = now() where organisation_id = ${organisationId} and due_at is not null`)
      await server.makeRound('push')
    },
  }
}

const arrived = (service: Service, count: number) => service.waitFor(count)

test('a phone that does not fetch new work is called, and nobody but the phone can read even that', async (t) => {
  const { server, service, newTask, phone, passTime, waiting } = await aFleet(t)
  const sleeping = await phone()
  await newTask({ customer: { name: 'Ana Pop', phone: '0712345678' } })
  await server.makeRound('push')
  assert.equal(service.requests.length, 0, 'it gets some seconds to sync by itself')
  await passTime()

  const [message] = await arrived(service, 1)
  assert.ok(message)
  assert.equal(sleeping.read(message), '{"type":"sync"}')
  assert.doesNotMatch(message.rawBody, /sync/)
  const { ttl, urgency, topic, 'content-encoding': encoding } = message.headers
  assert.deepEqual([ttl, urgency, topic, encoding], ['43200', 'high', 'sync', 'aes128gcm'])

  const { publicKey, aud, sub, exp } = readSender(message)
  const own = await request(server.url, 'GET', '/api/v1/driver/push', { key: sleeping.token })
  assert.deepEqual(own.body, { success: true, publicKey })
  assert.deepEqual([aud, sub], [service.origin, 'mailto:nobody@waybill.invalid'])
  assert.ok(exp * 1_000 > Date.now() && exp * 1_000 < Date.now() + 24 * 3_600_000)

  await until('the end of the call', async () => (await waiting())[0]?.wait_seconds === null)
  await newTask()
  await newTask()
  await server.makeRound('push')
  const [next] = await waiting()
  assert.equal(Math.round(next?.pause_seconds ?? 0), 30, 'it is called again for both, not sooner than after a pause')
})

test('a phone that has synced is not called, nor for what its driver did, nor for what Waybill found out', async (t) => {
  const { server, service, newTask, phone, passTime } = await aFleet(t)
  const [awake, other] = [await phone(), await phone()]
  const task = await newTask({ completeBefore: new Date(Date.now() - 60_000).toISOString() })
  await awake.sync()
  await other.sync()
  await server.makeRound('late tasks')
  const op = { opId: randomUUID(), type: 'start', taskId: task.id, occurredAt: new Date().toISOString() }
  await awake.sync([op])
  await server.put('/company', { settings: { makeSignaturesMandatory: true } })
  await passTime()
  assert.equal(service.requests.length, 0)

  // A note of the office is news for both; only one of them fetches it.
  await server.post(`/tasks/awb/${task.awb}/notes`, { note: 'Ring twice' })
  await server.makeRound('push')
  await awake.sync()
  await passTime()
  await arrived(service, 1)
  assert.deepEqual([awake.received().length, other.received().length], [0, 1])
})

test('a driver is called for a task that was taken away, and for one that no longer waits for another', async (t) => {
  const { server, service, newTask, phone, passTime } = await aFleet(t)
  const colleague = await makeDriver(server)
  const first = await newTask({ userId: colleague.id })
  const [own, colleagues] = [await phone(), await phone(colleague)]
  await newTask({ dependencies: [first.awb] })
  await own.sync()
  await colleagues.sync()
  await server.put(`/tasks/awb/${first.awb}/forceComplete`, { success: true })
  await passTime()
  await arrived(service, 2)
  assert.deepEqual([own.received().length, colleagues.received().length], [1, 1])

  const lost = await newTask()
  await own.sync()
  await server.post('/tasks/bulkUnassign', { tasks: [lost.awb] })
  await passTime()
  await arrived(service, 3)
  assert.equal(own.received().length, 2)
})

test('a subscription that has ended is forgotten; other failures are tried again, up to a limit', async (t) => {
  const { server, service, newTask, phone, passTime, waiting } = await aFleet(t)
  const [ended, unknown, ill] = [await phone(), await phone(), await phone()]
  service.always((asked, response) => {
    if (ill.endpoint.endsWith(asked.url)) answer(500)(asked, response)
    else if (ended.endpoint.endsWith(asked.url)) gone(asked, response)
    else answer(404)(asked, response)
  })
  await newTask()
  await passTime()
  await until('two subscriptions less', async () => (await waiting()).length === 1)
  assert.deepEqual([ended.received().length, unknown.received().length], [1, 1])
  await until('the failure', async () => (await waiting())[0]?.attempts === 1)

  service.always((_, response) => response.socket?.destroy())
  await passTime()
  await until('the second failure', async () => (await waiting())[0]?.attempts === 2)
  service.always(unavailable('600'))
  await passTime()
  await until('the third failure', async () => (await waiting())[0]?.attempts === 3)
  assert.ok(((await waiting())[0]?.wait_seconds ?? 0) > 500, 'it waits as long as it was asked to')

  service.always(answer(500))
  for (let attempts = 4; attempts <= 11; attempts += 1) await passTime()
  await until('the end of the attempts', async () => (await waiting())[0]?.wait_seconds === null)
  const tried = ill.received().length
  service.always(answer(201))
  await newTask()
  await passTime()
  await until('the next call', () => ill.received().length === tried + 1)
  await server.makeRound('push')
  assert.deepEqual(await waiting(), [{ endpoint: ill.endpoint, attempts: 0, wait_seconds: null, pause_seconds: null }])
})

test('a push service that does not answer keeps nobody else waiting', async (t) => {
  const { server, service, newTask, phone } = await aFleet(t)
  const [slow, quick] = [await phone(), await phone()]
  service.always((asked, response) => (slow.endpoint.endsWith(asked.url) ? hang : answer(201))(asked, response))
  await newTask()
  await server.makeRound('push')
  await server.database.everyone.run(sql`
    update push_subscriptions set due_at = now() where organisation_id = ${server.organisationId}`)
  await until('both calls', () => slow.received().length === 1 && quick.received().length === 1)
})

test('what happens during a call is another reason to call', async (t) => {
  const { server, service, newTask, phone, passTime, waiting } = await aFleet(t)
  const sleeping = await phone()
  const answering = Promise.withResolvers<void>()
  service.queue((asked, response) => void answering.promise.then(() => answer(201)(asked, response)))
  await newTask()
  const called = passTime()
  await until('the call', () => sleeping.received().length === 1)
  await newTask()
  const second = await startSecond(t, server)
  await until('the news', async () => {
    const [row] = await server.database.everyone.many<{ behind: boolean }>(sql`
      select g.event_id < c.last_event_id as behind from push_progress g
      join event_counters c on c.organisation_id = g.organisation_id
      where g.organisation_id = ${server.organisationId}`)
    return row?.behind === false
  })
  answering.resolve()
  await called
  await until('the next call', async () => Math.round((await waiting())[0]?.pause_seconds ?? 0) === 30)

  const own = { key: sleeping.token }
  const keys = await Promise.all([server, second].map(({ url }) => request(url, 'GET', '/api/v1/driver/push', own)))
  assert.equal(keys[0]?.body.publicKey, keys[1]?.body.publicKey, 'all processes are one sender')
})

test('a server that is open to others calls nothing on its own machine', async (t) => {
  const { service, newTask, phone, passTime, waiting, server } = await aFleet(t, { WAYBILL_WEBHOOK_ALLOW: 'none' })
  // A name may lead anywhere, so it is checked when it is called.
  const { token, endpoint } = await phone()
  await newTask()
  await passTime()
  await until('the failure', async () => (await waiting())[0]?.attempts === 1)
  assert.equal(service.connections, 0)

  const { subscription } = service.subscribe()
  for (const host of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '[::1]']) {
    const body = { ...subscription, endpoint: endpoint.replace('localhost', host) }
    const refused = await request(server.url, 'PUT', '/api/v1/driver/push', { key: token, body })
    assert.equal(refused.body.error?.code, 'PUSH_ENDPOINT_FORBIDDEN', host)
  }
})

test('a phone is called for what the office decided about its work, although the task is somebody else’s', async (t) => {
  const { server, service, newTask, phone, passTime } = await aFleet(t)
  const { id: taskId, awb } = await newTask()
  const own = await phone()
  await server.post('/tasks/bulkUnassign', { tasks: [awb] })
  const op = { opId: randomUUID(), type: 'complete', taskId, occurredAt: new Date().toISOString() }
  const { conflict } = (await own.sync([op])).body.results[0]
  await passTime()
  assert.equal(service.requests.length, 0)
  await server.post(`/conflicts/${conflict.id}/settle`, { apply: false })
  await passTime()
  await arrived(service, 1)
})
