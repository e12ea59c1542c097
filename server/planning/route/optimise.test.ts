import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { beginDuty, makeDriver, makeTeam, signIn } from '../../test/factories.ts'
import { answer, startReceiver } from '../../test/receiver.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'

/** Places along a road to the east, one for each kilometre. */
const kilometre = (km: number) => ({ address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A driver of a team whose hub is at kilometre 0, and tasks by awb at their kilometre. */
async function aRoute(
  t: TestContext,
  tasks: Record<string, object> = {},
  given: object = {},
  environment: Record<string, string> = {},
) {
  const server = await startServer(t, environment)
  const { id: hubId } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body.hub
  const team = await makeTeam(server, { hubId })
  const driver = await makeDriver(server, { teams: [team.id], ...given })
  for (const [awb, task] of Object.entries(tasks)) await addTask(server, driver, awb, task)
  return { server, driver }
}

const addTask = (server: TestServer, driver: { id: number }, awb: string, task: object) =>
  server.post('/tasks', { awb, userId: driver.id, ...task })

const at = (km: number, more: object = {}) => ({ address: kilometre(km), ...more })

async function optimise(server: TestServer, driver: { id: number }, body: object = {}) {
  const reply = await server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.route
}

const routeOf = async (server: TestServer, driver: { id: number }) =>
  (await server.get(`/drivers/${driver.id}/tasks`)).body.tasks
/** Without the seconds that are left, which become fewer by themselves. */
const planOf = async (server: TestServer, driver: { id: number }) =>
  (await routeOf(server, driver)).map((task: object) => ({ ...task, eta: 0, etaText: '' }))
const awbsOf = async (server: TestServer, driver: { id: number }): Promise<string[]> =>
  (await routeOf(server, driver)).map((task: { awb: string }) => task.awb)

test('a zigzag route becomes a straight one', async (t) => {
  const { server, driver } = await aRoute(t, { C: at(3), A: at(1), D: at(4), B: at(2), F: at(6), E: at(5) })

  const { before, after, travel, late, warnings } = await optimise(server, driver)

  assert.deepEqual(await awbsOf(server, driver), ['A', 'B', 'C', 'D', 'E', 'F'])
  assert.ok(after.distanceMetres < before.distanceMetres)
  assert.ok(after.travelSeconds < before.travelSeconds)
  assert.deepEqual(travel, { source: 'estimate', isEstimate: true })
  assert.deepEqual([late, warnings], [[], []])
})

/** A driver on duty who has started the first of these tasks. */
async function aRouteUnderway(t: TestContext, tasks: Record<string, object>) {
  const { server, driver } = await aRoute(t, tasks)
  const key = await signIn(server, driver)
  await beginDuty(server.url, key)
  const [first] = await routeOf(server, driver)
  await request(server.url, 'POST', `/api/v1/driver/tasks/${first.id}/start`, { key })
  return { server, driver }
}

test('another parcel for the door where the driver is going is delivered there at once', async (t) => {
  const { server, driver } = await aRouteUnderway(t, {
    X1: at(1, { serviceTime: 30 }),
    X2: at(1, { serviceTime: 30 }),
    W: at(3, { completeBefore: inHours(5 / 6) }),
  })
  const { before, after, late } = await optimise(server, driver)
  assert.deepEqual(await awbsOf(server, driver), ['X1', 'X2', 'W'])
  assert.deepEqual([after.travelSeconds, late], [before.travelSeconds, []])
  // Also where it is found first, among many.
  for (let km = 4; km < 12; km += 1) await addTask(server, driver, `K-${km}`, at(km))
  await addTask(server, driver, 'X3', at(1, { serviceTime: 30 }))
  await optimise(server, driver)
  assert.deepEqual(new Set((await awbsOf(server, driver)).slice(0, 3)), new Set(['X1', 'X2', 'X3']))
  const { id } = (await server.post('/tasks', { awb: 'X4', ...at(1, { serviceTime: 30 }) })).body.task
  await server.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [id], position: 'best' })
  const order = await awbsOf(server, driver)
  assert.deepEqual([order[0], new Set(order.slice(0, 4))], ['X1', new Set(['X1', 'X2', 'X3', 'X4'])])
})

