import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { encodeCursor } from '../../http/answers/cursor.ts'
import { aTask, letDaysPass, makeDriver, signIn, zoneOfNoon } from '../../test/factories.ts'
import { photo } from '../../test/pictures.ts'
import { request, startServer } from '../../test/server.ts'

type Given = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const minutes = 60_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

/** A driver with a phone and a task, and short ways to do things. */
async function aDay(t: TestContext) {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  await place.put('/company', { timezone: zoneOfNoon() })
  const driver = await makeDriver(place)
  const token = await signIn(place, driver)
  const { task } = (await place.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))).body
  await letDaysPass(place)
  const send = async (body: Given, key = token) =>
    (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime: ago(0), ...body } })).body
  const op = (type: string, given: Given = {}) => ({
    opId: randomUUID(),
    type,
    taskId: task.id,
    occurredAt: ago(0),
    ...given,
  })
  const codes = ({ results }: Wire) => results.map(({ success, error }: Wire) => (success ? 'done' : error.code))
  return {
    server: place,
    driver,
    token,
    task,
    send,
    op,
    /** Sends ops, and tells what came of each. */
    do: async (...ops: Given[]) => codes(await send({ ops })),
    look: async (awb = 'A-1') => (await place.get(`/tasks/awb/${awb}`)).body.task,
    conflicts: async (query = '') => (await place.get(`/conflicts${query}`)).body.conflicts,
    takeAway: (awb = 'A-1') => place.post('/tasks/bulkUnassign', { tasks: [awb] }),
  }
}

test('a day without a network arrives in one request, in order, and once', async (t) => {
  const { send, op, look, task } = await aDay(t)
  const ops = [
    op('accept', { occurredAt: ago(50 * minutes) }),
    op('start', { occurredAt: ago(40 * minutes), lat: 44.5, lng: 26.1 }),
    op('arrive', { occurredAt: ago(20 * minutes) }),
    op('note', { note: 'Third floor', occurredAt: ago(15 * minutes) }),
    op('complete', { occurredAt: ago(10 * minutes) }),
  ]

  // With a cursor, or what ended before midnight is not told after it.
  const { cursor } = await send({})
  const first = await send({ ops, cursor })
  const again = await send({ ops })

  assert.deepEqual(
    first.results.map(({ success }: Wire) => success),
    [true, true, true, true, true],
  )
  assert.deepEqual(again.results, first.results)
  const now = await look()
  assert.equal(now.statusId, 9)
  assert.equal(now.notes.length, 1)
  assert.deepEqual(
    [now.acceptedAt, now.startedAt, now.arrivalTime, now.completedAt],
    [0, 1, 2, 4].map((at) => ops[at]?.['occurredAt']),
  )
  assert.deepEqual(
    now.timelines.map(({ event }: Wire) => event),
    ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_UPDATED', 'TASK_START', 'TASK_UPDATED', 'TASK_UPDATED', 'TASK_COMPLETE'],
  )
  const [accepted, started] = now.timelines.slice(2)
  assert.deepEqual(accepted.data, { previous: { acceptedAt: null } })
  assert.deepEqual([started.lat, started.lng, started.occurredAt], [44.5, 26.1, ops[1]?.['occurredAt']])
  assert.ok(started.recordedAt > started.occurredAt)
  assert.deepEqual(
    first.changes.tasks.map(({ id }: Wire) => id),
    [task.id],
  )
  assert.equal(first.changes.tasks[0].statusId, 9)
  assert.equal('timelines' in first.changes.tasks[0], false)
})

test('completing starts the next task of that day, never one of a later day', async (t) => {
  const { server, driver, do: act, op, look } = await aDay(t)
  await server.put('/company', { settings: { automaticDriverFlow: true } })
  const tomorrow = new Date(Date.now() + 24 * 60 * minutes).toISOString()
  await server.post('/tasks', aTask({ awb: 'LATER', userId: driver.id, completeAfter: tomorrow }))
  const { task: last } = (await server.post('/tasks', aTask({ awb: 'LAST', userId: driver.id }))).body
  const states = async () => [(await look()).statusId, (await look('LATER')).statusId, (await look('LAST')).statusId]

  assert.deepEqual(await act(op('complete')), ['done'])
  assert.deepEqual(await states(), [9, 6, 7], 'past the one of tomorrow')
  assert.deepEqual(await act(op('complete', { taskId: last.id })), ['done'])
  assert.deepEqual(await states(), [9, 6, 9])
})

