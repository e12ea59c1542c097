import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { makeDriver, makeTeam, signIn } from '../../test/factories.ts'
import { type Reply, request, startServer, type TestServer } from '../../test/server.ts'

interface Planned {
  id: number
  awb: string
  route: { position: number; arrivalTime: string } | null
  eta: number
}

/** A driver whose hub is at kilometre 0 of a road to the east, and tasks at their kilometre, in this order. */
async function aRoute(t: TestContext, tasks: Record<string, number>, more: Record<string, object> = {}) {
  const server = await startServer(t)
  const { id: hubId } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body.hub
  const team = await makeTeam(server, { hubId })
  const driver = await makeDriver(server, { teams: [team.id] })
  const ids: Record<string, number> = {}
  for (const [awb, km] of Object.entries(tasks)) {
    const address = { address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 }
    const { task } = (await server.post('/tasks', { awb, userId: driver.id, address, ...more[awb] })).body
    ids[awb] = task.id
  }
  return { server, driver, ids }
}

type Route = Awaited<ReturnType<typeof aRoute>>

const order = ({ server, driver, ids }: Route, awbs: string[], more: object = {}): Promise<Reply> =>
  server.put(`/drivers/${driver.id}/tasks/order`, { tasks: awbs.map((awb) => ids[awb]), ...more })

const tasksOf = async ({ server, driver }: { server: TestServer; driver: { id: number } }): Promise<Planned[]> =>
  (await server.get(`/drivers/${driver.id}/tasks`)).body.tasks
const awbsOf = async (route: Route) => (await tasksOf(route)).map(({ awb }) => awb)

const startTask = async ({ server, driver, ids }: Route, awb: string) =>
  request(server.url, 'POST', `/api/v1/driver/tasks/${ids[awb]}/start`, { key: await signIn(server, driver), body: {} })

test('a dispatcher can put a route into any order, and the arrival times follow', async (t) => {
  const route = await aRoute(t, { A: 1, B: 2, C: 3 })

  const { body } = await order(route, ['C', 'A'])

  const tasks = await tasksOf(route)
  assert.deepEqual(
    tasks.map(({ awb, route }) => [awb, route?.position]),
    [
      ['C', 1],
      ['A', 2],
      ['B', 3],
    ],
  )
  const arrivals = tasks.map(({ route }) => Date.parse(route?.arrivalTime ?? ''))
  assert.ok(arrivals.every((time, index) => index === 0 || time > (arrivals[index - 1] as number)))
  assert.ok(tasks.every(({ eta }) => eta > 0))
  assert.deepEqual(
    body.route.stops.map(({ awb, positionBefore }: { awb: string; positionBefore: number }) => [awb, positionBefore]),
    [
      ['C', 3],
      ['A', 1],
      ['B', 2],
    ],
  )
  assert.ok(body.route.after.distanceMetres > body.route.before.distanceMetres)
})

test('tasks at one door that follow each other are one stop, before and after', async (t) => {
  const route = await aRoute(t, { A: 1, B: 1, C: 2, D: 1 })
  const stopsIn = async (...awbs: string[]) =>
    (await order(route, awbs, { dryRun: true })).body.route.stops.map(
      ({ awb, stop, stopBefore }: { awb: string; stop: number; stopBefore: number }) => `${awb} ${stop} ${stopBefore}`,
    )
  assert.deepEqual(await stopsIn('A', 'B', 'D', 'C'), ['A 1 1', 'B 1 1', 'D 1 3', 'C 2 2'])
  assert.deepEqual(await stopsIn('A', 'C', 'B', 'D'), ['A 1 1', 'C 2 2', 'B 3 1', 'D 3 3'])
})

test('only tasks whose plan changed fire events', async (t) => {
  const route = await aRoute(t, { A: 1, B: 2, C: 3 })
  await order(route, ['A', 'B', 'C'])
  const told = await Promise.all(['A', 'B', 'C'].map(route.server.triggers))
  await order(route, ['A', 'B', 'C'])
  assert.deepEqual(await Promise.all(['A', 'B', 'C'].map(route.server.triggers)), told)

  await order(route, ['A', 'C', 'B'])

  assert.deepEqual(await Promise.all(['A', 'B', 'C'].map(route.server.triggers)), [
    told[0],
    [...(told[1] as string[]), 'TASK_UPDATED'],
    [...(told[2] as string[]), 'TASK_UPDATED'],
  ])
})

