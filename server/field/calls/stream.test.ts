import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { aTask, makeDriver, signIn } from '../../test/factories.ts'
import { startSecond } from '../../test/second.ts'
import { request, startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

/** A phone that listens: how often it was called, and whether the server has ended the stream. */
async function listen(t: TestContext, url: string, token: string) {
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const response = await fetch(`${url}/api/v1/driver/stream`, {
    headers: { authorization: token },
    signal: leaving.signal,
  })
  assert.equal(response.status, 200)
  const heard = { text: '', isOver: false }
  const calls = () => heard.text.match(/^event: sync$/gm)?.length ?? 0
  const reading = (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) heard.text += Buffer.from(chunk)
    heard.isOver = true
  })()
  reading.catch(() => {})
  // It is called at once, and from then on nothing is missed.
  await until('the first call', () => calls() === 1)
  return {
    calls,
    isOver: () => heard.isOver,
    called: (times: number) =>
      until(
        () => `call ${times}; heard ${heard.text}`,
        () => calls() >= times,
      ),
    /** It ends because the server was told, not because a heartbeat found out. */
    async ended() {
      await until('the end of the stream', () => heard.isOver)
      assert.doesNotMatch(heard.text, /still here/)
    },
  }
}

async function aFleet(t: TestContext) {
  const server = await startServer(t)
  const [driver, colleague] = [await makeDriver(server), await makeDriver(server)]
  const newTask = async (given: object = {}) =>
    (await server.post('/tasks', aTask({ userId: driver.id, ...given }))).body.task as { id: number; awb: string }
  const sync = (key: string, ops: object[] = []) =>
    request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime: new Date().toISOString(), ops } })
  return { server, driver, colleague, newTask, sync, phone: () => signIn(server, driver) }
}

test('a phone is called when a task of its driver changes, at any process; phones of others are not', async (t) => {
  const { server, driver, colleague, newTask, phone } = await aFleet(t)
  const second = await startSecond(t, server)
  const own = [await listen(t, server.url, await phone()), await listen(t, second.url, await phone())]
  const others = await listen(t, server.url, await signIn(server, colleague))
  const changes = [
    () => newTask({ awb: 'A-1' }),
    () => server.put(`/drivers/${driver.id}`, { name: 'Renamed' }),
    () => server.post('/tasks/bulkUnassign', { tasks: ['A-1'] }),
  ]
  for (const [index, change] of changes.entries()) {
    await change()
    for (const stream of own) await stream.called(index + 2)
  }
  assert.equal(others.calls(), 1)

  await server.put('/company', { settings: { makeSignaturesMandatory: true } })
  for (const stream of own) await stream.called(changes.length + 2)
  await others.called(2)
  await server.post('/forms', { fields: [] })
  await others.called(3)
})

test('what a phone syncs does not call it back, but calls the other phone of the driver', async (t) => {
  const { server, newTask, sync, phone } = await aFleet(t)
  const task = await newTask()
  const [token, otherToken] = [await phone(), await phone()]
  const [own, other] = [await listen(t, server.url, token), await listen(t, server.url, otherToken)]
  const op = (type: string) => ({ opId: randomUUID(), type, taskId: task.id, occurredAt: new Date().toISOString() })
  for (const [index, type] of ['accept', 'start', 'complete'].entries()) {
    await sync(token, [op(type)])
    await other.called(index + 2)
  }
  assert.equal(own.calls(), 1)
  await sync(otherToken, [{ ...op('duty'), inShift: true }])
  await own.called(2)
})

test('a phone is called when a task that one of its own waits for changes', async (t) => {
  const { server, colleague, newTask, phone } = await aFleet(t)
  const first = await newTask({ userId: colleague.id })
  await newTask({ dependencies: [first.awb] })
  const stream = await listen(t, server.url, await phone())
  await server.put(`/tasks/awb/${first.awb}/forceComplete`, { success: true })
  await stream.called(2)
})

test('a stream ends with its device, at any process, and the others go on', async (t) => {
  const { server, driver, newTask, phone } = await aFleet(t)
  const second = await startSecond(t, server)
  const tokens = [await phone(), await phone(), await phone()] as const
  const [lost, left, kept] = [
    await listen(t, second.url, tokens[0]),
    await listen(t, second.url, tokens[1]),
    await listen(t, second.url, tokens[2]),
  ]
  const [{ id }] = (await server.get(`/drivers/${driver.id}/devices`)).body.devices
  await server.delete(`/drivers/${driver.id}/devices/${id}`)
  await lost.ended()
  await request(server.url, 'DELETE', '/api/v1/driver/session', { key: tokens[1] })
  await left.ended()
  await newTask({ awb: 'A-2' })
  await kept.called(2)
  await server.delete(`/drivers/${driver.id}`)
  await kept.ended()
})

test('a phone that comes back again and again keeps its newest streams', async (t) => {
  const { server, newTask, phone } = await aFleet(t)
  const token = await phone()
  const streams = []
  for (let times = 0; times < 4; times += 1) streams.push(await listen(t, server.url, token))
  const [oldest, ...newest] = streams as [(typeof streams)[0], ...typeof streams]
  await oldest.ended()
  await newTask()
  for (const stream of newest) await stream.called(2)
})

test('a phone is called when the office has decided about its work, although the task is somebody else’s', async (t) => {
  const { server, colleague, newTask, sync, phone } = await aFleet(t)
  const { id: taskId, awb } = await newTask()
  const key = await phone()
  await server.put(`/containers/drivers/${colleague.id}`, { tasks: [awb] })
  const op = { opId: randomUUID(), type: 'complete', taskId, occurredAt: new Date().toISOString() }
  const { conflict } = (await sync(key, [op])).body.results[0]
  const listening = await listen(t, server.url, key)
  await server.post(`/conflicts/${conflict.id}/settle`, { apply: false })
  await listening.called(2)
})

test('a phone is called when the office counts the cash of its driver, and then has the new sums; others are not', async (t) => {
  const { server, driver, colleague, newTask, sync, phone } = await aFleet(t)
  const key = await phone()
  const { id: taskId } = await newTask({ totalPrice: 80, collectPayment: true })
  const at = () => ({ opId: randomUUID(), taskId, occurredAt: new Date().toISOString() })
  await sync(key, [
    { ...at(), type: 'start' },
    { ...at(), type: 'payment', amount: 80, method: 'cash' },
  ])
  const second = await startSecond(t, server)
  const listening = await listen(t, second.url, key)
  const others = await listen(t, second.url, await signIn(server, colleague))
  const cash = async () => (await sync(key)).body.changes.cash
  const { day } = await cash()
  await server.post('/cash/handIns', { userId: driver.id, amount: 30 })
  await listening.called(2)
  assert.deepEqual([(await cash()).toHandIn, (await cash()).closedAt], [50, null])
  await server.post('/cash/closeOuts', { userId: driver.id, day, counted: 45, note: 'Five short' })
  await listening.called(3)
  const { toHandIn, closedAt, difference } = await cash()
  assert.deepEqual([toHandIn, difference, closedAt === null], [0, -5, false])
  await server.post('/cash/corrections', { userId: driver.id, day, amount: 5, note: 'Found' })
  await listening.called(4)
  assert.equal((await cash()).difference, 0)
  assert.equal(others.calls(), 1)
})
