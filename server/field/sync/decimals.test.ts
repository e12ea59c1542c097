import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, letDaysPass, makeDriver, signIn } from '../../test/factories.ts'
import { readPdf } from '../../test/pdf.ts'
import { startReceiver } from '../../test/receiver.ts'
import { request, startServer } from '../../test/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const updated = 5

/** An organisation that uses amounts with decimals, and a driver of it. */
async function anOffice(t: TestContext, settings: object = { moneyDecimals: 2, allowPartialPayments: true }) {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  await letDaysPass(server)
  const set = (settings: object) => server.put('/company', { settings })
  await set(settings)
  const create = async (given: object): Promise<Wire> => (await server.post('/tasks', aTask(given))).body
  return {
    server,
    driver,
    set,
    create,
    look: async (awb: string): Promise<Wire> => (await server.get(`/tasks/awb/${awb}`)).body.task,
    pay: async ({ id }: { id: number }, amount: unknown): Promise<Wire> =>
      (await server.post(`/tasks/${id}/payments`, { amount, method: 'other' })).body,
    async take({ id: taskId }: { id: number }, amount: unknown, occurredAt = new Date()): Promise<Wire> {
      const op = { opId: randomUUID(), type: 'payment', taskId, amount, method: 'cash', occurredAt }
      const body = { deviceTime: new Date(), ops: [op] }
      return (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body })).body
    },
  }
}

test('a price of 89.5 is paid with 40.25 and leaves 49.25, in answers, events, webhooks and the proof', async (t) => {
  const { server, driver, create, take, pay, look } = await anOffice(t)
  const receiver = await startReceiver(t)
  await server.post('/webHooks', { url: receiver.url, trigger: updated })
  const { task } = await create({ awb: 'A-1', userId: driver.id, totalPrice: 89.5, deliveryPrice: '15.90' })
  assert.deepEqual(
    [task.totalPrice, task.leftToBePaid, task.deliveryPrice, task.collectPayment],
    [89.5, 89.5, 15.9, true],
  )

  const { results, changes } = await take(task, 40.25)
  assert.equal(results[0].success, true, JSON.stringify(results))
  assert.deepEqual([changes.tasks[0].leftToBePaid, changes.payments[0].amount], [49.25, 40.25])
  const { leftToBePaid, timelines } = await look('A-1')
  assert.equal(leftToBePaid, 49.25)
  assert.partialDeepStrictEqual(timelines.at(-1).data, { previous: { leftToBePaid: 89.5 }, payment: { amount: 40.25 } })

  const message = await receiver.next()
  assert.match(message.rawBody, /"totalPrice":89\.5,"leftToBePaid":49\.25,"deliveryPrice":15\.9,/)
  assert.partialDeepStrictEqual(JSON.parse(message.rawBody), { data: { previous: { leftToBePaid: 89.5 } } })

  assert.match((await pay(task, 49.26)).error.message, /^Only 49.25 is left/)
  assert.match((await pay(task, -40.26)).error.message, /^Only 40.25 was paid/)
  assert.deepEqual([(await pay(task, '0.05')).task.leftToBePaid, (await pay(task, 49.2)).task.leftToBePaid], [49.2, 0])
  const { payments } = (await server.get(`/tasks/${task.id}/payments`)).body
  assert.deepEqual(
    payments.map(({ amount }: Wire) => amount),
    [40.25, 0.05, 49.2],
  )
  assert.equal((await pay(task, -0.05)).task.leftToBePaid, 0.05)
  await server.put('/tasks/awb/A-1/forceComplete', { success: true })
  const { bytes } = await request(server.url, 'GET', `/api/v1/tasks/${task.id}/proof.pdf?language=ro`, {
    key: server.key,
  })
  const proof = readPdf(bytes)
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
  assert.match(proof, /89,50 lei.*40,25 lei \(numerar\), 49,20 lei/)
})

test('whole amounts stay whole, and a thousand small ones add up exactly', async (t) => {
  const { server, create, pay, look } = await anOffice(t)
  const { task } = await create({ awb: 'A-1', totalPrice: '120.00', deliveryPrice: 0 })
  const { text } = await server.get('/tasks/awb/A-1')
  assert.match(text, /"totalPrice":120,"leftToBePaid":120,"deliveryPrice":0,/)
  await server.put('/tasks/awb/A-1', { totalPrice: 100.1 })
  // As many lines at once as somebody would enter in a year.
  await server.database.everyone.run(sql`
    insert into payments (organisation_id, task_id, user_id, amount, amount_hundredths, method, occurred_at)
    select organisation_id, ${task.id}, id, 0, 10, 'cash', now() from users, generate_series(1, 1000)
    where organisation_id = ${server.organisationId} and is_admin`)
  assert.equal((await pay(task, 0.1)).task.leftToBePaid, 0)
  assert.equal((await look('A-1')).totalPrice, 100.1)
})