test('completing starts nothing that the driver got only later', async (t) => {
  const { server, driver, do: act, op, look } = await aDay(t)
  await server.put('/company', { settings: { automaticDriverFlow: true } })
  await letDaysPass(server)
  const elsewhere = { address: { address: 'Elsewhere', lat: 44.5, lng: 26.2 } }
  await server.post('/tasks', aTask({ awb: 'NEW', userId: driver.id, ...elsewhere }))
  const occurredAt = new Date(Date.now() - 120 * minutes).toISOString()
  assert.deepEqual(await act(op('complete', { occurredAt })), ['done'])
  const { statusId, startedAt } = await look('NEW')
  assert.deepEqual([statusId, startedAt], [6, null])
})

test('an opId that stands for something else is refused, and a refusal is remembered', async (t) => {
  const { do: act, op, server } = await aDay(t)
  const note = op('note', { note: 'One' })
  const early = op('complete')

  assert.deepEqual(await act(note, { ...note, note: 'Two' }, early), [
    'done',
    'IDEMPOTENCY_MISMATCH',
    'TASK_NOT_STARTED',
  ])
  assert.deepEqual(await act(op('start')), ['done'])
  assert.deepEqual(await act(early, op('complete')), ['TASK_NOT_STARTED', 'done'])
  assert.equal((await server.get('/tasks/awb/A-1')).body.task.notes.length, 1)
})

test('an op that cannot be read hurts no other', async (t) => {
  const { send, op } = await aDay(t)
  const { results } = await send({
    ops: [op('start'), op('dance', { opId: 'bad' }), op('note'), op('arrive', { occurredAt: 'noon' }), op('arrive')],
  })
  assert.deepEqual(
    results.map(({ success, error }: Wire) => (success ? 'done' : [error.code, error.field])),
    ['done', ['VALIDATION_FAILED', 'type'], ['VALIDATION_FAILED', 'note'], ['INVALID_TIME', 'occurredAt'], 'done'],
  )
  assert.equal(results[1].opId, 'bad')
})

test('bringing a task where one already brought it succeeds and fires nothing', async (t) => {
  const { do: act, op, look } = await aDay(t)
  await act(op('start'), op('complete'))
  const before = (await look()).timelines.length
  assert.deepEqual(await act(op('start'), op('complete')), ['done', 'done'])
  assert.equal((await look()).timelines.length, before)
})

test('what the office ended is not what the driver ended', async (t) => {
  const { do: act, op, server } = await aDay(t)
  await act(op('start'))
  await server.put('/tasks/awb/A-1/forceComplete', { success: true })
  assert.deepEqual(await act(op('complete')), ['TASK_ALREADY_PROCESSED'])
})

test('the clock of a phone is measured, and what it says is corrected', async (t) => {
  const { send, op, look } = await aDay(t)
  const slow = 3 * 60 * minutes
  await send({ deviceTime: ago(slow), ops: [op('start', { occurredAt: ago(slow + 10 * minutes) })] })
  const { startedAt, timelines } = await look()
  assert.ok(Math.abs(Date.parse(startedAt) - (Date.now() - 10 * minutes)) < 60_000, startedAt)
  assert.equal(timelines.at(-1).occurredAt, startedAt)

  await send({ ops: [op('complete', { occurredAt: ago(-20_000) })] })
  const ended = (await look()).timelines.at(-1)
  assert.ok(ended.occurredAt <= ended.recordedAt)
})

test('what is more than a day old is accepted, and the timeline says so', async (t) => {
  const { do: act, op, look } = await aDay(t)
  assert.deepEqual(await act(op('start', { occurredAt: ago(25 * 60 * minutes) })), ['done'])
  assert.equal((await look()).timelines.at(-1).data.late, true)
  await act(op('complete', { occurredAt: ago(23 * 60 * minutes) }))
  assert.equal((await look()).timelines.at(-1).data.late, undefined)
})

test('a webhook hears when it happened and when we heard of it', async (t) => {
  const { do: act, op, server } = await aDay(t)
  const start = op('start', { occurredAt: ago(10 * minutes) })
  await act(start)
  const { events } = (await server.get('/events?limit=1000')).body
  const event = events.at(-1)
  assert.equal(event.time, start['occurredAt'])
  assert.ok(event.recordedAt > event.time)
})

