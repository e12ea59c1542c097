import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, signIn } from '../../test/factories.ts'
import { aDriverOf, agree, aPair, give, type Party, taskOf } from '../../test/partners.ts'
import { request, startServer } from '../../test/server.ts'

/* Money that somebody hears of late: when the task is gone, when it has ended, when an organisation counts in another way. */

type Sent = { success: boolean; conflict?: { id: number }; error?: { code: string } }

async function send(url: string, key: string, ...ops: object[]): Promise<Sent[]> {
  const now = new Date().toISOString()
  const full = ops.map((op) => ({ opId: randomUUID(), occurredAt: now, ...op }))
  return (await request(url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime: now, ops: full } })).body.results
}

const settle = (party: Party, { conflict }: Sent, apply = true) =>
  party.post(`/conflicts/${conflict?.id}/settle`, { apply })

const bagOf = async (party: Party): Promise<number[]> =>
  (await party.get('/cash/lines')).body.lines.map(({ amount }: { amount: number }) => amount).sort()

/** What is owed to the one, as both sides say it. */
async function owed(to: Party, by: Party) {
  const { toUs } = (await to.get(`/partners/${by.organisationId}/balance`)).body.balance
  const { toThem } = (await by.get(`/partners/${to.organisationId}/balance`)).body.balance
  assert.deepEqual(toUs, toThem)
  return toUs.total
}

/** A driver of the courier has a parcel of the shop. */
async function withDriver(pair: Awaited<ReturnType<typeof aPair>>, settings: object = {}) {
  const { courier, awb, delegate } = pair
  await courier.put('/company', { settings: { allowPartialPayments: true, ...settings } })
  await delegate()
  const driver = await aDriverOf(courier)
  await driver.take(awb)
  return { ...pair, driver, taskId: (await taskOf(courier, awb)).id as number }
}

for (const isLater of [false, true])
  test(`what was taken before a parcel was taken back is booked and corrected on both sides${isLater ? ', whoever came first' : ''}`, async (t) => {
    const { server, shop, courier, awb, task, driver, taskId, delegate } = await withDriver(await aPair(t, isLater))
    await driver.pay(awb, 10)
    await shop.put(`/tasks/${task.id}/undelegate`)
    const [paid] = await send(server.url, driver.key, { type: 'payment', taskId, amount: 30, method: 'cash' })
    assert.equal((await settle(courier, paid as Sent)).status, 200)
    assert.equal((await taskOf(shop, awb)).leftToBePaid, 10)
    assert.deepEqual([await owed(shop, courier), await bagOf(courier)], [40, [10, 30]])
    const told = (await taskOf(shop, awb)).timelines.at(-1)
    assert.deepEqual([told.data.payment.amount, told.actor.type], [30, 'PARTNER'])

    // It is with the same courier again: that row follows, the one that is gone is still corrected.
    await delegate()
    await server.makeRound('erasure')
    const gone = sql`select from tasks where id = ${taskId} and deleted_at is not null and erased_at is not null`
    assert.ok(await server.database.everyone.find(gone))
    const corrected = await courier.post(`/tasks/${taskId}/payments`, { amount: -5, method: 'cash', userId: driver.id })
    assert.deepEqual([corrected.status, corrected.body.payment?.taskId], [200, taskId], corrected.text)
    assert.deepEqual([await owed(shop, courier), await bagOf(courier)], [35, [-5, 10, 30]])
    for (const party of [shop, courier]) assert.equal((await taskOf(party, awb)).leftToBePaid, 15)
    const tooMuch = await courier.post(`/tasks/${taskId}/payments`, { amount: -36, method: 'cash' })
    assert.equal(tooMuch.body.error.code, 'PAYMENT_TOO_MUCH')
  })

test('in a chain that was taken back all of them owe it to the one before', async (t) => {
  const { server, shop, courier, awb, task, delegate } = await aPair(t)
  const colleague: Party = await server.another()
  await colleague.put('/company', { settings: { allowPartialPayments: true } })
  await agree(courier, colleague)
  await delegate()
  await give(courier, colleague, awb)
  const driver = await aDriverOf(colleague)
  await driver.take(awb)
  const { id: taskId } = await taskOf(colleague, awb)
  await shop.put(`/tasks/${task.id}/undelegate`)
  const [paid] = await send(server.url, driver.key, { type: 'payment', taskId, amount: 30, method: 'cash' })
  assert.equal((await settle(colleague, paid as Sent)).status, 200)
  assert.deepEqual([await owed(shop, courier), await owed(courier, colleague)], [30, 30])
  assert.equal((await taskOf(shop, awb)).leftToBePaid, 20)
  assert.deepEqual([await bagOf(colleague), await bagOf(courier)], [[30], []])
})

