import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver } from '../../test/factories.ts'
import { aDriverOf, aPair, give, taskOf } from '../../test/partners.ts'
import { addPerson } from '../../test/people.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'

const get = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task
const correct = (server: Pick<TestServer, 'post'>, awb: string, statusId: unknown, reason = 'The wrong button') =>
  server.post(`/tasks/awb/${awb}/correct`, { statusId, reason })

async function anEnded(server: TestServer, success: boolean, given: object = {}) {
  const driver = await makeDriver(server)
  await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id, totalPrice: 50, ...given }))
  const { body } = await server.put('/tasks/awb/A-1/forceComplete', { success, failureReason: 'Nobody at home' })
  return { driver, task: body.task }
}

test('a failure that was a mistake becomes a success; when it ended and what was paid stay', async (t) => {
  const server = await startServer(t)
  const { task } = await anEnded(server, false)
  await server.post(`/tasks/${task.id}/payments`, { amount: 50, method: 'cash' })
  const { body } = await correct(server, 'A-1', 9)
  assert.deepEqual(
    [body.task.statusId, body.task.completedAt, body.task.cancelReason, body.task.leftToBePaid],
    [9, task.completedAt, null, 0],
  )
  const told = body.task.timelines.at(-1)
  assert.deepEqual(
    [told.event, told.fromStatusId, told.toStatusId, told.data.corrected, told.data.previous.cancelReason],
    ['TASK_COMPLETE', 10, 9, { reason: 'The wrong button' }, 'Nobody at home'],
  )
  assert.deepEqual((await server.triggers('A-1')).slice(-3), ['TASK_FAILED', 'TASK_UPDATED', 'TASK_COMPLETE'])
})

test('a success that was a mistake becomes a failure, and can be tried again', async (t) => {
  const server = await startServer(t)
  const { task } = await anEnded(server, true)
  const { body } = await correct(server, 'A-1', '10', ' Nobody was there ')
  assert.deepEqual(
    [body.task.statusId, body.task.completedAt, body.task.cancelReason],
    [10, task.completedAt, 'Nobody was there'],
  )
  assert.equal((await server.triggers('A-1')).at(-1), 'TASK_FAILED')
  assert.equal((await server.post('/tasks/awb/A-1/reattempt')).body.task.awb, 'A-1-2')
})

test('only what has ended is corrected, to the other end, with a reason', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'OPEN' }))
  await anEnded(server, false)
  const codeOf = async (awb: string, statusId: unknown, reason?: string) =>
    (await correct(server, awb, statusId, reason)).body.error?.code
  assert.equal(await codeOf('OPEN', 9), 'TASK_NOT_ENDED')
  assert.equal(await codeOf('NONE', 9), 'TASK_NOT_FOUND')
  assert.equal(await codeOf('A-1', 10), 'TASK_ALREADY_PROCESSED')
  assert.equal(await codeOf('A-1', 1), 'VALIDATION_FAILED')
  assert.equal(await codeOf('A-1', 9, ' '), 'VALIDATION_FAILED')
  assert.equal((await get(server, 'A-1')).statusId, 10)
})

test('what is on its way again is not corrected before that has ended', async (t) => {
  const server = await startServer(t)
  const { driver } = await anEnded(server, false)
  await server.post('/tasks/awb/A-1/reattempt', { userId: driver.id })
  const refused = (await correct(server, 'A-1', 9)).body.error
  assert.equal(refused.code, 'TASK_REATTEMPTED')
  assert.match(refused.message, /A-1-2/)
  await server.put('/tasks/awb/A-1-2/forceComplete', { success: false })
  assert.equal((await correct(server, 'A-1', 9)).body.task.statusId, 9)
})

test('a dispatcher may not correct, an admin and a key may; it is written down', async (t) => {
  const server = await startServer(t)
  await anEnded(server, false)
  const dispatcher = await addPerson(server, 'dispatcher')
  const refused = await correct(dispatcher, 'A-1', 9)
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'FORBIDDEN'])
  assert.match(refused.body.error.message, /tasks:correct/)
  const admin = await addPerson(server, 'admin')
  assert.equal((await correct(admin, 'A-1', 9)).status, 200)
  assert.equal((await correct(server, 'A-1', 10)).status, 200)
  const { entries } = (await server.get('/audit?kind=task.endCorrected')).body
  assert.deepEqual(
    entries.map(({ actor, changes }: { actor: { type: string }; changes: unknown }) => [actor.type, changes]),
    [
      ['API', [{ field: 'statusId', before: 9, after: 10 }]],
      ['ADMIN', [{ field: 'statusId', before: 10, after: 9 }]],
    ],
  )
})

