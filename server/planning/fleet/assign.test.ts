import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { AssignedTask } from '../../../contract/planning.ts'
import { sql } from '../../db/sql.ts'
import { makeDriver, makeTeam, signIn } from '../../test/factories.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const kilometre = (km: number) => ({ address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 })

/** Drivers by name, each with a hub at their kilometre, in a team of their own and in a common one. */
async function aTeam(t: TestContext, kilometres: Record<string, number>, given: object = {}) {
  const server = await startServer(t)
  const common = await makeTeam(server)
  const drivers: Record<string, { id: number; teamId: number }> = {}
  for (const [name, km] of Object.entries(kilometres)) {
    const { lat, lng } = kilometre(km)
    const { id: hubId } = (await server.post('/hubs', { name, lat, lng })).body.hub
    // The team with the hub comes first, by its id.
    const own = await makeTeam(server, { hubId })
    const driver = await makeDriver(server, { name, teams: [own.id, common.id], ...given })
    drivers[name] = { id: driver.id, teamId: own.id }
  }
  await onDuty(server, true)
  return { server, teamId: common.id, drivers }
}

const onDuty = (server: TestServer, isOn: boolean) =>
  server.database.everyone.run(sql`
    update users set in_shift = ${isOn} where organisation_id = ${server.organisationId} and is_driver`)

const wait = (server: TestServer, awb: string, km: number, more: object = {}) =>
  server.post('/tasks', { awb, address: kilometre(km), ...more })

