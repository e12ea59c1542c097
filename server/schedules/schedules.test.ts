import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../core/day-range.ts'
import { dayOf } from '../../core/task-day.ts'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver, makeTeam } from '../test/factories.ts'
import { agree, give, taskOf } from '../test/partners.ts'
import { startSecond } from '../test/second.ts'
import { startServer, type TestServer } from '../test/server.ts'

type Given = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const zone = 'Europe/Bucharest'
const today = () => dayOf(Date.now(), zone)
const dayAt = (days: number) => addDays(today(), days)

/** The whole day, so that today is not over, whenever the test runs. */
const aSchedule = (given: Given = {}) => ({
  name: 'Market',
  task: aTask({ details: 'Four crates' }),
  repeats: { every: 'day' },
  daysAhead: 3,
  awbPrefix: 'MARKET',
  ...given,
})

async function make(server: TestServer, given: Given = {}): Promise<Wire> {
  const { body } = await server.post('/schedules', aSchedule(given))
  assert.equal(body.success, true, JSON.stringify(body))
  await server.makeRound('scheduling')
  return body.schedule
}

const look = async (server: TestServer, { id }: { id: number }): Promise<Wire> =>
  (await server.get(`/schedules/${id}`)).body.schedule
const occurrences = async (server: TestServer, { id }: { id: number }): Promise<Wire[]> =>
  (await server.get(`/schedules/${id}/occurrences?to=${dayAt(5)}`)).body.occurrences
const tasksOf = async (server: TestServer): Promise<Wire[]> => (await server.get('/tasks')).body.tasks
const awbs = async (server: TestServer) => (await tasksOf(server)).map(({ awb }) => awb)
const awbOn = (days: number) => `MARKET-${dayAt(days).replaceAll('-', '')}`
/** As its worker would at another time. */
const wake = async (server: TestServer) => {
  await server.database.everyone.run(sql`
    update schedules set due_at = '2020-01-01' where organisation_id = ${server.organisationId}`)
  await server.makeRound('scheduling')
}

test('what repeats is made some days ahead, each day once, with its window and a readable AWB', async (t) => {
  const server = await startServer(t)
  const schedule = await make(server, { task: aTask({ totalPrice: 20 }) })
  assert.deepEqual(await awbs(server), [0, 1, 2, 3].map(awbOn))
  const [task] = await tasksOf(server)
  assert.equal(task.scheduleId, schedule.id)
  assert.equal(task.leftToBePaid, 20)
  assert.deepEqual([dayOf(task.completeAfter, zone), dayOf(task.completeBefore, zone)], [today(), today()])
  assert.deepEqual(await server.triggers(awbOn(1)), ['TASK_CREATED'])

  await wake(server)
  await wake(server)
  assert.equal((await tasksOf(server)).length, 4, 'another round makes nothing again')
  await server.delete(`/tasks/awb/${awbOn(2)}`)
  await wake(server)
  assert.deepEqual(await awbs(server), [0, 1, 3].map(awbOn), 'what the office deletes stays deleted')
})

test('two processes at the same time make each task once', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server)
  for (let index = 0; index < 5; index += 1)
    await server.post('/schedules', aSchedule({ awbPrefix: `P${index}`, daysAhead: 5 }))
  await Promise.all([server, second, server, second].map((process) => process.makeRound('scheduling')))
  assert.equal((await tasksOf(server)).length, 30)
  assert.equal(new Set((await tasksOf(server)).map(({ awb }) => awb)).size, 30)
})

test('a process that dies while it makes tasks leaves none, and the next one makes them all', async (t) => {
  const server = await startServer(t)
  const { id } = (await server.post('/schedules', aSchedule({ isPaused: true }))).body.schedule
  const other = (await server.post('/schedules', aSchedule({ isPaused: true, awbPrefix: 'OTHER' }))).body.schedule
  const db = server.database.everyone
  // As if it was killed after the tasks were written and before it was known for which days.
  await db.run(sql`
    create function refuse_days() returns trigger language plpgsql as $$ begin raise 'killed'; end $$`)
  await db.run(
    sql`create trigger refuse_days before insert on schedule_days for each statement execute function refuse_days()`,
  )
  try {
    await server.put(`/schedules/${id}`, { isPaused: false })
    await server.makeRound('scheduling')
    assert.deepEqual(await awbs(server), [])
    assert.equal((await look(server, { id })).lastProblem.code, 'INTERNAL')
  } finally {
    await db.run(sql`drop trigger refuse_days on schedule_days`)
    await db.run(sql`drop function refuse_days`)
  }
  await server.put(`/schedules/${other.id}`, { isPaused: false })
  await wake(server)
  assert.equal((await awbs(server)).length, 8)
  assert.equal((await look(server, { id })).lastProblem, null)
})