test('a parcel that its owner deleted is still owed what was taken for it', async (t) => {
  const { server, shop, courier, awb, driver, taskId } = await withDriver(await aPair(t))
  assert.equal((await shop.delete(`/tasks/awb/${awb}`)).status, 200)
  const [paid] = await send(server.url, driver.key, { type: 'payment', taskId, amount: 30, method: 'cash' })
  assert.equal((await settle(courier, paid as Sent)).status, 200)
  assert.deepEqual([await owed(shop, courier), await bagOf(courier)], [30, [30]])
})

test('of a task that the office deleted meanwhile the money is booked; what else was done cannot be, and the office is told so', async (t) => {
  const first = await startServer(t)
  const server = { ...first, ...(await first.another()) }
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  const { task } = (await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id, totalPrice: 50 }))).body
  await server.delete('/tasks/awb/A-1')
  const events = (await server.get('/events')).body.events.length
  const [paid, done] = await send(
    first.url,
    key,
    { type: 'payment', taskId: task.id, amount: 50, method: 'cash' },
    { type: 'complete', taskId: task.id },
  )
  const refused = await settle(server, done as Sent)
  assert.deepEqual([refused.status, refused.body.error.code], [404, 'TASK_NOT_FOUND'])
  assert.match(refused.body.error.message, /create the task again/)
  assert.equal((await settle(server, done as Sent, false)).status, 200)
  assert.equal((await settle(server, paid as Sent)).body.conflict.applied, true)
  assert.deepEqual(await bagOf(server), [50])
  assert.equal((await server.get('/events')).body.events.length, events, 'what is gone tells nothing')

  const pay = async (given: object) =>
    (await server.post(`/tasks/${task.id}/payments`, { method: 'cash', ...given })).status
  assert.equal(await pay({ amount: -50 }), 200)
  assert.equal(await pay({ amount: 50 }), 404, 'the office itself takes nothing for it any more')
  assert.equal(await pay({ amount: 50, userId: driver.id }), 200)
  assert.deepEqual(await bagOf(server), [50, 50])
})

test('what was taken at a next try that is gone counts for the task before it', async (t) => {
  const first = await startServer(t)
  const server = { ...first, ...(await first.another()) }
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  const { task } = (await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id, totalPrice: 50 }))).body
  await server.put('/tasks/awb/A-1/forceComplete', { success: false })
  const next = (await server.post('/tasks/awb/A-1/reattempt', { userId: driver.id })).body.task
  await server.delete('/tasks/awb/A-1-2')
  const [paid] = await send(first.url, key, { type: 'payment', taskId: next.id, amount: 50, method: 'cash' })
  assert.equal((await settle(server, paid as Sent)).status, 200)
  const { payments } = (await server.get(`/tasks/${task.id}/payments`)).body
  assert.deepEqual([payments.length, await bagOf(server)], [1, [50]])
  assert.equal((await server.post('/tasks/awb/A-1/reattempt')).body.task.leftToBePaid, 0)
})

test('what a driver took with decimals for a shop without them is booked on both sides', async (t) => {
  const { server, shop, courier, awb, driver, taskId } = await withDriver(await aPair(t), { moneyDecimals: 2 })
  await driver.act('start', awb)
  const results = await send(
    server.url,
    driver.key,
    { type: 'payment', taskId, amount: 29.5, method: 'cash' },
    { type: 'complete', taskId },
  )
  assert.deepEqual(
    results.map(({ success }) => success),
    [true, true],
  )
  assert.deepEqual([await bagOf(courier), await owed(shop, courier)], [[29.5], 29.5])
  // What is left has decimals, so it can be paid.
  const { id, leftToBePaid } = await taskOf(shop, awb)
  assert.equal(leftToBePaid, 20.5)
  assert.equal((await shop.post(`/tasks/${id}/payments`, { amount: 20.5, method: 'cash' })).status, 200)
  for (const party of [shop, courier]) assert.equal((await taskOf(party, awb)).leftToBePaid, 0)
})

test('money in another currency is booked nowhere: the office is refused, and what a phone brings is left to it', async (t) => {
  const { server, shop, courier, awb, driver, taskId } = await withDriver(await aPair(t))
  await driver.pay(awb, 10)
  await driver.act('start', awb)
  await driver.act('complete', awb)
  await courier.put('/company', { currency: 'EUR' })
  const pay = (amount: number) => courier.post(`/tasks/${taskId}/payments`, { amount, method: 'cash' })
  const refused = await pay(40)
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CURRENCY_DIFFERS'])
  const [paid] = await send(server.url, driver.key, { type: 'payment', taskId, amount: 40, method: 'cash' })
  assert.deepEqual([paid?.error?.code, Boolean(paid?.conflict)], ['CURRENCY_DIFFERS', true])
  assert.equal((await settle(courier, paid as Sent)).body.error.code, 'CURRENCY_DIFFERS')
  assert.equal(await owed(shop, courier), 10)
  assert.equal((await pay(-10)).status, 200, 'what was booked before is taken back')
  assert.equal(await owed(shop, courier), 0)
})