async function assign(server: TestServer, body: object = {}) {
  const reply = await server.post('/planning/assign', body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.plan
}

const ownerOf = async (server: TestServer, awb: string) =>
  (await server.get(`/tasks/awb/${awb}`)).body.task.user?.name ?? null

test('each waiting task goes to the nearest driver, at the right place in the route', async (t) => {
  const { server } = await aTeam(t, { West: -20, East: 20 })
  await wait(server, 'W-2', -25)
  await wait(server, 'W-1', -22)
  await wait(server, 'E-1', 24)

  const plan = await assign(server)

  assert.deepEqual(plan.unassigned, [])
  assert.deepEqual(await Promise.all(['W-1', 'W-2', 'E-1'].map((awb) => ownerOf(server, awb))), [
    'West',
    'West',
    'East',
  ])
  const task = (await server.get('/tasks/awb/W-2')).body.task
  assert.deepEqual([task.statusId, task.route.position], [6, 2])
  assert.deepEqual((await server.triggers('W-1')).slice(0, 3), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_UPDATED'])
})

test('a choice is explained: its cost, and the second choice', async (t) => {
  const { server, drivers } = await aTeam(t, { Near: 0, Next: 5, Far: 300 })
  await wait(server, 'A', 1)

  const { assigned } = await assign(server, { dryRun: true })

  const [choice] = assigned
  assert.equal(choice.driverId, drivers['Near']?.id)
  assert.equal(choice.runnerUp.driverId, drivers['Next']?.id)
  assert.ok(choice.addedTravelSeconds < choice.runnerUp.addedTravelSeconds)
  assert.ok(Date.parse(choice.arrivalTime) < Date.parse(choice.runnerUp.arrivalTime))
  assert.deepEqual(choice.refused, [{ driverId: drivers['Far']?.id, driverName: 'Far', reason: 'DISTANCE' }])
})

test('a dry run changes nothing', async (t) => {
  const { server } = await aTeam(t, { Ion: 0 })
  await wait(server, 'A', 1)
  const { dryRun, assigned } = await assign(server, { dryRun: true })
  assert.deepEqual([dryRun, assigned.length], [true, 1])
  assert.equal(await ownerOf(server, 'A'), null)
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED'])
})

test('drivers off duty get nothing, unless the plan is for later', async (t) => {
  const { server, drivers } = await aTeam(t, { Ion: 0 })
  await onDuty(server, false)
  await wait(server, 'A', 1)
  const { assigned, unassigned, drivers: listed } = await assign(server)
  assert.deepEqual(assigned, [])
  assert.equal(unassigned[0].reason, 'OFF_DUTY')
  assert.deepEqual([listed[0].driverId, listed[0].reason], [drivers['Ion']?.id, 'OFF_DUTY'])
  assert.equal((await assign(server, { includeOffDuty: true })).assigned.length, 1)
})

test('a task of a team goes only to drivers of that team', async (t) => {
  const { server, drivers } = await aTeam(t, { Near: 0, Member: 20 })
  await wait(server, 'A', 1, { teamId: drivers['Member']?.teamId })
  const { assigned } = await assign(server)
  assert.equal(assigned[0].driverName, 'Member')
  assert.deepEqual(assigned[0].refused, [{ driverId: drivers['Near']?.id, driverName: 'Near', reason: 'TEAM' }])
})

test('with a team in the request, only its drivers get tasks', async (t) => {
  const { server, drivers } = await aTeam(t, { Near: 0, Member: 20 })
  await wait(server, 'A', 1)
  const { assigned, drivers: listed } = await assign(server, { teamId: drivers['Member']?.teamId })
  assert.deepEqual([assigned[0].driverName, listed.length], ['Member', 1])
})

test('a task no driver can do on time stays unassigned, and the answer says what would have to change', async (t) => {
  const { server, drivers } = await aTeam(t, { Ion: 0 })
  await wait(server, 'A', 60, { completeBefore: inHours(0.2) })
  const { assigned, unassigned } = await assign(server)
  assert.deepEqual(assigned, [])
  const [task] = unassigned
  assert.deepEqual([task.awb, task.reason], ['A', 'WINDOW'])
  assert.equal(task.ifSomethingGave.driverId, drivers['Ion']?.id)
  assert.ok(task.ifSomethingGave.lateSeconds > 600)
  assert.deepEqual(task.refused, [{ driverId: drivers['Ion']?.id, driverName: 'Ion', reason: 'WINDOW' }])
})

test('a new task never makes an earlier one late', async (t) => {
  const { server, drivers } = await aTeam(t, { Ion: 0 })
  await wait(server, 'OLD', 10, { userId: drivers['Ion']?.id, completeBefore: inHours(0.6) })
  await wait(server, 'NEW', -1, { serviceTime: 60, completeBefore: inHours(0.5) })
  const { unassigned } = await assign(server)
  assert.deepEqual([unassigned[0].awb, unassigned[0].reason], ['NEW', 'WINDOW'])
  assert.ok(unassigned[0].ifSomethingGave.othersLateSeconds > 0 || unassigned[0].ifSomethingGave.lateSeconds > 0)
})

test('no driver gets more tasks than allowed', async (t) => {
  const { server } = await aTeam(t, { Ion: 0, Ana: 1 })
  for (const awb of ['A', 'B', 'C']) await wait(server, awb, 0.5)
  const { assigned, unassigned, drivers } = await assign(server, { maxTasksPerDriver: 1 })
  assert.deepEqual([assigned.length, unassigned.length, unassigned[0].reason], [2, 1, 'CAPACITY'])
  assert.deepEqual(
    drivers.map(({ tasksAfter }: { tasksAfter: number }) => tasksAfter),
    [1, 1],
  )
})

test('tasks without coordinates count among those a driver has', async (t) => {
  const { server, drivers } = await aTeam(t, { Ion: 0 })
  for (const awb of ['X', 'Y'])
    await server.post('/tasks', { awb, userId: drivers['Ion']?.id, address: { address: 'Somewhere' } })
  for (const awb of ['A', 'B']) await wait(server, awb, 0.5)
  for (const order of [true, false]) {
    const { unassigned } = await assign(server, { maxTasksPerDriver: 2, dryRun: true, order })
    assert.deepEqual(
      unassigned.map(({ reason }: { reason: string }) => reason),
      ['CAPACITY', 'CAPACITY'],
    )
  }
  const { drivers: listed } = await assign(server, { maxTasksPerDriver: 3 })
  assert.equal(listed[0].tasksAfter, 3)
})

/** Whom a task was promised to, and when; in the route it is there, as promised. */
async function assertPromised(server: TestServer, awb: string, plan: { assigned: AssignedTask[] }) {
  const { driverId, arrivalTime, lateSeconds } = plan.assigned.find((one) => one.awb === awb) as AssignedTask
  const { route } = (await server.get(`/drivers/${driverId}/route`)).body
  const { id } = (await server.get(`/tasks/awb/${awb}`)).body.task
  const stop = route.stops.find(({ taskIds }: { taskIds: number[] }) => taskIds.includes(id))
  const late = Math.abs(Date.parse(stop.arrivalTime) - Date.parse(arrivalTime)) / 1000
  assert.ok(late < 60, `${awb}: promised ${arrivalTime}, in the route ${stop.arrivalTime}`)
  assert.equal(lateSeconds, 0)
}

test('where routes are not ordered afterwards, a task is judged where it is put: at the end', async (t) => {
  const { server, drivers } = await aTeam(t, { Ion: 0, Ana: 20 })
  await wait(server, 'LONG', 1, { userId: drivers['Ion']?.id, serviceTime: 240 })
  await wait(server, 'DUE', 2, { completeBefore: inHours(1) })
  await wait(server, 'NEXT', 3, { completeBefore: inHours(1.5) })
  await wait(server, 'SOON', 2, { completeBefore: inHours(0.2) })
  await wait(server, 'ANY', -1)

  const ordered = await assign(server, { dryRun: true })
  assert.equal(ordered.assigned.find(({ awb }: AssignedTask) => awb === 'SOON')?.driverName, 'Ion')

  const preview = await assign(server, { dryRun: true, order: false })
  await server.put('/company', { settings: { enableRouteOptimization: false } })
  const plan = await assign(server)
  assert.deepEqual(
    preview.assigned.map(({ awb, driverName }: AssignedTask) => [awb, driverName]),
    plan.assigned.map(({ awb, driverName }: AssignedTask) => [awb, driverName]),
  )
  assert.deepEqual(await Promise.all(['DUE', 'NEXT'].map((awb) => ownerOf(server, awb))), ['Ana', 'Ana'])
  assert.deepEqual(
    plan.unassigned.map(({ awb, reason }: { awb: string; reason: string }) => [awb, reason]),
    [['SOON', 'WINDOW']],
  )
  for (const { awb } of plan.assigned) await assertPromised(server, awb, plan)
  assert.ok(plan.assigned.some(({ awb }: AssignedTask) => awb === 'ANY'))
})

test('a task that depends on another is appended only to the route of that one', async (t) => {
  const { server, drivers } = await aTeam(t, { Ion: 0, Ana: 20 })
  await wait(server, 'FIRST', 1, { userId: drivers['Ion']?.id })
  await wait(server, 'AFTER', 1, { dependencies: ['FIRST'] })
  const { assigned } = await assign(server, { order: false })
  assert.deepEqual(
    assigned.map(({ driverName, refused }: AssignedTask) => [driverName, refused[0]?.reason]),
    [['Ion', 'DEPENDENCY']],
  )
})

test('a driver is not chosen if the shift would last longer or lunch would be late', async (t) => {
  const now = new Date()
  const clock = (minutes: number) =>
    new Date(now.getTime() + minutes * 60_000).toLocaleTimeString('en-GB', {
      timeZone: 'Europe/Bucharest',
      hour: '2-digit',
      minute: '2-digit',
    })
  const { server } = await aTeam(t, { Ion: 0 }, { startShiftTime: clock(-60), endShiftTime: clock(60) })
  await wait(server, 'LONG', 1, { serviceTime: 120 })
  const { unassigned } = await assign(server)
  assert.equal(unassigned[0].reason, 'SHIFT')
  assert.ok(unassigned[0].ifSomethingGave.overtimeSeconds > 3_000)

  const lunch = { startShiftTime: clock(-60), endShiftTime: clock(300), lunchBreakStart: clock(10) }
  const other = await aTeam(t, { Ana: 0 }, { ...lunch, lunchBreakEnd: clock(40), lunchBreakDuration: 30 })
  await wait(other.server, 'LONG', 1, { serviceTime: 20, completeBefore: inHours(0.3) })
  assert.equal((await assign(other.server)).unassigned[0].reason, 'LUNCH')
})

test('a task that depends on another goes to the same driver', async (t) => {
  const { server, drivers } = await aTeam(t, { Has: 20, Near: 0 })
  await wait(server, 'FIRST', 20, { userId: drivers['Has']?.id })
  await wait(server, 'SECOND', 0, { dependencies: ['FIRST'] })
  const { assigned } = await assign(server)
  assert.equal(assigned[0].driverName, 'Has')
  assert.deepEqual(assigned[0].refused, [{ driverId: drivers['Near']?.id, driverName: 'Near', reason: 'DEPENDENCY' }])
})

test('a request can name its tasks, and one that already has a driver keeps them', async (t) => {
  const { server, drivers } = await aTeam(t, { Ion: 0, Ana: 9 })
  await wait(server, 'A', 1)
  await wait(server, 'B', 1)
  await wait(server, 'C', 1, { userId: drivers['Ana']?.id })
  const { id } = (await server.get('/tasks/awb/A')).body.task
  const { assigned, unassigned } = await assign(server, { tasks: [id], awbs: ['C'] })
  assert.deepEqual([assigned[0].awb, unassigned[0].awb, unassigned[0].reason], ['A', 'C', 'NOT_WAITING'])
  assert.deepEqual([await ownerOf(server, 'B'), await ownerOf(server, 'C')], [null, 'Ana'])
})

test('tasks without coordinates stay without a driver and are named', async (t) => {
  const { server } = await aTeam(t, { Ion: 0 })
  await server.post('/tasks', { awb: 'X', address: { address: 'Somewhere' } })
  const { unassigned, warnings } = await assign(server)
  assert.deepEqual(
    [unassigned[0].reason, warnings[0].code, warnings[0].awbs],
    ['WITHOUT_PLACE', 'WITHOUT_PLACE', ['X']],
  )
})

test('a task or a team that does not exist is refused with its field', async (t) => {
  const { server } = await aTeam(t, { Ion: 0 })
  for (const [body, field, code] of [
    [{ awbs: ['NOPE'] }, 'awbs', 'TASK_NOT_FOUND'],
    [{ tasks: [999_999] }, 'tasks', 'TASK_NOT_FOUND'],
    [{ teamId: 999_999 }, 'teamId', 'TEAM_NOT_FOUND'],
  ] as const) {
    const { status, body: answer } = await server.post('/planning/assign', body)
    assert.deepEqual([status, answer.error.code, answer.error.field], [400, code, field])
  }
})

test('a plan without drivers or without tasks succeeds', async (t) => {
  const server = await startServer(t)
  assert.deepEqual((await assign(server)).assigned, [])
  await wait(server, 'A', 1)
  assert.equal((await assign(server)).unassigned[0].reason, 'NO_DRIVER')
})

test('a plan requested twice with one Idempotency-Key is made once', async (t) => {
  const { server } = await aTeam(t, { Ion: 0 })
  await wait(server, 'A', 1)
  await wait(server, 'B', 2)
  const ask = () =>
    request(server.url, 'POST', '/api/v1/planning/assign', {
      key: server.key,
      body: {},
      headers: { 'idempotency-key': 'plan-1' },
    })
  const [first, second] = [await ask(), await ask()]
  assert.equal(first.body.plan.assigned.length, 2)
  assert.equal(second.text, first.text)
  assert.equal((await server.get('/tasks/awb/B')).body.task.route.position, 2)
})

test('two plans at the same time assign a task once', async (t) => {
  const { server } = await aTeam(t, { Ion: 0, Ana: 1 })
  for (const awb of ['A', 'B', 'C', 'D']) await wait(server, awb, 0.5)
  await Promise.all([assign(server), assign(server), assign(server)])
  for (const awb of ['A', 'B', 'C', 'D'])
    assert.equal((await server.triggers(awb)).filter((name) => name === 'TASK_ASSIGNED').length, 1)
})

test('a dispatcher can ask which driver could come when, before creating a task', async (t) => {
  const { server, drivers } = await aTeam(t, { Near: 0, Far: 15, Busy: 1 })
  await wait(server, 'LONG', 1, { userId: drivers['Busy']?.id, serviceTime: 120, completeBefore: inHours(0.3) })
  const { lat, lng } = kilometre(2)
  const body = { address: { lat, lng }, completeBefore: inHours(1), serviceTime: 20 }

  const { status, body: answer } = await server.post('/planning/estimate', body)

  assert.equal(status, 200)
  const { offers, compromises, refused, travel, place } = answer.estimate
  assert.deepEqual(place, { lat, lng, precision: 'exact' })
  assert.deepEqual(
    offers.map(({ driverName }: { driverName: string }) => driverName),
    ['Near', 'Far'],
  )
  assert.ok(Date.parse(offers[0].arrivalTime) > Date.now())
  assert.deepEqual([compromises[0].driverName, compromises[0].reason], ['Busy', 'WINDOW'])
  assert.deepEqual(refused, [{ driverId: drivers['Busy']?.id, driverName: 'Busy', reason: 'WINDOW' }])
  assert.equal(travel.isEstimate, true)
  assert.equal((await server.get('/tasks')).body.tasks.length, 1)
})

test('an estimate needs a place and times that make sense', async (t) => {
  const { server } = await aTeam(t, { Ion: 0 })
  const address = { lat: 44.43, lng: 26.1 }
  for (const [body, code] of [
    [{}, 'VALIDATION_FAILED'],
    [{ address: { address: 'Strada 1' } }, 'VALIDATION_FAILED'], // nothing is looked up here
    [{ address: { lat: 44.43 } }, 'VALIDATION_FAILED'],
    [{ address, completeBefore: 'soon' }, 'INVALID_TIME'],
    [{ address, completeAfter: inHours(2), completeBefore: inHours(1) }, 'INVALID_TIME_WINDOW'],
  ] as const)
    assert.equal((await server.post('/planning/estimate', body)).body.error.code, code)
})

test('an estimate for an address finds its place, and says if that is only approximate', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  await makeDriver(server)
  const ask = async (address: object) =>
    (await server.post('/planning/estimate', { address, includeOffDuty: true, maxDistanceMetres: 1_000_000 })).body

  const { estimate } = await ask({ address: 'Strada Lipscani 12, București' })
  assert.equal(estimate.place.precision, 'approximate')
  assert.ok(Math.abs(estimate.place.lat - 44.43) < 0.1 && Math.abs(estimate.place.lng - 26.1) < 0.1)
  assert.deepEqual(
    estimate.warnings.map(({ code }: { code: string }) => code),
    ['APPROXIMATE_PLACE'],
  )
  assert.equal((await ask({ city: 'Cluj-Napoca' })).estimate.place.precision, 'approximate')
  const { error } = await ask({ address: 'Nowhere at all' })
  assert.deepEqual([error.code, error.field], ['VALIDATION_FAILED', 'address'])
})

test('a conflict that comes while a plan is made keeps its task where it is', async (t) => {
  const { server, drivers } = await aTeam(t, { West: -20 })
  const { task } = (await wait(server, 'C-1', -21)).body
  await wait(server, 'W-1', -22)
  const { everyone } = server.database
  const isWaiting = async () =>
    (
      await everyone.many(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    ).length > 0

  const planning = everyone.transaction(async (db) => {
    await db.run(sql`select from users where id = ${drivers['West']?.id as number} for update`)
    const planning = assign(server)
    await until('the plan to be made', isWaiting)
    await db.run(sql`
      insert into conflicts (organisation_id, user_id, task_id, op, code, message, occurred_at, recorded_at)
      values (${server.organisationId}, ${drivers['West']?.id as number}, ${task.id as number}, '{"type":"complete"}',
        'TASK_NOT_FOUND', 'Task not found', now(), now())`)
    return { planning }
  })
  const plan = await (await planning).planning
  assert.deepEqual(
    plan.unassigned.map(({ awb, reason }: { awb: string; reason: string }) => [awb, reason]),
    [['C-1', 'CHANGED_MEANWHILE']],
  )
  assert.deepEqual([await ownerOf(server, 'W-1'), await ownerOf(server, 'C-1')], ['West', null])
})

test('a task with an open conflict is not planned away, and is named with the reason until it is settled', async (t) => {
  const { server, drivers } = await aTeam(t, { West: -20, East: 20 })
  const west = (await server.get('/drivers')).body.users.find(({ name }: { name: string }) => name === 'West')
  const key = await signIn(server, west)
  const { task } = (await wait(server, 'C-1', -21, { userId: drivers['West']?.id })).body
  await wait(server, 'W-1', -22)
  // West delivered it without a network; meanwhile it was taken from them.
  await server.post('/tasks/bulkUnassign', { tasks: ['C-1'] })
  const deviceTime = new Date().toISOString()
  const op = { opId: randomUUID(), type: 'complete', taskId: task.id, occurredAt: deviceTime }
  await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops: [op] } })
  const [conflict] = (await server.get('/conflicts?settled=false')).body.conflicts
  assert.equal(conflict.awb, 'C-1')

  const plan = await assign(server)
  assert.deepEqual(
    plan.unassigned.map(({ awb, reason }: { awb: string; reason: string }) => [awb, reason]),
    [['C-1', 'OPEN_CONFLICT']],
  )
  assert.equal(await ownerOf(server, 'W-1'), 'West')
  assert.equal(await ownerOf(server, 'C-1'), null)

  await server.post(`/conflicts/${conflict.id}/settle`, { apply: false })
  const after = await assign(server)
  assert.deepEqual(
    after.assigned.map(({ awb }: { awb: string }) => awb),
    ['C-1'],
  )
})
