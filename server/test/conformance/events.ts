import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Received, startReceiver } from '../receiver.ts'
import { assertIs, task as taskShape, timestamp } from './shapes.ts'
import { ok, startWorld, type World } from './world.ts'

/** A receiver of one trigger. */
async function listen(t: TestContext, world: World, trigger: number) {
  const receiver = await startReceiver(t)
  await ok(world.post('/webHooks', { url: receiver.url, trigger }))
  return receiver
}

function assertTells(message: Received, triggerId: number, triggerName: string, awb: string) {
  assert.equal(message.method, 'POST')
  assert.match(message.headers['content-type'] ?? '', /^application\/json/)
  // biome-ignore lint/suspicious/noExplicitAny: the assertions check its type
  const body = message.body as any
  assertIs(timestamp, body.time, 'time')
  assert.deepEqual([body.triggerId, body.triggerName], [triggerId, triggerName])
  assertIs(taskShape, body.data.task, 'data.task')
  assert.equal(body.data.task.awb, awb)
  return body.data
}

test('trigger 1, TASK_START, tells that a driver started a task', async (t) => {
  const world = await startWorld(t)
  const [task] = await world.createAssigned({ awb: 'A-1' })
  const drive = await world.logIn()
  const receiver = await listen(t, world, 1)
  await drive('start', task)

  const data = assertTells(await receiver.next(), 1, 'TASK_START', 'A-1')
  assert.deepEqual([data.task.statusId, data.task.user.id], [7, world.driver.id])
})

test('trigger 2, TASK_COMPLETE, tells that a driver completed a task', async (t) => {
  const world = await startWorld(t)
  const [task] = await world.createAssigned({ awb: 'A-1' })
  const drive = await world.logIn()
  await drive('start', task)
  const receiver = await listen(t, world, 2)
  await drive('complete', task)

  const data = assertTells(await receiver.next(), 2, 'TASK_COMPLETE', 'A-1')
  assert.equal(data.task.statusId, 9)
})

test('trigger 3, TASK_FAILED, tells that a task failed, by driver or office', async (t) => {
  const world = await startWorld(t)
  const [task] = await world.createAssigned({ awb: 'A-1' }, { awb: 'A-2' })
  const drive = await world.logIn()
  await drive('start', task)
  const receiver = await listen(t, world, 3)

  await drive('fail', task, { reason: 'Nobody at home' })
  assert.equal(assertTells(await receiver.next(), 3, 'TASK_FAILED', 'A-1').task.statusId, 10)
  await ok(world.put('/tasks/awb/A-2/forceComplete', { success: false, failureReason: 'Closed' }))
  assert.equal(assertTells(await receiver.next(), 3, 'TASK_FAILED', 'A-2').task.statusId, 10)
})

test('trigger 4, TASK_CREATED, tells that a task was created, alone or in bulk for a driver', async (t) => {
  const world = await startWorld(t)
  const receiver = await listen(t, world, 4)

  await world.create({ awb: 'A-1', customer: { name: 'Ana', phone: '0722123456' } })
  const data = assertTells(await receiver.next(), 4, 'TASK_CREATED', 'A-1')
  assert.equal(data.task.customer.name, 'Ana')
  await world.createAssigned({ awb: 'A-2' })
  assertTells(await receiver.next(), 4, 'TASK_CREATED', 'A-2')
})

test('trigger 5, TASK_UPDATED, tells that a task was updated', async (t) => {
  const world = await startWorld(t)
  await world.create({ awb: 'A-1' })
  const receiver = await listen(t, world, 5)
  await ok(world.put('/tasks/awb/A-1', { details: 'Ring twice' }))

  const data = assertTells(await receiver.next(), 5, 'TASK_UPDATED', 'A-1')
  assert.equal(data.task.details, 'Ring twice')
})

test('trigger 5, TASK_UPDATED, also fires when the assignment changes', async (t) => {
  const world = await startWorld(t)
  const task = await world.create({ awb: 'A-1' })
  const receiver = await listen(t, world, 5)

  await ok(world.put(`/containers/drivers/${world.driver.id}`, { tasks: ['A-1'] }))
  const assigned = assertTells(await receiver.next(), 5, 'TASK_UPDATED', 'A-1')
  assert.equal(assigned.task.userId, world.driver.id)

  await ok(world.post('/tasks/bulkUnassign', { tasks: ['A-1'] }))
  const taken = assertTells(await receiver.next(), 5, 'TASK_UPDATED', 'A-1')
  assert.equal(taken.task.userId, null)

  await ok(world.post(`/drivers/${world.driver.id}/tasks/bulkAssign`, { tasks: [task.id] }))
  const again = assertTells(await receiver.next(), 5, 'TASK_UPDATED', 'A-1')
  assert.equal(again.task.userId, world.driver.id)
})