test('an AWB that is taken gets a number', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: awbOn(1) }))
  await server.post('/tasks', aTask({ awb: `${awbOn(1)}-2` }))
  await make(server, { daysAhead: 1 })
  assert.ok((await awbs(server)).includes(`${awbOn(1)}-3`))
  const generated = (await make(server, { awbPrefix: null, daysAhead: 1 })).id
  const own = (await tasksOf(server)).filter(({ scheduleId }) => scheduleId === generated)
  assert.match(own[0].awb, /^WB/)
})

test('a task that is refused says why on its schedule, stops no other, and is made after a change', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const bad = await server.post('/schedules', aSchedule({ task: aTask({ userId: driver.id }) }))
  await server.post('/schedules', aSchedule({ awbPrefix: 'GOOD', daysAhead: 1 }))
  await server.delete(`/drivers/${driver.id}`)
  await server.makeRound('scheduling')
  const { id } = bad.body.schedule
  const { lastProblem } = await look(server, { id })
  assert.deepEqual([lastProblem.code, lastProblem.day], ['DRIVER_NOT_FOUND', today()])
  assert.equal((await awbs(server)).length, 2)

  const changed = await server.put(`/schedules/${id}`, { task: aTask() })
  assert.equal(changed.body.schedule.lastProblem, null)
  await server.makeRound('scheduling')
  assert.equal((await awbs(server)).length, 6)
})

test('a driver who is named gets the tasks at once', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  await make(server, { task: aTask({ userId: driver.id }), daysAhead: 1 })
  assert.deepEqual(await server.triggers(awbOn(0)), ['TASK_CREATED', 'TASK_ASSIGNED'])
})

test('what is missing or wrong is refused, naming the field', async (t) => {
  const server = await startServer(t)
  const refuse = async (given: Given) => {
    const { error } = (await server.post('/schedules', aSchedule(given))).body
    return [error.code, error.field]
  }
  assert.deepEqual(await refuse({ task: aTask({ teamId: 999_999 }) }), ['TEAM_NOT_FOUND', 'task.teamId'])
  assert.deepEqual(await refuse({ task: aTask({ totalPrice: 1.5 }) }), ['VALIDATION_FAILED', 'task.totalPrice'])
  assert.deepEqual(await refuse({ task: {} }), ['VALIDATION_FAILED', 'task.address'])
  assert.deepEqual(await refuse({ start: '25:00' }), ['INVALID_TIME', 'start'])
  assert.deepEqual(await refuse({ from: '2026-02-30' }), ['INVALID_TIME', 'from'])
  assert.deepEqual(await refuse({ from: '2027-01-02', until: '2027-01-01' }), ['INVALID_TIME_WINDOW', 'until'])
  assert.deepEqual(await refuse({ until: '2027-01-01', count: 3 }), ['VALIDATION_FAILED', 'count'])
  assert.deepEqual(await refuse({ repeats: { every: 'year' } }), ['VALIDATION_FAILED', 'repeats.every'])
  assert.deepEqual(await refuse({ skips: ['2026-12-24', 'never'] }), ['INVALID_TIME', 'skips.1'])
  assert.deepEqual(await refuse({ awbPrefix: 'A/B' }), ['VALIDATION_FAILED', 'awbPrefix'])
})

test('a change of the schedule changes the tasks nobody has edited, and their events say what was', async (t) => {
  const server = await startServer(t)
  const [one, other] = [await makeDriver(server), await makeDriver(server)]
  const schedule = await make(server, { task: aTask({ details: 'Four crates', userId: one.id }) })
  await server.put(`/tasks/awb/${awbOn(1)}`, { details: 'Five crates, only tomorrow' })

  const task = aTask({ details: 'Six crates', userId: other.id, customer: { name: 'Ana' } })
  const { body } = await server.put(`/schedules/${schedule.id}`, { task, start: '09:00', end: '23:59' })
  assert.equal(body.success, true, JSON.stringify(body))
  const shown = Object.fromEntries((await tasksOf(server)).map((one) => [one.awb, one]))
  assert.equal(shown[awbOn(1)].details, 'Five crates, only tomorrow')
  assert.equal(shown[awbOn(1)].scheduleId, schedule.id)
  assert.deepEqual([shown[awbOn(2)].details, shown[awbOn(2)].userId], ['Six crates', other.id])
  assert.equal(shown[awbOn(2)].customer.name, 'Ana')
  assert.ok(shown[awbOn(2)].completeAfter > shown[awbOn(1)].completeAfter)
  const entry = shown[awbOn(2)] && (await server.get(`/tasks/awb/${awbOn(2)}`)).body.task.timelines.at(-1)
  assert.equal(entry.data.previous.details, 'Four crates')
  assert.deepEqual((await occurrences(server, schedule)).map(({ isChanged }) => isChanged).slice(0, 4), [
    false,
    true,
    false,
    false,
  ])
})