test('an order can be previewed before it is saved', async (t) => {
  const route = await aRoute(t, { A: 1, B: 2 })
  const was = await tasksOf(route)
  const { body } = await order(route, ['B', 'A'], { dryRun: true })
  assert.deepEqual(
    body.route.stops.map(({ awb }: { awb: string }) => awb),
    ['B', 'A'],
  )
  assert.deepEqual(await tasksOf(route), was)
})

test('a task in transit stays first, wherever it is named', async (t) => {
  const route = await aRoute(t, { A: 1, B: 2, C: 3 })
  await startTask(route, 'B')
  await order(route, ['C', 'B', 'A'])
  assert.deepEqual(await awbsOf(route), ['B', 'C', 'A'])
})

test('a task cannot be put before one it depends on', async (t) => {
  const route = await aRoute(t, { A: 1, B: 2, C: 3 })
  await route.server.put('/tasks/awb/B', { dependencies: ['A'] })
  for (const awbs of [['B', 'A'], ['B'], ['C', 'B']]) {
    const { status, body } = await order(route, awbs)
    assert.deepEqual(
      [status, body.error.code, body.error.field],
      [409, 'ORDER_BREAKS_DEPENDENCY', 'tasks'],
      awbs.join(),
    )
    assert.equal(body.error.message, 'B depends on A and must come after it')
  }
  assert.equal((await order(route, ['C', 'A', 'B'])).status, 200)
  assert.deepEqual(await awbsOf(route), ['C', 'A', 'B'])
})

test('only open tasks of this driver can be named, each once', async (t) => {
  const route = await aRoute(t, { A: 1, B: 2, DONE: 3 })
  const { server, ids } = route
  await server.put('/tasks/awb/DONE/forceComplete', {})
  const { task: waiting } = (await server.post('/tasks', { address: { address: 'Km 4', lat: 44.43, lng: 26.2 } })).body
  ids['WAITING'] = waiting.id
  ids['NOBODY'] = 999_999_999
  for (const awb of ['DONE', 'WAITING', 'NOBODY']) {
    const { status, body } = await order(route, ['B', awb])
    assert.deepEqual([status, body.error.code, body.error.field], [400, 'TASK_NOT_FOUND', 'tasks'], awb)
    assert.match(body.error.message, new RegExp(`${ids[awb]}`))
  }
  assert.equal((await order(route, ['B', 'B'])).body.error.code, 'VALIDATION_FAILED')
  assert.equal((await server.put('/drivers/999999/tasks/order', { tasks: [] })).status, 404)
  assert.deepEqual(await awbsOf(route), ['A', 'B', 'DONE'])
})

test("tasks for later days are ordered after today's", async (t) => {
  const inDays = (days: number) => ({ completeAfter: new Date(Date.now() + days * 86_400_000).toISOString() })
  const route = await aRoute(t, { X: 1, Y: 2, A: 3, B: 4 }, { X: inDays(2), Y: inDays(2) })
  const { body } = await order(route, ['Y', 'B', 'X', 'A'])
  assert.deepEqual(await awbsOf(route), ['B', 'A', 'Y', 'X'])
  assert.deepEqual(
    body.route.stops.map(({ awb }: { awb: string }) => awb),
    ['B', 'A'],
  )
})

test('a route can be ordered by hand even if the settings forbid optimising', async (t) => {
  const route = await aRoute(t, { A: 1, B: 2 })
  await route.server.put('/company', { settings: { enableRouteOptimization: false } })
  assert.equal((await order(route, ['B', 'A'])).status, 200)
  assert.deepEqual(await awbsOf(route), ['B', 'A'])
})

test('a task without coordinates stays where it was put, and a driver without tasks has an empty route', async (t) => {
  const route = await aRoute(t, { A: 1, B: 2 }, { B: { address: { address: 'Somewhere' } } })
  const { body } = await order(route, ['B', 'A'])
  assert.deepEqual([await awbsOf(route), body.route.withoutPlace], [['B', 'A'], ['B']])
  const idle = await makeDriver(route.server)
  const reply = await route.server.put(`/drivers/${idle.id}/tasks/order`, { tasks: [] })
  assert.deepEqual([reply.status, reply.body.route.stops], [200, []])
})
