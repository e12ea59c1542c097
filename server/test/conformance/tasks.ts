import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask } from '../factories.ts'
import { startServer } from '../server.ts'
import { assertIs, task as taskShape } from './shapes.ts'
import { createTask, ok, refused } from './world.ts'

const everything = {
  awb: 'A-1',
  details: 'Second floor, ring twice',
  address: {
    address: 'Strada Lipscani 12, București',
    city: 'București',
    area: 'Sector 3',
    country: 'RO',
    streetNumber: '12',
    streetName: 'Strada Lipscani',
    lat: 44.4323,
    lng: 26.1004,
  },
  customer: { name: 'Ana Ionescu', phone: '0722123456' },
  pickupTask: true,
  totalPrice: 120,
  paymentTypeId: 2,
  completeAfter: '2026-11-20 10:00:00',
  completeBefore: '2026-11-20 12:30:00',
}

test('a task created with every field has every field of a task', async (t) => {
  const server = await startServer(t)
  const { success, task } = await ok(server.post('/tasks', everything))

  assert.equal(success, true)
  assertIs(taskShape, task, 'task')
  const { awb, details, pickupTask, totalPrice, paymentTypeId } = everything
  assert.partialDeepStrictEqual(task, { awb, details, pickupTask, totalPrice, paymentTypeId })
  assert.partialDeepStrictEqual(task.address, everything.address)
  assert.equal(task.customer.name, 'Ana Ionescu')
  assert.equal(task.customerId, task.customer.id)
  assert.equal(task.customer.companyId, server.organisationId)
})

test('a task created without an assignment belongs to the organisation that created it, unassigned', async (t) => {
  const server = await startServer(t)
  const task = await createTask(server)

  assert.deepEqual([task.statusId, task.userId, task.user], [1, null, null])
  assert.partialDeepStrictEqual(task.status, { id: 1, name: 'Unassigned' })
  assert.deepEqual([task.ownerId, task.fulfillerId], [server.organisationId, server.organisationId])
  assert.deepEqual([task.owner.id, task.fulfiller.id], [server.organisationId, server.organisationId])
})

test('in a task created with only an address, fields that are not set are null', async (t) => {
  const server = await startServer(t)
  const task = await createTask(server)

  assertIs(taskShape, task, 'task')
  const unset = ['customerNotes', 'totalPrice', 'leftToBePaid', 'deliveryPrice', 'inventory', 'cancelReason', 'etaText']
  unset.push('startedAt', 'completedAt', 'lastLocationLat', 'lastLocationLng', 'completeAfter', 'completeBefore')
  unset.push('arrivalTime', 'mobileTaskForm', 'route', 'userId', 'teamId', 'customerId', 'user', 'team', 'customer')
  assert.deepEqual(
    unset.filter((field) => task[field] !== null),
    [],
  )
  assert.deepEqual([task.notes, task.customFields, task.feedbacks, task.dependencies], [[], [], [], []])
})

// The interface marks neither as nullable, but does not say how an unknown place looks: null, until it is found.
test('a task without known coordinates shows null for them', async (t) => {
  const server = await startServer(t)
  const { task } = await ok(server.post('/tasks', { address: { address: 'Strada Lipscani 12' } }))
  assert.deepEqual([task.address.lat, task.address.lng], [null, null])
})

test('a customer may have only a name or only a phone', async (t) => {
  const server = await startServer(t)
  for (const customer of [{ name: 'Ana Ionescu' }, { phone: '0722123456' }]) {
    assertIs(taskShape, await createTask(server, { customer }), 'task')
  }
})

test('every task has its own short token', async (t) => {
  const server = await startServer(t)
  const [first, second] = [await createTask(server), await createTask(server)]

  assert.notEqual(first.uuid, second.uuid)
  assert.ok(first.uuid.length > 0 && first.uuid.length <= 36, first.uuid)
})

test('a task is paid in cash or by credit card', async (t) => {
  const server = await startServer(t)
  for (const [id, name] of [
    [1, 'Collect Cash'],
    [2, 'Collect Credit Card'],
  ]) {
    const task = await createTask(server, { paymentTypeId: id })
    assert.equal(task.paymentTypeId, id)
    assert.partialDeepStrictEqual(task.paymentType, { id, name })
  }
  await refused(server.post('/tasks', aTask({ paymentTypeId: 3 })))
})

test('times can be sent as date and time, and are returned in UTC with milliseconds', async (t) => {
  const server = await startServer(t)
  const { completeAfter, completeBefore } = everything
  const task = await createTask(server, { completeAfter, completeBefore })

  // The interface does not define the time zone of the input: the organisation's, or UTC.
  assert.match(task.completeAfter, /^2026-11-20T(08|10):00:00\.000Z$/)
  assert.match(task.completeBefore, /^2026-11-20T(10|12):30:00\.000Z$/)
})

test('any field of a task can be changed by awb, and the others stay', async (t) => {
  const server = await startServer(t)
  const created = await createTask(server, { ...everything, paymentTypeId: 1 })
  const changes = {
    pickupTask: false,
    details: 'Leave it with the neighbour',
    totalPrice: 80,
    paymentTypeId: 2,
    completeBefore: '2026-11-21 12:30:00',
    completeAfter: '2026-11-21 10:00:00',
    address: { ...everything.address, address: 'Strada Smârdan 3, București', streetName: 'Strada Smârdan' },
    customer: { name: 'Maria Ionescu', phone: '0722123457' },
  }
  let expected = created
  for (const [field, value] of Object.entries(changes)) {
    const { success, task } = await ok(server.put('/tasks/awb/A-1', { [field]: value }))
    assert.equal(success, true)
    assertIs(taskShape, task, 'task')
    assert.equal(task.id, created.id)
    if (field === 'completeAfter' || field === 'completeBefore') assert.match(task[field], /^2026-11-21T/)
    else if (field === 'customer') assert.equal(task.customer.name, 'Maria Ionescu')
    else assert.partialDeepStrictEqual(task, { [field]: value })

    for (const other of ['details', 'pickupTask', 'totalPrice', 'paymentTypeId', 'completeAfter', 'completeBefore']) {
      if (other !== field) assert.equal(task[other], expected[other], `${other} after a change of ${field}`)
    }
    expected = task
  }
})

test('a task can get a new awb, and is then found by that one', async (t) => {
  const server = await startServer(t)
  const { id } = await createTask(server, { awb: 'OLD' })
  const { task } = await ok(server.put('/tasks/awb/OLD', { awb: 'NEW' }))

  assert.deepEqual([task.id, task.awb], [id, 'NEW'])
  assert.equal((await ok(server.put('/tasks/awb/NEW', {}))).task.id, id)
  await refused(server.put('/tasks/awb/OLD', {}))
})

test('a task is found even if its awb has characters with a meaning in paths', async (t) => {
  const server = await startServer(t)
  const { id } = await createTask(server, { awb: 'ȘT 1?#%&' })
  const { task } = await ok(server.put(`/tasks/awb/${encodeURIComponent('ȘT 1?#%&')}`, { details: 'Found' }))
  assert.deepEqual([task.id, task.details], [id, 'Found'])
})

test('a task of another organisation cannot be found', async (t) => {
  const server = await startServer(t)
  const other = await server.another()
  await createTask(server, { awb: 'A-1' })

  await refused(other.put('/tasks/awb/A-1', { details: 'Mine now' }))
  assert.equal((await other.post('/tasks', aTask({ awb: 'A-1' }))).body.success, true)
})
