import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Action } from '../../../phone/keep.ts'
import { sql } from '../../db/sql.ts'
import { followDrivers } from '../../test/arrivals.ts'
import { aTask, beginDuty, makeDriver, signIn } from '../../test/factories.ts'
import { anOffice } from '../../test/messages.ts'
import { request, startServer } from '../../test/server.ts'
import { openDevice } from '../../test/sync-phones.ts'
import { until } from '../../test/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const opOf = (type: string, given: object = {}) => ({
  opId: randomUUID(),
  type,
  occurredAt: new Date().toISOString(),
  ...given,
})

const send = async (url: string, key: string, ops: object[]): Promise<Wire[]> => {
  const body = { deviceTime: new Date().toISOString(), ops }
  return (await request(url, 'POST', '/api/v1/driver/sync', { key, body })).body.results
}

/** A driver with a task, and a way to do things to it. */
async function aStop(t: TestContext, place = { lat: 44.4323, lng: 26.05 }) {
  const server = await startServer(t)
  const office = { ...server, ...(await server.another()) }
  const driver = await makeDriver(office)
  const key = await signIn(office, driver)
  await beginDuty(server.url, key)
  const { task } = (
    await office.post('/tasks', aTask({ awb: 'A-1', userId: driver.id, address: { address: 'Lipscani', ...place } }))
  ).body
  return {
    server,
    office,
    driver,
    key,
    task,
    place,
    op: (type: string, given: object = {}) => opOf(type, { taskId: task.id, ...given }),
    async do(...ops: object[]) {
      const results = await send(server.url, key, ops)
      return results.map(({ success, error }) => (success ? 'done' : error.code))
    },
    look: async () => (await office.get('/tasks/awb/A-1')).body.task,
  }
}

test('a start that is taken back leaves the task as it was, and the timeline says so', async (t) => {
  const { do: act, op, look } = await aStop(t)
  const start = op('start')
  assert.deepEqual(await act(start, opOf('takeBack', { of: start.opId })), ['done', 'done'])
  const { statusId, startedAt, driverArrived, timelines } = await look()
  assert.deepEqual([statusId, startedAt, driverArrived], [6, null, false])
  const entry = timelines.at(-1)
  assert.deepEqual([entry.event, entry.fromStatusId, entry.toStatusId], ['TASK_UPDATED', 7, 6])
  assert.deepEqual(entry.data.takenBack, { type: 'start', sequence: 3 })
  assert.equal(entry.data.previous.startedAt, timelines.at(-2).occurredAt)
})

test('a start cannot be taken back once the office has changed the task, and nothing of it becomes a conflict', async (t) => {
  const { do: act, op, look, office } = await aStop(t)
  const start = op('start')
  await act(start)
  await office.put('/tasks/awb/A-1', { details: 'Ring twice' })
  assert.deepEqual(await act(opOf('takeBack', { of: start.opId })), ['TOO_LATE'])
  assert.equal((await look()).statusId, 7)

  await office.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  assert.deepEqual(await act(opOf('takeBack', { of: start.opId })), ['TOO_LATE'])
  assert.deepEqual((await office.get('/conflicts')).body.conflicts, [])
})

test('only a start or an arrival of the same driver can be taken back; a refused one left nothing to take back', async (t) => {
  const { do: act, op, office, server, task, look } = await aStop(t)
  const [start, early, note] = [op('start'), op('arrive'), op('note', { note: 'Third floor' })]
  assert.deepEqual(await act(early, opOf('takeBack', { of: early.opId }), note), ['TASK_NOT_STARTED', 'done', 'done'])
  assert.deepEqual(await act(start), ['done'])
  for (const opId of [note.opId, randomUUID()])
    assert.deepEqual(await act(opOf('takeBack', { of: opId })), ['VALIDATION_FAILED'])
  assert.deepEqual(await act(opOf('takeBack', { of: start.opId, taskId: task.id + 1 })), ['VALIDATION_FAILED'])
  assert.deepEqual(await act(opOf('takeBack')), ['VALIDATION_FAILED'])
  const another = await signIn(office, await makeDriver(office))
  const [foreign] = await send(server.url, another, [opOf('takeBack', { of: start.opId })])
  assert.deepEqual([foreign.error.code, foreign.error.field], ['VALIDATION_FAILED', 'of'])
  assert.equal((await look()).statusId, 7)
})

