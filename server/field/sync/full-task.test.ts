import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { pageBytes, shownOfATask, taskHolds } from '../../../contract/limits.ts'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, signIn } from '../../test/factories.ts'
import { photo } from '../../test/pictures.ts'
import { request, startServer } from '../../test/server.ts'

/* One driver who fills a task with all that can be sent: it stays readable, and so does the log of the organisation. */

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

async function aDriver(t: TestContext) {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const { task } = (await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))).body
  const sync = async (ops: object[] = [], cursor?: string) =>
    (
      await request(server.url, 'POST', '/api/v1/driver/sync', {
        key: token,
        body: { deviceTime: new Date().toISOString(), ops, ...(cursor && { cursor }) },
      })
    ).body
  const op = (type: string, given: Record<string, unknown>): Wire => ({
    opId: randomUUID(),
    type,
    taskId: task.id,
    occurredAt: new Date().toISOString(),
    ...given,
  })
  return { server, driver, token, task, sync, op, db: server.database.of(server.organisationId) }
}

test('hundreds of long notes cost as much each as the first, and what has no room waits for the office', async (t) => {
  const { server, task, sync, op, db, token } = await aDriver(t)
  const notes = Array.from({ length: 200 }, (_, index) => op('note', { note: `${index} ${'ț'.repeat(3_900)}` }))

  const { results, changes } = await sync(notes)

  const kept = results.filter(({ success }: Wire) => success)
  const refused = results.slice(kept.length)
  assert.equal(kept.length, Math.floor(taskHolds.noteCharacters / 3_904))
  assert.deepEqual([...new Set(refused.map(({ error }: Wire) => error.code))], ['TASK_FULL'])
  assert.ok(
    refused.every(({ conflict }: Wire) => conflict),
    'none is lost',
  )
  assert.equal(changes.tasks[0].notes.length, kept.length)
  const { sets } = await db.get<{ sets: number }>(sql`
    select count(distinct xmin::text)::int as sets from ops where organisation_id = ${server.organisationId}`)
  assert.equal(sets, 10, 'what waits for the office shares a transaction with others, too')

  const sizes = await db.many<{ bytes: number }>(sql`
    select octet_length(task) + octet_length(previous) as bytes from events
    where organisation_id = ${server.organisationId} and previous like '{"notes"%' order by id`)
  assert.equal(sizes.length, kept.length)
  const [early, late] = [sizes[20]?.bytes as number, sizes.at(-1)?.bytes as number]
  assert.ok(late < early * 1.01, `the last note took ${late} bytes, one of the first ${early}`)

  const { task: now } = (await server.get(`/tasks/${task.id}`)).body
  assert.equal(now.notes.length, kept.length)
  assert.equal(now.notes.at(-1).note, notes[kept.length - 1].note)
  assert.equal((await server.get('/tasks')).body.tasks.length, 1)
  const { events } = (await server.get('/events')).body
  assert.ok(events.length > 10)
  const last = (await server.get('/events?limit=1000')).body.events.at(-1)
  assert.ok(last.data.task.notes.length < 20)
  assert.equal(last.data.task.notes.length + last.data.task.notesLeftOut, kept.length)

  const { conflicts } = (await server.get('/conflicts?limit=1000')).body
  assert.deepEqual(
    conflicts.map(({ op: { note } }: Wire) => note),
    notes.slice(kept.length).map(({ note }: Wire) => note),
    'whole',
  )
  assert.deepEqual(
    conflicts.map(({ id }: Wire) => id),
    refused.map(({ conflict }: Wire) => conflict.id),
  )
  const settled = await server.post(`/conflicts/${conflicts[0].id}/settle`, { apply: true })
  assert.deepEqual([settled.status, settled.body.error.code], [409, 'TASK_FULL'], 'there is still no room')
  const byOffice = await server.post('/tasks/awb/A-1/notes', { note: 'x'.repeat(5_000) })
  assert.deepEqual([byOffice.status, byOffice.body.error.code], [409, 'TASK_FULL'])

  const moves = [op('start', {}), op('payment', { amount: 5, method: 'cash' }), op('complete', {})]
  const codes = (await sync(moves)).results.map(({ success, error }: Wire) => success || error.code)
  assert.deepEqual(codes, [true, 'PAYMENT_TOO_MUCH', true], 'a full task is completed like any other')
  const own = await request(server.url, 'GET', '/api/v1/driver/tasks', { key: token })
  assert.equal(own.body.tasks[0].statusId, 9)
})

