import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { makeDriver, makeTeam } from '../test/factories.ts'
import { startServer, type TestServer } from '../test/server.ts'

/* Plans for another day than today: by the shifts of that day, from the hub, without who is away. */

const zone = 'Europe/Bucharest'
const today = () => Temporal.Now.plainDateISO(zone)
const nextWeek = () => today().add({ days: 7 })
const at = (day: Temporal.PlainDate, time: string) => `${day} ${time}`
const instant = (day: Temporal.PlainDate, time: string) =>
  new Date(day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds).toISOString()
const kilometre = (km: number) => ({ address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 })

/** Drivers by name in a team whose hub is at kilometre 0. */
async function aTeam(t: TestContext, given: Record<string, object>) {
  const server = await startServer(t)
  const { id: hubId } = (await server.post('/hubs', { name: 'Hub', ...kilometre(0) })).body.hub
  const { id: teamId } = await makeTeam(server, { hubId })
  const ids: Record<string, number> = {}
  for (const [name, fields] of Object.entries(given))
    ids[name] = (await makeDriver(server, { name, teams: [teamId], ...fields })).id
  return { server, teamId, ids }
}

const add = async (server: TestServer, awb: string, km: number, more: object = {}) =>
  (await server.post('/tasks', { awb, address: kilometre(km), ...more })).body.task

const shiftOn = (day: Temporal.PlainDate, start: string, end: string) => ({
  shiftTimes: [{ day: day.dayOfWeek, start, end }],
})

