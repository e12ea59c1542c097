import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { aTask, makeDriver, makeTeam, signIn } from '../../test/factories.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'

interface Shown {
  id: number
  awb: string
  statusId: number
  route: object | null
  etaAt: string | null
  acceptedAt: string | null
}

/** Two drivers at one hub; the first has this many tasks along a road, in the best order. */
async function aPlan(t: TestContext, count: number) {
  const server = await startServer(t)
  const { id: hubId } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body.hub
  const { id: teamId } = await makeTeam(server, { hubId })
  const [ana, ion] = [
    await makeDriver(server, { name: 'Ana Radu', teams: [teamId] }),
    await makeDriver(server, { name: 'Ion Pop', teams: [teamId] }),
  ]
  const awbs = Array.from({ length: count }, (_, index) => `P-${index + 1}`)
  const tasks = awbs.map((awb, index) => {
    const km = ((index * 7) % count) + 1
    return { awb, serviceTime: 5, address: { address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 } }
  })
  await server.post(`/drivers/${ana.id}/tasks/bulkCreate`, { tasks })
  await server.post(`/drivers/${ana.id}/tasks/optimizeTodayTasks`, {})
  return { server, ana, ion, awbs }
}

const routeOf = async (server: TestServer, { id }: { id: number }): Promise<Shown[]> =>
  (await server.get(`/drivers/${id}/tasks?statusId=6,7`)).body.tasks

/** Everything an undo has to give back. */
const plansOf = async (server: TestServer, driver: { id: number }) =>
  (await routeOf(server, driver)).map(({ awb, statusId, route, etaAt, acceptedAt }) => ({
    awb,
    statusId,
    route,
    etaAt,
    acceptedAt,
  }))

const undo = async (server: TestServer, undoId: string) => server.post('/tasks/undo', { undoId })
const refusedIn = (body: { results: { awb: string; success: boolean; error?: { code: string } }[] }) =>
  Object.fromEntries(body.results.flatMap(({ awb, error }) => (error ? [[awb, error.code]] : [])))

test('after assigning forty planned tasks to somebody else, undo gives back every place and every arrival', async (t) => {
  const { server, ana, ion, awbs } = await aPlan(t, 40)
  await server.post('/tasks', aTask({ awb: 'OWN', userId: ion.id }))
  await server.post(`/drivers/${ion.id}/tasks/optimizeTodayTasks`, {})
  const before = [await plansOf(server, ana), await plansOf(server, ion)]
  const undoId = randomUUID()

  await server.put(`/containers/drivers/${ion.id}`, { tasks: awbs, undoId })
  assert.equal((await routeOf(server, ion)).length, 41)
  const { body } = await undo(server, undoId)

  assert.equal(body.results.length, 40)
  assert.deepEqual(refusedIn(body), {})
  assert.deepEqual([await plansOf(server, ana), await plansOf(server, ion)], before)
  assert.deepEqual((await server.triggers('P-1')).slice(-6), [
    'TASK_UNASSIGNED',
    'TASK_ASSIGNED',
    'TASK_UPDATED',
    'TASK_UNASSIGNED',
    'TASK_ASSIGNED',
    'TASK_UPDATED',
  ])
})

test('what was unassigned has its driver, place and arrival again', async (t) => {
  const { server, ana } = await aPlan(t, 5)
  const before = await plansOf(server, ana)
  const undoId = randomUUID()

  await server.post('/tasks/bulkUnassign', { tasks: ['P-2', 'P-4'], undoId })
  await undo(server, undoId)

  assert.deepEqual(await plansOf(server, ana), before)
})

test('several requests with one undo id are undone together', async (t) => {
  const { server, ana, ion } = await aPlan(t, 6)
  const before = [await plansOf(server, ana), await plansOf(server, ion)]
  const undoId = randomUUID()

  await server.put(`/containers/drivers/${ion.id}`, { tasks: ['P-1', 'P-2', 'P-3'], undoId })
  const moved = (await routeOf(server, ion)).map(({ id }) => id)
  await server.put(`/drivers/${ion.id}/tasks/order`, { tasks: moved.toReversed(), undoId })
  await server.post(`/drivers/${ana.id}/tasks/optimizeTodayTasks`, { undoId })
  const { body } = await undo(server, undoId)

  assert.deepEqual(refusedIn(body), {})
  assert.deepEqual([await plansOf(server, ana), await plansOf(server, ion)], before)
})

test('an optimised route, and a plan for the whole fleet, can be undone', async (t) => {
  const { server, ana } = await aPlan(t, 4)
  const ids = (await routeOf(server, ana)).map(({ id }) => id)
  await server.put(`/drivers/${ana.id}/tasks/order`, { tasks: ids.toReversed() })
  await server.put(`/drivers/${ana.id}/duty`, { inShift: true })
  await server.post('/tasks', aTask({ awb: 'NEW' }))
  const before = await plansOf(server, ana)
  const [first, second] = [randomUUID(), randomUUID()]

  await server.post(`/drivers/${ana.id}/tasks/optimizeTodayTasks`, { undoId: first })
  assert.notDeepEqual(await plansOf(server, ana), before)
  await undo(server, first)
  assert.deepEqual(await plansOf(server, ana), before)

  const { plan } = (await server.post('/planning/assign', { awbs: ['NEW'], undoId: second })).body
  assert.equal(plan.assigned.length, 1)
  await undo(server, second)
  assert.deepEqual(await plansOf(server, ana), before)
  assert.equal((await server.get('/tasks/awb/NEW')).body.task.statusId, 1)
})