test('each kind has its number, and a picture that has no room stays with its conflict', async (t) => {
  const { server, driver, task, sync, op, db, token } = await aDriver(t)
  const fill = (type: number, count: number) =>
    db.run(sql`
      insert into notes (organisation_id, task_id, user_id, type, note)
      select ${server.organisationId}, ${task.id}, ${driver.id}, ${type}, 'x' from generate_series(1, ${count}::int)`)
  await fill(1, taskHolds.notes - 1)
  await fill(2, taskHolds.photos)
  await fill(3, taskHolds.signatures - 1)
  await fill(4, taskHolds.scans)
  const fileId = randomUUID()
  const ops = [
    op('note', { note: 'The last' }),
    op('note', { note: 'One more' }),
    op('photo', { fileId }),
    op('signature', { fileId: randomUUID() }),
    op('scan', { code: 'A-1' }),
  ]
  const codes = (await sync(ops)).results.map(({ success, error }: Wire) => (success ? 'done' : error.message))
  assert.deepEqual(codes, [
    'done',
    'The task has 300 notes, which is the most it can hold',
    'The task has 300 photos, which is the most it can hold',
    'done',
    'The task has 300 scans, which is the most it can hold',
  ])
  const sent = await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, {
    key: token,
    raw: photo as Uint8Array<ArrayBuffer>,
    headers: { 'content-type': 'image/jpeg' },
  })
  assert.equal(sent.status, 200)
  const { conflicts } = (await server.get('/conflicts')).body
  assert.deepEqual(
    conflicts.map(({ type, image }: Wire) => [type, image !== null]),
    [
      ['note', false],
      ['photo', true],
      ['scan', false],
    ],
  )
})

test('a timeline that is full takes no more notes, answers or remarks of drivers, but every move and payment', async (t) => {
  const { server, task, sync, op, db } = await aDriver(t)
  await server.put('/tasks/awb/A-1', { totalPrice: 50 })
  await db.run(sql`
    update tasks set last_sequence = ${taskHolds.timelineEntries - 1}
    where organisation_id = ${server.organisationId} and id = ${task.id}`)
  const ops = [
    op('note', { note: 'The last' }),
    op('note', { note: 'One more' }),
    op('start', {}),
    op('payment', { amount: 50, method: 'cash' }),
    op('complete', {}),
  ]
  const { results } = await sync(ops)
  assert.deepEqual(
    results.map(({ success, error }: Wire) => (success ? 'done' : error.code)),
    ['done', 'TASK_FULL', 'done', 'done', 'done'],
  )
  assert.equal((await server.get('/conflicts')).body.conflicts.length, 1)
  const { timelines } = (await server.get(`/tasks/${task.id}`)).body.task
  assert.equal(
    timelines.some(({ data }: Wire) => data?.conflict),
    false,
  )
})

test('a long timeline is shown from its end, and read whole in pages', async (t) => {
  const { server, task, db } = await aDriver(t)
  const count = shownOfATask.timelineEntries + 200
  await db.run(sql`
    insert into events (organisation_id, id, task_id, sequence, trigger_id, snapshot_id, task, awb, actor_type, actor_name,
      previous, occurred_at, recorded_at)
    select ${server.organisationId}, 1000 + n, ${task.id}, 2 + n, 5, 1000 + n, '{}', 'A-1', 'API', 'Test', '{"priority":1}', now(), now()
    from generate_series(1, ${count}::int) n`)
  await db.run(sql`update tasks set last_sequence = ${count + 2} where organisation_id = ${server.organisationId}`)

  const { task: shown } = (await server.get(`/tasks/${task.id}`)).body
  assert.equal(shown.timelines.length, shownOfATask.timelineEntries)
  assert.equal(shown.timelinesLeftOut, count + 2 - shownOfATask.timelineEntries)
  assert.equal(shown.timelines.at(-1).id, 1000 + count)
  const read: number[] = []
  for (let query = '?limit=300'; query; ) {
    const { timelines, nextCursor } = (await server.get(`/tasks/${task.id}/timelines${query}`)).body
    read.push(...timelines.map(({ id }: Wire) => id))
    query = nextCursor ? `?limit=300&cursor=${nextCursor}` : ''
  }
  assert.deepEqual([read.length, new Set(read).size], [count + 2, count + 2])
  assert.deepEqual(
    read.slice(-shownOfATask.timelineEntries),
    shown.timelines.map(({ id }: Wire) => id),
  )

  // As the version before wrote them: every event with all notes before it. Those of the first page and of the end.
  await db.run(sql`
    update events set previous = '{"notes":["' || repeat('x', 100000) || '"]}'
    where organisation_id = ${server.organisationId} and previous is not null and sequence not between 101 and ${count - 100}`)
  const { task: large } = (await server.get(`/tasks/${task.id}`)).body
  assert.equal(large.timelines.length, Math.ceil(shownOfATask.timelineBytes / 100_300))
  const first = (await server.get(`/tasks/${task.id}/timelines`)).body
  assert.ok(first.timelines.length < 100 && first.nextCursor, `${first.timelines.length} in a page`)
})

