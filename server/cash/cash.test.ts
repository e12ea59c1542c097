import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { insertPaymentLines, lockBag, shareBag } from '../tasks/cash/lines.ts'
import { aTask, letDaysPass, makeDriver, signIn } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { checkCash } from './check.ts'

type Given = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

/** A day of the zone, some days ago. */
const zone = 'Europe/Bucharest'
const dayAgo = (days: number) => Temporal.Now.zonedDateTimeISO(zone).subtract({ days }).toPlainDate().toString()
const noonOf = (day: string) => new Date(Temporal.ZonedDateTime.from(`${day}T12:00[${zone}]`).epochMilliseconds)
const [today, yesterday] = [dayAgo(0), dayAgo(1)]

/** A driver who has been here for days, and what the office sees of their cash. */
async function aBag(t: TestContext, settings: Given = { allowPartialPayments: true }) {
  const server = await startServer(t)
  const place = { ...server, ...(await server.another()) }
  await place.put('/company', { settings })
  const driver = await makeDriver(place)
  const key = await signIn(place, driver)
  const db = server.database.of(place.organisationId)
  const call = async (method: string, path: string, body?: object): Promise<Wire> =>
    (await request(server.url, method, `/api/v1${path}`, { key, ...(body && { body }) })).body
  const sync = (ops: Given[]) => call('POST', '/driver/sync', { deviceTime: new Date().toISOString(), ops })
  const give = async (totalPrice: number, given: Given = {}): Promise<Wire> => {
    const { task } = (await place.post('/tasks', aTask({ userId: driver.id, totalPrice, ...given }))).body as Wire
    await letDaysPass(place)
    await sync([{ opId: randomUUID(), type: 'start', taskId: task.id, occurredAt: new Date().toISOString() }])
    return task
  }
  const take = (task: Wire, amount: number, given: Given = {}) => ({
    opId: randomUUID(),
    type: 'payment',
    taskId: task.id,
    amount,
    method: 'cash',
    occurredAt: new Date().toISOString(),
    ...given,
  })
  const post = async (path: string, body: Given): Promise<Wire> =>
    (await place.post(`/cash/${path}`, { userId: driver.id, ...body })).body
  return {
    server: place,
    db,
    driver,
    give,
    take,
    sync,
    own: async () => (await call('GET', '/driver/cash')).cash,
    pay: async (task: Wire, amount: number, given: Given = {}) => {
      const { results } = await sync([take(task, amount, given)])
      assert.equal(results[0].success, true, JSON.stringify(results[0].error))
    },
    post,
    close: (counted: number, given: Given = {}) => post('closeOuts', { day: today, counted, ...given }),
    day: async (day = today): Promise<Wire> =>
      ((await place.get(`/cash?userId=${driver.id}&day=${day}`)).body.days as Wire[])[0],
    days: async (query: string): Promise<Wire> => (await place.get(`/cash?${query}`)).body,
    lines: async (query = `from=${dayAgo(5)}&to=${today}`): Promise<Wire[]> =>
      (await place.get(`/cash/lines?userId=${driver.id}&${query}`)).body.lines,
    faults: async () => (await checkCash(db, place.organisationId)).faults,
  }
}

test('what a driver collects is on their day, cash and card apart', async (t) => {
  const { give, pay, day, lines, driver, faults } = await aBag(t)
  const [one, other] = [await give(120, { awb: 'A-1' }), await give(80)]
  await pay(one, 100)
  await pay(other, 80, { method: 'card' })

  const { user, toCollect, unpaid, cash, card, toHandIn, closed, difference } = await day()
  assert.deepEqual(user, { id: driver.id, name: driver.name })
  assert.deepEqual([toCollect, unpaid, cash, card, toHandIn], [200, 0, 100, 80, 100])
  assert.deepEqual([closed, difference], [false, null])
  const [line] = await lines()
  assert.deepEqual([line.kind, line.method, line.amount, line.awb, line.ofDay], ['payment', 'cash', 100, 'A-1', null])
  assert.deepEqual(await faults(), [])
})