test('undo leaves a route alone that somebody else has changed since, and says which', async (t) => {
  const { server, ana, ion } = await aPlan(t, 6)
  const ids = (await routeOf(server, ana)).map(({ id }) => id)
  await server.post('/tasks', aTask({ awb: 'FREE' }))
  const undoId = randomUUID()

  await server.put(`/containers/drivers/${ion.id}`, { tasks: ['P-1', 'P-2', 'FREE'], undoId })
  const left = (await routeOf(server, ana)).map(({ id }) => id)
  assert.equal(left.length, ids.length - 2)
  await server.put(`/drivers/${ana.id}/tasks/order`, { tasks: left.toReversed() })
  const changed = await plansOf(server, ana)
  const { body } = await undo(server, undoId)

  assert.deepEqual(refusedIn(body), { 'P-1': 'TOO_LATE', 'P-2': 'TOO_LATE' })
  const { error } = body.results.find(({ awb }: { awb: string }) => awb === 'P-1')
  assert.match(error.message, /Ana Radu/)
  assert.deepEqual(await plansOf(server, ana), changed)
  assert.deepEqual((await routeOf(server, ion)).map(({ awb }) => awb).sort(), ['P-1', 'P-2'])
  assert.equal((await server.get('/tasks/awb/FREE')).body.task.statusId, 1)
})

test('a task that somebody else has moved on stays there', async (t) => {
  const { server, ana, ion } = await aPlan(t, 3)
  const third = await makeDriver(server)
  const undoId = randomUUID()

  await server.put(`/containers/drivers/${ion.id}`, { tasks: ['P-1', 'P-2'], undoId })
  await server.put(`/containers/drivers/${third.id}`, { tasks: ['P-1'] })
  const { body } = await undo(server, undoId)

  assert.deepEqual(refusedIn(body), { 'P-1': 'TOO_LATE' })
  assert.deepEqual(
    (await routeOf(server, third)).map(({ awb }) => awb),
    ['P-1'],
  )
  assert.deepEqual((await routeOf(server, ana)).map(({ awb }) => awb).sort(), ['P-2', 'P-3'])
})

test('what drivers do meanwhile prevents only what it must, and who came meanwhile goes last', async (t) => {
  const { server, ana, ion } = await aPlan(t, 5)
  const order = (await routeOf(server, ana)).map(({ awb }) => awb)
  const [first, second, third] = order as [string, string, string]
  const keys = { ana: await signIn(server, ana), ion: await signIn(server, ion) }
  const idOf = async (awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.id
  const undoId = randomUUID()

  await server.put(`/containers/drivers/${ion.id}`, { tasks: [second, third], undoId })
  await request(server.url, 'POST', `/api/v1/driver/tasks/${await idOf(first)}/start`, { key: keys.ana, body: {} })
  await request(server.url, 'POST', `/api/v1/driver/tasks/${await idOf(third)}/start`, { key: keys.ion, body: {} })
  await server.post('/tasks', aTask({ awb: 'LATER', userId: ana.id }))
  const { body } = await undo(server, undoId)

  assert.deepEqual(refusedIn(body), { [third]: 'TASK_IN_TRANSIT' })
  assert.deepEqual(
    (await routeOf(server, ana)).map(({ awb }) => awb),
    [first, second, ...order.slice(3), 'LATER'],
  )
})

test('a task that was in transit is assigned again, and its driver has to start it', async (t) => {
  const { server, ana } = await aPlan(t, 2)
  const [first] = (await routeOf(server, ana)) as [Shown]
  const key = await signIn(server, ana)
  await request(server.url, 'POST', `/api/v1/driver/tasks/${first.id}/start`, { key, body: {} })
  const undoId = randomUUID()

  await server.post('/tasks/bulkUnassign', { tasks: [first.awb], undoId })
  const { body } = await undo(server, undoId)

  assert.deepEqual(body.results, [{ id: first.id, awb: first.awb, success: true, notRestored: 'start' }])
  const [again] = (await routeOf(server, ana)) as [Shown]
  assert.deepEqual([again.awb, again.statusId, again.route], [first.awb, 6, first.route])
})

test('nothing is undone twice, nor by another organisation', async (t) => {
  const { server, ion } = await aPlan(t, 2)
  const other = await startServer(t)
  const undoId = randomUUID()
  await server.put(`/containers/drivers/${ion.id}`, { tasks: ['P-1'], undoId })

  assert.equal((await undo(other, undoId)).body.error.code, 'UNDO_NOT_FOUND')
  assert.equal((await undo(server, undoId)).status, 200)
  assert.equal((await undo(server, undoId)).body.error.code, 'UNDO_NOT_FOUND')
})