test('what an earlier version wrote stays readable: huge events one page after another, in the feed and the stream', async (t) => {
  const { server, task, db } = await aDriver(t)
  for (let index = 1; index <= 4; index += 1) await server.put('/tasks/awb/A-1', { details: `${index}` })
  const before = (await server.get('/events')).body.events
  const grown = sql`replace(task, '"details":"', '"details":"' || repeat('y', ${pageBytes / 2}::int))`
  await db.run(sql`
    update events set task = ${grown} where organisation_id = ${server.organisationId} and task is not null`)

  const read: Wire[] = []
  for (let after = ''; ; ) {
    const { events, nextCursor } = (await server.get(`/events${after}`)).body
    assert.ok(events.length <= 2, `${events.length} in a page`)
    if (events.length === 0) break
    read.push(...events)
    after = `?after=${nextCursor}`
  }
  assert.deepEqual(
    read.map(({ eventId }) => eventId),
    before.map(({ eventId }: Wire) => eventId),
  )
  const aborting = new AbortController()
  const stream = await fetch(`${server.url}/api/v1/events/stream?after=${Buffer.from('0').toString('base64url')}`, {
    headers: { authorization: server.key },
    signal: aborting.signal,
  })
  const told: number[] = []
  let rest = ''
  for await (const chunk of stream.body as ReadableStream<Uint8Array>) {
    rest += Buffer.from(chunk).toString('latin1')
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const id = /"eventId":(\d+)/.exec(rest.slice(0, end))?.[1]
      if (id) told.push(Number(id))
      rest = rest.slice(end + 2)
    }
    if (told.length === before.length) break
  }
  aborting.abort()
  assert.deepEqual(
    told,
    before.map(({ eventId }: Wire) => eventId),
  )
  assert.equal((await server.get(`/tasks/${task.id}`)).status, 200)
})

test('tasks that do not fit into one answer come in several, to the office and to the phone', async (t) => {
  const { server, driver, sync, db } = await aDriver(t)
  const tasks = Array.from({ length: 199 }, (_, index) => aTask({ awb: `B-${index}`, userId: driver.id }))
  await server.post('/tasks/bulkCreate', { tasks })
  await db.run(sql`
    update tasks set inventory = to_jsonb(repeat('z', 60000)) where organisation_id = ${server.organisationId}`)

  for (const path of ['/tasks', `/drivers/${driver.id}/tasks`]) {
    const sizes: number[] = []
    const awbs = new Set<string>()
    for (let query = ''; sizes.length < 10; ) {
      const { body, text } = await server.get(path + query)
      sizes.push(body.tasks.length)
      assert.ok(text.length < pageBytes * 1.1)
      for (const { awb } of body.tasks) awbs.add(awb)
      if (!body.nextCursor) break
      query = `?cursor=${body.nextCursor}`
    }
    assert.deepEqual([awbs.size, sizes.length, sizes.reduce((sum, one) => sum + one)], [200, 2, 200], path)
  }

  const first = await sync()
  assert.deepEqual([first.changes.full, first.changes.more], [true, true])
  assert.equal(first.changes.order.length, 200)
  await server.put('/tasks/awb/B-0', { details: 'Changed meanwhile' })
  const second = await sync([], first.cursor)
  assert.deepEqual([second.changes.full, second.changes.removed, second.changes.more], [false, [], true])
  const ids = [...first.changes.tasks, ...second.changes.tasks].map(({ id }: Wire) => id)
  assert.deepEqual([ids.length, new Set(ids).size], [200, 200])
  const third = await sync([], second.cursor)
  assert.deepEqual(
    [third.changes.tasks.map(({ details }: Wire) => details), third.changes.more],
    [['Changed meanwhile'], undefined],
  )
  assert.deepEqual((await sync([], third.cursor)).changes.tasks, [])

  await db.run(sql`
    with counted as (
      update event_counters set last_event_id = last_event_id + 200 where organisation_id = ${server.organisationId}
      returning last_event_id - 200 as before)
    insert into events (organisation_id, id, task_id, sequence, trigger_id, snapshot_id, task, awb, user_id, actor_type, actor_name, occurred_at, recorded_at)
    select t.organisation_id, before + row_number() over (), t.id, t.last_sequence + 1, 5, before + row_number() over (), '{}', t.awb,
      t.user_id, 'API', 'Test', now(), now()
    from tasks t, counted where t.organisation_id = ${server.organisationId}`)
  const part = await sync([], third.cursor)
  assert.deepEqual([part.changes.full, part.changes.more], [false, true])
  const end = await sync([], part.cursor)
  const changed = new Set([...part.changes.tasks, ...end.changes.tasks].map(({ id }: Wire) => id))
  assert.deepEqual([changed.size, end.changes.more], [200, undefined])
})
