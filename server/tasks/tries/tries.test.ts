import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver, makeTeam, signIn } from '../../test/factories.ts'
import { aDriverOf, aPair, give, taskOf } from '../../test/partners.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'

const get = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task
const settings = (server: TestServer, given: object) => server.put('/company', { settings: given })
const reattempt = (server: TestServer, awb: string, body: object = {}) =>
  server.post(`/tasks/awb/${awb}/reattempt`, body)
const bringBack = (server: TestServer, awb: string, body: object = {}) => server.post(`/tasks/awb/${awb}/return`, body)

async function fail(server: TestServer, awb: string) {
  const reply = await server.put(`/tasks/awb/${awb}/forceComplete`, { success: false, failureReason: 'Nobody at home' })
  assert.equal(reply.status, 200, reply.text)
  return reply.body.task
}

/** A task that its driver had and that failed. */
async function aFailed(server: TestServer, given: object = {}) {
  const driver = await makeDriver(server)
  const { body } = await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id, ...given }))
  return { driver, task: await fail(server, body.task.awb) }
}

test('a failed task is tried again as a new task, and both say so', async (t) => {
  const server = await startServer(t)
  const team = await makeTeam(server)
  const { task } = await aFailed(server, {
    customer: { name: 'Ana Pop', phone: '0722 111 222' },
    details: 'A box',
    customerNotes: 'Ring twice',
    quantity: 3,
    priority: 2,
    serviceTime: 7,
    teamId: team.id,
    inventory: [{ sku: 1 }],
    customFields: [{ key: 'shelf', value: 'B7' }],
    deliveryPrice: 15,
  })
  await server.post('/tasks/awb/A-1/notes', { note: 'The bell is broken' })

  const { body } = await reattempt(server, 'A-1')
  const next = body.task
  assert.deepEqual(
    [next.awb, next.attempt, next.attemptOf, next.earlierAwbs, next.statusId, next.userId, next.cancelReason],
    ['A-1-2', 2, { taskId: task.id, awb: 'A-1' }, ['A-1'], 1, null, null],
  )
  assert.notEqual(next.uuid, task.uuid)
  for (const field of [
    'details',
    'customerNotes',
    'quantity',
    'priority',
    'serviceTime',
    'teamId',
    'customerId',
    'inventory',
    'customFields',
    'deliveryPrice',
  ])
    assert.deepEqual(next[field], task[field], field)
  assert.deepEqual({ ...next.address, id: 0 }, { ...task.address, id: 0 })
  assert.deepEqual([next.notes, next.startedAt, next.completedAt], [[], null, null])
  assert.deepEqual(await server.triggers('A-1-2'), ['TASK_CREATED'])

  const old = await get(server, 'A-1')
  assert.deepEqual([old.statusId, old.reattemptedAs], [10, { taskId: next.id, awb: 'A-1-2' }])
  assert.deepEqual(old.timelines.at(-1).event, 'TASK_UPDATED')
  assert.deepEqual(old.timelines.at(-1).data.previous, { reattemptedAs: null })
})

test('the next try may have another window and a driver; a window that is over is not kept', async (t) => {
  const server = await startServer(t)
  const { driver } = await aFailed(server, { completeAfter: '2020-01-01 09:00', completeBefore: '2020-01-01 12:00' })
  const given = { completeAfter: '2030-01-02 09:00', completeBefore: '2030-01-02 12:00', userId: driver.id }
  const second = (await reattempt(server, 'A-1', given)).body.task
  assert.deepEqual(
    [second.statusId, second.userId, second.completeAfter, second.completeBefore, second.taskDelayed],
    [6, driver.id, '2030-01-02T07:00:00.000Z', '2030-01-02T10:00:00.000Z', false],
  )
  assert.deepEqual(await server.triggers('A-1-2'), ['TASK_CREATED', 'TASK_ASSIGNED'])
  await fail(server, 'A-1-2')
  const third = (await reattempt(server, 'A-1-2')).body.task
  assert.deepEqual([third.awb, third.attempt, third.completeBefore], ['A-1-3', 3, second.completeBefore])
  assert.deepEqual(third.earlierAwbs, ['A-1', 'A-1-2'])

  await server.post('/tasks', aTask({ awb: 'B-1', userId: driver.id, completeBefore: '2020-01-01 12:00' }))
  await fail(server, 'B-1')
  const again = (await reattempt(server, 'B-1')).body.task
  assert.deepEqual([again.completeAfter, again.completeBefore, again.taskDelayed], [null, null, false])

  const wrong = await reattempt(server, 'A-1', {
    completeAfter: '2030-01-02 12:00',
    completeBefore: '2030-01-02 09:00',
  })
  assert.equal(wrong.body.error.code, 'INVALID_TIME_WINDOW')
  assert.equal((await reattempt(server, 'A-1', { userId: 999_999 })).body.error.code, 'DRIVER_NOT_FOUND')
})

