import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { aTask, letDaysPass, makeDriver, signIn } from '../../test/factories.ts'
import { request, startServer } from '../../test/server.ts'

type Given = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

/** A driver on the way with a task of 120 to collect, and short ways to pay. */
async function aDebt(t: TestContext, given: Given = {}) {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  const driver = await makeDriver(place)
  const key = await signIn(place, driver)
  const { task } = (await place.post('/tasks', aTask({ awb: 'A-1', userId: driver.id, totalPrice: 120, ...given })))
    .body as Wire
  await letDaysPass(place)
  const op = (type: string, given: Given = {}) => ({
    opId: randomUUID(),
    type,
    taskId: task.id,
    occurredAt: ago(0),
    ...given,
  })
  const send = async (...ops: Given[]): Promise<Wire[]> => {
    const body = { deviceTime: ago(0), ops }
    return (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body })).body.results
  }
  const changes = async (): Promise<Wire> =>
    (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime: ago(0) } })).body.changes
  const outcome = ({ success, error, conflict }: Wire) =>
    success ? 'done' : `${error.code}${conflict ? ' conflict' : ''}`
  const path = `/tasks/${task.id}/payments`
  await send(op('start'))
  return {
    server: place,
    driver,
    task,
    op,
    changes,
    do: async (...ops: Given[]) => (await send(...ops)).map(outcome),
    take: (amount: number, given: Given = {}) => op('payment', { amount, method: 'cash', ...given }),
    enter: async (amount: number, given: Given = {}): Promise<Wire> =>
      (await place.post(path, { amount, method: 'other', ...given })).body,
    lines: async () => (await place.get(path)).body.payments as Wire[],
    look: async (): Promise<Wire> => (await place.get('/tasks/awb/A-1')).body.task,
    set: (settings: Given) => place.put('/company', { settings }),
    settle: async () => {
      const [conflict] = (await place.get('/conflicts?settled=false')).body.conflicts
      return place.post(`/conflicts/${conflict.id}/settle`, { apply: true })
    },
  }
}

test('a driver takes the money once, however often the phone says so, and then completes', async (t) => {
  const { do: act, op, take, look, lines, driver } = await aDebt(t)
  const payment = take(120, { occurredAt: ago(60_000) })

  assert.deepEqual(await act(op('complete')), ['PAYMENT_REQUIRED'])
  assert.deepEqual(await act(payment, payment, op('complete')), ['done', 'done', 'done'])
  assert.deepEqual(await act(payment), ['done'])

  const { statusId, leftToBePaid, timelines } = await look()
  assert.deepEqual([statusId, leftToBePaid], [9, 0])
  const [line, ...others] = await lines()
  assert.deepEqual(others, [])
  assert.deepEqual(
    [line.amount, line.method, line.note, line.user, line.occurredAt],
    [120, 'cash', null, { id: driver.id, name: driver.name }, payment.occurredAt],
  )
  assert.deepEqual(timelines.at(-2).data, {
    previous: { leftToBePaid: 120 },
    payment: { id: line.id, amount: 120, method: 'cash' },
  })
})

test('two phones of a driver that send the same payment at once are paid once', async (t) => {
  const { do: act, take, lines } = await aDebt(t)
  const payment = take(120)
  const answers = await Promise.all([act(payment), act(payment), act(payment)])
  assert.deepEqual(answers, [['done'], ['done'], ['done']])
  assert.equal((await lines()).length, 1)
})

test('too much, too little, nothing, and less than nothing', async (t) => {
  const { do: act, take, enter, look, set, op } = await aDebt(t)
  assert.deepEqual(await act(take(121), take(119), take(0), op('payment', { amount: 120 })), [
    'PAYMENT_TOO_MUCH',
    'PAYMENT_PARTIAL',
    'VALIDATION_FAILED',
    'VALIDATION_FAILED',
  ])
  const refused = async (amount: number) => (await enter(amount)).error?.code
  assert.deepEqual(
    [await refused(121), await refused(119), await refused(0), await refused(-1)],
    ['PAYMENT_TOO_MUCH', 'PAYMENT_PARTIAL', 'VALIDATION_FAILED', 'PAYMENT_TOO_MUCH'],
  )
  assert.deepEqual([(await look()).leftToBePaid, (await look()).timelines.length], [120, 3])

  await set({ allowPartialPayments: true })
  assert.deepEqual(await act(take(70), take(70), take(40), op('complete')), [
    'done',
    'PAYMENT_TOO_MUCH',
    'done',
    'done',
  ])
  assert.equal((await look()).leftToBePaid, 10)
})

test('the office enters what was paid elsewhere, and corrects by a negative line', async (t) => {
  const { enter, lines, look, do: act, op, server } = await aDebt(t)
  const { payment, task } = await enter(120, { note: 'Bank transfer' })
  assert.deepEqual([payment.amount, payment.method, payment.note], [120, 'other', 'Bank transfer'])
  assert.equal(task.leftToBePaid, 0)

  const corrected = await enter(-20)
  assert.equal(corrected.task.leftToBePaid, 20)
  assert.equal((await enter(-101)).error.message, 'Only 100 was paid')
  assert.deepEqual(
    (await lines()).map(({ amount }) => amount),
    [120, -20],
  )
  assert.deepEqual(await act(op('complete')), ['PAYMENT_REQUIRED'])
  const { timelines } = await look()
  assert.deepEqual(timelines.at(-1).data.previous, { leftToBePaid: 0 })
  assert.equal((await server.get('/tasks/999999999/payments')).body.error.code, 'TASK_NOT_FOUND')
})