/** The app on the phone of a driver whose first two stops are A-1 and B-1. */
async function anApp(t: TestContext) {
  const server = await startServer(t)
  const office = { ...server, ...(await server.another()) }
  const driver = await makeDriver(office)
  const phone = openDevice({ url: server.url, driver: 0, offsetMs: 0, mostAtOnce: 50, carry: (_, api) => api }).phone(0)
  const { code } = (await office.post(`/drivers/${driver.id}/invite`)).body
  await phone.signIn({ phone: driver.phone, code })
  const make = async (awb: string, address: string, lat: number) =>
    (await office.post('/tasks', { awb, userId: driver.id, address: { address, lat, lng: 26 } })).body.task.id as number
  const ids = [await make('A-1', 'One', 44.1), await make('B-1', 'Two', 44.2)] as const
  await phone.wake()
  const begunOf = async (taskId: number) =>
    (await phone.screen.read()).tasks.find(({ id }) => id === taskId)?.begun?.type
  const act = async (...actions: Action[]) => {
    await phone.keepDone(actions)
    await phone.wake()
  }
  return { office, phone, ids, act, begunOf }
}

test('the app offers no undo once a scan of another parcel, or what waits for the office, stands in the timeline', async (t) => {
  const { office, phone, ids, act, begunOf } = await anApp(t)
  for (const taskId of ids) {
    await act({ type: 'start', taskId })
    assert.equal(await begunOf(taskId), 'start')
  }
  await act({ type: 'scan', taskId: ids[0], code: 'OTHER' })
  assert.equal(await begunOf(ids[0]), undefined)

  await act({ type: 'arrive', taskId: ids[0] })
  const begun = (await phone.screen.read()).tasks.find(({ id }) => id === ids[0])?.begun
  await office.put('/tasks/awb/A-1', { details: 'Ring twice' })
  await act({ type: 'takeBack', taskId: ids[0], of: begun?.opId as string })
  assert.equal(await begunOf(ids[0]), undefined)

  await phone.keepEnd([{ type: 'complete', taskId: ids[1] }], [])
  await office.put('/company', { settings: { makeSignaturesMandatory: true } })
  await phone.releaseEnds()
  await phone.wake()
  const { refused, tasks } = await phone.screen.read()
  assert.deepEqual([refused.at(-1)?.isConflict, tasks.find(({ id }) => id === ids[1])?.statusId], [true, 7])
  assert.equal(await begunOf(ids[1]), undefined)
})

test('a start that the automatic flow had made already is not offered to be taken back', async (t) => {
  const { office, phone, ids, act, begunOf } = await anApp(t)
  await office.put('/company', { settings: { automaticDriverFlow: true } })
  await phone.wake()
  await act({ type: 'complete', taskId: ids[0] }, { type: 'start', taskId: ids[1] })
  const { tasks, refused } = await phone.screen.read()
  assert.deepEqual([tasks.find(({ id }) => id === ids[1])?.statusId, refused], [7, []])
  assert.equal(await begunOf(ids[1]), undefined)
})

test('an arrival that was taken back is not seen again from positions, until the task is started again', async (t) => {
  const { do: act, op, look, server, office, key, place } = await aStop(t)
  const report = () =>
    request(server.url, 'POST', '/api/v1/driver/locations', { key, body: { locations: [{ ...place }] } })
  const [start, arrive] = [op('start'), op('arrive')]
  await act(start, arrive, opOf('takeBack', { of: arrive.opId }))
  await report()
  await followDrivers(office)
  const there = await look()
  assert.deepEqual([there.arrivalTime, there.driverArrived, there.statusId], [null, false, 7])

  await act(opOf('takeBack', { of: start.opId }), op('start'))
  await report()
  await followDrivers(office)
  assert.equal((await look()).driverArrived, true)
})

test('a customer is told of a start once, and of the next one if the first was taken back before it was told', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true, messageQuietFrom: '00:00', messageQuietUntil: '23:59' })
  const task = await office.create()
  const start = opOf('start', { taskId: task.id })
  const act = (...ops: object[]) => send(office.server.url, office.key, ops)
  await act(start, opOf('takeBack', { of: start.opId }))
  const hurry = () =>
    office.server.database.everyone.run(sql`
      update messages set due_at = now() where organisation_id = ${office.server.organisationId} and claim is null`)
  await office.set({ messageQuietFrom: '00:00', messageQuietUntil: '00:00' })
  const [first] = await until('the first message to end', async () => {
    await hurry()
    const all = await office.list()
    return all.every(({ endedAt }) => endedAt) && all
  })
  assert.equal(first.state, 'dropped')

  const again = opOf('start', { taskId: task.id })
  await act(again)
  await office.ended(1)
  await act(opOf('takeBack', { of: again.opId }), opOf('start', { taskId: task.id }))
  const told = await office.ended(1)
  assert.deepEqual(
    told.map(({ state }: Wire) => state),
    ['sent'],
  )
  assert.equal((await office.received()).length, 1)
})