test('only what is still to be paid is collected by the next try', async (t) => {
  const server = await startServer(t)
  await settings(server, { allowPartialPayments: true })
  const { task } = await aFailed(server, { totalPrice: 120 })
  await server.post(`/tasks/${task.id}/payments`, { amount: 20, method: 'cash' })
  const next = (await reattempt(server, 'A-1')).body.task
  assert.deepEqual([next.totalPrice, next.leftToBePaid, next.collectPayment], [100, 100, true])
  const old = await get(server, 'A-1')
  assert.deepEqual([old.totalPrice, old.leftToBePaid], [120, 100])
  // Paid here too, it would be asked for twice.
  const refused = await server.post(`/tasks/${task.id}/payments`, { amount: 100, method: 'cash' })
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'TASK_REATTEMPTED'])
  assert.match(refused.body.error.message, /A-1-2; add the payment there/)
  assert.equal((await server.post(`/tasks/${task.id}/payments`, { amount: -5, method: 'cash' })).status, 200)
  assert.equal((await server.post(`/tasks/${next.id}/payments`, { amount: 100, method: 'cash' })).status, 200)
})

test('a next try is not deleted while money was paid for it: the task before would ask for that again', async (t) => {
  const server = await startServer(t)
  const { driver, task } = await aFailed(server, { totalPrice: 100 })
  const next = (await reattempt(server, 'A-1')).body.task
  const pay = async ({ id }: { id: number }, amount: number) =>
    (await server.post(`/tasks/${id}/payments`, { amount, method: 'cash', userId: driver.id })).status
  assert.equal(await pay(next, 100), 200)
  const refused = await server.delete('/tasks/awb/A-1-2')
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'TRY_PAID'])
  assert.deepEqual([await pay(next, -100), (await server.delete('/tasks/awb/A-1-2')).status], [200, 200])
  assert.equal(await pay(task, 100), 200)
  assert.equal((await reattempt(server, 'A-1')).body.task.leftToBePaid, 0)
  const { collected, toCollect } = (await server.get('/reports/tasks')).body
  assert.deepEqual([collected, toCollect], [100, 0])
  // What is no try is deleted as ever: nothing before it asks again.
  const other = (await server.post('/tasks', aTask({ awb: 'B-1', totalPrice: 10 }))).body.task
  assert.deepEqual([await pay(other, 10), (await server.delete('/tasks/awb/B-1')).status], [200, 200])
})

test('what was paid before is not the price of the next try, even if nobody is to collect it yet', async (t) => {
  const server = await startServer(t)
  const { task } = await aFailed(server, { totalPrice: 100, collectPayment: false })
  await server.post(`/tasks/${task.id}/payments`, { amount: 100, method: 'other' })
  await reattempt(server, 'A-1')
  for (const awb of ['A-1', 'A-1-2']) {
    await server.put(`/tasks/awb/${awb}`, { collectPayment: true })
    assert.equal((await get(server, awb)).leftToBePaid, 0, awb)
  }
})