test('a dispatcher can see the result of optimising before it is saved', async (t) => {
  const { server, driver } = await aRoute(t, { C: at(3), A: at(1), B: at(2) })
  const told = await server.triggers('A')
  const was = await planOf(server, driver)

  const preview = await optimise(server, driver, { dryRun: true })

  assert.deepEqual(await planOf(server, driver), was)
  assert.deepEqual(await server.triggers('A'), told)
  const places = ({ stops }: { stops: { awb: string; position: number; positionBefore: number }[] }) =>
    stops.map(({ awb, position, positionBefore }) => [awb, position, positionBefore])
  assert.deepEqual(places(preview), [
    ['A', 1, 2],
    ['B', 2, 3],
    ['C', 3, 1],
  ])
  assert.ok(preview.after.travelSeconds < preview.before.travelSeconds)

  const done = await optimise(server, driver)
  assert.deepEqual(places(done), places(preview))
  const tasks = await routeOf(server, driver)
  type Planned = Record<
    'taskId' | 'position' | 'arrivalTime' | 'distanceMetres' | 'waitSeconds' | 'lateSeconds',
    unknown
  >
  assert.deepEqual(
    done.stops.map(({ taskId, position, arrivalTime, distanceMetres, waitSeconds, lateSeconds }: Planned) => [
      taskId,
      { position, arrivalTime, distanceMetres, waitSeconds, lateSeconds },
    ]),
    tasks.map(({ id, route }: { id: number; route: object }) => [id, route]),
  )
})

test('every task knows its place in the route, when the driver comes, and how far it is', async (t) => {
  const { server, driver } = await aRoute(t, { B: at(4, { serviceTime: 10 }), A: at(2, { serviceTime: 10 }) })

  await optimise(server, driver)

  const [first, second] = await routeOf(server, driver)
  assert.deepEqual([first.awb, first.route.position, second.route.position], ['A', 1, 2])
  assert.ok(Math.abs(first.route.distanceMetres - 2_700) < 30, `${first.route.distanceMetres}`)
  assert.ok(first.eta > 0 && second.eta >= first.eta + 600)
  assert.equal(Date.parse(second.route.arrivalTime) - Date.parse(first.route.arrivalTime) > 600_000, true)
  assert.deepEqual([first.route.waitSeconds, first.route.lateSeconds], [0, 0])
})

test('a task with a time window is done on time, even if it is a detour', async (t) => {
  const { server, driver } = await aRoute(t, {
    NEAR: at(1, { serviceTime: 60 }),
    FAR: at(9, { completeBefore: inHours(1) }),
  })
  const { late } = await optimise(server, driver)
  assert.deepEqual([await awbsOf(server, driver), late], [['FAR', 'NEAR'], []])
})

test('if only one of two tasks can be on time, it is the more urgent one', async (t) => {
  const due = { serviceTime: 60, completeBefore: inHours(0.5) }
  const { server, driver } = await aRoute(t, { LOW: at(2, due), HIGH: at(-2, { ...due, priority: 5 }) })
  const { late } = await optimise(server, driver)
  assert.deepEqual([await awbsOf(server, driver), late], [['HIGH', 'LOW'], ['LOW']])
})

test('a task in transit stays first, and one that depends on another comes after it', async (t) => {
  const { server, driver } = await aRoute(t, { A: at(1), B: at(2), C: at(3), D: at(4) })
  await server.put('/tasks/awb/A', { dependencies: ['C'] })
  const token = await signIn(server, driver)
  const [, , , last] = await routeOf(server, driver)
  await request(server.url, 'POST', `/api/v1/driver/tasks/${last.id}/start`, { key: token, body: {} })

  await optimise(server, driver)

  const awbs = await awbsOf(server, driver)
  assert.equal(awbs[0], 'D')
  assert.ok(awbs.indexOf('C') < awbs.indexOf('A'), awbs.join())
})