test('a task delivered without its money shows as unpaid, a failed one as lost', async (t) => {
  const { server, give, day } = await aBag(t, { allowDriverToTakePaymentsOnSite: true })
  const [one, other] = [await give(120), await give(30)]
  await server.put(`/tasks/awb/${one.awb}/forceComplete`, { success: true })
  await server.put(`/tasks/awb/${other.awb}/forceComplete`, { success: false, failureReason: 'Nobody at home' })
  const { toCollect, unpaid, lost, cash } = await day()
  assert.deepEqual([toCollect, unpaid, lost, cash], [150, 120, 30, 0])
})

test('a parcel that is tried again on the same day is to be collected once, by whoever has it', async (t) => {
  const { server, give, pay, day, driver, days } = await aBag(t)
  const task = await give(120, { awb: 'A-1' })
  await pay(task, 20)
  const fail = (awb: string) =>
    server.put(`/tasks/awb/${awb}/forceComplete`, { success: false, failureReason: 'Nobody at home' })
  const sumsOf = async () => {
    const { toCollect, unpaid, lost, cash } = await day()
    return [toCollect, unpaid, lost, cash]
  }
  await fail('A-1')
  assert.deepEqual(await sumsOf(), [120, 0, 100, 20], 'nobody tries again')

  await server.post('/tasks/awb/A-1/reattempt', { userId: driver.id })
  assert.deepEqual(await sumsOf(), [120, 0, 0, 20], 'the next try of the same driver')
  await fail('A-1-2')
  assert.deepEqual(await sumsOf(), [120, 0, 100, 20], 'it failed for good, once')

  const other = await makeDriver(server)
  await server.post('/tasks/awb/A-1-2/reattempt', { userId: other.id })
  assert.deepEqual(await sumsOf(), [20, 0, 0, 20], 'another driver has it')
  await server.put('/tasks/awb/A-1-3/forceComplete', { success: true })
  const { days: all } = await days(`day=${today}`)
  assert.deepEqual(
    all.map(({ userId, toCollect, unpaid }: Wire) => [userId === driver.id, toCollect, unpaid]),
    [
      [true, 20, 0],
      [false, 100, 100],
    ],
  )
  const report = (await server.get('/reports/tasks')).body
  assert.deepEqual([report.collected, report.toCollect, report.unpaid, report.lost], [20, 0, 100, 0])
})

test('money of a next try that was deleted is that of the failed task again', async (t) => {
  const { server, give, day, driver } = await aBag(t)
  await give(120, { awb: 'A-1' })
  await server.put('/tasks/awb/A-1/forceComplete', { success: false, failureReason: 'Nobody at home' })
  await server.post('/tasks/awb/A-1/reattempt', { userId: driver.id })
  await server.delete('/tasks/awb/A-1-2')
  const { toCollect, lost } = await day()
  assert.deepEqual([toCollect, lost], [120, 120])
  assert.equal((await server.get('/reports/tasks')).body.lost, 120)
})

test('closing a day writes what was counted, by whom, and what is missing', async (t) => {
  const { give, pay, close, day, lines, faults } = await aBag(t)
  await pay(await give(120), 120)

  const { error } = await close(100)
  assert.deepEqual([error.code, error.field], ['CASH_NOTE_REQUIRED', 'note'])
  assert.match(error.message, /^20 RON missing/)
  const { cash } = await close(100, { note: 'Gave change from my own' })
  assert.deepEqual([cash.closed, cash.counted, cash.difference, cash.toHandIn], [true, 100, -20, 0])
  assert.deepEqual([cash.note, cash.handedIn], ['Gave change from my own', 100])
  assert.ok(cash.closedBy.name && cash.closedAt)
  assert.deepEqual(await day(), cash)
  const counted = (await lines()).at(-1)
  assert.deepEqual([counted.kind, counted.amount, counted.countedBy], ['closeOut', 100, cash.closedBy])
  assert.deepEqual(await faults(), [])
})

