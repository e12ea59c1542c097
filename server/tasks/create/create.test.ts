import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'

const create = async (server: TestServer, given: object = {}) => {
  const { status, body } = await server.post('/tasks', aTask(given))
  assert.equal(status, 200, JSON.stringify(body))
  return body.task
}

const refused = async (server: TestServer, body: unknown) => {
  const reply = await server.post('/tasks', body)
  assert.notEqual(reply.status, 200)
  return { status: reply.status, ...reply.body.error }
}

test('a task needs only an address; everything else has a default', async (t) => {
  const server = await startServer(t)
  const task = await create(server)

  assert.match(task.awb, /^WB[2-9A-Z]{8}$/)
  assert.match(task.uuid, /^[\w-]{22}$/)
  assert.deepEqual(task.status, { id: 1, name: 'Unassigned' })
  assert.deepEqual(task.paymentType, { id: 1, name: 'Collect Cash' })
  assert.equal(task.ownerId, server.organisationId)
  assert.deepEqual(
    [task.details, task.priority, task.eta, task.sendNotifications, task.collectPayment, task.currency],
    ['', 0, 0, true, false, 'RON'],
  )
  assert.deepEqual(
    [task.customerNotes, task.totalPrice, task.leftToBePaid, task.customer, task.userId, task.completeAfter],
    [null, null, null, null, null, null],
  )
})

test('a task keeps what it was given', async (t) => {
  const server = await startServer(t)
  const given = {
    awb: 'A 1/2'.replace('/', '-'),
    details: 'Ring twice',
    customerNotes: 'Third floor',
    totalPrice: 120,
    deliveryPrice: 15,
    paymentTypeId: 2,
    quantity: 3,
    priority: 9,
    serviceTime: 5,
    pickupTask: true,
    inventory: [{ sku: 'X', count: 2 }],
    customFields: [{ key: 'colour', value: 'red' }],
    sendNotifications: false,
  }
  const task = await create(server, given)

  for (const [field, value] of Object.entries(given)) assert.deepEqual(task[field], value, field)
  assert.equal(task.collectPayment, true)
  assert.equal(task.leftToBePaid, 120)
})

test("a time is read in the organisation's time zone and returned in UTC", async (t) => {
  const server = await startServer(t)
  const task = await create(server, { completeAfter: '2026-07-01 09:00:00', completeBefore: '2026-07-01T09:00:00Z' })

  assert.equal(task.completeAfter, '2026-07-01T06:00:00.000Z')
  assert.equal(task.completeBefore, '2026-07-01T09:00:00.000Z')
})

test('an address without text is composed from its parts', async (t) => {
  const server = await startServer(t)
  const parts = { streetName: 'Strada Lipscani', streetNumber: '12', city: 'București', postalCode: '030031' }
  const { address } = await create(server, { address: parts })

  assert.equal(address.address, 'Strada Lipscani 12, 030031 București')
  assert.equal(address.country, 'RO')
  assert.equal(address.lat, null)
})

test('coordinates typed as an address are the place of the task, and an edit reads them too', async (t) => {
  const server = await startServer(t)
  const { address } = await create(server, { awb: 'A-1', address: { address: '44,4319, 26,1010' } })
  assert.deepEqual(
    [address.address, address.lat, address.lng, address.precision],
    ['44,4319, 26,1010', 44.4319, 26.101, 'exact'],
  )
  const edited = (await server.put('/tasks/awb/A-1', { address: { address: '45.6427° N, 25.5887° E' } })).body.task
  assert.deepEqual([edited.address.lat, edited.address.lng], [45.6427, 25.5887])
  const given = await create(server, { address: { address: '44.4319, 26.1010', lat: 46.7, lng: 23.6 } })
  assert.deepEqual([given.address.lat, given.address.lng], [46.7, 23.6], 'what is given counts')
})