test('tasks without coordinates go last and are named, as do those that depend on them', async (t) => {
  const nowhere = { address: { address: 'Somewhere' } }
  const { server, driver } = await aRoute(t, { X: nowhere, B: at(2), A: at(1) })
  await server.put('/tasks/awb/A', { dependencies: ['X'] })

  const { withoutPlace, warnings } = await optimise(server, driver)

  assert.deepEqual(await awbsOf(server, driver), ['B', 'X', 'A'])
  assert.deepEqual(withoutPlace, ['X'])
  assert.deepEqual(
    warnings.map(({ code, awbs }: { code: string; awbs: string[] }) => [code, awbs]),
    [['WITHOUT_PLACE', ['X']]],
  )
})

test('tasks with approximate coordinates are named', async (t) => {
  const { server, driver } = await aRoute(t, { A: at(1), B: at(2) })
  await server.database.everyone.run(sql`
    update addresses set precision = 'approximate'
    where organisation_id = ${server.organisationId} and address = 'Km 2'`)
  const { approximate, warnings } = await optimise(server, driver)
  assert.deepEqual([approximate, warnings[0].code, warnings[0].awbs], [['B'], 'APPROXIMATE_PLACE', ['B']])
})

test('an overfull day keeps every task and names those that will be late', async (t) => {
  const tasks = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `T-${index}`,
      at(index, { serviceTime: 60, completeBefore: inHours(4) }),
    ]),
  )
  const { server, driver } = await aRoute(t, tasks)
  const { late } = await optimise(server, driver)
  assert.equal((await awbsOf(server, driver)).length, 12)
  assert.equal(late.length, 8)
})

test('tasks left from earlier days count as late and come first', async (t) => {
  const { server, driver } = await aRoute(t, {
    TODAY: at(1, { serviceTime: 30 }),
    YESTERDAY: at(8, { completeAfter: inHours(-48) }),
    OVERDUE: at(9, { completeBefore: inHours(-24) }),
  })
  const { late, warnings } = await optimise(server, driver)
  assert.deepEqual(late.toSorted(), ['OVERDUE', 'YESTERDAY'])
  assert.equal((await awbsOf(server, driver)).at(-1), 'TODAY')
  assert.deepEqual([warnings[0].code, warnings[0].awbs], ['WINDOW_PAST', ['OVERDUE']])
})

test('tasks for another day stay last', async (t) => {
  const { server, driver } = await aRoute(t, { LATER: at(1, { completeAfter: inHours(72) }), NOW: at(5) })
  await optimise(server, driver)
  const [first, second] = await routeOf(server, driver)
  assert.deepEqual([first.awb, second.awb, second.route], ['NOW', 'LATER', null])
})

test('optimising no task or one task succeeds', async (t) => {
  const { server, driver } = await aRoute(t)
  assert.equal((await optimise(server, driver)).after.durationSeconds, 0)
  await addTask(server, driver, 'ONE', at(3))
  assert.ok((await optimise(server, driver)).after.durationSeconds > 0)
})

test('optimising again changes nothing and fires nothing', async (t) => {
  const { server, driver } = await aRoute(t, { B: at(2), A: at(1), C: at(3) })
  await optimise(server, driver)
  const told = await server.triggers('A')
  const before = await planOf(server, driver)
  const { before: was, after } = await optimise(server, driver)
  assert.deepEqual(await server.triggers('A'), told)
  assert.deepEqual(told.at(-1), 'TASK_UPDATED')
  assert.deepEqual(await planOf(server, driver), before)
  assert.deepEqual(was, after)
})

