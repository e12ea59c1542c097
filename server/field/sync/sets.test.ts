import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { connectAsOwner } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { aTask, letDaysPass, makeDriver, signIn } from '../../test/factories.ts'
import { photo } from '../../test/pictures.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

/* Ops of a batch, and of several phones, are written in sets. Nobody may be able to tell. */

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any
type Place = Pick<TestServer, 'url' | 'get' | 'post' | 'put' | 'database' | 'organisationId' | 'key'>

/** A driver with tasks of their own, and a way to send ops about them by their places. */
async function aPhone(place: Place, name: string, tasks: object[]) {
  const driver = await makeDriver(place, { name })
  const token = await signIn(place, driver)
  const made: Wire[] = []
  for (const [at, given] of tasks.entries()) {
    const { body } = await place.post('/tasks', aTask({ awb: `${name}-${at}`, userId: driver.id, ...given }))
    made.push(body.task)
  }
  const occurredAt = new Date().toISOString()
  const op = (type: string, task: number, given: object = {}) => ({
    opId: randomUUID(),
    type,
    taskId: made[task].id,
    occurredAt,
    ...given,
  })
  const send = async (ops: object[]) => {
    const body = { deviceTime: new Date().toISOString(), ops }
    return request(place.url, 'POST', '/api/v1/driver/sync', { key: token, body })
  }
  return { driver, made, op, send }
}
type Phone = Awaited<ReturnType<typeof aPhone>>

const codes = (results: Wire[]) => results.map(({ success, error }) => (success ? 'done' : error.code))

/** What differs between two organisations in which the same happened. */
const blank = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'a uuid')
      .replace(/"(\w*[iI]d|phone|email|uuid|cursor|eta|etaText)":("[^"]*"|\d+)/g, (whole, key) =>
        key === 'statusId' ? whole : `"${key}":0`,
      ),
  )

/** A shift with everything that drivers do, in the order it is done. */
const shift = ({ op, made }: Phone, files: string[]) => [
  op('duty', 0, { inShift: true }),
  op('accept', 0),
  op('start', 1),
  op('start', 0),
  op('note', 1, { note: 'I am on my way to the first' }),
  op('arrive', 0, { lat: 44.43, lng: 26.1, accuracyMetres: 8 }),
  op('photo', 0, { fileId: files[0], note: 'The door' }),
  op('scan', 0, { code: made[0].awb }),
  op('scan', 0, { code: 'of-another-parcel' }),
  op('form', 0, { answers: [{ field_key: 'floor', answer: 'third' }] }),
  op('payment', 0, { amount: 30, method: 'cash' }),
  op('complete', 0),
  op('payment', 0, { amount: 48, method: 'card' }),
  op('signature', 0, { fileId: files[1], name: 'Ana' }),
  op('complete', 0),
  op('complete', 0),
  op('start', 1),
  op('seen', 1),
  op('fail', 2, { reasonCode: 'nobody', reason: 'The dog was' }),
  op('fail', 2, { reasonCode: 'no-such-reason' }),
  op('start', 2),
  op('fail', 2, { reasonCode: 'nobody', reason: 'The dog was' }),
  op('arrive', 1),
  op('complete', 1),
]

test('ops that are sent in one batch leave the same answers and events as one by one', async (t) => {
  // Without workers, which write arrivals at their own pace.
  const server = await startServer(t, { WAYBILL_ROLE: 'api' })
  const tell = async (send: (phone: Phone, ops: object[]) => Promise<Wire[]>) => {
    const place: Place = { ...server, ...(await server.another()) }
    await place.put('/company', { settings: { allowPartialPayments: true, driverAutoAcceptOrders: false } })
    await place.post('/reasons', { code: 'nobody', label: 'Nobody there' })
    await place.post('/forms', { isDefault: true, fields: [{ field_key: 'floor', label: 'Floor', type: 'text' }] })
    const phone = await aPhone(place, 'Dan', [{ totalPrice: 78 }, {}, {}])
    await place.put(`/tasks/awb/Dan-1`, { dependencies: [phone.made[0].id] })
    await letDaysPass(place)
    const results = await send(phone, shift(phone, [randomUUID(), randomUUID()]))
    const { events } = (await place.get('/events?limit=200')).body
    const { payments } = (await place.get(`/tasks/${phone.made[0].id}/payments`)).body
    const { conflicts } = (await place.get('/conflicts')).body
    const tasks = await Promise.all(phone.made.map(async ({ id }) => (await place.get(`/tasks/${id}`)).body.task))
    return { codes: codes(results), told: [results, events, payments, conflicts, tasks].map(blank) }
  }

  const together = await tell(async ({ send }, ops) => (await send(ops)).body.results)
  const alone = await tell(async ({ send }, ops) => {
    const results: Wire[] = []
    for (const op of ops) results.push(...(await send([op])).body.results)
    return results
  })

  assert.deepEqual(together.codes, alone.codes)
  assert.ok(new Set(together.codes).size >= 5, 'some are refused, for different reasons')
  assert.deepEqual(together.told, alone.told)
})

