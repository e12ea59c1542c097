import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { type Operation, operations } from '../../../contract/operations.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { aTask, makeDriver, makeTeam } from '../../test/factories.ts'
import { late, startReceiver } from '../../test/receiver.ts'
import { startSecond } from '../../test/second.ts'
import { type Reply, request, startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { layWire } from '../../test/wire.ts'
import { forgetOldAnswers } from './kept-answers.ts'

const callWith =
  ({ url, key }: Pick<TestServer, 'url' | 'key'>) =>
  (idempotencyKey: string, body: unknown, path = '/api/v1/tasks', method = 'POST') =>
    request(url, method, path, { key, body, headers: { 'idempotency-key': idempotencyKey } })

async function countTasks({ database, organisationId }: TestServer) {
  const { tasks, events } = await database.everyone.get<{ tasks: number; events: number }>(sql`
    select
      (select count(*) from tasks where organisation_id = ${organisationId}) as tasks,
      (select count(*) from events where organisation_id = ${organisationId}) as events`)
  assert.equal(tasks, events, 'every task has the event of its creation')
  return tasks
}

/** Makes every change in the organisation wait before its last statement, until `go` is called. */
const holdChanges = (t: TestContext, server: TestServer) =>
  hold(t, server, sql`select from event_counters where organisation_id = ${server.organisationId} for update`)

/** The same before the answer is kept. */
const holdAnswers = (t: TestContext, server: TestServer) => hold(t, server, sql`lock table kept_answers in share mode`)

async function hold(t: TestContext, { database }: TestServer, lock: Sql) {
  const { promise: released, resolve: go } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const done = database.everyone.transaction(async (db) => {
    await db.run(lock)
    held()
    await released
  })
  await isHeld
  t.after(() => go())
  return async () => {
    go()
    await done
  }
}

/** The backend that waits for that lock, once there is one. */
async function findWaiting(db: Db, table = 'event_counters'): Promise<number> {
  const look = () =>
    db.find<{ pid: number }>(sql`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${table}%`}`)
  return (await until('a waiting backend', look)).pid
}

const untilAnswered = (send: () => Promise<Reply>): Promise<Reply> =>
  until('an answer', async () => {
    const reply = await send()
    if (reply.status !== 409 && reply.status !== 503) return reply
    assert.ok(Number(reply.headers.get('retry-after')) >= 1, 'a caller who has to wait is told how long')
    return undefined
  })

test('a repeated request gets the first answer again, byte for byte, and has no second effect', async (t) => {
  const server = await startServer(t)
  const call = callWith(server)
  const first = await call('order 1', aTask({ details: 'ăîșț "quoted" \u2028' }))
  const again = await call('order 1', aTask({ details: 'ăîșț "quoted" \u2028' }))

  assert.equal(first.status, 200)
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'))
  assert.deepEqual(
    [first, again].map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true'],
  )
  assert.equal(await countTasks(server), 1)

  const other = await call('order 2', aTask({ details: 'ăîșț "quoted" \u2028' }))
  assert.notEqual(other.body.task.id, first.body.task.id)
  assert.equal(await countTasks(server), 2)
})

test('the same key with another body, address or method is refused as a mistake', async (t) => {
  const server = await startServer(t)
  const call = callWith(server)
  await call('k', aTask({ awb: 'A-1' }))

  for (const other of [
    await call('k', aTask({ awb: 'A-2' })),
    await call('k', {}),
    await call('k', aTask({ awb: 'A-1' }), '/api/v1/tasks?x=1'),
    await call('k', undefined, '/api/v1/webHooks/1', 'DELETE'),
  ])
    assert.deepEqual([other.status, other.body.error.code], [422, 'IDEMPOTENCY_MISMATCH'])
  assert.equal(await countTasks(server), 1)
})

test('a key belongs to its organisation', async (t) => {
  const server = await startServer(t)
  const stranger = await server.another()
  const ours = await callWith(server)('k', aTask({ awb: 'A-1' }))
  const theirs = await callWith({ ...server, key: stranger.key })('k', aTask({ awb: 'A-2' }))
  assert.equal(theirs.status, 200)
  assert.notEqual(theirs.body.task.id, ours.body.task.id)
})

test('a key that is not 1 to 255 printable characters is refused', async (t) => {
  const server = await startServer(t)
  const call = callWith(server)
  for (const wrong of ['', 'x'.repeat(256), 'é', 'a\tb']) {
    const { status, body } = await call(wrong, aTask())
    assert.deepEqual([status, body.error.code, body.error.field], [400, 'VALIDATION_FAILED', 'Idempotency-Key'])
  }
  assert.equal((await call('x'.repeat(255), aTask())).status, 200)
  assert.equal(
    (await call('', undefined, '/api/v1/webHooks', 'GET')).status,
    200,
    'reading needs no key and ignores it',
  )
})

test('64 requests at once with one key have one effect, and all get the same answer or are told to wait', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server)
  const calls = [callWith(server), callWith({ ...server, url: second.url })]
  const replies = await Promise.all(
    Array.from({ length: 64 }, (_, index) => calls[index % 2]!('rush', aTask({ awb: 'RUSH' }))),
  )

  const answered = replies.filter(({ status }) => status === 200)
  const waiting = replies.filter(({ body }) => body.error?.code === 'IDEMPOTENCY_IN_PROGRESS')
  assert.equal(answered.length + waiting.length, 64)
  assert.equal(new Set(answered.map(({ text }) => text)).size, 1)
  assert.equal(await countTasks(server), 1)
})

test('while the first request runs, a repeated one is told to wait, in this process and in another', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server)
  const call = callWith(server)
  const release = await holdChanges(t, server)
  const first = call('slow', aTask())
  await findWaiting(server.database.everyone)

  for (const url of [server.url, second.url]) {
    const repeated = await callWith({ ...server, url })('slow', aTask())
    assert.deepEqual([repeated.status, repeated.body.error.code], [409, 'IDEMPOTENCY_IN_PROGRESS'])
    assert.equal(repeated.headers.get('retry-after'), '1')
  }
  await release()
  const { text } = await first
  assert.equal((await callWith({ ...server, url: second.url })('slow', aTask())).text, text)
  assert.equal(await countTasks(server), 1)
})

test('a refused request does not use up its key: the same or a corrected request can use it', async (t) => {
  const server = await startServer(t)
  const call = callWith(server)
  await server.post('/tasks', aTask({ awb: 'TAKEN' }))

  for (let turn = 0; turn < 2; turn += 1)
    assert.equal((await call('k', aTask({ awb: 'TAKEN' }))).body.error.code, 'AWB_TAKEN')
  assert.equal((await call('k', {})).body.error.code, 'VALIDATION_FAILED')

  const better = await call('k', aTask({ awb: 'FREE' }))
  assert.equal(better.status, 200)
  assert.equal((await call('k', aTask({ awb: 'FREE' }))).text, better.text)
  assert.equal(await countTasks(server), 2)
})

test('a caller who disconnects before the answer gets it by repeating the request', async (t) => {
  const server = await startServer(t)
  const release = await holdChanges(t, server)
  const hangUp = new AbortController()
  const lost = fetch(`${server.url}/api/v1/tasks`, {
    method: 'POST',
    headers: { authorization: server.key, 'content-type': 'application/json', 'idempotency-key': 'cut' },
    body: JSON.stringify(aTask()),
    signal: hangUp.signal,
  })
  await findWaiting(server.database.everyone)
  hangUp.abort()
  await assert.rejects(lost)
  await release()

  const found = await untilAnswered(() => callWith(server)('cut', aTask()))
  assert.equal(found.status, 200)
  assert.equal((await callWith(server)('cut', aTask())).text, found.text)
  assert.equal(await countTasks(server), 1)
})

test('if a database connection dies in the middle, nothing is stored, and repeating the request works', async (t) => {
  const server = await startServer(t, { WAYBILL_LOG: 'silent' })
  const release = await holdChanges(t, server)
  const first = callWith(server)('killed', aTask())
  const pid = await findWaiting(server.database.everyone)
  await server.database.everyone.run(sql`select pg_terminate_backend(${pid})`)
  const { status, body, headers } = await first
  assert.deepEqual([status, body.error.code, headers.get('retry-after')], [503, 'OVERLOADED', '2'])
  await release()

  const again = await untilAnswered(() => callWith(server)('killed', aTask()))
  assert.equal(again.status, 200)
  assert.equal(await countTasks(server), 1)
})

test('if the answer to a commit is lost, repeating the request finds what was committed', async (t) => {
  const server = await startServer(t)
  const wire = await layWire(t, server.config.databaseUrl as string)
  const behind = await startSecond(t, { config: { ...server.config, databaseUrl: wire.databaseUrl } }, 'silent')
  const call = callWith({ ...server, url: behind.url })

  let cuts = 0
  for (let number = 0; number < 20; number += 1) {
    wire.cutNextCommit()
    const awb = `CUT-${number}`
    const task = aTask({ awb })
    const first = await call(`cut ${number}`, task)
    if (first.status === 503) cuts += 1
    const again = await untilAnswered(() => call(`cut ${number}`, task))
    assert.deepEqual([again.status, again.body.task.awb], [200, awb])
    if (first.status === 503) assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal((await call(`cut ${number}`, task)).text, again.text)
    assert.equal(await countTasks(server), number + 1)
  }
  assert.ok(cuts > 0, 'the wire was really cut')
})

test('after a day a key can be used again, and its answer is deleted', async (t) => {
  const server = await startServer(t)
  const call = callWith(server)
  const db = server.database.everyone
  const age = (interval: string) =>
    db.run(sql`update kept_answers set created_at = now() - ${interval}::interval
      where organisation_id = ${server.organisationId}`)

  const first = await call('old', aTask())
  await age('23 hours 59 minutes')
  assert.equal((await call('old', aTask())).text, first.text)
  await age('24 hours')
  const later = await call('old', aTask({ details: 'another' }))
  assert.notEqual(later.body.task.id, first.body.task.id)
  assert.equal((await call('old', aTask({ details: 'another' }))).text, later.text)

  await call('young', aTask())
  await db.run(sql`update kept_answers set created_at = now() - interval '25 hours'
    where organisation_id = ${server.organisationId} and key = 'old'`)
  while ((await forgetOldAnswers(db, 1)) > 0);
  const left = await db.many(sql`select key from kept_answers where organisation_id = ${server.organisationId}`)
  assert.deepEqual(left, [{ key: 'young' }])
})

test('only the first answer shows a secret', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const hook = { url: receiver.url, trigger: 4 }
  const first = await callWith(server)('hook', hook, '/api/v1/webHooks')
  const again = await callWith(server)('hook', hook, '/api/v1/webHooks')

  assert.match(first.body.webHook.secret, /^whsec_/)
  assert.deepEqual(again.body, { success: true, webHook: { ...first.body.webHook, secret: '' } })
  const kept = await server.database.everyone.many<{ answer: string }>(sql`select answer from kept_answers`)
  assert.ok(!JSON.stringify(kept).includes(first.body.webHook.secret), 'nor is it kept')
  assert.equal((await server.get('/webHooks')).body.webHooks.length, 1)
})

test('every field that is shown only once is marked as a secret', () => {
  const shownOnce = /^(secret|token|code|link)$/
  const unmarked: string[] = []
  const walk = (path: string, node: { properties?: object; items?: object; 'x-secret'?: boolean }) => {
    if (shownOnce.test(path.split('.').at(-1) as string) && !node['x-secret']) unmarked.push(path)
    for (const [name, inner] of Object.entries(node.properties ?? {})) walk(`${path}.${name}`, inner)
    if (node.items) walk(path, node.items)
  }
  for (const [name, { access, reply }] of Object.entries<Operation>(operations))
    if (access !== 'anybody') walk(name, reply)
  assert.deepEqual(
    unmarked.filter((path) => !/(error|Error|warnings|reasons?|leftOut|scan|foreign)\.code$/.test(path)),
    [],
  )
})

test('two requests with the same key check a webhook once', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  receiver.onCheck(late(300))
  const call = () => callWith(server)('hook', { url: receiver.url, trigger: 4 }, '/api/v1/webHooks')
  const first = call()
  await until('the check to begin', () => receiver.checks.length > 0)

  assert.equal((await call()).body.error.code, 'IDEMPOTENCY_IN_PROGRESS')
  assert.equal((await first).status, 200)
  assert.equal((await call()).headers.get('idempotent-replayed'), 'true')
  assert.equal(receiver.checks.length, 1)
})

test('a change made with an Idempotency-Key is sent to webhooks as soon as any other', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  await server.post('/webHooks', { url: receiver.url, trigger: 4 })
  const listener = new pg.Client({ connectionString: server.config.databaseUrl })
  await listener.connect()
  t.after(() => listener.end())
  const heard: string[] = []
  listener.on('notification', ({ payload = '' }) => heard.push(payload))
  await listener.query('listen waybill_events')

  await callWith(server)('told', aTask({ awb: 'TOLD' }))
  assert.equal(((await receiver.next()).body as { awb: string }).awb, 'TOLD')
  await until('senders to be woken', () => heard.some((payload) => payload.endsWith(` ${server.organisationId}`)))
})

test('a repeated delete answers again that it deleted', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const { webHook } = (await server.post('/webHooks', { url: receiver.url, trigger: 4 })).body
  const path = `/api/v1/webHooks/${webHook.id}`
  const first = await callWith(server)('gone', undefined, path, 'DELETE')
  const again = await callWith(server)('gone', undefined, path, 'DELETE')
  assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text])
  assert.equal((await server.delete(path)).status, 404)
})

test('others can write while an operation in several steps is not answered yet, and a repeat gets its answer', async (t) => {
  const server = await startServer(t)
  const [driver, team] = [await makeDriver(server), await makeTeam(server)]
  const address = { address: 'Strada Lipscani 12', lat: 44.43, lng: 26.1 }
  await server.put(`/drivers/${driver.id}/duty`, { inShift: true })
  await server.post('/tasks', aTask({ address, userId: driver.id, teamId: team.id }))
  await server.post('/tasks', aTask({ address, awb: 'WAITS' }))
  for (const [method, path, body] of [
    ['POST', '/api/v1/planning/optimise', {}],
    ['POST', '/api/v1/planning/assign', {}],
    ['DELETE', `/api/v1/teams/${team.id}`, undefined],
  ] as const) {
    const events = async () => (await server.get('/events')).body.events.length
    const before = await events()
    const release = await holdAnswers(t, server)
    const first = callWith(server)(path, body, path, method)
    await findWaiting(server.database.everyone, 'kept_answers')
    const creating = server.post('/tasks', aTask()).then(({ status }) => status)
    const outcome = await Promise.race([creating, findWaiting(server.database.everyone).then(() => 'waits')])
    await release()
    const { status, text } = await first
    await creating

    assert.deepEqual([path, status, outcome], [path, 200, 200])
    const after = await events()
    assert.ok(after > before + 1, `${path} has an effect besides the new task`)
    const again = await callWith(server)(path, body, path, method)
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [text, 'true'])
    assert.equal(await events(), after)
  }
})
