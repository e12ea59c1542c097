import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, signIn } from '../../test/factories.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

const create = async (server: TestServer, given: object = {}) => (await server.post('/tasks', aTask(given))).body.task
const get = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task
const settings = (server: TestServer, given: object) => server.put('/company', { settings: given })

test("assigned tasks are added at the end of the driver's route, in the order given", async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  for (const awb of ['A', 'B', 'C', 'D']) await create(server, { awb })

  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['C'] })
  const { body } = await server.put(`/containers/drivers/${driver.id}`, { tasks: ['D', 'A', 'NONE', 'C'] })

  assert.deepEqual(
    body.results.map((result: Record<string, unknown>) => [result['awb'], result['success']]),
    [
      ['D', true],
      ['A', true],
      ['NONE', false],
      ['C', true],
    ],
  )
  assert.equal(body.results[2].error.code, 'TASK_NOT_FOUND')
  const { tasks } = (await server.get(`/drivers/${driver.id}/tasks`)).body
  assert.deepEqual(
    tasks.map((task: { awb: string }) => task.awb),
    ['C', 'D', 'A'],
  )
  assert.deepEqual(await server.triggers('C'), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_UPDATED'])
})

test('when a task goes to another driver, its events name the driver who lost it', async (t) => {
  const server = await startServer(t)
  const [first, second] = [await makeDriver(server), await makeDriver(server)]
  const { id } = await create(server, { awb: 'A' })
  await server.post(`/drivers/${first.id}/tasks/bulkAssign`, { tasks: [String(id)] })
  await server.post(`/drivers/${second.id}/tasks/bulkAssign`, { tasks: [id] })

  const task = await get(server, 'A')
  assert.equal(task.userId, second.id)
  assert.equal(task.user.name, second.name)
  const hands = ['TASK_UNASSIGNED', 'TASK_ASSIGNED', 'TASK_UPDATED']
  assert.deepEqual(
    task.timelines.slice(3).map((entry: { event: string }) => entry.event),
    hands,
  )
  assert.equal(task.timelines.at(-1).data.previous.userId, first.id)
})

test('assigning without a body assigns nothing and succeeds', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  assert.deepEqual((await server.put(`/containers/drivers/${driver.id}`)).body.results, [])
  assert.equal((await server.put('/containers/drivers/999999')).body.error.code, 'DRIVER_NOT_FOUND')
})

test('a task in transit or done is not assigned, but the other tasks of the request are', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  for (const awb of ['A', 'B']) await create(server, { awb, userId: driver.id })
  await server.put('/tasks/awb/A/forceComplete', { success: 'true' })
  await create(server, { awb: 'C' })

  const other = await makeDriver(server)
  const { body } = await server.put(`/containers/drivers/${other.id}`, { tasks: ['A', 'B', 'C'] })
  assert.equal(body.success, true)
  assert.equal(body.results[0].error.code, 'TASK_ALREADY_PROCESSED')
  assert.deepEqual([body.results[1].success, body.results[2].success], [true, true])
})

test('unassigning returns every task found with its new status', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const [a, b] = [await create(server, { awb: 'A', userId: driver.id }), await create(server, { awb: 'B' })]
  const { body } = await server.post('/tasks/bulkUnassign', { tasks: ['B', 'A', 'NONE'] })

  assert.deepEqual(body.tasks, [
    { id: b.id, statusId: 1 },
    { id: a.id, statusId: 1 },
  ])
  assert.deepEqual(
    body.results.map((result: { success: boolean }) => result.success),
    [true, true, false],
  )
  assert.deepEqual((await server.triggers('A')).slice(2), ['TASK_UNASSIGNED', 'TASK_UPDATED'])
  assert.deepEqual(await server.triggers('B'), ['TASK_CREATED'])
  assert.equal((await get(server, 'A')).user, null)
})

test('unassigning no tasks answers that nothing was done, like assigning none', async (t) => {
  const server = await startServer(t)
  for (const given of [undefined, {}, { tasks: [] }]) {
    const { status, body } = await server.post('/tasks/bulkUnassign', given)
    assert.deepEqual([status, body], [200, { success: true, tasks: [], results: [] }])
  }
})

