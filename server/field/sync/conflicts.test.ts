import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Db } from '../../db/db.ts'
import { connectAsOwner } from '../../db/migrate.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { aTask, letDaysPass, makeDriver, signIn } from '../../test/factories.ts'
import { addPerson } from '../../test/people.ts'
import { photo } from '../../test/pictures.ts'
import { request, startServer } from '../../test/server.ts'
import { listConflicts, listOpenConflicts } from './conflict-queries.ts'

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

async function aPlace(t: TestContext) {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  const maria = await addPerson(place, 'dispatcher', 'Maria Ionescu')
  const ana = await makeDriver(place, { name: 'Ana Radu' })
  const dan = await makeDriver(place, { name: 'Dan Stan' })
  const key = await signIn(place, ana)
  const { task } = (await place.post('/tasks', aTask({ awb: 'A-1', userId: ana.id }))).body
  const send = async (...ops: object[]) => {
    const deviceTime = new Date().toISOString()
    const full = ops.map((op) => ({ opId: randomUUID(), taskId: task.id, occurredAt: deviceTime, ...op }))
    return (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops: full } })).body
  }
  const list = async (query = '') => (await place.get(`/conflicts${query}`)).body.conflicts as Wire[]
  return { server: place, maria, ana, dan, key, task, send, list }
}

test('a conflict tells both sides: what the driver did and shows for it, and who did what in the meantime', async (t) => {
  const { server, maria, dan, key, send, list } = await aPlace(t)
  await send({ type: 'start' }, { type: 'note', note: 'On my way' })
  await maria.put('/tasks/awb/A-1', { details: 'Fragile' })
  await maria.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  await maria.put(`/containers/drivers/${dan.id}`, { tasks: ['A-1'] })
  const fileId = randomUUID()
  await send({ type: 'photo', fileId }, { type: 'complete', lat: 44.4323, lng: 26.1017 })
  const headers = { 'content-type': 'image/jpeg' }
  await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key, raw: photo, headers })

  const [picture, conflict] = await list('?settled=false')
  assert.deepEqual(
    conflict.meanwhile.map(({ event, actor, user, changed }: Wire) => [event, actor.name, user?.name, changed]),
    [
      ['TASK_UPDATED', 'Maria Ionescu', 'Ana Radu', ['details']],
      ['TASK_UNASSIGNED', 'Maria Ionescu', 'Ana Radu', conflict.meanwhile[1].changed],
      ['TASK_ASSIGNED', 'Maria Ionescu', 'Dan Stan', conflict.meanwhile[2].changed],
    ],
  )
  assert.deepEqual(
    conflict.evidence.map(({ note, image }: Wire) => [note, image]),
    [['On my way', null]],
  )
  assert.deepEqual([conflict.statusId, conflict.assignedTo.name, conflict.metresAway], [6, 'Dan Stan', 103])
  assert.deepEqual([picture.type, picture.image, picture.metresAway], ['photo', `/files/${fileId}`, null])
})

test('a driver hears once what the office decided, whoever has the task by then, and nobody else does', async (t) => {
  const { server, maria, dan, key, task, send, list } = await aPlace(t)
  const sync = async (cursor?: string, token = key) => {
    const body = { deviceTime: new Date().toISOString(), ...(cursor && { cursor }) }
    const answer = (await request(server.url, 'POST', '/api/v1/driver/sync', { key: token, body })).body
    return { cursor: answer.cursor as string, settled: answer.changes.settled as Wire[] }
  }
  const dansKey = await signIn(server, dan)
  await maria.put(`/containers/drivers/${dan.id}`, { tasks: ['A-1'] })
  const opId = randomUUID()
  const { cursor } = await send({ opId, type: 'complete' }, { type: 'payment', amount: 50, method: 'cash' })
  assert.deepEqual((await sync(cursor)).settled, [])
  const [first, second] = await list('?settled=false')
  await maria.post(`/conflicts/${first.id}/settle`, { apply: false, note: 'Dan has delivered it' })

  const told = await sync(cursor)
  const { settledAt, ...decision } = told.settled[0]
  assert.deepEqual(decision, {
    conflictId: first.id,
    opId,
    taskId: task.id,
    awb: 'A-1',
    type: 'complete',
    applied: false,
    note: 'Dan has delivered it',
  })
  assert.ok(Date.parse(settledAt))
  assert.deepEqual((await sync(told.cursor)).settled, [], 'not twice')
  assert.deepEqual((await sync(undefined, dansKey)).settled, [])
  await maria.post(`/conflicts/${second.id}/settle`, { apply: true })
  assert.deepEqual(
    (await sync()).settled.map(({ conflictId, applied }) => [conflictId, applied]),
    [
      [second.id, true],
      [first.id, false],
    ],
    'a phone without a cursor is told what it may have missed',
  )
})