test('the cursor leads on: only what changed, what was taken away, and everything if it is unknown', async (t) => {
  const { send, task, server, driver, takeAway } = await aDay(t)
  const other = (await server.post('/tasks', aTask({ awb: 'A-2', userId: driver.id, dependencies: ['A-1'] }))).body.task
  const idsOf = ({ changes }: Wire) => [changes.full, changes.tasks.map(({ id }: Wire) => id), changes.removed]

  const first = await send({})
  assert.deepEqual(idsOf(first), [true, [task.id, other.id], []])
  const quiet = await send({ cursor: first.cursor })
  assert.deepEqual(idsOf(quiet), [false, [], []])

  await server.put('/tasks/awb/A-2', { details: 'Ring twice' })
  const edited = await send({ cursor: quiet.cursor })
  assert.deepEqual(idsOf(edited), [false, [other.id], []])
  // A-2 shows the state of A-1, which it waits for.
  await takeAway()
  assert.deepEqual(idsOf(await send({ cursor: edited.cursor })), [false, [other.id], [task.id]])
  await server.delete('/tasks/awb/A-2')
  assert.deepEqual(idsOf(await send({ cursor: edited.cursor })), [false, [], [task.id, other.id]])
  for (const cursor of ['nonsense', Buffer.from('[1,2,3]').toString('base64url'), null])
    assert.deepEqual(idsOf(await send({ cursor })), [true, [], []])
})

test('a cursor with a time that cannot be is one we do not know', async (t) => {
  const { driver, send, op } = await aDay(t)
  const { changes, results } = await send({ cursor: encodeCursor([driver.id, 1, 9e15]), ops: [op('seen')] })
  assert.deepEqual([changes.full, results[0].success], [true, true])
})

test('duty and what was seen are ops too', async (t) => {
  const { send, op, server } = await aDay(t)
  const { results, changes } = await send({
    ops: [op('duty', { inShift: true, taskId: undefined }), op('seen')],
  })
  assert.deepEqual(
    results.map(({ success }: Wire) => success),
    [true, true],
  )
  assert.equal(changes.user.inShift, true)
  const rows = await server.database.everyone.many<{ type: string }>(sql`
    select type from ops where organisation_id = ${server.organisationId} order by recorded_at`)
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['duty', 'seen'],
  )
})

test('a driver has seen a note of the office only if it was on the phone when they looked', async (t) => {
  const { send, op, look, server } = await aDay(t)
  // The task is a minute old, and so is what the phone knows.
  await server.database.everyone.run(sql`
    update events set recorded_at = recorded_at - interval '1 minute' where organisation_id = ${server.organisationId}`)
  const { cursor: before } = await send({})
  await server.post('/tasks/awb/A-1/notes', { note: 'Ring twice' })
  const seen = async () => (await look()).notes.map(({ seenAt }: Wire) => seenAt)
  await send({ ops: [op('seen')] })
  await send({ ops: [op('seen')], cursor: before })
  const { cursor } = await send({ cursor: before })
  await send({ ops: [op('seen', { occurredAt: ago(10 * minutes) }), op('seen', { taskId: undefined })], cursor })
  assert.deepEqual(await seen(), [null])

  const look1 = op('seen')
  await send({ ops: [look1], cursor })
  await send({ ops: [op('seen')], cursor })
  assert.deepEqual(await seen(), [look1.occurredAt], 'the first time counts')

  // One's own note is for the other side.
  await send({ ops: [op('note', { note: 'Nobody is there' }), op('seen')], cursor })
  assert.equal((await seen())[1], null)
  assert.equal(
    await server.triggers('A-1').then((names) => names.length),
    4,
    'having seen something is no change of a task',
  )
})

test('what a driver wrote is new to the office until somebody opens the task', async (t) => {
  const { do: act, op, look, server, task } = await aDay(t)
  const unseen = async () => (await server.get('/notes/unseen')).body.notes.map(({ awb, note }: Wire) => [awb, note])
  await server.post('/tasks/awb/A-1/notes', { note: 'Ring twice' })
  await act(op('note', { note: 'Nobody is there' }), op('scan', { code: 'A-1' }))
  await act(op('note', { note: 'Left with a neighbour' }))
  assert.deepEqual(await unseen(), [
    ['A-1', 'Left with a neighbour'],
    ['A-1', 'Nobody is there'],
  ])
  assert.deepEqual((await (await server.another()).get('/notes/unseen')).body.notes, [])

  assert.equal((await server.put(`/tasks/${task.id}/notes/seen`)).status, 200)
  assert.deepEqual(await unseen(), [])
  const seen = (await look()).notes.map(({ seenAt }: Wire) => seenAt !== null)
  assert.deepEqual(seen, [false, true, true, true], 'that of the office waits for the driver')
  await act(op('note', { note: 'One more thing' }))
  assert.equal((await unseen()).length, 1)
})