test('trigger 5, TASK_UPDATED, fires when the driver adds a note', async (t) => {
  const world = await startWorld(t)
  const [task] = await world.createAssigned({ awb: 'A-1' })
  const drive = await world.logIn()
  await drive('start', task)
  const receiver = await listen(t, world, 5)
  await drive('notes', task, { note: 'Left at the door' })

  const data = assertTells(await receiver.next(), 5, 'TASK_UPDATED', 'A-1')
  assert.equal(data.task.notes[0].note, 'Left at the door')
})

test('trigger 6, TASK_DELETED, tells that a task was deleted', async (t) => {
  const world = await startWorld(t)
  await world.create({ awb: 'A-1' })
  const receiver = await listen(t, world, 6)
  await ok(world.delete('/tasks/awb/A-1'))

  assertTells(await receiver.next(), 6, 'TASK_DELETED', 'A-1')
})

test('trigger 7, TASK_ASSIGNED, tells that a task was assigned to a driver, in each of the three ways', async (t) => {
  const world = await startWorld(t)
  await world.create({ awb: 'A-1' })
  const second = await world.create({ awb: 'A-2' })
  const receiver = await listen(t, world, 7)
  const assertAssigned = async (awb: string) => {
    const data = assertTells(await receiver.next(), 7, 'TASK_ASSIGNED', awb)
    assert.deepEqual([data.task.statusId, data.task.userId, data.task.user.id], [6, world.driver.id, world.driver.id])
  }

  await ok(world.put(`/containers/drivers/${world.driver.id}`, { tasks: ['A-1'] }))
  await assertAssigned('A-1')
  await ok(world.post(`/drivers/${world.driver.id}/tasks/bulkAssign`, { tasks: [String(second.id)] }))
  await assertAssigned('A-2')
  await world.createAssigned({ awb: 'A-3' })
  await assertAssigned('A-3')
})

test('trigger 8, TASK_UNASSIGNED, tells that a task was taken from its driver', async (t) => {
  const world = await startWorld(t)
  await world.createAssigned({ awb: 'A-1' })
  const receiver = await listen(t, world, 8)
  await ok(world.post('/tasks/bulkUnassign', { tasks: ['A-1'] }))

  const data = assertTells(await receiver.next(), 8, 'TASK_UNASSIGNED', 'A-1')
  assert.deepEqual([data.task.statusId, data.task.userId], [1, null])
})

test('trigger 9, TASK_GEOCODED, tells that the address of a task was found', async (t) => {
  const world = await startWorld(t, { WAYBILL_GEOCODER: 'embedded' })
  const receiver = await listen(t, world, 9)
  await world.create({ awb: 'A-1', address: { address: 'Strada Lipscani 12, București' } })

  const { task } = assertTells(await receiver.next(), 9, 'TASK_GEOCODED', 'A-1')
  assert.equal(Math.round(task.address.lat), 44)
  assert.equal(Math.round(task.address.lng), 26)
})

test('one url can serve several triggers, and each webhook fires for exactly one', async (t) => {
  const world = await startWorld(t)
  const receiver = await startReceiver(t)
  for (const trigger of [4, 7, 8]) await ok(world.post('/webHooks', { url: receiver.url, trigger }))

  await world.createAssigned({ awb: 'A-1' })
  await ok(world.post('/tasks/bulkUnassign', { tasks: ['A-1'] }))
  await receiver.waitFor(3)
  await world.create({ awb: 'A-2' })
  const messages = await receiver.waitFor(4)

  const told = messages.map(({ body }) => {
    const { triggerId, triggerName, data } = body as Record<string, never> & { data: { task: { awb: string } } }
    return `${data.task.awb} ${triggerId} ${triggerName}`
  })
  assert.deepEqual(told.toSorted(), [
    'A-1 4 TASK_CREATED',
    'A-1 7 TASK_ASSIGNED',
    'A-1 8 TASK_UNASSIGNED',
    'A-2 4 TASK_CREATED',
  ])
})

test('every webhook of a trigger gets its events', async (t) => {
  const world = await startWorld(t)
  const receivers = [await listen(t, world, 4), await listen(t, world, 4)]
  await world.create({ awb: 'A-1' })
  for (const receiver of receivers) assertTells(await receiver.next(), 4, 'TASK_CREATED', 'A-1')
})