test('a setting can forbid unassigning tasks', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  await create(server, { awb: 'A', userId: driver.id })
  await settings(server, { disableAdminUnassignToOrg: true })
  const { body } = await server.post('/tasks/bulkUnassign', { tasks: ['A'] })
  assert.equal(body.results[0].error.code, 'FORBIDDEN_BY_SETTING')
  assert.equal(body.tasks[0].statusId, 6)
})

test('force completing ends a task as succeeded or failed, as the request or the setting says', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  for (const awb of ['A', 'B', 'C', 'D']) await create(server, { awb, userId: driver.id })
  const force = async (awb: string, body: object) => (await server.put(`/tasks/awb/${awb}/forceComplete`, body)).body

  assert.equal((await force('A', {})).task.statusId, 9)
  assert.equal((await force('A', {})).error.code, 'TASK_ALREADY_PROCESSED')
  const failed = (await force('B', { success: 'false', failureReason: 'Nobody home' })).task
  assert.deepEqual([failed.statusId, failed.cancelReason, failed.status.name], [10, 'Nobody home', 'Failed'])
  await settings(server, { forceCompleteAsFailed: true, forceCompleteAsFailedCancelReason: 'Closed by the office' })
  const bySetting = (await force('C', {})).task
  assert.deepEqual([bySetting.statusId, bySetting.cancelReason], [10, 'Closed by the office'])
  assert.equal((await force('D', { success: true })).task.statusId, 9)
  assert.ok(failed.completedAt)
})

test('a refused move leaves no trace', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'A' })
  const { body } = await server.put('/tasks/awb/A/forceComplete', { success: 'true' })
  assert.equal(body.error.code, 'TASK_NOT_ASSIGNED')
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED'])
})

test('a deleted task is gone, its awb is free again, and its event shows the task as it was', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'A', details: 'First' })
  assert.equal((await server.delete('/tasks/awb/A')).status, 200)
  assert.equal((await server.get('/tasks/awb/A')).status, 404)
  assert.equal((await server.delete('/tasks/awb/A')).status, 404)
  assert.equal((await create(server, { awb: 'A' })).awb, 'A')
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_CREATED', 'TASK_DELETED'].sort())
})

const deleteAsSeen = (server: Pick<TestServer, 'delete'>, awb: string, updatedAt: string) =>
  server.delete(`/tasks/awb/${awb}?updatedAt=${encodeURIComponent(updatedAt)}`)

test('a task is deleted as somebody saw it, or not at all', async (t) => {
  const server = await startServer(t)
  const { updatedAt } = await create(server, { awb: 'A', details: 'First' })
  await server.put('/tasks/awb/A', { details: 'Ring twice' })

  const { status, body } = await deleteAsSeen(server, 'A', updatedAt)
  assert.deepEqual([status, body.error.code], [409, 'TOO_LATE'])
  const task = await get(server, 'A')
  assert.equal(task.details, 'Ring twice')
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_UPDATED'])

  assert.equal((await deleteAsSeen(server, 'A', task.updatedAt)).status, 200)
  assert.equal((await server.get('/tasks/awb/A')).status, 404)
  assert.equal((await deleteAsSeen(server, 'A', task.updatedAt)).body.error.code, 'TASK_NOT_FOUND')
})

test('a change that is being written while a task is to be deleted as seen is waited for, and keeps it', async (t) => {
  const server = await startServer(t)
  const { updatedAt } = await create(server, { awb: 'A' })
  const deletion = await server.database.everyone.transaction(async (db) => {
    const areWaiting = sql`
      select from pg_locks own join pg_locks wanted using (transactionid)
      where own.pid = pg_backend_pid() and own.granted and not wanted.granted`

    await db.run(sql`
      update tasks set details = 'Ring twice', updated_at = updated_at + interval '1 millisecond'
      where organisation_id = ${server.organisationId}`)
    const deleting = deleteAsSeen(server, 'A', updatedAt)
    await until('the deletion to wait', async () => (await db.many(areWaiting)).length > 0)
    // Not awaited: it goes on when this is committed.
    return { deleting }
  })

  assert.equal((await deletion.deleting).body.error.code, 'TOO_LATE')
  assert.equal((await get(server, 'A')).details, 'Ring twice')
})