test('a new address of the schedule is that of its tasks, whole, as of a new one', async (t) => {
  const server = await startServer(t)
  const square = { address: 'Piața Obor 1, București', lat: 44.45, lng: 26.12 }
  const schedule = await make(server, { daysAhead: 1, task: { address: square } })
  const move = async (address: Given) => {
    const { body } = await server.put(`/schedules/${schedule.id}`, { task: { address } })
    assert.equal(body.success, true, JSON.stringify(body))
    const { lat, lng, address: text, city, streetName, country } = (await taskOf(server, awbOn(1))).address
    return { lat, lng, text, city, streetName, country }
  }
  const parts = { streetName: 'Strada Lungă', streetNumber: '5', city: 'Brașov' }
  assert.deepEqual(await move({ ...parts, country: 'MD' }), {
    lat: null,
    lng: null,
    text: 'Strada Lungă 5, Brașov',
    city: 'Brașov',
    streetName: 'Strada Lungă',
    country: 'MD',
  })
  const nothing = { city: null, streetName: null, country: 'RO' }
  assert.deepEqual(await move(square), { lat: 44.45, lng: 26.12, text: square.address, ...nothing })
  assert.deepEqual(await move({ lat: 45.6, lng: 25.5 }), { lat: 45.6, lng: 25.5, text: '45.6, 25.5', ...nothing })
})

test('what a partner has edited is kept after it was taken back; what is the partner’s own is no edit', async (t) => {
  const server = await startServer(t)
  const [courier, colleague] = [await server.another(), await server.another()]
  await agree(server, courier)
  await agree(courier, colleague)
  const schedule = await make(server)
  for (const days of [1, 2]) {
    await give(server, courier, awbOn(days))
    await give(courier, colleague, awbOn(days))
  }
  const noon = new Date(`${dayAt(1)}T10:00:00Z`).toISOString()
  const told = (await server.triggers(awbOn(2))).length
  await colleague.put(`/tasks/awb/${awbOn(1)}`, { priority: 3 })
  await colleague.put(`/tasks/awb/${awbOn(1)}`, { completeBefore: noon })
  await colleague.put(`/tasks/awb/${awbOn(2)}`, { priority: 3, deliveryPrice: 9 })
  assert.equal((await server.triggers(awbOn(2))).length, told)
  for (const days of [1, 2]) await server.put(`/tasks/${(await taskOf(server, awbOn(days))).id}/undelegate`)

  await server.put(`/schedules/${schedule.id}`, { name: 'Renamed', task: aTask({ details: 'Six crates' }) })

  const kept = await taskOf(server, awbOn(1))
  assert.deepEqual([kept.completeBefore, kept.details], [noon, 'Four crates'])
  assert.equal((await taskOf(server, awbOn(2))).details, 'Six crates')
  assert.deepEqual((await occurrences(server, schedule)).map(({ isChanged }) => isChanged).slice(0, 3), [
    false,
    true,
    false,
  ])
})

test('days on which it no longer happens lose their task, unless it was edited; skipping one is such a day', async (t) => {
  const server = await startServer(t)
  const schedule = await make(server)
  await server.put(`/schedules/${schedule.id}`, { skips: [dayAt(1)] })
  assert.deepEqual(await awbs(server), [0, 2, 3].map(awbOn))
  await server.put(`/tasks/awb/${awbOn(3)}`, { priority: 5 })
  await server.put(`/schedules/${schedule.id}`, { repeats: { every: 'day', interval: 2 } })
  await server.makeRound('scheduling')
  assert.deepEqual(await awbs(server), [0, 2, 3].map(awbOn))
  assert.deepEqual((await server.triggers(awbOn(1))).at(-1), 'TASK_DELETED')
  await server.put(`/schedules/${schedule.id}`, { repeats: { every: 'day' }, skips: [] })
  await server.makeRound('scheduling')
  assert.deepEqual((await awbs(server)).toSorted(), [0, 1, 2, 3].map(awbOn), 'and may come back')
})

test('a paused schedule makes nothing, and one that ended leaves its tasks or takes them along', async (t) => {
  const server = await startServer(t)
  const schedule = await make(server, { daysAhead: 1 })
  await server.put(`/schedules/${schedule.id}`, { isPaused: true, daysAhead: 3 })
  await wake(server)
  assert.equal((await look(server, schedule)).nextDay, null)
  await server.put(`/schedules/${schedule.id}`, { isPaused: false })
  await server.makeRound('scheduling')
  assert.equal((await awbs(server)).length, 4)
  await server.put(`/tasks/awb/${awbOn(2)}`, { priority: 5 })
  await server.delete(`/schedules/${schedule.id}?tasks=delete`)
  assert.deepEqual(await awbs(server), [awbOn(2)])
  const kept = await make(server, { daysAhead: 1, awbPrefix: 'KEPT' })
  await server.delete(`/schedules/${kept.id}`)
  assert.equal((await awbs(server)).length, 3)
  assert.equal((await server.get(`/schedules/${kept.id}`)).body.error.code, 'SCHEDULE_NOT_FOUND')
})

