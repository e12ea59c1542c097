import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { aTask, beginDuty, letDaysPass, makeDriver, signIn, zoneOfNoon } from '../test/factories.ts'
import { startSecond } from '../test/second.ts'
import { request, startServer } from '../test/server.ts'

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** A driver with tasks whose time came five minutes ago, in an organisation where tasks start by themselves. */
async function aRoute(t: TestContext, given: Record<string, object>, settings: object = {}) {
  const server = await startServer(t)
  await server.put('/company', { timezone: zoneOfNoon(), settings: { automaticStart: true, ...settings } })
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  const ids: Record<string, number> = {}
  for (const [index, [awb, fields]] of Object.entries(given).entries()) {
    const address = { address: `Strada ${awb} 1`, lat: 44.43 + index / 100, lng: 26.1 }
    const task = aTask({ awb, userId: driver.id, completeAfter: inMinutes(-5), address, ...fields })
    ids[awb] = (await server.post('/tasks', task)).body.task.id
  }
  return {
    server,
    driver,
    ids,
    key,
    beginDuty: () => beginDuty(server.url, key),
    verb: (awb: string, name: string) =>
      request(server.url, 'POST', `/api/v1/driver/tasks/${ids[awb]}/${name}`, { key, body: {} }),
    async statesAfterRound() {
      await server.makeRound('automatic start')
      const tasks = (await server.get('/tasks')).body.tasks as { awb: string; statusId: number }[]
      return Object.fromEntries(tasks.map(({ awb, statusId }) => [awb, statusId]))
    },
  }
}

test('the first task starts by itself once the driver is on duty, one at a time, and once', async (t) => {
  const { server, driver, ids, statesAfterRound, ...phone } = await aRoute(t, { A: {}, B: {} })
  assert.deepEqual(await statesAfterRound(), { A: 6, B: 6 }, 'off duty')
  await phone.beginDuty()
  const second = await startSecond(t, server)
  await Promise.all([second.makeRound('automatic start'), server.makeRound('automatic start')])
  assert.deepEqual(await statesAfterRound(), { A: 7, B: 6 })
  const starts = (await server.get('/events?limit=1000')).body.events.filter(
    ({ triggerId }: { triggerId: number }) => triggerId === 1,
  )
  assert.deepEqual(
    starts.map(({ awb, actionContext }: { awb: string; actionContext: object }) => [awb, actionContext]),
    [['A', { type: 'SYSTEM', id: null }]],
  )

  await server.put('/tasks/awb/B', { completeAfter: inMinutes(60) })
  await server.post('/tasks/bulkUnassign', { tasks: ['A'] })
  const { results } = (await server.put(`/containers/drivers/${driver.id}`, { tasks: ['A'] })).body
  assert.deepEqual(
    results.map(({ success }: { success: boolean }) => success),
    [true],
  )
  assert.equal((await server.put(`/drivers/${driver.id}/tasks/order`, { tasks: [ids['A']] })).status, 200)
  assert.deepEqual(await statesAfterRound(), { A: 6, B: 6 }, 'somebody took it back')
})

test('all parcels of the first stop start, as the driver goes there once', async (t) => {
  const here = { address: { address: 'Strada Lipscani 12', lat: 44.44, lng: 26.1 } }
  const { statesAfterRound, ...phone } = await aRoute(t, { A: here, B: { ...here, completeAfter: null }, C: {} })
  await phone.beginDuty()
  assert.deepEqual(await statesAfterRound(), { A: 7, B: 7, C: 6 })
})

test('a task that is not accepted, waits for another or is not today’s does not start by itself', async (t) => {
  const waiting = await aRoute(t, { NEEDED: { completeAfter: inMinutes(60) }, WAITS: { dependencies: ['NEEDED'] } })
  await waiting.beginDuty()
  assert.deepEqual(await waiting.statesAfterRound(), { NEEDED: 6, WAITS: 6 })

  const unaccepted = await aRoute(t, { A: {} }, { driverAutoAcceptOrders: false })
  await unaccepted.beginDuty()
  assert.deepEqual(await unaccepted.statesAfterRound(), { A: 6 })
  await unaccepted.verb('A', 'accept')
  assert.deepEqual(await unaccepted.statesAfterRound(), { A: 7 })

  const left = await aRoute(t, { YESTERDAY: { completeAfter: inMinutes(-24 * 60) }, TODAY: {} })
  await left.beginDuty()
  assert.deepEqual(await left.statesAfterRound(), { YESTERDAY: 6, TODAY: 6 })
  await left.verb('YESTERDAY', 'start')
  assert.deepEqual(await left.statesAfterRound(), { YESTERDAY: 7, TODAY: 6 })
  await left.verb('YESTERDAY', 'complete')
  assert.deepEqual(await left.statesAfterRound(), { YESTERDAY: 9, TODAY: 7 })

  const tomorrow = await aRoute(t, { TOMORROW: { completeAfter: inMinutes(24 * 60) }, TODAY: {} })
  await tomorrow.beginDuty()
  assert.deepEqual(await tomorrow.statesAfterRound(), { TOMORROW: 6, TODAY: 7 })
})

test('what a driver did without a network before the task started by itself says when it was started', async (t) => {
  const { server, ids, key, statesAfterRound, ...phone } = await aRoute(t, { A: {}, B: {} })
  await letDaysPass(server)
  await phone.beginDuty()
  assert.deepEqual(await statesAfterRound(), { A: 7, B: 6 })
  const at = inMinutes
  const sync = async (...ops: object[]) => {
    const body = { deviceTime: at(0), ops: ops.map((op) => ({ opId: randomUUID(), ...op })) }
    return (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body })).body.results
  }
  const look = async (awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task
  const [start, end] = [at(-60), at(-40)]
  const [begun] = await sync({ type: 'start', taskId: ids['A'], occurredAt: start })
  assert.deepEqual([begun.success, begun.unchanged], [true, undefined])
  const [again] = await sync({ type: 'start', taskId: ids['A'], occurredAt: at(-50) })
  assert.deepEqual([again.success, again.unchanged], [true, true])
  await sync({ type: 'complete', taskId: ids['A'], occurredAt: end })
  // Told after the end: before, it would say that the driver has arrived, sooner or later.
  const report = { locations: [{ lat: 44.43, lng: 26.1, occurredAt: at(-41) }] }
  await request(server.url, 'POST', '/api/v1/driver/locations', { key, body: report })
  const a = await look('A')
  assert.deepEqual([a.startedAt, a.completedAt], [start, end])
  assert.deepEqual(
    a.timelines.slice(2).map(({ event, occurredAt }: Record<string, unknown>) => [event, occurredAt === start]),
    [
      ['TASK_START', false],
      ['TASK_UPDATED', true],
      ['TASK_COMPLETE', false],
    ],
  )
  assert.equal((await server.post('/erasures', { awb: 'A' })).body.counts.positions, 1)

  assert.deepEqual(await statesAfterRound(), { A: 9, B: 7 })
  await sync({ type: 'fail', taskId: ids['B'], occurredAt: at(-20), reason: 'Closed' })
  const b = await look('B')
  assert.equal(b.startedAt, b.completedAt, 'without a start of the driver it is not after the end')
})