async function optimise(server: TestServer, driverId: number | undefined, body: object) {
  const reply = await server.post(`/drivers/${driverId}/tasks/optimizeTodayTasks`, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.route
}

const awbsOf = (stops: { awb: string }[]) => stops.map(({ awb }) => awb)

test('the route of a day next week begins at the hub, with the shift of that weekday', async (t) => {
  const day = nextWeek()
  const { server, ids } = await aTeam(t, { Ion: shiftOn(day, '10:00', '14:00') })
  const userId = ids['Ion']
  // On duty now, and somewhere else: neither matters then.
  await server.database.everyone.run(sql`update users set in_shift = true where id = ${userId}`)
  await server.database.everyone.run(sql`
    insert into driver_positions (organisation_id, driver_id, lat, lng, occurred_at)
    values (${server.organisationId}, ${userId}, 46, 25, now())`)
  await add(server, 'FAR', 9, { userId, completeAfter: at(day, '08:00') })
  await add(server, 'NEAR', 0, { userId, completeAfter: at(day, '08:00') })
  await add(server, 'TODAY', 3, { userId })
  await add(server, 'AFTER', 4, { userId, completeAfter: at(day.add({ days: 1 }), '08:00') })

  const route = await optimise(server, userId, { day: day.toString() })

  assert.deepEqual(awbsOf(route.stops), ['NEAR', 'FAR'])
  assert.equal(route.stops[0].arrivalTime, instant(day, '10:00'))
  const { tasks } = (await server.get(`/drivers/${userId}/tasks`)).body
  assert.deepEqual(awbsOf(tasks), ['TODAY', 'NEAR', 'FAR', 'AFTER'], 'the days stay in their order')
  assert.deepEqual(
    tasks.map(({ route }: { route: { position: number } | null }) => route?.position ?? null),
    [null, 1, 2, null],
  )
})

test('a task of several days that is planned for a later one stays behind the days before that', async (t) => {
  const [third, fourth] = [today().add({ days: 3 }), today().add({ days: 4 })]
  const { server, ids } = await aTeam(t, { Ion: {} })
  const userId = ids['Ion']
  const window = { completeAfter: at(today().add({ days: 2 }), '08:00'), completeBefore: at(fourth, '20:00') }
  await add(server, 'LONG', 1, { userId, ...window })
  await optimise(server, userId, { day: fourth.toString() })
  await add(server, 'MIDDLE', 2, { userId, completeAfter: at(third, '08:00'), completeBefore: at(third, '20:00') })

  assert.deepEqual(awbsOf((await optimise(server, userId, { day: third.toString() })).stops), ['MIDDLE'])

  const { tasks } = (await server.get(`/drivers/${userId}/tasks`)).body
  assert.deepEqual(awbsOf(tasks), ['MIDDLE', 'LONG'])
})

test('today is planned as before: what is for another day is left out', async (t) => {
  const day = nextWeek()
  const { server, ids } = await aTeam(t, { Ion: {} })
  const userId = ids['Ion']
  await add(server, 'LATER', 1, { userId, completeAfter: at(day, '09:00'), completeBefore: at(day, '10:00') })
  await add(server, 'NOW', 2, { userId })
  await optimise(server, userId, { day: day.toString() })
  const planned = (await server.get('/tasks/awb/LATER')).body.task.route

  const same = [await optimise(server, userId, {}), await optimise(server, userId, { day: today().toString() })]

  for (const route of same) assert.deepEqual(awbsOf(route.stops), ['NOW'])
  assert.deepEqual((await server.get('/tasks/awb/LATER')).body.task.route, planned)
})

test('on the day the clock is put forward, eight in the morning is eight in the morning', async (t) => {
  let change = Temporal.Now.zonedDateTimeISO(zone).getTimeZoneTransition('next')
  while (change && change.hour !== 4) change = change.getTimeZoneTransition('next')
  const day = change?.toPlainDate() as Temporal.PlainDate
  const { server, ids } = await aTeam(t, { Ion: shiftOn(day, '8:00', '12:00') })
  const userId = ids['Ion']
  await add(server, 'A', 0, { userId, completeAfter: at(day, '07:00'), completeBefore: at(day, '09:00') })

  const { stops, late } = await optimise(server, userId, { day: day.toString(), dryRun: true })

  assert.equal(stops[0].arrivalTime, instant(day, '08:00'))
  assert.deepEqual(late, [])
})

test('a plan for another day counts on those who have a shift then, and on nobody who is absent', async (t) => {
  const day = nextWeek()
  const other = day.add({ days: 1 })
  const { server, teamId, ids } = await aTeam(t, {
    Free: shiftOn(other, '08:00', '16:00'),
    Ill: { startShiftTime: '08:00', endShiftTime: '16:00' },
    Works: shiftOn(day, '08:00', '16:00'),
  })
  const absence = { from: day.subtract({ days: 2 }).toString(), to: day.toString(), reason: 'Holiday' }
  assert.equal((await server.post(`/drivers/${ids['Ill']}/absences`, absence)).status, 200)
  await add(server, 'OF-THE-DAY', 2, { completeAfter: at(day, '09:00'), completeBefore: at(day, '11:00') })
  await add(server, 'OF-ANOTHER', 2, { completeAfter: at(other, '09:00') })
  const anytime = await add(server, 'ANYTIME', 2)

  const { plan } = (await server.post('/planning/assign', { teamId, day: day.toString() })).body

  assert.deepEqual(awbsOf(plan.assigned), ['OF-THE-DAY'])
  const [{ driverName, refused }] = plan.assigned
  assert.equal(driverName, 'Works')
  assert.deepEqual(
    refused.map((one: { driverName: string; reason: string }) => [one.driverName, one.reason]),
    [
      ['Free', 'DAY_OFF'],
      ['Ill', 'ABSENT'],
    ],
  )
  const { task } = (await server.get('/tasks/awb/OF-THE-DAY')).body
  assert.equal(task.route.position, 1, 'and its route is planned for that day')
  assert.ok(task.etaAt >= instant(day, '09:00') || task.etaAt >= instant(day, '08:00'))
  const named = (await server.post('/planning/assign', { tasks: [anytime.id], day: day.toString() })).body.plan
  assert.equal(named.unassigned[0].reason, 'OTHER_DAY')
})

test('who has no shift works when the organisation is open; a shift of their own comes first', async (t) => {
  const day = nextWeek()
  const { server, ids } = await aTeam(t, { Ion: {}, Ana: { startShiftTime: '11:00', endShiftTime: '15:00' } })
  await server.put('/company', shiftOn(day, '09:30', '17:00'))
  for (const [name, awb] of [
    ['Ion', 'HIS'],
    ['Ana', 'HERS'],
  ] as const)
    await add(server, awb, 0, { userId: ids[name], completeAfter: at(day, '06:00') })
  const firstArrival = async (name: string, on: Temporal.PlainDate) =>
    (await optimise(server, ids[name], { day: on.toString() })).stops[0].arrivalTime
  assert.equal(await firstArrival('Ion', day), instant(day, '09:30'))
  assert.equal(await firstArrival('Ana', day), instant(day, '11:00'))

  // The next day the organisation is closed: only who has hours of their own is there.
  const closed = day.add({ days: 1 })
  const task = await add(server, 'CLOSED', 1, { completeAfter: at(closed, '08:00') })
  const { plan } = (await server.post('/planning/assign', { tasks: [task.id], day: closed.toString(), dryRun: true }))
    .body
  const reasons: { driverName: string; reason?: string }[] = plan.drivers
  assert.equal(reasons.find(({ driverName }) => driverName === 'Ion')?.reason, 'DAY_OFF')
  assert.deepEqual(
    plan.assigned.map(({ driverName }: { driverName: string }) => driverName),
    ['Ana'],
  )
})

test('who is absent today gets nothing today, even on duty', async (t) => {
  const { server, ids } = await aTeam(t, { Ion: {} })
  await server.put(`/drivers/${ids['Ion']}/duty`, { inShift: true })
  await server.post(`/drivers/${ids['Ion']}/absences`, { from: today().toString() })
  await add(server, 'A', 1)
  const { plan } = (await server.post('/planning/assign', {})).body
  assert.deepEqual([plan.assigned, plan.unassigned[0].reason], [[], 'ABSENT'])
})

test('a driver without shift times begins at eight, and the plan says so; one who is away is pointed out', async (t) => {
  const day = nextWeek()
  const { server, ids } = await aTeam(t, { Ion: {} })
  const userId = ids['Ion']
  await add(server, 'A', 0, { userId, completeAfter: at(day, '07:00') })
  await server.post(`/drivers/${userId}/absences`, { from: day.toString() })
  const { stops, warnings } = await optimise(server, userId, { day: day.toString() })
  assert.equal(stops[0].arrivalTime, instant(day, '08:00'))
  assert.deepEqual(
    warnings.map(({ code }: { code: string }) => code),
    ['ABSENT', 'NO_SHIFT'],
  )
})

test('an estimate and an order by hand are for the day that is asked for', async (t) => {
  const day = nextWeek()
  const { server, ids } = await aTeam(t, { Ion: shiftOn(day, '10:00', '14:00') })
  const userId = ids['Ion']
  const [one, two] = [
    await add(server, 'ONE', 1, { userId, completeAfter: at(day, '08:00') }),
    await add(server, 'TWO', 2, { userId, completeAfter: at(day, '08:00') }),
  ]
  await add(server, 'TODAY', 3, { userId })

  const body = { tasks: [two.id, one.id], day: day.toString() }
  const { route } = (await server.put(`/drivers/${userId}/tasks/order`, body)).body
  assert.deepEqual(awbsOf(route.stops), ['TWO', 'ONE'])
  assert.deepEqual(awbsOf((await server.get(`/drivers/${userId}/tasks`)).body.tasks), ['TODAY', 'TWO', 'ONE'])

  const { estimate } = (await server.post('/planning/estimate', { address: kilometre(1), day: day.toString() })).body
  assert.ok(estimate.offers[0].arrivalTime >= instant(day, '10:00'))
})

test('a day that is over, or is none, is refused', async (t) => {
  const { server, ids } = await aTeam(t, { Ion: {} })
  for (const day of [today().subtract({ days: 1 }).toString(), '2026-02-30', 'tomorrow']) {
    const replies = [
      await server.post(`/drivers/${ids['Ion']}/tasks/optimizeTodayTasks`, { day }),
      await server.post('/planning/assign', { day }),
      await server.post('/planning/optimise', { day }),
    ]
    for (const { status, body } of replies)
      assert.deepEqual([status, body.error.code, body.error.field], [400, 'INVALID_TIME', 'day'], day)
  }
})

test('the routes of a team are previewed together, and then optimised', async (t) => {
  const day = nextWeek()
  const { server, teamId, ids } = await aTeam(t, { Ion: {}, Ana: {}, Idle: {} })
  const stranger = await makeDriver(server)
  const completeAfter = at(day, '08:00')
  for (const [userId, name] of [
    [ids['Ion'], 'I'],
    [ids['Ana'], 'A'],
    [stranger.id, 'S'],
  ] as const)
    for (const km of [9, 1, 5]) await add(server, `${name}-${km}`, km, { userId, completeAfter })

  const preview = (await server.post('/planning/optimise', { day: day.toString(), teamId, dryRun: true })).body.plan
  assert.deepEqual(
    preview.routes.map(({ driverName, route }: never) => [driverName, awbsOf((route as { stops: [] }).stops)]),
    [
      ['Ion', ['I-1', 'I-5', 'I-9']],
      ['Ana', ['A-1', 'A-5', 'A-9']],
    ],
  )
  const sum = (when: string) =>
    preview.routes.reduce((all: number, { route }: never) => all + route[when]['distanceMetres'], 0)
  assert.deepEqual([preview.before.distanceMetres, preview.after.distanceMetres], [sum('before'), sum('after')])
  assert.ok(preview.after.distanceMetres < preview.before.distanceMetres)
  assert.equal((await server.get('/tasks/awb/I-1')).body.task.route, null, 'a preview changes nothing')

  const { plan } = (await server.post('/planning/optimise', { day: day.toString(), teamId })).body
  assert.deepEqual([plan.after, plan.left], [preview.after, []])
  assert.equal((await server.get('/tasks/awb/A-9')).body.task.route.position, 3)
  assert.equal((await server.get('/tasks/awb/S-1')).body.task.route, null, 'another team is left alone')

  const one = (await server.post('/planning/optimise', { day: day.toString(), driverIds: [stranger.id] })).body.plan
  assert.deepEqual(one.routes.length, 1)
})