test('a task for which no AWB is left is refused, and hurts no other', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const taken = Array.from({ length: 20 }, (_, at) => `A-1-${at + 2}`)
  for (const awb of ['A-1', 'B-1', ...taken]) await server.post('/tasks', aTask({ awb, userId: driver.id }))
  for (const awb of ['A-1', 'B-1']) await fail(server, awb)
  const { status, body } = await server.post('/tasks/bulkReattempt', { tasks: ['A-1', 'B-1'] })
  assert.equal(status, 200)
  assert.deepEqual(
    body.results.map(({ awb, error }: { awb: string; error?: { code: string } }) => [awb, error?.code]),
    [
      ['A-1', 'AWB_TAKEN'],
      ['B-1', undefined],
    ],
  )
  const alone = await reattempt(server, 'A-1')
  assert.deepEqual([alone.status, alone.body.error.code], [409, 'AWB_TAKEN'])
})

test('what has not failed, is gone, or is tried again already is refused, and the next try is named', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))
  const codeOf = async (awb: string) => (await reattempt(server, awb)).body.error?.code
  assert.equal(await codeOf('A-1'), 'TASK_NOT_FAILED')
  assert.equal(await codeOf('NONE'), 'TASK_NOT_FOUND')
  await fail(server, 'A-1')
  assert.equal(await codeOf('A-1'), undefined)
  const { status, body } = await reattempt(server, 'A-1')
  assert.deepEqual([status, body.error.code], [409, 'TASK_REATTEMPTED'])
  assert.match(body.error.message, /A-1-2/)
  assert.equal((await bringBack(server, 'A-1')).body.error.code, 'TASK_REATTEMPTED')

  await server.delete('/tasks/awb/A-1-2')
  assert.equal((await get(server, 'A-1')).reattemptedAs, null)
  assert.equal((await reattempt(server, 'A-1')).body.task.awb, 'A-1-2')
})

test('two who try a task again at once make one task', async (t) => {
  const server = await startServer(t)
  await aFailed(server)
  const replies = await Promise.all([1, 2, 3, 4].map(() => reattempt(server, 'A-1')))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409])
  const { body } = await server.get('/tasks?q=A-1')
  assert.deepEqual(body.tasks.map(({ awb }: { awb: string }) => awb).sort(), ['A-1', 'A-1-2'])
})

test('a name that is taken is skipped, and a long one is shortened', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'A-1-2' }))
  await aFailed(server)
  assert.equal((await reattempt(server, 'A-1')).body.task.awb, 'A-1-3')
  const long = 'L'.repeat(64)
  await aFailed(server, { awb: long })
  assert.equal((await reattempt(server, long)).body.task.awb, `${'L'.repeat(62)}-2`)
})

test('beyond the number of tries nothing is tried again', async (t) => {
  const server = await startServer(t)
  await settings(server, { mostAttempts: 2 })
  const { driver } = await aFailed(server)
  await reattempt(server, 'A-1', { userId: driver.id })
  await fail(server, 'A-1-2')
  const { status, body } = await reattempt(server, 'A-1-2')
  assert.deepEqual([status, body.error.code], [409, 'ATTEMPTS_EXHAUSTED'])
  assert.equal((await bringBack(server, 'A-1-2', { address: aTask().address })).status, 200)
})

test('many are tried again in one request, each with its own result', async (t) => {
  const server = await startServer(t)
  const { driver } = await aFailed(server)
  await aFailed(server, { awb: 'A-2' })
  await server.post('/tasks', aTask({ awb: 'OPEN' }))
  const { body } = await server.post('/tasks/bulkReattempt', {
    tasks: ['A-1', 'OPEN', 'A-2', 'NONE', ''],
    userId: driver.id,
    completeAfter: '2030-01-02 09:00',
  })
  assert.deepEqual(
    body.results.map(({ awb, success, data, error }: Record<string, never>) => [
      awb,
      success,
      data?.['awb'] ?? error?.['code'],
    ]),
    [
      ['A-1', true, 'A-1-2'],
      ['OPEN', false, 'TASK_NOT_FAILED'],
      ['A-2', true, 'A-2-2'],
      ['NONE', false, 'TASK_NOT_FOUND'],
      ['', false, 'VALIDATION_FAILED'],
    ],
  )
  const route = (await server.get(`/drivers/${driver.id}/tasks?statusId=6`)).body.tasks
  assert.deepEqual(
    route.map(({ awb }: { awb: string }) => awb),
    ['A-1-2', 'A-2-2'],
  )
})

