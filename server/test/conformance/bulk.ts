import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask } from '../factories.ts'
import { request } from '../server.ts'
import { assertIs, bulkCreatedTask, itemError, unassigned } from './shapes.ts'
import { ok, startWorld } from './world.ts'

interface Result {
  id?: number
  awb?: string
  success: boolean
  error?: { code: string; message: string }
}

interface Created {
  awb: string
  statusId: number
  userId: number
}

/** The result of each task by awb or id; the interface does not define the order. */
const byName = (results: Result[]) => Object.fromEntries(results.map((result) => [result.awb ?? result.id, result]))

test('tasks created for a driver are numbered from 1 and complete, with the settings of their owner', async (t) => {
  const world = await startWorld(t)
  const first = {
    awb: 'A-1',
    details: 'Fragile',
    pickupTask: false,
    totalPrice: 50,
    paymentTypeId: 1,
    completeAfter: '2026-11-20 10:00:00',
    completeBefore: '2026-11-20 12:00:00',
    address: { address: 'Strada Lipscani 12, București', city: 'București', country: 'RO', lat: 44.43, lng: 26.1 },
  }
  const tasks = [first, aTask({ awb: 'A-2' })]
  const { success, results } = await ok(world.post(`/drivers/${world.driver.id}/tasks/bulkCreate`, { tasks }))

  assert.equal(success, true)
  assert.deepEqual(
    results.map(({ item, success, data }: { item: number; success: boolean; data: Created }) => [
      item,
      success,
      data.awb,
      data.statusId,
      data.userId,
    ]),
    [
      [1, true, 'A-1', 6, world.driver.id],
      [2, true, 'A-2', 6, world.driver.id],
    ],
  )
  for (const { data } of results) assertIs(bulkCreatedTask, data, 'data')
  assert.partialDeepStrictEqual(results[0].data, { details: 'Fragile', totalPrice: 50, paymentTypeId: 1 })
  assert.equal(results[0].data.owner.id, world.organisationId)
  assert.equal(results[0].data.user.id, world.driver.id)
})

test('a task that cannot be created does not stop the others, and says why', async (t) => {
  const world = await startWorld(t)
  const tasks = [aTask({ awb: 'A-1' }), aTask({ awb: 'A-2', paymentTypeId: 7 }), aTask({ awb: 'A-3' })]
  const { success, results } = await ok(world.post(`/drivers/${world.driver.id}/tasks/bulkCreate`, { tasks }))

  assert.equal(success, true)
  assert.deepEqual(
    results.map(({ item, success }: { item: number; success: boolean }) => [item, success]),
    [
      [1, true],
      [2, false],
      [3, true],
    ],
  )
  assertIs(itemError, results[1].error, 'error')
})

test('tasks are assigned by awbs, sent as numbers or as strings', async (t) => {
  const world = await startWorld(t)
  for (const awb of ['1001', '1002', 'A-3']) await world.create({ awb })
  const sent = { tasks: [1001, '1002', 'A-3'] }
  const { success, results } = await ok(world.put(`/containers/drivers/${world.driver.id}`, sent))

  assert.equal(success, true)
  assert.equal(results.length, 3)
  for (const awb of ['1001', '1002', 'A-3']) {
    const result = byName(results)[awb]
    assert.deepEqual([result?.awb, result?.success], [awb, true])
    assert.ok(!result?.error)
  }
  assert.equal((await world.tasksOfDriver()).length, 3)
})