test('a day is closed once, and the refusal says by whom and how to correct it', async (t) => {
  const { give, pay, close, post, day, faults } = await aBag(t)
  await pay(await give(120), 120)
  const { cash } = await close(120)
  assert.deepEqual([cash.difference, cash.note], [0, null])

  const { error } = await close(120)
  assert.equal(error.code, 'CASH_DAY_CLOSED')
  assert.ok(error.message.includes(cash.closedBy.name) && error.message.includes(cash.closedAt), error.message)
  assert.match(error.message, /POST \/api\/v1\/cash\/corrections/)
  assert.equal((await post('handIns', { amount: 5 })).error.code, 'CASH_DAY_CLOSED')

  assert.equal((await post('corrections', { day: today, amount: -10 })).error.field, 'note')
  const corrected = (await post('corrections', { day: today, amount: -10, note: 'A false note' })).cash
  assert.deepEqual([corrected.counted, corrected.corrected, corrected.difference], [120, -10, -10])
  assert.equal((await day()).handedIn, 110)
  assert.deepEqual(await faults(), [])
})

test('what is handed in before counts, and only the rest is counted at the end', async (t) => {
  const { give, pay, post, close, faults } = await aBag(t)
  await pay(await give(120), 120)
  assert.equal((await post('corrections', { day: today, amount: 5, note: 'x' })).error.code, 'CASH_DAY_OPEN')
  assert.equal((await post('handIns', { amount: 70 })).cash.toHandIn, 50)
  assert.equal((await post('handIns', { amount: -10 })).error.code, 'CASH_NOTE_REQUIRED')
  assert.equal((await post('handIns', { amount: -10, note: 'It was 60' })).cash.toHandIn, 60)
  assert.equal((await post('handIns', { amount: 0 })).error.field, 'amount')
  const { cash } = await close(60)
  assert.deepEqual([cash.handedIn, cash.counted, cash.difference], [120, 60, 0])
  assert.deepEqual(await faults(), [])
})

test('a payment that comes late for a closed day counts for the next open one, and says so', async (t) => {
  const { give, pay, close, post, day, lines, own, faults } = await aBag(t)
  const task = await give(300)
  await pay(task, 100, { occurredAt: noonOf(yesterday) })
  assert.equal((await day(yesterday)).cash, 100)
  await close(100, { day: yesterday })

  await pay(task, 50, { occurredAt: noonOf(yesterday) })
  assert.deepEqual([(await day(yesterday)).cash, (await day()).cash, (await day()).earlier], [100, 50, 50])
  await close(50)
  await pay(task, 20)
  const late = (await lines(`from=${today}&to=${dayAgo(-1)}`)).filter(({ kind }) => kind === 'payment')
  assert.deepEqual(
    late.map(({ amount, day, ofDay }) => [amount, day, ofDay]),
    [
      [50, today, yesterday],
      [20, dayAgo(-1), today],
    ],
  )
  const { toHandIn, closedAt, before } = await own()
  assert.deepEqual([toHandIn, before], [20, 20])
  assert.ok(closedAt)
  assert.equal((await post('closeOuts', { day: dayAgo(-1), counted: 20 })).error.field, 'day')
  assert.deepEqual(await faults(), [])
})

test('what the office enters is in no bag, unless it says which driver took it', async (t) => {
  const { server, give, day, driver, faults } = await aBag(t)
  const task = await give(120)
  await server.post(`/tasks/${task.id}/payments`, { amount: 20, method: 'cash' })
  assert.equal((await day()).cash, 0)
  const { payment } = (
    await server.post(`/tasks/${task.id}/payments`, { amount: 40, method: 'cash', userId: driver.id })
  ).body as Wire
  assert.equal(payment.userId, driver.id)
  await server.post(`/tasks/${task.id}/payments`, { amount: -5, method: 'cash', userId: driver.id })
  assert.equal((await day()).cash, 35)
  const { status, body } = await server.post(`/tasks/${task.id}/payments`, { amount: 1, method: 'cash', userId: 1e9 })
  assert.deepEqual([status, (body as Wire).error.field], [400, 'userId'])
  assert.deepEqual(await faults(), [])
})

