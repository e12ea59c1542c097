import assert from 'node:assert/strict'
import { test } from 'node:test'
import { punctualityCases } from '../../../core/punctuality.cases.ts'
import { judgePunctuality } from '../../../core/punctuality.ts'
import { isEnded } from '../../../core/task-status.ts'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, makeTeam } from '../../test/factories.ts'
import { startServer } from '../../test/server.ts'

const zone = 'Europe/Bucharest'
const noneTaken = { cash: 0, card: 0, other: 0 }
const dayAt = (days: number) => Temporal.Now.plainDateISO(zone).add({ days }).toString()

test('the figures of a day, and of each of its drivers, add up', async (t) => {
  const server = await startServer(t)
  await server.put('/company', { settings: { moneyDecimals: 2 } })
  const [vlad, ana] = [await makeDriver(server, { name: 'Vlad' }), await makeDriver(server, { name: 'Ana' })]
  const make = (awb: string, given: object) => server.post('/tasks', aTask({ awb, ...given }))
  const paid = (await make('PAID', { userId: vlad.id, totalPrice: 99.9 })).body.task
  await make('OWED', { userId: vlad.id, totalPrice: 40, paymentTypeId: 2 })
  await make('LOST', { userId: ana.id, totalPrice: 7.35 })
  await make('OPEN', { userId: ana.id, totalPrice: 5 })
  await make('WAITS', {})
  for (const awb of ['PAID', 'OWED']) await server.put(`/tasks/awb/${awb}/forceComplete`, { success: true })
  await server.put('/tasks/awb/LOST/forceComplete', { success: false, failureReason: ' Nobody home ' })
  await server.post(`/tasks/${paid.id}/payments`, { amount: 99.9, method: 'cash' })
  const own = sql`organisation_id = ${server.organisationId}`
  await server.database.everyone.run(sql`
    update tasks set feedback = '{"rating": 4, "comment": "", "at": "2026-01-01T00:00:00Z"}',
      route = '{"distanceMetres": 1500}' where ${own} and awb = 'PAID'`)

  const { body } = await server.get('/reports/tasks')
  assert.deepEqual([body.from, body.to], [dayAt(0), dayAt(0)])
  const { tasks, unassigned, assigned, inTransit, succeeded, failed } = body
  assert.deepEqual([tasks, unassigned, assigned, inTransit, succeeded, failed], [5, 1, 1, 0, 2, 1])
  assert.deepEqual([body.collected, body.toCollect, body.unpaid, body.lost], [99.9, 5, 40, 7.35])
  assert.deepEqual([body.ratings, body.averageRating, body.distanceMetres], [1, 4, 1500])
  assert.deepEqual(
    body.drivers.map((one: Record<string, unknown>) => [one['name'], one['tasks'], one['succeeded'], one['collected']]),
    [
      ['Vlad', 2, 2, 99.9],
      ['Ana', 2, 0, 0],
      [null, 1, 0, 0],
    ],
  )
  assert.deepEqual(body.reasons, [{ reason: 'Nobody home', count: 1 }])
  assert.deepEqual(body.payments, [
    { paymentTypeId: 1, collected: 99.9, toCollect: 5, unpaid: 0, lost: 7.35, ...noneTaken },
    { paymentTypeId: 2, collected: 0, toCollect: 0, unpaid: 40, lost: 0, ...noneTaken },
  ])
  const ended = body.hours.reduce(
    (sum: number, one: { succeeded: number; failed: number }) => sum + one.succeeded + one.failed,
    0,
  )
  assert.equal(ended, 3)

  const some = (await server.get('/reports/tasks?by=driver,day')).body
  assert.deepEqual([some.drivers, some.days, some.hours], [body.drivers, body.days, []])
  for (const [query, field] of [
    ['?from=soon', 'from'],
    ['?from=2026-02-02&to=2026-02-01', 'to'],
    ['?from=2025-01-01&to=2026-12-01', 'to'],
    ['?by=moon', 'by'],
  ])
    assert.equal((await server.get(`/reports/tasks${query}`)).body.error.field, field)
})