test('tasks that are done cannot be assigned, but the others are', async (t) => {
  const world = await startWorld(t)
  const [done] = await world.createAssigned({ awb: 'DONE' }, { awb: 'FAILED' })
  await ok(world.put('/tasks/awb/DONE/forceComplete', { success: true }))
  await ok(world.put('/tasks/awb/FAILED/forceComplete', { success: false, failureReason: 'Closed' }))
  await world.create({ awb: 'OPEN' })
  const sent = { tasks: ['DONE', 'OPEN', 'FAILED'] }
  const { success, results } = await ok(world.put(`/containers/drivers/${world.driver.id}`, sent))

  assert.equal(success, true)
  const { DONE, OPEN, FAILED } = byName(results)
  assert.deepEqual([DONE?.success, OPEN?.success, FAILED?.success], [false, true, false])
  const byId = { tasks: [String(done.id)] }
  const again = await ok(world.post(`/drivers/${world.driver.id}/tasks/bulkAssign`, byId))
  assert.equal(again.success, true)
  for (const { success, error } of [DONE, FAILED, again.results[0]] as Result[]) {
    assert.equal(success, false)
    assertIs(itemError, error, 'error')
    assert.equal(error?.code, 'TASK_ALREADY_PROCESSED')
    assert.match(error?.message ?? '', /^the task is already processed$/i)
  }
})

test('an unknown awb fails alone', async (t) => {
  const world = await startWorld(t)
  await world.create({ awb: 'A-1' })
  const sent = { tasks: ['NOBODY', 'A-1'] }
  const { results } = await ok(world.put(`/containers/drivers/${world.driver.id}`, sent))

  const { NOBODY, 'A-1': known } = byName(results)
  assert.deepEqual([NOBODY?.success, known?.success], [false, true])
  assertIs(itemError, NOBODY?.error, 'error')
})

test('assigning by awb without a body assigns nothing', async (t) => {
  const world = await startWorld(t)
  await world.create({ awb: 'A-1' })
  const path = `/containers/drivers/${world.driver.id}`
  const { success, results } = await ok(world.put(path))

  assert.equal(success, true)
  assert.deepEqual(results, [])
  // Many clients send a JSON content type even without a body.
  const announced = await ok(request(world.url, 'PUT', `/api/v1${path}`, { key: world.key, raw: '' }))
  assert.deepEqual(announced, { success: true, results: [] })
  assert.deepEqual(await world.tasksOfDriver(), [])
})

test('tasks are assigned by ids, sent as strings or as integers', async (t) => {
  const world = await startWorld(t)
  const [first, second] = [await world.create(), await world.create()]
  const sent = { tasks: [String(first.id), second.id] }
  const { success, results } = await ok(world.post(`/drivers/${world.driver.id}/tasks/bulkAssign`, sent))

  assert.equal(success, true)
  assert.equal(results.length, 2)
  for (const { id } of [first, second]) {
    assert.deepEqual([byName(results)[id]?.id, byName(results)[id]?.success], [id, true])
  }
  assert.equal((await world.tasksOfDriver()).length, 2)
})

test('an unknown id fails alone', async (t) => {
  const world = await startWorld(t)
  const { id } = await world.create()
  const sent = { tasks: ['987654321', String(id)] }
  const { success, results } = await ok(world.post(`/drivers/${world.driver.id}/tasks/bulkAssign`, sent))

  assert.equal(success, true)
  const unknown = byName(results)[987654321]
  assert.deepEqual([unknown?.success, byName(results)[id]?.success], [false, true])
  assertIs(itemError, unknown?.error, 'error')
})

test('tasks are unassigned by awbs, sent as strings or as numbers', async (t) => {
  const world = await startWorld(t)
  const tasks = await world.createAssigned({ awb: '2001' }, { awb: '2002' }, { awb: 'A-3' })
  const answer = await ok(world.post('/tasks/bulkUnassign', { tasks: ['2001', 2002, 'A-3'] }))

  assert.equal(answer.success, true)
  for (const item of answer.tasks) assertIs(unassigned, item, 'task')
  assert.deepEqual(
    answer.tasks.map(({ id, statusId }: { id: number; statusId: number }) => `${id} ${statusId}`).sort(),
    tasks.map(({ id }: { id: number }) => `${id} 1`).sort(),
  )
  assert.deepEqual(await world.tasksOfDriver(), [])
})