test('the same phone and name is the same customer, and new details are added', async (t) => {
  const server = await startServer(t)
  const first = await create(server, { customer: { name: 'Ana', phone: '0712 345 678' } })
  const again = await create(server, { customer: { name: 'Ana', phone: '+40712345678', email: 'ana@example.com' } })
  const other = await create(server, { customer: { name: 'Ion', phone: '0712345678' } })
  const last = await create(server, { customer: { name: 'Ana', phone: '0712345678' } })

  assert.equal(first.customer.phone, '+40712345678')
  assert.equal(again.customerId, first.customerId)
  assert.notEqual(other.customerId, first.customerId)
  assert.equal(last.customer.email, 'ana@example.com')
})

test('an impossible phone number is kept as typed', async (t) => {
  const server = await startServer(t)
  const { customer } = await create(server, { customer: { name: 'Shop', phone: 'ext. 12' } })
  assert.equal(customer.phone, 'ext. 12')
})

test('a second task with the same awb is refused and leaves nothing behind', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'A-1' })
  const error = await refused(server, aTask({ awb: 'A-1', customer: { name: 'Nobody', phone: '0712000000' } }))

  assert.deepEqual([error.status, error.code, error.field], [409, 'AWB_TAKEN', 'awb'])
  const { customers, events } = await server.database.everyone.get<{ customers: number; events: number }>(sql`
    select
      (select count(*) from customers where organisation_id = ${server.organisationId}) as customers,
      (select count(*) from events where organisation_id = ${server.organisationId}) as events`)
  assert.deepEqual({ customers, events }, { customers: 0, events: 1 })
})

test('two organisations may use the same awb', async (t) => {
  const server = await startServer(t)
  const other = await server.another()
  await create(server, { awb: 'SAME' })
  assert.equal((await other.post('/tasks', aTask({ awb: 'SAME' }))).status, 200)
})

test('if 64 clients ask for the same awb, one gets it', async (t) => {
  const server = await startServer(t)
  const replies = await Promise.all(Array.from({ length: 64 }, () => server.post('/tasks', aTask({ awb: 'ONE' }))))
  const statuses = replies.map(({ status }) => status)

  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.equal(statuses.filter((status) => status === 409).length, 63)
  assert.deepEqual(await server.triggers('ONE'), ['TASK_CREATED'])
})

test('every refusal says what is wrong, and where', async (t) => {
  const server = await startServer(t)
  const cases: [body: unknown, code: string, field: string][] = [
    [{}, 'VALIDATION_FAILED', 'address'],
    [{ address: {} }, 'VALIDATION_FAILED', 'address'],
    [{ address: { address: '   ' } }, 'VALIDATION_FAILED', 'address'],
    [{ address: { postalCode: '030031' } }, 'VALIDATION_FAILED', 'address'],
    [{ address: { lat: 44.4 } }, 'VALIDATION_FAILED', 'address.lng'],
    [{ address: { lat: 91, lng: 0 } }, 'VALIDATION_FAILED', 'address.lat'],
    [aTask({ awb: '..' }), 'VALIDATION_FAILED', 'awb'],
    [aTask({ totalPrice: -1 }), 'VALIDATION_FAILED', 'totalPrice'],
    [aTask({ totalPrice: 2 ** 31 }), 'VALIDATION_FAILED', 'totalPrice'],
    [aTask({ paymentTypeId: 3 }), 'VALIDATION_FAILED', 'paymentTypeId'],
    [aTask({ details: 'x'.repeat(10_001) }), 'VALIDATION_FAILED', 'details'],
    [aTask({ completeAfter: 'tomorrow' }), 'INVALID_TIME', 'completeAfter'],
    [
      aTask({ completeAfter: '2026-01-02 00:00', completeBefore: '2026-01-01 00:00' }),
      'INVALID_TIME_WINDOW',
      'completeBefore',
    ],
  ]
  for (const [body, code, field] of cases) {
    const error = await refused(server, body)
    assert.deepEqual([error.status, error.code, error.field], [400, code, field], JSON.stringify(body))
  }
})

test('the timeline of a new task says who created it', async (t) => {
  const server = await startServer(t)
  const task = await create(server)
  const [entry, ...more] = task.timelines

  assert.equal(more.length, 0)
  assert.equal(entry.event, 'TASK_CREATED')
  assert.deepEqual([entry.fromStatusId, entry.toStatusId], [null, 1])
  assert.deepEqual([entry.actor.type, entry.actor.name], ['API', 'Test key'])
})