test('a parcel goes back to the hub of its team, with the driver who has it and nobody to pay or be told', async (t) => {
  const server = await startServer(t)
  const far = (await server.post('/hubs', { name: 'Far', lat: 45, lng: 25, address: 'Strada Lungă 1, Brașov' })).body
    .hub
  const near = (
    await server.post('/hubs', { name: 'Near', lat: 44.5, lng: 26, address: 'Calea Griviței 5, București' })
  ).body.hub
  assert.ok(far.id < near.id)
  const team = await makeTeam(server, { hubId: near.id })
  const { driver, task } = await aFailed(server, { teamId: team.id, totalPrice: 50, customer: { name: 'Ana' } })
  const back = (await bringBack(server, 'A-1')).body.task
  assert.deepEqual(
    [back.awb, back.returnOf, back.attempt, back.userId, back.statusId, back.earlierAwbs],
    ['A-1-R', { taskId: task.id, awb: 'A-1' }, 1, driver.id, 6, ['A-1']],
  )
  assert.deepEqual([back.address.address, back.address.lat], ['Calea Griviței 5, București', 44.5])
  assert.deepEqual(
    [back.customer, back.totalPrice, back.leftToBePaid, back.collectPayment, back.sendNotifications],
    [null, null, null, false, false],
  )
  assert.deepEqual((await get(server, 'A-1')).returnedAs, { taskId: back.id, awb: 'A-1-R' })
  assert.equal((await bringBack(server, 'A-1')).body.error.code, 'TASK_RETURNED')
  assert.equal((await reattempt(server, 'A-1')).body.error.code, 'TASK_RETURNED')

  await fail(server, 'A-1-R')
  assert.equal((await bringBack(server, 'A-1-R')).body.error.code, 'NOTHING_TO_RETURN')
  const again = (await reattempt(server, 'A-1-R')).body.task
  assert.deepEqual(
    [again.awb, again.returnOf, again.attemptOf.awb],
    ['A-1-R-2', { taskId: task.id, awb: 'A-1' }, 'A-1-R'],
  )
})

test('a parcel goes to the hub of a team of its driver, who may also be in teams without one', async (t) => {
  const server = await startServer(t)
  await server.post('/hubs', { name: 'First', lat: 45, lng: 25, address: 'Strada Lungă 1, Brașov' })
  const own = (await server.post('/hubs', { name: 'Own', lat: 44.5, lng: 26, address: 'Calea Griviței 5, București' }))
    .body.hub
  const teams = [(await makeTeam(server, { hubId: own.id })).id, (await makeTeam(server)).id]
  const driver = await makeDriver(server, { teams })
  await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))
  await fail(server, 'A-1')
  assert.equal((await bringBack(server, 'A-1')).body.task.address.address, 'Calea Griviței 5, București')
})

test('a parcel goes to the address that is given, and without one there has to be a hub', async (t) => {
  const server = await startServer(t)
  await aFailed(server)
  await aFailed(server, { awb: 'A-2' })
  await aFailed(server, { awb: 'PICKUP', pickupTask: true })
  assert.equal((await bringBack(server, 'A-1')).body.error.code, 'NO_RETURN_ADDRESS')
  const given = { address: { address: 'The sender, Strada Mare 3', lat: 44, lng: 26 }, userId: null }
  const back = (await bringBack(server, 'A-1', given)).body.task
  assert.deepEqual([back.address.address, back.userId, back.statusId], ['The sender, Strada Mare 3', null, 1])
  await server.post('/hubs', { name: 'Only', lat: 44.5, lng: 26, city: 'București' })
  const { results } = (await server.post('/tasks/bulkReturn', { tasks: ['A-1', 'A-2', 'PICKUP'] })).body
  assert.deepEqual(
    results.map(({ awb, data, error }: Record<string, never>) => [awb, data?.['awb'] ?? error?.['code']]),
    [
      ['A-1', 'TASK_RETURNED'],
      ['A-2', 'A-2-R'],
      ['PICKUP', 'NOTHING_TO_RETURN'],
    ],
  )
})