test('amounts with decimals are exact, and refused where there are none', async (t) => {
  const { give, pay, close, server } = await aBag(t, { allowPartialPayments: true, moneyDecimals: 2 })
  const task = await give(10)
  for (const amount of [0.1, 0.2, 0.7]) await pay(task, amount)
  const { cash } = await close(1)
  assert.deepEqual([cash.cash, cash.difference], [1, 0])
  const other = await aBag(t)
  const { error } = await other.close(1.5)
  assert.deepEqual([error.code, error.field], ['VALIDATION_FAILED', 'counted'])
  assert.equal((await server.get('/cash')).body.currency, 'RON')
})

test('days come latest first, page by page, of all drivers or of one', async (t) => {
  const { give, pay, days, driver, server, close } = await aBag(t)
  const task = await give(300)
  for (const day of [dayAgo(2), yesterday, today])
    await pay(task, 10, { occurredAt: noonOf(day) > new Date() ? new Date() : noonOf(day) })
  const other = await makeDriver(server)
  await server.post('/cash/handIns', { userId: other.id, day: yesterday, amount: 5 })
  const seen: string[] = []
  for (let query = `from=${dayAgo(3)}&to=${today}&limit=1`, cursor = ''; ; ) {
    const { days: page, nextCursor } = await days(`${query}${cursor}`)
    seen.push(...page.map(({ day, userId }: Wire) => `${day} ${userId === driver.id ? 'one' : 'other'}`))
    if (!nextCursor) break
    cursor = `&cursor=${nextCursor}`
    query = `from=${dayAgo(3)}&to=${today}&limit=1`
  }
  assert.deepEqual(seen, [`${today} one`, `${yesterday} one`, `${yesterday} other`, `${dayAgo(2)} one`])
  assert.equal((await close(0, { day: 'soon' })).error.code, 'INVALID_TIME')
  assert.equal((await close(0, { userId: 1e9 })).error.code, 'DRIVER_NOT_FOUND')
})

test('a payment in flight is waited for, and one that comes after counts for the next day', async (t) => {
  const { db, driver, give, pay, close, take, sync, day, server, faults } = await aBag(t)
  const task = await give(300)
  let closing: Promise<Wire> | undefined
  await db.transaction(async (db) => {
    await shareBag(db, driver.id)
    const { id } = await db.get<{ id: number }>(sql`
      insert into payments (organisation_id, task_id, user_id, amount, method, occurred_at)
      values (${server.organisationId}, ${task.id}, ${driver.id}, 30, 'cash', ${new Date()})
      returning id`)
    closing = close(30)
    await untilWaiting(server.database.everyone)
    await insertPaymentLines(db, server.organisationId, [id])
  })
  const { cash } = await closing
  assert.deepEqual([cash.cash, cash.difference], [30, 0], 'it was waited for')

  let paying: Promise<Wire> | undefined
  await pay(task, 10, { occurredAt: noonOf(yesterday) }).catch(() => {})
  await db.transaction(async (db) => {
    await lockBag(db, driver.id)
    paying = sync([take(task, 20, { occurredAt: noonOf(yesterday) })])
    await untilWaiting(server.database.everyone)
    const { id } = await db.get<{ id: number }>(sql`
      insert into cash_lines (organisation_id, user_id, day, kind, method, hundredths, counted_by, occurred_at)
      values (${server.organisationId}, ${driver.id}, ${yesterday}, 'closeOut', 'cash', 1000, ${driver.id}, now())
      returning id`)
    await db.run(sql`
      insert into cash_close_outs values (${server.organisationId}, ${driver.id}, ${yesterday}, ${id}, 1000, 1000, now())`)
  })
  assert.equal((await paying).results[0].success, true)
  assert.deepEqual([(await day(yesterday)).cash, (await day()).cash], [10, 30])
  assert.deepEqual(await faults(), [])
})