test('every change of a task makes another time, also within a millisecond and when the clock was put back', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'A' })
  await server.database.everyone.run(sql`
    update tasks set updated_at = date_trunc('second', now()) + interval '1 hour 123456 microseconds'
    where organisation_id = ${server.organisationId}`)
  const seen = [await get(server, 'A')]
  for (const details of ['B', 'C']) seen.push((await server.put('/tasks/awb/A', { details })).body.task)

  const times = seen.map(({ updatedAt }) => Date.parse(updatedAt))
  assert.deepEqual(
    times.map((time) => time - times[0]!),
    [0, 1, 2],
  )
  assert.equal((await deleteAsSeen(server, 'A', seen[1].updatedAt)).body.error.code, 'TOO_LATE')
  assert.equal((await deleteAsSeen(server, 'A', seen[2].updatedAt)).status, 200)
})

test('a task is not deleted with a time that cannot be read, or by another organisation that knows it', async (t) => {
  const server = await startServer(t)
  const { updatedAt } = await create(server, { awb: 'A' })
  for (const [given, code] of [
    ['yesterday', 'INVALID_TIME'],
    ['', 'INVALID_TIME'],
    ['2026-02-30T10:00:00.000Z', 'INVALID_TIME'],
    ['1'.repeat(200), 'VALIDATION_FAILED'],
  ] as const) {
    const { status, body } = await deleteAsSeen(server, 'A', given)
    assert.deepEqual([status, body.error.code, body.error.field], [400, code, 'updatedAt'], given)
  }
  const other = await server.another()
  const { status, body } = await deleteAsSeen(other, 'A', updatedAt)
  assert.deepEqual([status, body.error.code], [404, 'TASK_NOT_FOUND'])
  assert.deepEqual([(await get(server, 'A')).updatedAt, await server.triggers('A')], [updatedAt, ['TASK_CREATED']])
})

test('bulk creation reports each item, and a refused one does not affect the others', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const items = [
    aTask({ awb: 'A' }),
    { awb: 'B' },
    aTask({ awb: 'A' }),
    aTask({ awb: 4 }),
    aTask({ userId: 999_999 }),
    7,
  ]
  const { body } = await server.post('/tasks/bulkCreate', { tasks: items })

  assert.deepEqual(
    body.results.map((result: { item: number; success: boolean; error?: { code: string } }) => [
      result.item,
      result.error?.code ?? result.success,
    ]),
    [
      [1, true],
      [2, 'VALIDATION_FAILED'],
      [3, 'AWB_TAKEN'],
      [4, true],
      [5, 'DRIVER_NOT_FOUND'],
      [6, 'VALIDATION_FAILED'],
    ],
  )
  const mine = (await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks: [aTask(), aTask()] })).body.results
  assert.deepEqual(
    mine.map(({ data }: { data: { statusId: number; userId: number } }) => [data.statusId, data.userId]),
    [
      [6, driver.id],
      [6, driver.id],
    ],
  )
  assert.equal(mine[0].data.owner.settings.googleApiKey, '')
  assert.deepEqual(await server.triggers(mine[0].data.awb), ['TASK_CREATED', 'TASK_ASSIGNED'])
})