test('a report of days counts their tasks once each, and its days add up', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  for (const [awb, days] of [
    ['A', 0],
    ['B', -1],
    ['C', -1],
    ['D', -3],
  ] as const) {
    await server.post('/tasks', aTask({ awb, userId: driver.id }))
    await server.put(`/tasks/awb/${awb}/forceComplete`, { success: awb !== 'C' })
    await server.database.everyone.run(sql`
      update tasks set completed_at = completed_at + make_interval(days => ${days})
      where organisation_id = ${server.organisationId} and awb = ${awb}`)
  }
  const open = (awb: string, from: number, to: number) =>
    server.post('/tasks', aTask({ awb, completeAfter: `${dayAt(from)} 09:00`, completeBefore: `${dayAt(to)} 18:00` }))
  await open('LEFT', -2, -2)
  await open('LONG', -1, 2)
  await open('NEXT', 1, 1)
  const report = async (from: number, to: number) =>
    (await server.get(`/reports/tasks?from=${dayAt(from)}&to=${dayAt(to)}`)).body
  const daysOf = ({ days }: { days: { day: string; tasks: number }[] }) => days.map(({ day, tasks }) => [day, tasks])
  const all = await report(-3, 2)
  assert.deepEqual([all.tasks, all.succeeded, all.failed], [7, 3, 1])
  assert.deepEqual(daysOf(all), [
    [dayAt(-3), 1],
    [dayAt(-1), 2],
    [dayAt(0), 3],
    [dayAt(1), 1],
  ])
  const before = await report(-3, -1)
  assert.equal(before.tasks, 5, 'what was left is of its own day too, if today is not looked at')
  assert.deepEqual(daysOf(before), [
    [dayAt(-3), 1],
    [dayAt(-2), 1],
    [dayAt(-1), 3],
  ])
  for (const day of [-3, -2, -1, 0, 1, 2]) {
    const { tasks } = (await server.get(`/tasks?day=${dayAt(day)}`)).body
    assert.equal((await report(day, day)).tasks, tasks.length, `day ${day} is as its list`)
  }
})

test('whether windows were met is judged as on the pages', async (t) => {
  const server = await startServer(t)
  const now = Date.now()
  // Noon of the cases is now.
  const moment = (time: string | null) =>
    time && new Date(now + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) - 12 * 60) * 60_000).toISOString()
  const tasks = punctualityCases.map(([, task]) => ({
    ...task,
    completeBefore: moment(task.completeBefore),
    completedAt: moment(task.completedAt),
  }))
  for (const [index, task] of tasks.entries()) {
    await server.post('/tasks', aTask({ awb: `P-${index}` }))
    await server.database.everyone.run(sql`
      update tasks set status_id = ${task.statusId}, complete_before = ${task.completeBefore},
        completed_at = ${task.completedAt}
      where organisation_id = ${server.organisationId} and awb = ${`P-${index}`}`)
  }
  // Half a day around now may lie on two days.
  const { body } = await server.get(`/reports/tasks?from=${dayAt(-1)}&to=${dayAt(1)}`)
  const judged = judgePunctuality(tasks, now)
  assert.equal(body.tasks, tasks.length)
  assert.equal(body.succeeded + body.failed, tasks.filter(isEnded).length)
  assert.deepEqual([body.windows, body.windowsMet], [judged.judged, judged.onTime])
  assert.ok(Math.abs(body.meanLateSeconds - judged.lateSeconds) < 60, 'the clock went on a little')
})

test('a second try, and the way back of a parcel, are no first tries', async (t) => {
  const server = await startServer(t)
  const { id } = await makeDriver(server)
  await server.post('/hubs', { name: 'Hub', lat: 44.5, lng: 26, city: 'București' })
  const end = (awb: string, success: boolean) => server.put(`/tasks/awb/${awb}/forceComplete`, { success })
  for (const awb of ['A-1', 'B-1']) {
    await server.post('/tasks', aTask({ awb, userId: id }))
    await end(awb, false)
  }
  await server.post('/tasks/awb/A-1/reattempt', { userId: id })
  await server.post('/tasks/awb/B-1/return', {})
  for (const awb of ['A-1-2', 'B-1-R']) await end(awb, true)

  const { body } = await server.get('/reports/tasks')
  assert.deepEqual([body.succeeded, body.failed], [2, 2])
  assert.deepEqual([body.firstTries, body.firstTriesSucceeded, body.firstTryShare], [2, 0, 0])
})