test('what the office decided about a deleted task is told until something else happens', async (t) => {
  const { server, maria, key, send, list } = await aPlace(t)
  await maria.delete('/tasks/awb/A-1')
  await send({ type: 'complete' })
  const { cursor } = await send()
  const [conflict] = await list()
  await maria.post(`/conflicts/${conflict.id}/settle`, { apply: false })
  const settledSince = async (cursor: string) => {
    const body = { deviceTime: new Date().toISOString(), cursor }
    const answer = (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body })).body
    return { cursor: answer.cursor, ids: answer.changes.settled.map(({ conflictId }: Wire) => conflictId) }
  }
  assert.deepEqual(await settledSince(cursor), { cursor, ids: [conflict.id] })
  await server.post('/tasks', aTask({ awb: 'A-2' }))
  const next = await settledSince(cursor)
  assert.deepEqual(next.ids, [conflict.id])
  assert.deepEqual((await settledSince(next.cursor)).ids, [])
})

test('a task that became late in the meantime excuses nothing', async (t) => {
  const { server, task, send, list } = await aPlace(t)
  await server.put('/company', { settings: { makeSignaturesMandatory: true } })
  await send({ type: 'start' })
  const occurredAt = new Date().toISOString()
  await server.database.everyone.run(sql`
    update tasks set complete_before = now() - interval '1 second' where id = ${task.id}`)
  await server.makeRound('late tasks')
  assert.equal((await server.get('/tasks/awb/A-1')).body.task.taskDelayed, true)
  const [result] = (await send({ type: 'complete', occurredAt })).results
  assert.deepEqual([result.error.code, result.conflict, await list()], ['SIGNATURE_REQUIRED', undefined, []])
})

test('what came of a task that was deleted is told too', async (t) => {
  const { maria, send, list, key, server } = await aPlace(t)
  await maria.delete('/tasks/awb/A-1')
  const fileId = randomUUID()
  await send({ type: 'photo', fileId })
  const headers = { 'content-type': 'image/jpeg' }
  await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key, raw: photo, headers })
  const [conflict] = await list()
  assert.deepEqual([conflict.statusId, conflict.assignedTo, conflict.image], [null, null, `/files/${fileId}`])
  assert.deepEqual(
    conflict.meanwhile.map(({ event, actor }: Wire) => [event, actor.name]),
    [['TASK_DELETED', 'Maria Ionescu']],
  )
})

test('one signature for a stop is kept with the conflicts of the parcels that were taken away or deleted', async (t) => {
  const { server, maria, ana, key, task, send, list } = await aPlace(t)
  const make = async (awb: string) =>
    (await server.post('/tasks', aTask({ awb, userId: ana.id }))).body.task.id as number
  const [taken, deleted] = [await make('A-2'), await make('A-3')]
  await letDaysPass(server)
  await maria.post('/tasks/bulkUnassign', { tasks: ['A-2'] })
  await maria.delete('/tasks/awb/A-3')
  const fileId = randomUUID()
  const { results } = await send(
    { type: 'start' },
    ...[task.id, taken, deleted].map((taskId) => ({ type: 'signature', taskId, fileId, name: 'Ana Pop' })),
  )
  assert.deepEqual(
    results.slice(2).map(({ error, conflict }: Wire) => [error.code, typeof conflict?.id]),
    [
      ['TASK_NOT_FOUND', 'number'],
      ['TASK_NOT_FOUND', 'number'],
    ],
  )
  const headers = { 'content-type': 'image/jpeg' }
  await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key, raw: photo, headers })
  const [first, second] = await list()
  for (const { op, image } of [first, second]) {
    assert.notEqual(op.fileId, fileId)
    assert.equal(image, `/files/${op.fileId}`)
    assert.equal((await fetch(server.url + image, { headers: { authorization: server.key } })).status, 200)
    assert.equal(op.name, null, 'who signed is named only on tasks of the same customer')
  }
  await maria.post(`/conflicts/${first.id}/settle`, { apply: true })
  const { notes } = (await server.get('/tasks/awb/A-2')).body.task
  assert.deepEqual(
    notes.map(({ image, note }: Wire) => [image, note]),
    [[first.image, null]],
  )
})

