import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeTeam } from '../../test/factories.ts'
import { startReceiver } from '../../test/receiver.ts'
import { startServer, type TestServer } from '../../test/server.ts'

const create = async (server: TestServer, given: object = {}) => (await server.post('/tasks', aTask(given))).body.task
const update = async (server: TestServer, awb: string, body: object) =>
  (await server.put(`/tasks/awb/${awb}`, body)).body

test('an update changes only the given fields, and only these are in the previous values', async (t) => {
  const server = await startServer(t)
  const before = await create(server, { awb: 'A', details: 'Old', totalPrice: 10 })
  const { task } = await update(server, 'A', { details: 'New', priority: '5' })

  assert.deepEqual([task.details, task.priority, task.totalPrice], ['New', 5, 10])
  assert.ok(task.updatedAt > before.updatedAt)
  assert.deepEqual(task.timelines.at(-1).data, { previous: { details: 'Old', priority: 0 } })
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_UPDATED'])
})

test('an update that changes nothing fires nothing', async (t) => {
  const server = await startServer(t)
  const before = await create(server, { awb: 'A', details: 'Same', customer: { name: 'Ana', phone: '0712345678' } })
  const { task } = await update(server, 'A', {
    details: 'Same',
    totalPrice: null,
    address: { lat: before.address.lat, lng: before.address.lng },
    customer: { phone: '0712 345 678' },
    pickupTask: null,
  })
  assert.deepEqual(task, before)
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED'])
})

test('a new address clears the old coordinates, a new floor does not', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'A' })
  const floor = (await update(server, 'A', { address: { addressSecondLine: 'Floor 3' } })).task.address
  assert.deepEqual([floor.addressSecondLine, floor.lat], ['Floor 3', 44.4323])
  const moved = await update(server, 'A', { address: { address: 'Calea Victoriei 1' } })
  assert.deepEqual([moved.task.address.address, moved.task.address.lat], ['Calea Victoriei 1', null])
  assert.equal(moved.task.timelines.at(-1).data.previous.address.lat, 44.4323)
  const placed = (await update(server, 'A', { address: { lat: 44.5, lng: '26.1' } })).task.address
  assert.deepEqual([placed.address, placed.lat, placed.lng], ['Calea Victoriei 1', 44.5, 26.1])
  const kept = (await update(server, 'A', { address: { lat: null, lng: null } })).task.address
  assert.equal(kept.lat, 44.5, 'null is not given')
  const sought = (await update(server, 'A', { address: { findAgain: true } })).task.address
  assert.deepEqual([sought.address, sought.lat, sought.precision], ['Calea Victoriei 1', null, 'none'])
})

test('webhook, feed and timeline tell the old text of an address, also of the customer', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  await server.post('/webHooks', { url: receiver.url, trigger: 5 })
  const customer = { name: 'Ana', phone: '0712345678', address: 'Strada Lungă 2' }
  await create(server, { awb: 'A', address: { address: 'Strada Lipscani 12', lat: 44.4323, lng: 26.1004 }, customer })

  const { task } = await update(server, 'A', {
    address: { address: 'Calea Victoriei 1', lat: 44.4323, lng: 26.1004 },
    customer: { address: 'Strada Scurtă 3' },
  })

  const told = [
    ((await receiver.next()).body as { data: { previous: object } }).data.previous,
    (await server.get('/events')).body.events.at(-1).data.previous,
    task.timelines.at(-1).data.previous,
  ]
  const previous = { address: { address: 'Strada Lipscani 12' }, customer: { address: 'Strada Lungă 2' } }
  assert.deepEqual(told, [previous, previous, previous])
})

test('a new price keeps what was paid, and whether to collect follows the price', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'A' })
  const priced = (await update(server, 'A', { totalPrice: 50 })).task
  assert.deepEqual([priced.collectPayment, priced.leftToBePaid], [true, 50])
  const free = (await update(server, 'A', { totalPrice: null })).task
  assert.deepEqual([free.collectPayment, free.leftToBePaid, free.totalPrice], [false, null, null])
})

