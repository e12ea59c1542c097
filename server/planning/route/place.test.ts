import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { dayOf } from '../../../core/task-day.ts'
import { makeDriver, makeTeam, signIn } from '../../test/factories.ts'
import { request, startServer } from '../../test/server.ts'

interface Planned {
  id: number
  awb: string
  route: { position: number; arrivalTime: string } | null
  etaAt: string | null
}

/** A driver whose hub is at kilometre 0 of a road to the east, and planned tasks at their kilometre, in this order. */
async function aRoute(t: TestContext, tasks: Record<string, number>, more: Record<string, object> = {}) {
  const server = await startServer(t)
  const { id: hubId } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body.hub
  const team = await makeTeam(server, { hubId })
  const driver = await makeDriver(server, { teams: [team.id] })
  const add = async (awb: string, km: number, given: object = {}): Promise<number> => {
    const address = { address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 }
    return (await server.post('/tasks', { awb, address, ...given })).body.task.id
  }
  const ids: number[] = []
  for (const [awb, km] of Object.entries(tasks)) ids.push(await add(awb, km, { userId: driver.id, ...more[awb] }))
  await server.put(`/drivers/${driver.id}/tasks/order`, { tasks: ids })
  const route = async (): Promise<Planned[]> => (await server.get(`/drivers/${driver.id}/tasks`)).body.tasks
  const awbs = async () => (await route()).map(({ awb }) => awb)
  return { server, driver, add, route, awbs }
}

test('an assigned task goes to the best place of the route, next, or last, and everything has an arrival', async (t) => {
  const { server, driver, add, route, awbs } = await aRoute(t, { A: 1, B: 4, C: 9 })
  for (const awb of ['BEST', 'NEXT', 'LAST']) await add(awb, 5)

  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['BEST'], position: 'best' })
  assert.deepEqual(await awbs(), ['A', 'B', 'BEST', 'C'])
  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['NEXT'], position: 'next' })
  assert.deepEqual(await awbs(), ['NEXT', 'A', 'B', 'BEST', 'C'])
  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['LAST'], position: 'last' })
  assert.deepEqual(await awbs(), ['NEXT', 'A', 'B', 'BEST', 'C', 'LAST'])

  const planned = await route()
  assert.deepEqual(
    planned.map(({ route }) => route?.position),
    [1, 2, 3, 4, 5, 6],
  )
  assert.ok(planned.every(({ etaAt, route }) => etaAt !== null && etaAt === route?.arrivalTime))
  const arrivals = planned.map(({ etaAt }) => Date.parse(etaAt ?? ''))
  assert.deepEqual(arrivals.toSorted(), arrivals)
  assert.deepEqual(await server.triggers('BEST'), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_UPDATED', 'TASK_UPDATED'])
})

test('without a position, tasks are appended as ever, without a plan', async (t) => {
  const { server, driver, add, route } = await aRoute(t, { A: 1, C: 9 })
  await add('NEW', 5)

  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['NEW'] })

  assert.deepEqual(
    (await route()).map(({ awb, route }) => [awb, route?.position]),
    [
      ['A', 1],
      ['C', 2],
      ['NEW', undefined],
    ],
  )
})

test('next is after what is in transit', async (t) => {
  const { server, driver, add, awbs, route } = await aRoute(t, { A: 1, B: 4 })
  const [first] = (await route()) as [Planned]
  const key = await signIn(server, driver)
  await request(server.url, 'POST', `/api/v1/driver/tasks/${first.id}/start`, { key, body: {} })
  const ids = [await add('X', 7), await add('Y', 6)]

  const { body } = await server.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: ids, position: 'next' })

  assert.deepEqual(
    body.results.map(({ success }: { success: boolean }) => success),
    [true, true],
  )
  assert.deepEqual(await awbs(), ['A', 'X', 'Y', 'B'])
})

test('a task that hung at the end is put into the route of its own driver', async (t) => {
  const { server, driver, add, awbs } = await aRoute(t, { A: 1, C: 9 })
  await add('B', 5, { userId: driver.id })
  assert.deepEqual(await awbs(), ['A', 'C', 'B'])

  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['B'], position: 'best' })

  assert.deepEqual(await awbs(), ['A', 'B', 'C'])
  assert.deepEqual((await server.triggers('B')).slice(-1), ['TASK_UPDATED'])
})