test('a thousand tasks are created in one request and assigned in another', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const awbs = Array.from({ length: 1000 }, (_, index) => `T-${index}`)
  let begun = performance.now()
  const created = await server.post('/tasks/bulkCreate', { tasks: awbs.map((awb) => aTask({ awb })) })
  t.diagnostic(`created 1,000 in ${Math.round(performance.now() - begun)} ms`)
  assert.ok(created.body.results.every((result: { success: boolean }) => result.success))

  begun = performance.now()
  const assigned = await server.put(`/containers/drivers/${driver.id}`, { tasks: awbs })
  t.diagnostic(`assigned 1,000 in ${Math.round(performance.now() - begun)} ms`)
  assert.ok(assigned.body.results.every((result: { success: boolean }) => result.success))
  const { tasks } = (await server.get(`/drivers/${driver.id}/tasks?limit=3`)).body
  assert.deepEqual(
    tasks.map((task: { awb: string }) => task.awb),
    ['T-0', 'T-1', 'T-2'],
  )
  assert.equal(
    (await server.post('/tasks/bulkUnassign', { tasks: [...awbs, 'one more'] })).body.error.code,
    'TOO_MANY_ITEMS',
  )
})

test("a driver's day: accept, start, arrive, note, complete", async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  const { id } = await create(server, { awb: 'A', userId: driver.id })
  const verb = async (name: string, body: object = {}) =>
    (await request(server.url, 'POST', `/api/v1/driver/tasks/${id}/${name}`, { key, body })).body

  const { user } = (await request(server.url, 'PUT', '/api/v1/driver/duty', { key, body: { inShift: true } })).body
  assert.deepEqual([user.inShift, user.status], [true, 1])
  await verb('accept')
  assert.equal((await verb('complete')).error.code, 'TASK_NOT_STARTED')
  const started = (await verb('start')).task
  assert.deepEqual([started.statusId, started.status.name, started.user.status], [7, 'In Transit', 2])
  assert.ok(started.startedAt)
  assert.equal((await verb('start')).task.statusId, 7)
  assert.equal((await verb('arrive')).task.driverArrived, true)
  const noted = (await verb('notes', { note: 'Left with the neighbour' })).task
  assert.deepEqual(
    [noted.notes[0].note, noted.notes[0].user.name, noted.notes[0].type],
    ['Left with the neighbour', driver.name, 1],
  )
  assert.equal((await verb('complete')).task.statusId, 9)
  assert.equal((await verb('fail', { reason: 'x' })).error.code, 'TASK_ALREADY_PROCESSED')
  assert.deepEqual(await server.triggers('A'), [
    'TASK_CREATED',
    'TASK_ASSIGNED',
    'TASK_UPDATED',
    'TASK_START',
    'TASK_UPDATED',
    'TASK_UPDATED',
    'TASK_COMPLETE',
  ])
})

test('a task cannot start before those it depends on are done, and cannot depend on itself', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  const first = await create(server, { awb: 'PICKUP', userId: driver.id })
  const second = await create(server, { awb: 'DROP', userId: driver.id, dependencies: ['PICKUP'] })
  const verb = async (id: number, name: string) =>
    (await request(server.url, 'POST', `/api/v1/driver/tasks/${id}/${name}`, { key, body: {} })).body

  assert.deepEqual(second.dependencies, [{ taskId: first.id, awb: 'PICKUP', statusId: 6 }])
  assert.equal((await verb(second.id, 'start')).error.code, 'DEPENDENCY_OPEN')
  const circle = await server.put('/tasks/awb/PICKUP', { dependencies: ['DROP'] })
  assert.deepEqual([circle.status, circle.body.error.field], [400, 'dependencies'])
  await verb(first.id, 'start')
  await verb(first.id, 'complete')
  assert.equal((await verb(second.id, 'start')).task.statusId, 7)
  const unknown = await server.post('/tasks', aTask({ dependencies: ['NONE'] }))
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, 'TASK_NOT_FOUND'])
})

test('a deleted task closes no circle', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'FIRST' })
  await create(server, { awb: 'GONE', dependencies: ['FIRST'] })
  const last = await create(server, { awb: 'LAST', dependencies: ['GONE'] })
  await server.delete('/tasks/awb/GONE')
  const { task } = (await server.put('/tasks/awb/FIRST', { dependencies: ['LAST'] })).body
  assert.deepEqual(task.dependencies, [{ taskId: last.id, awb: 'LAST', statusId: last.statusId }])
  assert.equal((await server.put('/tasks/awb/LAST', { dependencies: ['FIRST'] })).status, 400)
})