test('a scan is compared with the AWB and the custom fields, and that of another parcel is refused and kept', async (t) => {
  const { do: act, op, look, server } = await aDay(t)
  await server.put('/tasks/awb/A-1', {
    customFields: [
      { key: 'floor', value: { number: 'B-7' } },
      { key: 'parcels', value: [5_901_234, 'P-2'] },
    ],
  })
  const scan = (code: string) => op('scan', { code })
  const codes = await act(scan(' A-1 '), scan('B-7'), scan('5901234'), scan('p-2'))
  assert.deepEqual(codes, ['done', 'WRONG_PARCEL', 'done', 'done'])
  const { notes, timelines } = await look()
  assert.deepEqual(
    notes.map(({ type, note }: Wire) => [type, note]),
    [
      [4, 'A-1'],
      [4, 'B-7'],
      [4, '5901234'],
      [4, 'p-2'],
    ],
  )
  assert.deepEqual(
    timelines.slice(3).map(({ data }: Wire) => data.scan),
    [
      { code: 'A-1', matches: true },
      { code: 'B-7', matches: false },
      { code: '5901234', matches: true, field: 'parcels' },
      { code: 'p-2', matches: true, field: 'parcels' },
    ],
  )
})

test('on a task that was taken away evidence is kept, moves are noted, and what ended it waits for the office', async (t) => {
  const { send, op, look, takeAway, token, server, conflicts } = await aDay(t)
  const at = { occurredAt: ago(0) }
  await takeAway()
  const fileId = randomUUID()
  const { results, changes } = await send({
    ops: [
      op('start', at),
      op('photo', { ...at, fileId, note: 'At the door' }),
      op('note', { ...at, note: 'Nobody there' }),
      op('complete', at),
    ],
  })
  assert.deepEqual(
    results.map(({ success, conflict }: Wire) => (success ? 'done' : conflict ? 'conflict' : 'refused')),
    ['refused', 'done', 'done', 'conflict'],
  )
  assert.deepEqual(changes.tasks, [])
  const headers = { 'content-type': 'image/jpeg' }
  await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key: token, raw: photo, headers })
  const { statusId, userId, notes, timelines } = await look()
  assert.deepEqual([statusId, userId], [1, null])
  assert.deepEqual(
    notes.map(({ note, image }: Wire) => [note, image]),
    [
      ['At the door', `/files/${fileId}`],
      ['Nobody there', null],
    ],
  )
  const [kept] = await conflicts()
  assert.deepEqual(
    timelines.slice(4).map(({ data }: Wire) => data.noted ?? data.conflict ?? Object.keys(data.previous)),
    ['start', ['notes'], ['notes'], { id: kept.id, type: 'complete' }, ['notes']],
  )
  assert.deepEqual([kept.type, kept.awb, kept.error.code, kept.settledAt], ['complete', 'A-1', 'TASK_NOT_FOUND', null])
})

test('the office gives the task back and what the driver did counts, as of when it was done', async (t) => {
  const { do: act, op, look, takeAway, server, conflicts, driver } = await aDay(t)
  const colleague = await makeDriver(server)
  await takeAway()
  await server.put(`/containers/drivers/${colleague.id}`, { tasks: ['A-1'] })
  const complete = op('complete', { occurredAt: ago(5 * minutes), lat: 44.1, lng: 26.2 })
  await act(complete)
  const [conflict] = await conflicts('?settled=false')

  const settled = (await server.post(`/conflicts/${conflict.id}/settle`, { apply: true, note: 'Was there' })).body
  assert.deepEqual([settled.conflict.applied, settled.conflict.note], [true, 'Was there'])
  const { statusId, userId, completedAt, timelines } = await look()
  assert.deepEqual([statusId, userId, completedAt], [9, driver.id, complete['occurredAt']])
  assert.deepEqual(
    timelines.slice(-5).map(({ event }: Wire) => event),
    ['TASK_UNASSIGNED', 'TASK_ASSIGNED', 'TASK_UPDATED', 'TASK_COMPLETE', 'TASK_UPDATED'],
  )
  assert.equal(timelines.at(-2).lat, 44.1)
  assert.deepEqual(await conflicts('?settled=false'), [])
  assert.equal((await conflicts()).length, 1)
  const again = await server.post(`/conflicts/${conflict.id}/settle`, { apply: false })
  assert.equal(again.body.error.code, 'CONFLICT_SETTLED')
})

test('the office may also leave things as they are', async (t) => {
  const { do: act, op, look, takeAway, server, conflicts } = await aDay(t)
  await takeAway()
  await act(op('fail', { reason: 'Closed' }))
  const [conflict] = await conflicts()
  assert.equal(conflict.op.reason, 'Closed')
  await server.post(`/conflicts/${conflict.id}/settle`, { apply: false })
  const { statusId, timelines } = await look()
  assert.equal(statusId, 1)
  assert.equal(timelines.at(-1).data.settled.applied, false)
})

