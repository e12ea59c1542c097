import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertIs, task as taskShape, timestamp, unassigned } from './shapes.ts'
import { ok, startWorld } from './world.ts'

interface Stated {
  statusId: number
  status: { id: number; name: string }
}

function assertState(task: Stated, id: number, name: string) {
  assertIs(taskShape, task, 'task')
  assert.deepEqual([task.statusId, task.status.id, task.status.name], [id, id, name])
}

test('a new task is Unassigned, state 1', async (t) => {
  const world = await startWorld(t)
  assertState(await world.create(), 1, 'Unassigned')
})

test('a task created for a driver is Assigned, state 6', async (t) => {
  const world = await startWorld(t)
  const [task] = await world.createAssigned()

  assertState(task, 6, 'Assigned')
  assert.equal(task.userId, world.driver.id)
})

test('a task that is assigned by its id or its awb is Assigned, state 6', async (t) => {
  const world = await startWorld(t)
  const [byId, byAwb] = [await world.create({ awb: 'ID' }), await world.create({ awb: 'AWB' })]
  await ok(world.post(`/drivers/${world.driver.id}/tasks/bulkAssign`, { tasks: [byId.id] }))
  await ok(world.put(`/containers/drivers/${world.driver.id}`, { tasks: [byAwb.awb] }))

  const tasks = await world.tasksOfDriver()
  assert.deepEqual(tasks.map(({ awb }: { awb: string }) => awb).sort(), ['AWB', 'ID'])
  for (const task of tasks) {
    assertState(task, 6, 'Assigned')
    assert.deepEqual([task.userId, task.user.id], [world.driver.id, world.driver.id])
  }
})

test('a task started by its driver is In Transit, state 7, and a completed one Succeeded, state 9', async (t) => {
  const world = await startWorld(t)
  const [task] = await world.createAssigned()
  const drive = await world.logIn()

  const started = await drive('start', task)
  assertState(started, 7, 'In Transit')
  assertIs(timestamp, started.startedAt, 'startedAt')
  assert.equal(started.completedAt, null)

  assert.equal((await drive('arrive', task)).driverArrived, true)

  const completed = await drive('complete', task)
  assertState(completed, 9, 'Succeeded')
  assertIs(timestamp, completed.completedAt, 'completedAt')
})

test('a task cancelled by its driver is Failed, state 10', async (t) => {
  const world = await startWorld(t)
  const [task] = await world.createAssigned()
  const drive = await world.logIn()
  await drive('start', task)

  const failed = await drive('fail', task, { reason: 'Nobody at home' })
  assertState(failed, 10, 'Failed')
  assert.equal(failed.cancelReason, 'Nobody at home')
})

test('an unassigned task is Unassigned again, state 1', async (t) => {
  const world = await startWorld(t)
  const [task] = await world.createAssigned({ awb: 'A-1' })
  const { tasks } = await ok(world.post('/tasks/bulkUnassign', { tasks: ['A-1'] }))

  for (const item of tasks) assertIs(unassigned, item, 'task')
  assert.deepEqual([tasks.length, tasks[0].id, tasks[0].statusId], [1, task.id, 1])
  assert.deepEqual(await world.tasksOfDriver(), [])
  const read = (await ok(world.put('/tasks/awb/A-1', {}))).task
  assertState(read, 1, 'Unassigned')
  assert.deepEqual([read.userId, read.user], [null, null])
})

for (const success of [true, 'true']) {
  test(`a task is completed without its driver when success is ${JSON.stringify(success)}`, async (t) => {
    const world = await startWorld(t)
    await world.createAssigned({ awb: 'A-1' })
    const { task } = await ok(world.put('/tasks/awb/A-1/forceComplete', { success }))

    assertState(task, 9, 'Succeeded')
    assert.equal(task.awb, 'A-1')
    assertIs(timestamp, task.completedAt, 'completedAt')
  })
}

for (const success of [false, 'false']) {
  test(`a task is failed without its driver when success is ${JSON.stringify(success)}`, async (t) => {
    const world = await startWorld(t)
    await world.createAssigned({ awb: 'A-1' })
    const sent = { success, failureReason: 'The shop is closed' }
    const { task } = await ok(world.put('/tasks/awb/A-1/forceComplete', sent))

    // The interface only says that `success` means “completed or failed”; 10 is its only failed state.
    assertState(task, 10, 'Failed')
    assert.equal(task.cancelReason, 'The shop is closed')
  })
}
