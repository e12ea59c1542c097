import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { makeDriver, makeTeam } from '../../test/factories.ts'
import { answer, startReceiver } from '../../test/receiver.ts'
import { startServer, type TestServer } from '../../test/server.ts'

/* Days with impossible data still get a clear answer and a usable order, and no task is lost. */

const bucharest = { lat: 44.43, lng: 26.1 }
const spot = (index: number) => ({ address: `Spot ${index}`, lat: 44.4 + (index % 50) / 500, lng: 26 + index / 2_000 })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A time of day this many minutes from now, in the organisation's time zone. */
const clock = (minutes: number) =>
  new Date(Date.now() + minutes * 60_000).toLocaleTimeString('en-GB', {
    timeZone: 'Europe/Bucharest',
    hour: '2-digit',
    minute: '2-digit',
  })

async function aDriver(t: TestContext, given: object = {}, environment: Record<string, string> = {}) {
  const server = await startServer(t, environment)
  const { id: hubId } = (await server.post('/hubs', { name: 'Hub', ...bucharest })).body.hub
  const team = await makeTeam(server, { hubId })
  return { server, driver: await makeDriver(server, { teams: [team.id], ...given }) }
}

const give = (server: TestServer, { id }: { id: number }, tasks: object[]) =>
  server.post(`/drivers/${id}/tasks/bulkCreate`, { tasks })

async function optimise(server: TestServer, { id }: { id: number }) {
  const reply = await server.post(`/drivers/${id}/tasks/optimizeTodayTasks`, {})
  assert.equal(reply.status, 200, reply.text)
  return reply.body.route
}

const awbsOf = async (server: TestServer, { id }: { id: number }): Promise<string[]> =>
  (await server.get(`/drivers/${id}/tasks`)).body.tasks.map(({ awb }: { awb: string }) => awb)
const codesOf = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code)

test('swapped latitude and longitude are reported', async (t) => {
  const { server, driver } = await aDriver(t)
  await give(server, driver, [
    { awb: 'A', address: spot(1) },
    { awb: 'SWAPPED', address: { address: 'x', lat: bucharest.lng, lng: bucharest.lat } },
    { awb: 'AWAY', address: { address: 'x', lat: -33.9, lng: 151.2 } },
  ])
  const route = await optimise(server, driver)
  assert.deepEqual(
    route.warnings.map(({ code, awbs }: { code: string; awbs: string[] }) => [code, awbs]),
    [
      ['MAYBE_SWAPPED', ['SWAPPED']],
      ['FAR_AWAY', ['AWAY']],
    ],
  )
  assert.equal((await awbsOf(server, driver)).length, 3)
})

test('tasks whose windows have passed are reported and come first', async (t) => {
  const { server, driver } = await aDriver(t)
  await give(server, driver, [
    { awb: 'FREE', address: spot(1), serviceTime: 30 },
    { awb: 'PAST', address: spot(40), completeAfter: inHours(-30), completeBefore: inHours(-28) },
  ])
  const route = await optimise(server, driver)
  assert.deepEqual([codesOf(route), route.late], [['WINDOW_PAST'], ['PAST']])
  assert.deepEqual(await awbsOf(server, driver), ['PAST', 'FREE'])
})

test('after the shift everything is overtime, and the order is still good', async (t) => {
  // A time zone in which the first hour of the day is over.
  const hourIn = (timeZone: string) => Temporal.Now.zonedDateTimeISO(timeZone).hour
  const timezone = ['Europe/Bucharest', 'America/Los_Angeles', 'Asia/Tokyo'].find((zone) => hourIn(zone) >= 2)
  const { server, driver } = await aDriver(t, { startShiftTime: '00:00', endShiftTime: '00:30' })
  await server.put('/company', { timezone })
  await give(server, driver, [
    { awb: 'B', address: spot(900) },
    { awb: 'A', address: spot(500) },
  ])
  const route = await optimise(server, driver)
  assert.deepEqual(codesOf(route), ['SHIFT_OVER'])
  assert.ok(route.after.overtimeSeconds > 0)
  assert.equal((await awbsOf(server, driver)).length, 2)
})

test('a lunch that takes the whole shift is ignored, with a warning', async (t) => {
  const shift = { startShiftTime: clock(-60), endShiftTime: clock(120) }
  const { server, driver } = await aDriver(t, { ...shift, lunchBreakDuration: 480 })
  await give(server, driver, [
    { awb: 'B', address: spot(20) },
    { awb: 'A', address: spot(10) },
  ])
  const route = await optimise(server, driver)
  assert.deepEqual(codesOf(route), ['LUNCH_TOO_LONG'])
  assert.ok(route.after.durationSeconds < 7_200)
})

test('a day that does not fit into the shift keeps every task, with a warning', async (t) => {
  const { server, driver } = await aDriver(t, { startShiftTime: clock(-60), endShiftTime: clock(120) })
  await give(
    server,
    driver,
    Array.from({ length: 10 }, (_, index) => ({ awb: `T-${index}`, address: spot(index * 9), serviceTime: 30 })),
  )
  const route = await optimise(server, driver)
  assert.deepEqual(codesOf(route), ['OVERTIME'])
  assert.equal((await awbsOf(server, driver)).length, 10)
})

test('while two thousand tasks are put in order, the server keeps answering other requests', async (t) => {
  const { server, driver } = await aDriver(t)
  for (const half of [0, 1])
    await give(
      server,
      driver,
      Array.from({ length: 1_000 }, (_, index) => ({ address: spot((half * 1_000 + index) * 7) })),
    )
  let isDone = false
  const planning = optimise(server, driver).finally(() => {
    isDone = true
  })
  let answers = 0
  let slowest = 0
  while (!isDone) {
    const from = performance.now()
    await server.get('/company')
    answers += 1
    slowest = Math.max(slowest, performance.now() - from)
    await setTimeout(20)
  }
  const route = await planning
  assert.ok(route.after.travelSeconds <= route.before.travelSeconds)
  assert.ok(answers > 3, `${answers} answers meanwhile`)
  t.diagnostic(`${answers} answers meanwhile, the slowest after ${slowest.toFixed(0)} ms`)
  const { body } = await server.get(`/drivers/${driver.id}/tasks?limit=1000`)
  assert.deepEqual([body.tasks.length, body.tasks[0].route.position], [1_000, 1])
  assert.ok(body.nextCursor)
})

for (const [what, behaviour] of [
  ['answers nonsense', answer(200, { body: '{"code":"Ok","durations":[[0]],"distances":"none"}' })],
  ['answers something that is not JSON', answer(200, { body: 'oops' })],
  ['fails', answer(500)],
] as const)
  test(`if a travel engine ${what}, the estimate is used, with a warning`, async (t) => {
    const engine = await startReceiver(t)
    engine.always(behaviour)
    const url = `http://127.0.0.1:${engine.port}`
    const { server, driver } = await aDriver(t, {}, { WAYBILL_TRAVEL: 'osrm', WAYBILL_TRAVEL_URL: url })
    await give(server, driver, [
      { awb: 'B', address: spot(900) },
      { awb: 'A', address: spot(500) },
    ])
    const route = await optimise(server, driver)
    assert.deepEqual([codesOf(route), route.travel.isEstimate], [['TRAVEL_TIMES'], true])
    assert.ok(engine.requests.length > 0)
    assert.deepEqual(await awbsOf(server, driver), ['A', 'B'])
  })