test('what a change of others forbids afterwards is a conflict; what was wrong then is not', async (t) => {
  const { send, op, server, conflicts } = await aDay(t)
  const before = ago(0)
  await server.put('/company', { settings: { allowDriverToCancelTask: false, allowDriverToTakeNotesOnSite: false } })
  const later = ago(0)
  const { results } = await send({
    ops: [
      op('fail', { reason: 'Rain', occurredAt: before }),
      op('note', { note: 'Wet', occurredAt: before }),
      op('fail', { occurredAt: later }),
      op('note', { note: 'Wet', occurredAt: later }),
    ],
  })
  assert.deepEqual(
    results.map(({ success, error, conflict }: Wire) => [success, error?.code, conflict !== undefined]),
    [
      [false, 'FORBIDDEN_BY_SETTING', true],
      [true, undefined, false],
      [false, 'FORBIDDEN_BY_SETTING', false],
      [false, 'FORBIDDEN_BY_SETTING', false],
    ],
  )
  assert.equal((await conflicts()).length, 1)
})

test('a task that was never theirs does not exist for a driver', async (t) => {
  const { send, op, server, look } = await aDay(t)
  const colleague = await makeDriver(server)
  const key = await signIn(server, colleague)
  const { results } = await send({ ops: [op('complete'), op('note', { note: 'Hello' }), op('start')] }, key)
  for (const { success, error, conflict } of results)
    assert.deepEqual([success, error.code, error.field, conflict], [false, 'TASK_NOT_FOUND', 'taskId', undefined])
  assert.equal((await look()).timelines.length, 2)
})

test('a verb repeated with the same idempotency key is done once, also if it was refused and kept for the office', async (t) => {
  const { server, task, token, takeAway, conflicts, look } = await aDay(t)
  const call = (verb: string, key: string, body: Given = {}) =>
    request(server.url, 'POST', `/api/v1/driver/tasks/${task.id}/${verb}`, {
      key: token,
      body,
      headers: { 'idempotency-key': key },
    })
  const twice = async (verb: string, body: Given = {}) => {
    const [first, again] = [await call(verb, verb, body), await call(verb, verb, body)]
    assert.deepEqual(
      [first, again].map(({ headers }) => headers.get('idempotent-replayed')),
      [null, 'true'],
    )
    return [first, again]
  }
  // A refusal of which nothing is left does not use up the key.
  assert.equal((await call('arrive', 'arrive')).body.error.code, 'TASK_NOT_STARTED')
  for (const [verb, body] of [['start'], ['arrive'], ['notes', { note: 'Rang twice' }]] as const) {
    const [first, again] = await twice(verb, body)
    assert.equal(first?.text, again?.text)
  }
  assert.equal((await call('notes', 'notes', { note: 'Another' })).status, 422)
  assert.equal((await look()).notes.length, 1)
  await takeAway()
  for (const { status, body } of await twice('complete'))
    assert.deepEqual([status, body.error.code, body.error.field], [404, 'TASK_NOT_FOUND', undefined])
  assert.equal((await conflicts()).length, 1)
})

test('sync knows a repeat by its ops, whatever idempotency key it has', async (t) => {
  const { server, token, op, look } = await aDay(t)
  const send = async (...ops: Given[]) => {
    const body = { deviceTime: ago(0), ops }
    const headers = { 'idempotency-key': 'the same' }
    return (await request(server.url, 'POST', '/api/v1/driver/sync', { key: token, body, headers })).body.results
  }
  const [first, second] = [op('note', { note: 'One' }), op('note', { note: 'Two' })]
  await send(first)
  assert.deepEqual(
    (await send(first, second)).map(({ success }: { success: boolean }) => success),
    [true, true],
  )
  assert.equal((await look()).notes.length, 2)
})

test('the verbs take time and place, and are the same op', async (t) => {
  const { server, task, token, look } = await aDay(t)
  const verb = (name: string, body: Given) =>
    request(server.url, 'POST', `/api/v1/driver/tasks/${task.id}/${name}`, { key: token, body })
  const occurredAt = ago(30 * minutes)
  assert.equal((await verb('start', { occurredAt, lat: 44.2, lng: 26.3 })).body.task.startedAt, occurredAt)
  assert.equal((await verb('start', {})).status, 200)
  assert.equal((await verb('complete', { occurredAt: 'soon' })).body.error.code, 'INVALID_TIME')
  const { timelines } = await look()
  assert.deepEqual([timelines.length, timelines[2].lat, timelines[2].occurredAt], [3, 44.2, occurredAt])
})