test('holidays are left out, also one that is added later; a working day among them is not', async (t) => {
  const server = await startServer(t)
  // Where we know none, so that the test is the same on every day of the year.
  await server.put('/company', { country: 'FR' })
  await make(server, { skipHolidays: true })
  const { holiday } = (await server.post('/holidays', { day: dayAt(2), name: 'Stocktaking' })).body
  await server.makeRound('scheduling')
  assert.ok(!(await awbs(server)).includes(awbOn(2)))
  await server.delete(`/holidays/${holiday.id}`)
  await server.makeRound('scheduling')
  assert.ok((await awbs(server)).includes(awbOn(2)))

  await server.put('/company', { country: 'RO' })
  const listed = async () => (await server.get('/holidays?year=2026')).body.holidays
  assert.deepEqual(
    (await listed()).find(({ day }: Wire) => day === '2026-12-01'),
    { id: null, day: '2026-12-01', name: 'Ziua Națională', isWorkingDay: false },
  )
  const rule = { repeats: { every: 'day' }, from: '2030-11-30', skipHolidays: true }
  const preview = async () => (await server.post('/schedules/preview', rule)).body.days
  assert.deepEqual(
    (await preview()).slice(0, 3).map(({ leftOut }: Wire) => leftOut),
    ['holiday', 'holiday', null],
  )
  await server.post('/holidays', { day: '2030-12-01', isWorkingDay: true })
  assert.deepEqual(
    (await preview()).slice(0, 3).map(({ leftOut }: Wire) => leftOut),
    ['holiday', null, null],
  )
})

test('a preview shows ten days with their windows and stores nothing', async (t) => {
  const server = await startServer(t)
  const rule = {
    repeats: { every: 'month', nth: { week: -1, weekday: 5 } },
    from: '2030-01-01',
    start: '22:00',
    end: '6:00',
  }
  const { days } = (await server.post('/schedules/preview', rule)).body
  assert.equal(days.length, 10)
  assert.deepEqual(
    [days[0].day, days[0].completeAfter, days[0].completeBefore],
    ['2030-01-25', '2030-01-25T20:00:00.000Z', '2030-01-26T04:00:00.000Z'],
  )
  assert.deepEqual((await server.get('/schedules')).body.schedules, [])
})

test('templates keep any part of a task', async (t) => {
  const server = await startServer(t)
  const { id } = await makeTeam(server)
  const { template } = (await server.post('/taskTemplates', { name: 'Sofa', task: { serviceTime: 30, teamId: id } }))
    .body
  assert.deepEqual(template.task, { serviceTime: 30, teamId: id })
  const changed = (await server.put(`/taskTemplates/${template.id}`, { name: 'Large sofa' })).body.template
  assert.deepEqual([changed.name, changed.task.serviceTime], ['Large sofa', 30])
  assert.equal((await server.get('/taskTemplates')).body.templates.length, 1)
  assert.equal((await server.delete(`/taskTemplates/${template.id}`)).status, 200)
  assert.equal((await server.delete(`/taskTemplates/${template.id}`)).body.error.code, 'TEMPLATE_NOT_FOUND')
})

test('who erases a customer is told of the regular work that names them, and finds it in what is kept', async (t) => {
  const server = await startServer(t)
  const customer = { name: 'Zamfira', phone: '0712 345 678', email: 'Zamfira@example.org' }
  const task = aTask({ customer })
  const { schedule } = (await server.post('/schedules', aSchedule({ task, isPaused: true }))).body
  const { template } = (await server.post('/taskTemplates', { name: 'Zamfira', task: { customer } })).body
  const named = [
    { kind: 'schedule', id: schedule.id, name: 'Market' },
    { kind: 'template', id: template.id, name: 'Zamfira' },
  ]
  for (const by of [{ phone: '+40712345678' }, { email: 'zamfira@EXAMPLE.org' }])
    assert.deepEqual((await server.post('/erasures', { ...by, dryRun: true })).body.leftRegular, named)
  assert.match((await server.get('/personalData?phone=0712345678')).text, /regular-work\.json[\s\S]*Zamfira/)
  await server.delete(`/schedules/${schedule.id}`)
  await server.delete(`/taskTemplates/${template.id}`)
  assert.deepEqual((await server.post('/erasures', { phone: '+40712345678', dryRun: true })).body.leftRegular, [])
})
