import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Operation, operations } from '../../contract/operations.ts'
import { aTask, beginDuty, makeDriver, makeTeam, signIn } from '../test/factories.ts'
import { addPerson, anEmail } from '../test/people.ts'
import { answer, startReceiver } from '../test/receiver.ts'
import { startSecond } from '../test/second.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'

interface Heard {
  name: string
  id?: string
  // biome-ignore lint/suspicious/noExplicitAny: as the stream brings it
  data: any
}

type Position = { driverId: number; lat: number }

type Organisation = Pick<TestServer, 'url' | 'key' | 'put'>

/** Collects everything that a stream of this organisation, at any process, sends from now on. */
async function hear(
  t: TestContext,
  organisation: Organisation,
  headers: Record<string, string> = { authorization: organisation.key },
  url = organisation.url,
) {
  const controller = new AbortController()
  t.after(() => controller.abort())
  const response = await fetch(`${url}/api/v1/events/stream`, { headers, signal: controller.signal })
  assert.equal(response.status, 200)
  const heard: Heard[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const parts = (text + Buffer.from(chunk)).split('\n\n')
      text = parts.pop() as string
      for (const part of parts) {
        const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
        const { event, id, data } = fields
        if (event && data) heard.push({ name: event, ...(id && { id }), data: JSON.parse(data) })
      }
    }
  })()
  reading.catch(() => {})

  const named = (name: string) => heard.filter((one) => one.name === name)
  const stream = {
    named,
    until: (isDone: () => boolean, says: string) => until(() => `${says}; heard ${JSON.stringify(heard)}`, isDone, 5),
    changed: () => named('changed').map(({ data }) => data.what),
    forget: () => {
      heard.length = 0
    },
  }
  // Everything that was announced before this arrives before it.
  await organisation.put('/company', {})
  await stream.until(() => stream.changed().includes('company'), 'the stream to begin')
  stream.forget()
  return stream
}

/** A driver with a device that reports its position. */
async function aDevice(t: TestContext) {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  await beginDuty(server.url, key)
  const report = (lat: number) =>
    request(server.url, 'POST', '/api/v1/driver/locations', { key, body: { locations: [{ lat, lng: 26.1 }] } })
  return { server, driver, key, report }
}

test('viewers see drivers move, at any process', async (t) => {
  const { server, driver, report } = await aDevice(t)
  const second = await startSecond(t, server)
  const streams = [await hear(t, server), await hear(t, server, { authorization: server.key }, second.url)]
  await report(44.1)
  for (const stream of streams) {
    await stream.until(() => stream.named('position').length > 0, 'a position')
    const [{ id, data }] = stream.named('position') as [Heard]
    assert.equal(id, undefined)
    const [{ occurredAt, ...position }] = data.positions
    assert.deepEqual(position, { driverId: driver.id, lat: 44.1, lng: 26.1, heading: null })
    assert.ok(Math.abs(Date.parse(occurredAt) - Date.now()) < 60_000)
  }
})

test('however often drivers report, a stream sends positions once a second, and the last one of each driver', async (t) => {
  const { server, driver, report } = await aDevice(t)
  const other = await makeDriver(server)
  const otherKey = await signIn(server, other)
  await beginDuty(server.url, otherKey)
  const stream = await hear(t, server)
  const begun = performance.now()
  let lat = 0
  for (let reports = 0; reports < 30; reports += 1) {
    lat += 0.01
    await report(lat)
  }
  const body = { locations: [{ lat: -1, lng: 0 }] }
  await request(server.url, 'POST', '/api/v1/driver/locations', { key: otherKey, body })

  const places = () =>
    new Map(
      stream.named('position').flatMap(({ data }) => data.positions.map((one: Position) => [one.driverId, one.lat])),
    )
  await stream.until(() => places().get(driver.id) === lat && places().get(other.id) === -1, 'the last')
  const messages = stream.named('position')
  const seconds = (performance.now() - begun) / 1_000
  assert.ok(messages.length <= 2 + seconds, `${messages.length} messages in ${seconds} s`)
})

test('viewers of tasks see arrivals move without an event', async (t) => {
  const { server, driver, report } = await aDevice(t)
  const scopes = ['events:read', 'drivers:read', 'company:read']
  const { secret } = (await server.post('/keys', { name: 'Narrow', scopes })).body.key
  const [stream, narrow] = [await hear(t, server), await hear(t, server, { authorization: secret })]
  await report(44.4)
  const { task } = (await server.post('/tasks', aTask({ userId: driver.id }))).body
  await server.makeRound('arrivals')
  await stream.until(() => stream.named('arrival').length > 0, 'an arrival')
  const [{ id, data }] = stream.named('arrival') as [Heard]
  assert.equal(id, undefined)
  const { etaAt } = (await server.get(`/tasks/${task.id}`)).body.task
  assert.deepEqual(data.arrivals, [{ taskId: task.id, etaAt }])
  await server.put('/company', { name: 'Renamed' })
  await narrow.until(() => narrow.changed().includes('company'), 'the company')
  assert.deepEqual([narrow.named('arrival'), stream.named('TASK_UPDATED')], [[], []])
})

test('late positions of a device are not sent', async (t) => {
  const { server, key, report } = await aDevice(t)
  await report(44)
  const stream = await hear(t, server)
  const occurredAt = new Date(Date.now() - 60_000).toISOString()
  const body = { locations: [{ lat: 1, lng: 1, occurredAt }] }
  await request(server.url, 'POST', '/api/v1/driver/locations', { key, body })
  await report(45)
  await stream.until(() => stream.named('position').length > 0, 'the position')
  assert.deepEqual(
    stream.named('position').flatMap(({ data }) => data.positions.map((one: Position) => one.lat)),
    [45],
  )
})