test('where amounts are whole, one with decimals is refused with the setting to change, everywhere', async (t) => {
  const { server, driver, create, take, pay, look } = await anOffice(t, {})
  const refused = ({ error }: Wire) => {
    assert.equal(error.code, 'VALIDATION_FAILED')
    assert.match(error.message, /must be a whole number; to use amounts with decimals, set moneyDecimals to 2/)
    return [error.field, error.rule, error.limit]
  }
  assert.deepEqual(refused(await create({ totalPrice: 89.5 })), ['totalPrice', 'decimals', 0])
  assert.deepEqual(refused(await create({ deliveryPrice: '0.01' })), ['deliveryPrice', 'decimals', 0])
  const { task } = await create({ awb: 'A-1', userId: driver.id, totalPrice: 90 })
  assert.deepEqual(refused((await server.put('/tasks/awb/A-1', { totalPrice: 89.5 })).body)[0], 'totalPrice')
  assert.deepEqual(refused(await pay(task, 40.25))[0], 'amount')
  assert.deepEqual(refused((await take(task, 40.25)).results[0])[0], 'amount')
  const { results } = (await server.post('/tasks/bulkCreate', { tasks: [aTask({ totalPrice: 1.5 }), aTask()] })).body
  assert.deepEqual([refused(results[0])[0], results[1].success], ['totalPrice', true])
  assert.equal((await look('A-1')).leftToBePaid, 90)
})

test('more than two decimals are refused, never rounded', async (t) => {
  const { server, create, pay } = await anOffice(t)
  const { task } = await create({ awb: 'A-1', totalPrice: 10 })
  for (const amount of [0.001, 1.005, '1.005', '1.0000000000000000001', 1e-7, 0.1 + 0.2]) {
    const { error } = await create({ totalPrice: amount })
    assert.deepEqual([error?.code, error?.rule, error?.limit], ['VALIDATION_FAILED', 'decimals', 2], String(amount))
    assert.equal((await pay(task, amount)).error.rule, 'decimals')
  }
  for (const amount of ['89,5', '1e1', '0x1', '', ' ', true]) assert.ok((await create({ totalPrice: amount })).error)
  assert.equal((await create({ totalPrice: 2 ** 31 - 0.5 })).error.rule, 'maximum')
  assert.equal((await create({ totalPrice: 2 ** 31 - 1.01 })).task.totalPrice, 2 ** 31 - 1.01)
  assert.equal((await server.put('/tasks/awb/A-1', { totalPrice: '12.300' })).body.task.totalPrice, 12.3)
})

test('amounts with decimals stay when they are turned off, and can be paid', async (t) => {
  const { server, driver, set, create, take, pay, look } = await anOffice(t)
  const { task } = await create({ awb: 'A-1', userId: driver.id, totalPrice: 89.5, deliveryPrice: 15.9 })
  const { task: other } = await create({ awb: 'A-2', userId: driver.id, totalPrice: 90 })
  const before = new Date(Date.now() - 1_000)
  await set({ moneyDecimals: 0 })
  assert.deepEqual([(await look('A-1')).totalPrice, (await look('A-1')).deliveryPrice], [89.5, 15.9])
  // As it is, sent back by a client that writes whole tasks.
  assert.equal(
    (await server.put('/tasks/awb/A-1', { totalPrice: 89.5, deliveryPrice: 15.9, details: 'x' })).status,
    200,
  )
  assert.equal((await server.put('/tasks/awb/A-1', { totalPrice: 89.4 })).body.error.rule, 'decimals')
  assert.equal((await take(task, 40.25)).results[0].success, true)
  assert.equal((await pay(task, 49.25)).task.leftToBePaid, 0)
  assert.equal((await pay(task, -40.25)).task.leftToBePaid, 40.25)
  // What a driver took while it was allowed is not lost.
  const [late] = (await take(other, 12.5, before)).results
  assert.ok(late.error.rule === 'decimals' && late.conflict)
  await server.post(`/conflicts/${late.conflict.id}/settle`, { apply: true })
  assert.equal((await look('A-2')).leftToBePaid, 77.5)
})

test('how many decimals money has stands beside the currency, and in the settings', async (t) => {
  const { server } = await anOffice(t, {})
  const company = async () => {
    const { moneyDecimals, settings } = (await server.get('/company')).body.company
    return [moneyDecimals, settings.moneyDecimals]
  }
  assert.deepEqual(await company(), [0, 0])
  await server.put('/company', { moneyDecimals: 2 })
  assert.deepEqual(await company(), [2, 2])
  await server.put('/company', { settings: { moneyDecimals: '0' } })
  assert.deepEqual(await company(), [0, 0])
  for (const moneyDecimals of [1, 3, -1, 'two'])
    assert.equal((await server.put('/company', { moneyDecimals })).body.error.field, 'moneyDecimals')
})