test('a customer is told of each end at most once, however often it is corrected', async (t) => {
  const server = await startServer(t)
  await server.put('/company', { settings: { messageDelivered: true, messageFailed: true } })
  await anEnded(server, true, { customer: { name: 'Ana', phone: '0722 111 222' } })
  for (const statusId of [10, 9, 10, 9]) assert.equal((await correct(server, 'A-1', statusId)).status, 200)
  const { messages } = (await server.get('/messages')).body
  assert.deepEqual(messages.map(({ cause }: { cause: string }) => cause).sort(), ['delivered', 'failed'])
})

test('a partner corrects what it did, and the owner sees the same; the owner may not', async (t) => {
  const { shop, courier, awb } = await aPair(t)
  await give(shop, courier, awb)
  const driver = await aDriverOf(courier)
  await driver.take(awb)
  await courier.put(`/tasks/awb/${awb}/forceComplete`, { success: true })

  const refused = (await correct(shop, awb, 10)).body.error
  assert.equal(refused.code, 'TASK_DELEGATED')
  assert.equal((await correct(courier, awb, 10, 'It came back')).status, 200)
  const [own, theirs] = [await taskOf(shop, awb), await taskOf(courier, awb)]
  assert.deepEqual([own.statusId, own.cancelReason, own.completedAt], [10, 'It came back', theirs.completedAt])
  assert.deepEqual(own.timelines.at(-1).data.corrected, { reason: 'It came back' })
  assert.equal((await shop.triggers(awb)).at(-1), 'TASK_FAILED')

  const ofFulfiller = await courier.post(`/tasks/awb/${awb}/reattempt`)
  assert.deepEqual([ofFulfiller.status, ofFulfiller.body.error.code], [409, 'TASK_OF_PARTNER'])
  const again = (await shop.post(`/tasks/awb/${awb}/reattempt`)).body.task
  assert.deepEqual([again.awb, again.side, again.ownerId], [`${awb}-2`, undefined, shop.organisationId])
  assert.equal((await taskOf(courier, awb)).reattemptedAs, null)
})

test('what its owner tries again or brings back, the partner neither corrects nor is paid for', async (t) => {
  const { shop, courier, awb } = await aPair(t)
  await shop.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })
  await give(shop, courier, awb)
  const driver = await aDriverOf(courier)
  await driver.take(awb)
  await driver.act('fail', awb, { reason: 'Nobody at home' })
  const next = (await shop.post(`/tasks/awb/${awb}/reattempt`, {})).body.task
  const theirs = await taskOf(courier, awb)
  const corrected = await correct(courier, awb, 9)
  const paid = await courier.post(`/tasks/${theirs.id}/payments`, { amount: 50, method: 'cash' })
  for (const { status, body } of [corrected, paid]) {
    assert.deepEqual([status, body.error.code], [409, 'TASK_REATTEMPTED'])
    assert.doesNotMatch(body.error.message, new RegExp(next.awb))
  }
  const own = await taskOf(shop, awb)
  assert.deepEqual([own.statusId, own.leftToBePaid], [10, 50])

  await shop.delete(`/tasks/awb/${next.awb}`)
  const back = (await shop.post(`/tasks/awb/${awb}/return`, {})).body.task
  assert.equal((await correct(courier, awb, 9)).body.error.code, 'TASK_RETURNED')
  await shop.delete(`/tasks/awb/${back.awb}`)
  assert.equal((await correct(courier, awb, 9)).status, 200)
  assert.equal((await courier.post(`/tasks/${theirs.id}/payments`, { amount: 50, method: 'cash' })).status, 200)
})

test('a task that was left as it is waits for a decision again once its partner has corrected it', async (t) => {
  const { shop, courier, awb } = await aPair(t)
  await shop.put('/company', { settings: { mostAttempts: 1 } })
  await give(shop, courier, awb)
  await (await aDriverOf(courier)).take(awb)
  await courier.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
  const waiting = async () => (await shop.get('/tasks?toDecide=true')).body.tasks.map(({ awb }: { awb: string }) => awb)
  await shop.post('/tasks/bulkClose', { tasks: [awb] })
  assert.deepEqual(await waiting(), [])
  for (const statusId of [9, 10]) assert.equal((await correct(courier, awb, statusId)).status, 200)
  assert.deepEqual(await waiting(), [awb])
})

test('the undo of an earlier plan leaves a corrected task alone', async (t) => {
  const server = await startServer(t)
  const undoId = crypto.randomUUID()
  const driver = await makeDriver(server)
  await server.post('/tasks', aTask({ awb: 'A-1' }))
  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['A-1'], undoId })
  await server.put('/tasks/awb/A-1/forceComplete', { success: true })
  await correct(server, 'A-1', 10)
  const undone = await request(server.url, 'POST', '/api/v1/tasks/undo', { key: server.key, body: { undoId } })
  assert.equal(undone.body.results[0].success, false)
  assert.deepEqual([(await get(server, 'A-1')).statusId, (await get(server, 'A-1')).userId], [10, driver.id])
})