/** Somebody waits for a bag. */
const untilWaiting = (db: Wire) =>
  until('somebody to wait for the bag', async () => {
    const { waiting } = await db.get(sql`
      select exists (select from pg_locks where locktype = 'advisory' and not granted and classid = 7204119) as waiting`)
    return waiting
  })

test('whatever order phones and the office come in, nothing is lost and nothing counted twice', async (t) => {
  const { give, take, sync, close, faults, lines } = await aBag(t)
  const task = await give(10_000)
  const all = await Promise.all([
    ...Array.from({ length: 12 }, (_, at) => sync([take(task, at + 1, { occurredAt: noonOf(yesterday) })])),
    ...Array.from({ length: 4 }, () => close(0, { day: yesterday, note: 'In a hurry' })),
  ])
  const closed = all.slice(12)
  assert.equal(closed.filter(({ success }) => success).length, 1)
  assert.ok(closed.every(({ success, error }) => success || error.code === 'CASH_DAY_CLOSED'))
  const paid = (await lines()).filter(({ kind }) => kind === 'payment')
  assert.equal(
    paid.reduce((sum, { amount }) => sum + amount, 0),
    78,
  )
  assert.deepEqual(await faults(), [])
})

test('lines and close-outs cannot be changed or deleted, by anybody', async (t) => {
  const { server, give, pay, close } = await aBag(t)
  await pay(await give(20), 20)
  await close(20)
  const db = server.database.everyone
  for (const statement of [
    sql`update cash_lines set hundredths = 1`,
    sql`delete from cash_lines`,
    sql`update cash_close_outs set cash_hundredths = 1`,
    sql`delete from cash_close_outs`,
    sql`truncate cash_lines`,
  ])
    await assert.rejects(db.run(statement), { code: '42501' })
})

test('the check names payments without a line, and days that no longer come to what they were closed with', async (t) => {
  const { server, driver, give, pay, close, faults } = await aBag(t)
  const task = await give(300)
  await pay(task, 20)
  await close(20)
  const db = server.database.everyone
  await db.run(sql`
    insert into payments (organisation_id, task_id, user_id, amount, method, occurred_at, recorded_at)
    values (${server.organisationId}, ${task.id}, ${driver.id}, 7, 'cash', now(), now() - interval '1 hour')`)
  assert.deepEqual(await faults(), [
    '1 payments of drivers are on no day of theirs',
    'Drivers were paid 27, and their days come to 20',
  ])
  await server.makeRound('cash')
  assert.deepEqual(await faults(), [], 'a payment of an earlier version is put on a day, here the next one')
  await db.run(sql`
    insert into cash_lines (organisation_id, user_id, day, kind, method, hundredths, counted_by, occurred_at)
    values (${server.organisationId}, ${driver.id}, ${today}, 'handIn', 'cash', 100, ${driver.id}, now())`)
  assert.deepEqual(await faults(), ['1 closed days no longer come to what they were closed with'])
})

test('a driver sees their own cash only, and only who may closes a day', async (t) => {
  const { server, driver, give, pay, own } = await aBag(t)
  await pay(await give(40), 40)
  const { cash, toHandIn } = await own()
  assert.deepEqual([cash, toHandIn], [40, 40])
  const { secret } = (
    (await server.post('/keys', { name: 'Shop', scopes: ['tasks:read', 'tasks:write'] })).body as Wire
  ).key
  const body = { userId: driver.id, day: today, counted: 40 }
  const reply = await request(server.url, 'POST', '/api/v1/cash/closeOuts', { key: secret, body })
  assert.equal(reply.status, 403)
  assert.equal((await request(server.url, 'GET', '/api/v1/cash', { key: secret })).status, 200)
})