test('what drivers took is on the day of its line, in cash and by card, whatever became of the task', async (t) => {
  const server = await startServer(t)
  await server.put('/company', { settings: { moneyDecimals: 2, allowPartialPayments: true } })
  const [vlad, ana] = [await makeDriver(server, { name: 'Vlad' }), await makeDriver(server, { name: 'Ana' })]
  const team = await makeTeam(server, { name: 'North' })
  const customer = { name: 'Doamna Ionescu', phone: '0722 123 456' }
  const given = { userId: vlad.id, teamId: team.id, customer, totalPrice: 500 }
  const { id } = (await server.post('/tasks', aTask({ awb: 'A', ...given }))).body.task
  const pay = (amount: number, method: string, userId?: number) =>
    server.post(`/tasks/${id}/payments`, { amount, method, ...(userId && { userId }) })
  await pay(100.1, 'cash', vlad.id)
  await pay(50.2, 'card', vlad.id)
  await pay(20.4, 'other', vlad.id)
  await pay(7, 'cash')
  await server.put('/tasks/awb/A/forceComplete', { success: true })
  await server.database.everyone.run(sql`
    update tasks set completed_at = completed_at - interval '2 days'
    where organisation_id = ${server.organisationId}`)
  // Today is closed, so what comes now is tomorrow's. The task was never hers.
  await server.post('/cash/closeOuts', { userId: ana.id, day: dayAt(0), counted: 0 })
  await pay(30, 'cash', ana.id)
  await pay(-5, 'cash', ana.id)

  const path = `/reports/tasks?from=${dayAt(-3)}&to=${dayAt(1)}`
  const { body } = await server.get(`${path}&by=day,driver,team,customer,payment`)
  type Row = Record<string, unknown>
  const taken = ({ cash, card, other }: Row) => [cash, card, other]
  const rows = (list: Row[], key: string) => list.map((one) => [one[key], one['tasks'], ...taken(one)])
  assert.deepEqual([body.collected, ...taken(body)], [202.7, 125.1, 50.2, 20.4], 'what the office entered is no line')
  assert.deepEqual(rows(body.days, 'day'), [
    [dayAt(-2), 1, 0, 0, 0],
    [dayAt(0), 0, 100.1, 50.2, 20.4],
    [dayAt(1), 0, 25, 0, 0],
  ])
  assert.deepEqual(rows(body.drivers, 'name'), [
    ['Vlad', 1, 100.1, 50.2, 20.4],
    ['Ana', 0, 25, 0, 0],
  ])
  for (const [list, name] of [
    ['teams', 'North'],
    ['customers', 'Doamna Ionescu'],
  ] as const)
    assert.deepEqual(rows(body[list], 'name'), [[name, 1, 125.1, 50.2, 20.4]])
  assert.deepEqual(body.payments.map(taken), [[125.1, 50.2, 20.4]])
  const { text } = await server.get(`${path}&by=day&format=csv`)
  const [head = '', first = ''] = text.slice(1).split('\r\n')
  assert.deepEqual(
    ['cash', 'card', 'other'].map((name) => head.split(',').includes(name)),
    [true, true, true],
  )
  assert.equal(first.split(',').length, head.split(',').length)
  const { days } = (await server.get(`/cash?from=${dayAt(-3)}&to=${dayAt(1)}`)).body
  assert.deepEqual(
    days.filter(({ cash }: Row) => cash).map(({ day, cash, card, other }: Row) => [day, cash, card, other]),
    rows(body.days.slice(1), 'day')
      .map(([day, , ...sums]) => [day, ...sums])
      .toReversed(),
    'as the page Cash says',
  )
  const next = (await server.get(`/reports/tasks?from=${dayAt(1)}&to=${dayAt(1)}`)).body
  assert.deepEqual([next.tasks, ...taken(next)], [0, 25, 0, 0])
})