test('each item has its result: unknown, in transit elsewhere, for another day', async (t) => {
  const { server, driver, add, awbs, route } = await aRoute(t, { A: 1, C: 9 })
  const other = await makeDriver(server)
  const started = await add('STARTED', 3, { userId: other.id })
  const key = await signIn(server, other)
  await request(server.url, 'POST', `/api/v1/driver/tasks/${started}/start`, { key, body: {} })
  await add('B', 5)
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await add('LATER', 5, { completeAfter: inThreeDays })

  const tasks = ['NOBODY', 'STARTED', 'B', 'LATER']
  const { body } = await server.put(`/containers/drivers/${driver.id}`, { tasks, position: 'best' })

  assert.deepEqual(
    body.results.map(({ awb, error }: { awb: string; error?: { code: string } }) => [awb, error?.code]),
    [
      ['NOBODY', 'TASK_NOT_FOUND'],
      ['STARTED', 'TASK_ALREADY_PROCESSED'],
      ['B', undefined],
      ['LATER', undefined],
    ],
  )
  assert.deepEqual(await awbs(), ['A', 'B', 'C', 'LATER'])
  assert.equal((await route()).at(-1)?.route, null)
})

test('before it is assigned, each place says how many minutes more it takes and who becomes late', async (t) => {
  const soon = new Date(Date.now() + 20 * 60_000).toISOString()
  const { server, driver, add } = await aRoute(t, { A: 1, B: 6 }, { B: { completeBefore: soon } })
  const id = await add('NEW', 3, { serviceTime: 60 })

  const { body } = await server.post(`/drivers/${driver.id}/tasks/estimatePlaces`, { tasks: [id] })

  const [best, next, last] = body.places
  assert.deepEqual([best.position, next.position, last.position], ['best', 'next', 'last'])
  assert.deepEqual([best.place, next.place, last.place], [3, 1, 3])
  assert.deepEqual(best.late, [])
  assert.deepEqual(
    next.late.map(({ awb }: { awb: string }) => awb),
    ['B'],
  )
  assert.ok(best.addedSeconds >= 3_600 && best.addedTravelSeconds > 0)
  assert.ok(Date.parse(next.arrivalTime) < Date.parse(last.arrivalTime))
  assert.equal((await server.get('/tasks/awb/NEW')).body.task.userId, null)
})

test('what was put into a route can be undone, for all of the route', async (t) => {
  const { server, driver, add, route } = await aRoute(t, { A: 1, B: 4, C: 9 })
  await add('NEW', 5)
  const before = await route()
  const undoId = randomUUID()

  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['NEW'], position: 'next', undoId })
  const { body } = await server.post('/tasks/undo', { undoId })

  assert.ok(body.results.every(({ success }: { success: boolean }) => success))
  const plans = (tasks: Planned[]) => tasks.map(({ awb, route, etaAt }) => ({ awb, route, etaAt }))
  assert.deepEqual(plans(await route()), plans(before))
})

test('a task for another day goes to its place in the route of that day', async (t) => {
  const inTwoDays = dayOf(Date.now() + 2 * 86_400_000, 'Europe/Bucharest')
  const then = { completeAfter: `${inTwoDays} 09:00:00`, completeBefore: `${inTwoDays} 18:00:00` }
  const { server, driver, add, route } = await aRoute(t, { A: 1, C: 9 }, { A: then, C: then })
  await server.put('/company', { timezone: 'Europe/Bucharest' })
  await add('B', 5, then)

  const wanted = { tasks: ['B'], position: 'best', day: inTwoDays }
  assert.equal((await server.put(`/containers/drivers/${driver.id}`, wanted)).status, 200)

  const planned = await route()
  assert.deepEqual(
    planned.map(({ awb, route }) => [awb, route?.position]),
    [
      ['A', 1],
      ['B', 2],
      ['C', 3],
    ],
  )
  assert.equal(dayOf(Date.parse(planned[1]?.route?.arrivalTime as string), 'Europe/Bucharest'), inTwoDays)
})