/** Lets requests wait at the same moment: nobody can number events until then. */
async function whileNumbersAreHeld<Result>(
  { config, organisationId, database }: TestServer,
  work: () => Promise<Result>[],
): Promise<Result[]> {
  const owner = await connectAsOwner(config.databaseUrl as string, 'test')
  await owner.query('begin')
  await owner.query(`select from event_counters where organisation_id = ${organisationId} for update`)
  const asked = work()
  await until('all phones have been heard', async () => {
    const { count } = await database.everyone.get<{ count: number }>(sql`
      select count(*)::int as count from driver_tokens
      where organisation_id = ${organisationId} and last_seen_at is not null`)
    return count === asked.length
  })
  await owner.query('commit')
  await owner.end()
  return Promise.all(asked)
}

const transactions = async ({ database, organisationId }: TestServer) =>
  (
    await database.everyone.get<{ count: number }>(sql`
      select count(distinct xmin::text)::int as count from ops where organisation_id = ${organisationId}`)
  ).count

const manyPhones = (server: TestServer, count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => aPhone(server, `Driver ${at}`, [{}, {}])))

test('phones that send at the same time share commits, and each gets its own answers', async (t) => {
  const server = await startServer(t, { WAYBILL_GATHER_CREATES: 'true' })
  const phones = await manyPhones(server, 12)

  const replies = await whileNumbersAreHeld(server, () =>
    phones.map(({ op, send }, at) =>
      send([op('start', 0), op('start', at % 2), op('note', 0, { note: `By ${at}` }), op('complete', 0)]),
    ),
  )

  for (const [at, { status, body }] of replies.entries()) {
    assert.equal(status, 200)
    assert.deepEqual(codes(body.results), ['done', 'done', 'done', 'done'], `phone ${at}`)
    const { task } = (await server.get(`/tasks/awb/Driver ${at}-0`)).body
    assert.deepEqual([task.statusId, task.notes.map(({ note }: Wire) => note)], [9, [`By ${at}`]])
    const own = task.timelines.filter(({ event }: Wire) => !['TASK_CREATED', 'TASK_ASSIGNED'].includes(event))
    assert.deepEqual(
      own.map(({ event, actor }: Wire) => [event, actor.name]),
      ['TASK_START', 'TASK_UPDATED', 'TASK_COMPLETE'].map((event) => [event, `Driver ${at}`]),
    )
  }
  assert.ok((await transactions(server)) < phones.length, 'they share transactions')
})

test('what breaks in the batch of one phone breaks nothing for the others, nor what it did before', async (t) => {
  const server = await startServer(t, { WAYBILL_GATHER_CREATES: 'true', WAYBILL_LOG: 'silent' })
  const phones = await manyPhones(server, 8)
  const owner = await connectAsOwner(server.config.databaseUrl as string, 'test')
  await owner.query(`alter table notes add constraint no_poison check (note <> 'poison')`)
  t.after(async () => {
    await owner.query('alter table notes drop constraint no_poison')
    await owner.end()
  })

  const replies = await whileNumbersAreHeld(server, () =>
    phones.map(({ op, send }, at) =>
      send([op('start', 0), op('note', 0, { note: at === 3 ? 'poison' : 'well' }), op('complete', 0)]),
    ),
  )

  assert.deepEqual(
    replies.map(({ status }) => status),
    phones.map((_, at) => (at === 3 ? 500 : 200)),
  )
  for (const at of phones.keys()) {
    const { task } = (await server.get(`/tasks/awb/Driver ${at}-0`)).body
    assert.deepEqual([task.statusId, task.notes.length], at === 3 ? [7, 0] : [9, 1], `phone ${at}`)
  }
})

test('one signature serves all parcels of a stop, however many are left at a parcel shop', async (t) => {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  await place.put('/company', { settings: { makeSignaturesMandatory: true } })
  const driver = await makeDriver(place)
  const key = await signIn(place, driver)
  const given = Array.from({ length: 120 }, (_, at) => aTask({ awb: `SHOP-${at}`, userId: driver.id }))
  const { results } = (await place.post('/tasks/bulkCreate', { tasks: given })).body
  const fileId = randomUUID()
  const deviceTime = new Date().toISOString()
  const ops = results.flatMap(({ data: { id: taskId } }: Wire) =>
    [{ type: 'start' }, { type: 'signature', fileId }, { type: 'complete' }].map((op) => ({
      opId: randomUUID(),
      taskId,
      occurredAt: deviceTime,
      ...op,
    })),
  )
  const told = (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops } })).body
  assert.deepEqual(
    told.results.filter(({ success }: Wire) => !success),
    [],
  )
  const headers = { 'content-type': 'image/jpeg' }
  await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key, raw: photo, headers })
  const { tasks } = (await place.get('/tasks?limit=1000')).body
  assert.equal(tasks.length, 120)
  for (const { statusId, notes } of tasks) assert.deepEqual([statusId, typeof notes[0].image], [9, 'string'])
})