test('a parcel whose last try fails goes back by itself, once, also when a phone says so', async (t) => {
  const server = await startServer(t)
  await server.post('/hubs', { name: 'Only', lat: 44.5, lng: 26, city: 'București' })
  await settings(server, { mostAttempts: 2, afterLastAttempt: 'return' })
  const { driver } = await aFailed(server)
  await server.makeRound('returning')
  assert.equal((await get(server, 'A-1')).returnedAs, null)

  const next = (await reattempt(server, 'A-1', { userId: driver.id })).body.task
  const key = await signIn(server, driver)
  const failed = await request(server.url, 'POST', `/api/v1/driver/tasks/${next.id}/fail`, {
    key,
    body: { reason: 'Closed' },
  })
  assert.equal(failed.status, 200, failed.text)
  await server.makeRound('returning')
  const back = (await get(server, 'A-1-2')).returnedAs
  assert.equal(back.awb, 'A-1-R')

  await server.delete('/tasks/awb/A-1-R')
  await server.makeRound('returning')
  assert.equal((await get(server, 'A-1-2')).returnedAs, null)
})

test('where the parcel cannot go back by itself, the task says why', async (t) => {
  const server = await startServer(t)
  await settings(server, { mostAttempts: 1, afterLastAttempt: 'return' })
  await aFailed(server)
  await server.makeRound('returning')
  const { timelines } = await get(server, 'A-1')
  assert.equal(timelines.at(-1).data.notReturned.code, 'NO_RETURN_ADDRESS')
})

test('a phone scans the label of the first try for the second', async (t) => {
  const server = await startServer(t)
  const { driver } = await aFailed(server)
  const next = (await reattempt(server, 'A-1', { userId: driver.id })).body.task
  const key = await signIn(server, driver)
  const deviceTime = new Date().toISOString()
  const ops = ['A-1', 'A-9'].map((code, at) => ({
    opId: `${at}`,
    type: 'scan',
    taskId: next.id,
    occurredAt: deviceTime,
    code,
  }))
  const { body } = await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops } })
  assert.deepEqual(
    body.results.map(({ success, error }: Record<string, never>) => [success, error?.['code']]),
    [
      [true, undefined],
      [false, 'WRONG_PARCEL'],
    ],
  )
})

test('a repeated request with the same idempotency key makes one try', async (t) => {
  const server = await startServer(t)
  await aFailed(server)
  const call = () =>
    request(server.url, 'POST', '/api/v1/tasks/awb/A-1/reattempt', {
      key: server.key,
      body: {},
      headers: { 'idempotency-key': 'tap' },
    })
  const [first, second] = [await call(), await call()]
  assert.deepEqual([first.status, second.status, second.body.task.awb], [200, 200, 'A-1-2'])
})

test('what a partner could not deliver is tried again by its owner only, also with the partner again', async (t) => {
  const { shop, courier, awb, delegate } = await aPair(t)
  await courier.post('/hubs', { name: 'Hub', lat: 44.5, lng: 26, city: 'București' })
  await delegate()
  const driver = await aDriverOf(courier)
  await driver.take(awb)
  await driver.act('start', awb)
  await driver.act('fail', awb, { reason: 'Nobody at home' })

  for (const verb of ['reattempt', 'return']) {
    const { status, body } = await courier.post(`/tasks/awb/${awb}/${verb}`, {})
    assert.deepEqual([status, body.error.code], [409, 'TASK_OF_PARTNER'], verb)
  }
  const { results } = (await courier.post('/tasks/bulkReattempt', { tasks: [awb] })).body
  assert.equal(results[0].error.code, 'TASK_OF_PARTNER')

  const { task } = (await shop.post(`/tasks/awb/${awb}/reattempt`, {})).body
  await give(shop, courier, task.awb)
  const theirs = await taskOf(courier, task.awb)
  assert.deepEqual([theirs.attempt, theirs.attemptOf], [1, null], 'there it is a task of its own')
})
