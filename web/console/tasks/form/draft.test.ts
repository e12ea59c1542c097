import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typeMoney } from '../../../../core/money-format.ts'
import { aTask } from '../../../../server/test/factories.ts'
import { startServer } from '../../../../server/test/server.ts'
import { changedFields, checkDraft, draftOf, emptyDraft, inputOf, updateOf } from './draft.ts'

const writing = { timeZone: 'Europe/Bucharest', typedMoney: (amount: number) => typeMoney(amount, 'ro') }
const money = { decimals: 2, currency: 'RON' }

test('an unchanged form sends nothing, and a changed one sends only the changed fields', async (t) => {
  const server = await startServer(t)
  const window = { completeAfter: '2026-07-01 10:00', completeBefore: '2026-12-01 10:00' }
  const { task } = (await server.post('/tasks', aTask({ awb: 'A-1', ...window, quantity: 2, inventory: { a: 1 } })))
    .body
  const stored = draftOf(task, writing)
  assert.equal(stored.completeAfter, '2026-07-01T10:00', 'in summer')
  assert.equal(stored.completeBefore, '2026-12-01T10:00', 'and in winter')
  assert.deepEqual(changedFields(stored, stored), [])

  const draft = { ...stored, quantity: '', completeAfter: '2026-07-02T09:00', teamId: '' }
  const changed = changedFields(draft, stored)
  assert.deepEqual(updateOf(draft, changed, task), { quantity: null, completeAfter: '2026-07-02 09:00' })
})

test('every field that is saved is shown again in the form', async (t) => {
  const server = await startServer(t)
  const draft = {
    ...emptyDraft,
    address: 'Strada Nouă 5',
    coordinates: '44.4, 26.1',
    city: 'București',
    country: 'RO',
    awb: 'A-2',
    completeBefore: '2030-01-02T10:00',
    customerName: 'Ioana',
    customerPhone: '+40712345678',
    customerEmail: 'i@example.org',
    details: 'Two boxes',
    customerNotes: 'Ring',
    sendNotifications: false,
    pickupTask: true,
    totalPrice: '120',
    deliveryPrice: '15,90',
    collectPayment: 'no' as const,
    paymentTypeId: '2' as const,
    quantity: '2',
    priority: '3',
    serviceTime: '5',
    inventory: '{"box":1}',
    customFields: [{ key: 'Etaj', value: '3' }],
  }
  assert.deepEqual(checkDraft(draft, money), {})
  await server.put('/company', { moneyDecimals: 2 })
  const { status, body } = await server.post('/tasks', inputOf(draft))
  assert.equal(status, 200)
  assert.deepEqual(draftOf(body.task, writing), draft)
})

test('coordinates that are emptied are looked up again, and those that were not there are not', async (t) => {
  const server = await startServer(t)
  const { task } = (await server.post('/tasks', aTask({ awb: 'A-4' }))).body
  const stored = draftOf(task, writing)
  const draft = { ...stored, coordinates: '' }
  const { body } = await server.put('/tasks/awb/A-4', updateOf(draft, changedFields(draft, stored), task))
  assert.equal(body.task.address.lat, null)
  assert.equal(inputOf(draft).address.findAgain, undefined)
})

test('a customer with a new phone keeps the e-mail address', async (t) => {
  const server = await startServer(t)
  const customer = { name: 'Ioana', phone: '0712345678', email: 'i@example.org' }
  const { task } = (await server.post('/tasks', { ...aTask({ awb: 'A-3' }), customer })).body
  const draft = { ...draftOf(task, writing), customerPhone: '0712345679' }
  const { body } = await server.put('/tasks/awb/A-3', updateOf(draft, ['customerPhone'], task))
  assert.deepEqual(
    [body.task.customer.name, body.task.customer.phone, body.task.customer.email],
    ['Ioana', '+40712345679', 'i@example.org'],
  )
})

test('mistakes are shown before anything is sent', () => {
  assert.deepEqual(checkDraft(emptyDraft, money), { address: 'addressNeeded' })
  const wrong = {
    ...emptyDraft,
    address: 'x',
    coordinates: '44',
    quantity: 'two',
    customFields: [{ key: '', value: 'x' }],
  }
  assert.deepEqual(Object.keys(checkDraft(wrong, money)).sort(), ['coordinates', 'customFields', 'quantity'])
  assert.deepEqual(
    checkDraft(
      { ...emptyDraft, address: 'x', completeAfter: '2026-01-02T10:00', completeBefore: '2026-01-01T10:00' },
      money,
    ),
    {
      completeBefore: 'windowBackwards',
    },
  )
})

test('a price is typed as people write it, and what cannot be one says why', () => {
  const draft = { ...emptyDraft, address: 'x', totalPrice: '1.234,50 lei', deliveryPrice: '15.9' }
  assert.deepEqual(checkDraft(draft, money), {})
  const { totalPrice, deliveryPrice } = inputOf(draft)
  assert.deepEqual([totalPrice, deliveryPrice], [1_234.5, 15.9])
  const wrong = { ...draft, totalPrice: '€5', deliveryPrice: 'ten' }
  assert.deepEqual(checkDraft(wrong, money), { totalPrice: 'otherCurrency', deliveryPrice: 'amountUnreadable' })
  const off = { ...money, decimals: 0 }
  assert.deepEqual(checkDraft(draft, off), { totalPrice: 'decimalsOff', deliveryPrice: 'decimalsOff' })
  // What stands there already is not sent, so it does not matter.
  assert.deepEqual(checkDraft(draft, off, ['totalPrice', 'deliveryPrice']), {})
})