test('the same tasks always get the same order', async (t) => {
  const spots = Array.from({ length: 25 }, (_, index) => ({
    address: { address: `Spot ${index}`, lat: 44.4 + ((index * 37) % 25) / 300, lng: 26.1 + ((index * 11) % 25) / 200 },
  }))
  const { server, driver } = await aRoute(t)
  await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks: spots })
  const first = await optimise(server, driver)
  const awbs = await awbsOf(server, driver)
  await server.database.everyone.run(sql`
    update tasks set route_position = id, route = null where organisation_id = ${server.organisationId}`)
  const second = await optimise(server, driver)
  assert.deepEqual(await awbsOf(server, driver), awbs)
  assert.deepEqual(second.after.travelSeconds, first.after.travelSeconds)
})

test('tasks added or removed during the search are neither lost nor brought back', async (t) => {
  const { server, driver } = await aRoute(t)
  const many = Array.from({ length: 120 }, (_, index) => ({ awb: `M-${index}`, ...at((index * 37) % 120) }))
  await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks: many })

  const planning = optimise(server, driver)
  await addTask(server, driver, 'NEW', at(5))
  await server.delete('/tasks/awb/M-7')
  await server.post('/tasks/bulkUnassign', { tasks: ['M-8'] })
  await planning

  const awbs = await awbsOf(server, driver)
  assert.ok(awbs.includes('NEW'))
  assert.ok(!awbs.includes('M-7') && !awbs.includes('M-8'))
  assert.equal(new Set(awbs).size, 119)
  const positions = await server.database.everyone.many<{ route_position: number }>(sql`
    select route_position from tasks where organisation_id = ${server.organisationId} and user_id = ${driver.id}
      and deleted_at is null order by route_position`)
  assert.equal(new Set(positions.map(({ route_position }) => route_position)).size, 119)
})

test('optimising never makes a route worse, whatever its order was', async (t) => {
  const cost = ({ travelSeconds, lateSeconds }: { travelSeconds: number; lateSeconds: number }) =>
    travelSeconds + 10 * lateSeconds
  for (let seed = 1; seed <= 8; seed += 1) {
    const draw = (index: number) => ((Math.imul(seed * 1_009 + index * 9_176_741, 2_654_435_761) >>> 8) % 1_000) / 1_000
    const { server, driver } = await aRoute(t)
    const tasks = Array.from({ length: 4 + seed * 2 }, (_, index) => ({
      address: { address: `Spot ${index}`, lat: 44.4 + draw(index) / 8, lng: 26 + draw(index + 100) / 6 },
      serviceTime: Math.floor(draw(index + 200) * 20),
      ...(index % 2 === 0 && { completeBefore: inHours(draw(index + 300) * 4) }),
    }))
    await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks })
    const first = await optimise(server, driver)
    assert.ok(cost(first.after) <= cost(first.before), `seed ${seed}`)
    const second = await optimise(server, driver)
    assert.ok(cost(second.after) <= cost(second.before), `seed ${seed}, again`)
  }
})

test("the route continues from the driver's last position", async (t) => {
  const { server, driver } = await aRoute(t, { DONE: at(6), A: at(1), B: at(5), C: at(3) })
  const token = await signIn(server, driver)
  const [done] = await routeOf(server, driver)
  for (const verb of ['start', 'complete'])
    await request(server.url, 'POST', `/api/v1/driver/tasks/${done.id}/${verb}`, { key: token, body: {} })
  await optimise(server, driver)
  assert.deepEqual((await awbsOf(server, driver)).slice(0, 3), ['B', 'C', 'A'])
})

test('a task in transit stays first even without coordinates', async (t) => {
  const { server, driver } = await aRoute(t, { B: at(2), A: at(1), X: { address: { address: 'Somewhere' } } })
  const token = await signIn(server, driver)
  const [, , last] = await routeOf(server, driver)
  await request(server.url, 'POST', `/api/v1/driver/tasks/${last.id}/start`, { key: token, body: {} })
  const { withoutPlace } = await optimise(server, driver)
  assert.deepEqual([await awbsOf(server, driver), withoutPlace], [['X', 'A', 'B'], ['X']])
})