test('what is left follows the price, and what was paid stays paid', async (t) => {
  const { enter, server, set } = await aDebt(t)
  const reprice = async (given: Given) => (await server.put('/tasks/awb/A-1', given)).body.task.leftToBePaid
  await set({ allowPartialPayments: true })
  await enter(100)
  assert.equal(await reprice({ totalPrice: 150 }), 50)
  // More was paid than it costs now: nothing is left to pay, and all payments stay.
  assert.equal(await reprice({ totalPrice: 80 }), 0)
  assert.equal((await enter(1)).error.message, 'Nothing is left to be paid')
  assert.equal(await reprice({ collectPayment: false }), null)
  assert.equal(await reprice({ collectPayment: true, totalPrice: 130 }), 30)
  // It follows from the lines and cannot be set.
  assert.equal(await reprice({ leftToBePaid: 5 }), 30)
})

test('a driver who may not take payments takes none, and completes without', async (t) => {
  const { do: act, op, take, set } = await aDebt(t)
  await set({ allowDriverToTakePaymentsOnSite: false })
  assert.deepEqual(await act(take(120), op('complete')), ['FORBIDDEN_BY_SETTING', 'done'])
})

test('nothing is collected for a task that is not to be collected', async (t) => {
  const { do: act, op, take, enter, look } = await aDebt(t, { collectPayment: false })
  assert.deepEqual(await act(take(120), op('complete')), ['PAYMENT_TOO_MUCH', 'done'])
  // The office may still write down that it was paid.
  assert.equal((await enter(120)).task.leftToBePaid, null)
  assert.equal((await look()).timelines.at(-1).data.payment.amount, 120)
})

test('money a driver took for a task that was given to another is kept, and counts when the office says so', async (t) => {
  const { do: act, op, take, lines, look, server, driver, settle } = await aDebt(t)
  await server.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  const payment = take(120, { occurredAt: ago(60_000) })
  assert.deepEqual(await act(payment, payment), ['TASK_NOT_FOUND conflict', 'TASK_NOT_FOUND conflict'])
  assert.deepEqual(await lines(), [])

  await settle()
  const { userId, statusId, leftToBePaid } = await look()
  assert.deepEqual([userId, statusId, leftToBePaid], [driver.id, 6, 0])
  assert.deepEqual(
    (await lines()).map(({ amount, userId, occurredAt }) => [amount, userId, occurredAt]),
    [[120, driver.id, payment.occurredAt]],
  )
  assert.deepEqual(await act(op('start'), op('complete')), ['done', 'done'])
})

test('on a task that ended with another driver only the payment is added', async (t) => {
  const { do: act, take, lines, look, server, settle } = await aDebt(t)
  const colleague = await makeDriver(server)
  await server.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  await server.put(`/containers/drivers/${colleague.id}`, { tasks: ['A-1'] })
  await server.put('/tasks/awb/A-1/forceComplete', { success: true })
  await act(take(120))
  await settle()
  const { userId, statusId, leftToBePaid } = await look()
  assert.deepEqual([userId, statusId, leftToBePaid, (await lines()).length], [colleague.id, 9, 0, 1])
})

test('a price that changed after the driver took the money makes a conflict, and the money counts as it is', async (t) => {
  const { do: act, take, lines, look, server, settle } = await aDebt(t)
  const payment = take(120, { occurredAt: ago(1_000) })
  await server.put('/tasks/awb/A-1', { totalPrice: 100 })
  assert.deepEqual(await act(payment, take(90)), ['PAYMENT_TOO_MUCH conflict', 'PAYMENT_PARTIAL'])
  await settle()
  assert.deepEqual([(await look()).leftToBePaid, (await lines())[0].amount], [0, 120])
})

test('the money a driver took is accepted although the office has ended the task meanwhile', async (t) => {
  const { do: act, take, look, server } = await aDebt(t)
  await server.put('/tasks/awb/A-1/forceComplete', { success: true })
  assert.deepEqual(await act(take(120)), ['done'])
  assert.equal((await look()).leftToBePaid, 0)
})

test('a phone is told what its driver was paid, and neither what was refused nor what the office entered', async (t) => {
  const { do: act, take, op, changes, enter, set, task } = await aDebt(t)
  await set({ allowPartialPayments: true })
  assert.deepEqual(await act(take(70), take(500), take(20, { method: 'card' })), ['done', 'PAYMENT_TOO_MUCH', 'done'])
  await enter(30)
  await act(op('complete'))
  const { payments } = await changes()
  assert.deepEqual(
    payments.map(({ taskId, amount, method }: Wire) => [taskId, amount, method]),
    [
      [task.id, 70, 'cash'],
      [task.id, 20, 'card'],
    ],
  )
})