test('a customer can be changed in parts, and removed with null', async (t) => {
  const server = await startServer(t)
  const before = await create(server, { awb: 'A', customer: { name: 'Ana', phone: '0712345678' } })
  const renamed = (await update(server, 'A', { customer: { name: 'Ana Pop' } })).task.customer
  assert.deepEqual([renamed.name, renamed.phone], ['Ana Pop', '+40712345678'])
  assert.notEqual(renamed.id, before.customerId)
  const without = (await update(server, 'A', { customer: null })).task
  assert.deepEqual([without.customer, without.customerId], [null, null])
})

test('an awb can be changed to one that is free', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'A' })
  await create(server, { awb: 'B' })
  assert.equal((await update(server, 'A', { awb: 'B' })).error.code, 'AWB_TAKEN')
  assert.equal((await update(server, 'A', { awb: 'C' })).task.awb, 'C')
  assert.equal((await server.get('/tasks/awb/A')).status, 404)
})

test('a window must start before it ends, even if only one of both is updated', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'A', completeAfter: '2026-05-05 10:00' })
  assert.equal((await update(server, 'A', { completeBefore: '2026-05-05 09:00' })).error.code, 'INVALID_TIME_WINDOW')
  assert.equal(
    (await update(server, 'A', { completeBefore: '2026-05-05 09:00', completeAfter: null })).task.completeAfter,
    null,
  )
})

test('the team of a task can be set and cleared, and must exist', async (t) => {
  const server = await startServer(t)
  const team = await makeTeam(server)
  await create(server, { awb: 'A', teamId: team.id })
  assert.deepEqual((await server.get('/tasks/awb/A')).body.task.team, { id: team.id, name: team.name })
  const unknown = await update(server, 'A', { teamId: 999_999 })
  assert.deepEqual([unknown.error.code, unknown.error.field], ['TEAM_NOT_FOUND', 'teamId'])
  await server.delete(`/teams/${team.id}`)
  assert.equal((await server.get('/tasks/awb/A')).body.task.teamId, null)
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_UPDATED'])
  await server.put('/company', { settings: { enableTeamAssignment: false } })
  const other = await makeTeam(server)
  assert.equal((await update(server, 'A', { teamId: other.id })).error.code, 'FORBIDDEN_BY_SETTING')
  await server.put('/company', { settings: { enableTeamAssignment: true } })
  await update(server, 'A', { teamId: other.id })
  await server.put('/company', { settings: { enableTeamAssignment: false } })
  const { task } = await update(server, 'A', { teamId: other.id, details: 'The same team' })
  assert.deepEqual([task.teamId, task.details], [other.id, 'The same team'])
})

test('a task can be sent back as it was shown', async (t) => {
  const server = await startServer(t)
  const customer = { name: 'Ana', phone: '0712 345 678' }
  await create(server, { awb: 'FIRST' })
  await create(server, { awb: 'A', dependencies: [{ awb: 'FIRST' }], totalPrice: 10, customer, serviceTime: 5 })
  const { task: shown } = (await server.get('/tasks/awb/A')).body
  assert.deepEqual(
    shown.dependencies.map(({ awb }: { awb: string }) => awb),
    ['FIRST'],
  )

  const { task } = await update(server, 'A', shown)

  assert.deepEqual(task, shown)
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED'])
})

test('a task that is done can still be corrected', async (t) => {
  const server = await startServer(t)
  const { makeDriver } = await import('../../test/factories.ts')
  const driver = await makeDriver(server)
  await create(server, { awb: 'A', userId: driver.id })
  await server.put('/tasks/awb/A/forceComplete', {})
  const { task } = await update(server, 'A', { details: 'Corrected' })
  assert.deepEqual([task.statusId, task.details], [9, 'Corrected'])
})

test('a note written with an API key is recorded as the first admin', async (t) => {
  const server = await startServer(t)
  await create(server, { awb: 'A' })
  const { task } = (await server.post('/tasks/awb/A/notes', { note: 'Call before' })).body
  assert.deepEqual(
    [task.notes[0].note, task.notes[0].user.name, task.notes[0].taskId],
    ['Call before', 'Admin', task.id],
  )
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_UPDATED'])
})