test('open conflicts are listed as they came, settled ones the latest first, page by page', async (t) => {
  const { server, maria, send, list } = await aPlace(t)
  await maria.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  for (const reason of ['One', 'Two', 'Three', 'Four']) await send({ type: 'fail', reason })
  const ids = (await list()).map(({ id }) => id)
  for (const id of ids.slice(0, 3)) await maria.post(`/conflicts/${id}/settle`, { apply: false })
  assert.deepEqual(
    (await list('?settled=false')).map(({ id }) => id),
    ids.slice(3),
  )
  const first = (await server.get('/conflicts?settled=true&limit=2')).body
  const second = (await server.get(`/conflicts?settled=true&limit=2&cursor=${first.nextCursor}`)).body
  assert.deepEqual(
    [...first.conflicts, ...second.conflicts].map(({ id }) => id),
    ids.slice(0, 3).toReversed(),
  )
  assert.equal(second.nextCursor, undefined)
})

test('which tasks wait for a decision is answered in short, page by page, and without those that are settled', async (t) => {
  const { server, maria, ana, task, send } = await aPlace(t)
  await maria.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  for (const reason of ['One', 'Two', 'Three']) await send({ type: 'fail', reason })
  const first = (await server.get('/conflicts/open?limit=2')).body
  const second = (await server.get(`/conflicts/open?limit=2&cursor=${first.nextCursor}`)).body
  const open = [...first.conflicts, ...second.conflicts] as Wire[]
  assert.deepEqual(open[0], { id: open[0].id, taskId: task.id, user: { id: ana.id, name: 'Ana Radu' } })
  assert.deepEqual([open.length, second.nextCursor], [3, undefined])
  for (const { id } of open.slice(0, 2)) await maria.post(`/conflicts/${id}/settle`, { apply: false })
  assert.deepEqual((await server.get('/conflicts/open')).body.conflicts, open.slice(2))
})

test('open conflicts are found without reading those that are settled', async (t) => {
  const { server, maria, ana, task, send, list } = await aPlace(t)
  const { everyone } = server.database
  await everyone.run(sql`
    insert into conflicts (organisation_id, user_id, task_id, op, code, message, occurred_at, recorded_at, settled_at)
    select ${server.organisationId}, ${ana.id}, ${task.id}, '{"type": "complete"}', '', '', now(), now(), now()
    from generate_series(1, 5000)`)
  await maria.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  await send({ type: 'complete' })
  assert.equal((await list('?settled=false')).length, 1)
  const owner = await connectAsOwner(server.config.databaseUrl as string, 'test')
  await owner.query('vacuum analyze conflicts')
  await owner.end()

  const plan: string[] = []
  const explaining = {
    ...everyone,
    async many(statement: Sql) {
      const lines = await everyone.many<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
      plan.push(...lines.map((line) => line['QUERY PLAN']))
      return []
    },
  } as unknown as Db
  for (const read of [
    () => listConflicts(explaining, server.organisationId, true, 0, 100),
    () => listOpenConflicts(explaining, server.organisationId, 0, 1_000),
  ]) {
    plan.length = 0
    await read()
    assert.match(plan.join('\n'), /using conflicts_open|on conflicts_open/)
  }
})