test('changes other than to tasks are announced within a second, also by another process', async (t) => {
  const { server, driver, key } = await aDevice(t)
  const receiver = await startReceiver(t)
  const second = await startSecond(t, server)
  const stream = await hear(t, server, { authorization: server.key }, second.url)
  const made: Record<string, number> = {}
  const steps: [what: string, change: () => Promise<unknown>][] = [
    ['drivers', () => server.put(`/drivers/${driver.id}`, { name: 'Renamed' })],
    ['drivers', () => request(server.url, 'PUT', '/api/v1/driver/duty', { key, body: { inShift: true } })],
    [
      'conflicts',
      async () => {
        made['task'] = (await server.post('/tasks', aTask({ awb: 'LOST', userId: driver.id }))).body.task.id
        await server.post('/tasks/bulkUnassign', { tasks: ['LOST'] })
        const headers = { 'idempotency-key': 'complete' }
        await request(server.url, 'POST', `/api/v1/driver/tasks/${made['task']}/complete`, { key, body: {}, headers })
      },
    ],
    [
      'conflicts',
      async () => {
        const [{ id }] = (await server.get('/conflicts')).body.conflicts
        await server.post(`/conflicts/${id}/settle`, { apply: false })
      },
    ],
    ['drivers', () => server.delete(`/drivers/${driver.id}`)],
    ['teams', async () => (made['team'] = (await makeTeam(server)).id)],
    ['teams', () => server.put(`/teams/${made['team']}`, { name: 'Renamed' })],
    ['hubs', async () => (made['hub'] = (await server.post('/hubs', { name: 'Hub', lat: 1, lng: 1 })).body.hub.id)],
    ['hubs', () => server.delete(`/hubs/${made['hub']}`)],
    ['forms', async () => (made['form'] = (await server.post('/forms', { fields: [] })).body.form.id)],
    ['forms', () => server.put(`/forms/${made['form']}`, { name: 'Renamed' })],
    ['forms', () => server.delete(`/forms/${made['form']}`)],
    ['webhooks', () => server.post('/webHooks', { url: receiver.url, trigger: 4 })],
    ['keys', () => server.post('/keys', { name: 'Shop' })],
    ['company', () => server.put('/company', { name: 'Renamed' })],
    ['people', () => server.post('/people', { name: 'Ana', email: anEmail(), role: 'dispatcher' })],
  ]
  for (const [what, change] of steps) {
    stream.forget()
    await change()
    await stream.until(() => stream.changed().includes(what), what)
  }
})

test('disabling a webhook because its receiver is gone is announced', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  await server.post('/webHooks', { url: receiver.url, trigger: 4 })
  receiver.always(answer(410))
  const stream = await hear(t, server)
  await server.post('/tasks', aTask())
  await stream.until(() => stream.changed().includes('webhooks'), 'the webhook')
  assert.equal((await server.get('/webHooks')).body.webHooks[0].isEnabled, false)
})

test('a stream has nothing its reader may not read, and nothing of other organisations', async (t) => {
  const { server, report } = await aDevice(t)
  const other = await server.another()
  const dispatcher = await addPerson(server, 'dispatcher')
  const scopes = ['events:read', 'company:read']
  const { secret } = (await server.post('/keys', { name: 'Narrow', scopes })).body.key
  const [signedIn, narrow, stranger] = [
    await hear(t, server, { cookie: dispatcher.cookie }),
    await hear(t, server, { authorization: secret }),
    await hear(t, { ...other, url: server.url }),
  ]
  // The marker of the second stream reaches the first as well.
  await signedIn.until(() => signedIn.changed().includes('company'), 'the second stream to begin')
  signedIn.forget()
  await server.post('/keys', { name: 'Another' })
  await server.post('/people', { name: 'Ana', email: anEmail(), role: 'dispatcher' })
  await report(44)
  // A stream keeps the order, so anything it should not have sent would come before or with this.
  await server.put('/company', { name: 'Renamed' })
  await other.put('/company', {})
  for (const stream of [signedIn, narrow, stranger]) {
    await stream.until(() => stream.changed().includes('company'), 'the company')
    assert.deepEqual([...new Set(stream.changed())], ['company'])
  }
  await signedIn.until(() => signedIn.named('position').length > 0, 'the position')
  assert.deepEqual([narrow.named('position'), stranger.named('position')], [[], []])
})

test('a refused change and a repeated request are not announced', async (t) => {
  const server = await startServer(t)
  const headers = { 'idempotency-key': 'once' }
  const create = () =>
    request(server.url, 'POST', '/api/v1/hubs', { key: server.key, body: { name: 'Hub', lat: 1, lng: 1 }, headers })
  await create()
  const stream = await hear(t, server)
  assert.equal((await create()).headers.get('idempotent-replayed'), 'true')
  await server.post('/hubs', { name: '' })
  await server.put('/company', {})
  await stream.until(() => stream.changed().includes('company'), 'the company')
  assert.deepEqual(stream.changed(), ['company'])
})

test('every operation that changes something other than tasks says what it changes', () => {
  const nothingToSee = ['inviteDriver', 'createFile', 'makePersonLink']
  const silent = Object.entries<Operation>(operations).flatMap(([name, { method, scope, changes }]) =>
    method !== 'GET' && scope?.endsWith(':write') && scope !== 'tasks:write' && !changes ? [name] : [],
  )
  assert.deepEqual(silent, nothingToSee)
})