test('heavy traffic makes trips longer, and lunch is part of the plan', async (t) => {
  const { server, driver } = await aRoute(t, { A: at(5), B: at(10) })
  const light = await optimise(server, driver, { traffic: 'LIGHT' })
  const heavy = await optimise(server, driver, { traffic: 'heavy' })
  assert.deepEqual([light.traffic, heavy.traffic], ['optimistic', 'pessimistic'])
  assert.ok(heavy.after.travelSeconds > light.after.travelSeconds)

  const soon = (minutes: number) =>
    new Date(Date.now() + minutes * 60_000).toLocaleTimeString('en-GB', {
      timeZone: 'Europe/Bucharest',
      hour: '2-digit',
      minute: '2-digit',
    })
  await server.put(`/drivers/${driver.id}`, {
    startShiftTime: soon(-60),
    endShiftTime: soon(400),
    lunchBreakStart: soon(2),
    lunchBreakEnd: soon(40),
    lunchBreakDuration: 30,
  })
  const withLunch = await optimise(server, driver, { traffic: 'heavy' })
  const longer = withLunch.after.durationSeconds - heavy.after.durationSeconds
  assert.ok(longer > 1_500 && longer <= 2_000, `${longer}`)
})

test('with a travel engine its times decide the order, and the answer names it', async (t) => {
  const osrm = await startReceiver(t)
  const road = Array.from({ length: 3 }, () => ({ distance: 1 }))
  // Hub first, then the tasks in the order given. By road, the task that looks far is the near one.
  const table = [
    [0, 2_000, 100],
    [2_000, 0, 300],
    [100, 300, 0],
  ]
  const body = JSON.stringify({ code: 'Ok', durations: table, distances: table, sources: road, destinations: road })
  osrm.always(answer(200, { body }))
  const environment = { WAYBILL_TRAVEL: 'osrm', WAYBILL_TRAVEL_URL: `http://127.0.0.1:${osrm.port}` }
  const { server, driver } = await aRoute(t, { NEAR: at(1), FAR: at(9) }, {}, environment)
  const { travel, after, warnings } = await optimise(server, driver, { traffic: 'none' })
  assert.deepEqual([travel, warnings], [{ source: 'osrm', isEstimate: false }, []])
  assert.deepEqual(await awbsOf(server, driver), ['FAR', 'NEAR'])
  assert.deepEqual([after.travelSeconds, after.distanceMetres], [400, 400])
})

test('a task with an open conflict keeps its place in the route, and the plan says why', async (t) => {
  const { server, driver } = await aRoute(t, { FAR: at(30), HELD: at(5), NEAR: at(10), NEXT: at(20) })
  const other = await makeDriver(server)
  const key = await signIn(server, other)
  const { task } = (await server.get('/tasks/awb/HELD')).body
  await server.put(`/containers/drivers/${other.id}`, { tasks: ['HELD'] })
  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['HELD'] })
  const deviceTime = new Date().toISOString()
  const op = { opId: randomUUID(), type: 'complete', taskId: task.id, occurredAt: deviceTime }
  await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops: [op] } })
  assert.equal((await server.get('/conflicts?settled=false')).body.conflicts.length, 1)
  const awbs = (tasks: { awb: string }[]) => tasks.map(({ awb }) => awb)
  assert.deepEqual(awbs(await routeOf(server, driver)), ['FAR', 'NEAR', 'NEXT', 'HELD'])

  const plan = await optimise(server, driver)
  assert.deepEqual(awbs(plan.stops), ['NEAR', 'NEXT', 'FAR', 'HELD'])
  const warning = plan.warnings.find(({ code }: { code: string }) => code === 'OPEN_CONFLICT')
  assert.deepEqual(warning?.awbs, ['HELD'])

  const { id } = (await server.get('/conflicts?settled=false')).body.conflicts[0]
  await server.post(`/conflicts/${id}/settle`, { apply: false })
  assert.deepEqual(awbs((await optimise(server, driver)).stops), ['HELD', 'NEAR', 'NEXT', 'FAR'])
})
