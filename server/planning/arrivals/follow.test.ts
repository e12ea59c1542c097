import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { raw, sql } from '../../db/sql.ts'
import { followDrivers, letDriversBeDue } from '../../test/arrivals.ts'
import { aTask, beginDuty, makeDriver, signIn, zoneOfNoon } from '../../test/factories.ts'
import { startSecond } from '../../test/second.ts'
import { request, startServer } from '../../test/server.ts'
import { claimDrivers } from './queries.ts'

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** A place that many kilometres east of the driver's first. */
const km = (distance: number) => ({ lat: 44.4323, lng: 26 + distance / 79.5 })

/** A driver on duty at kilometre 0, with tasks at 4 and 8, and an hour of patience. */
async function aRoute(
  t: TestContext,
  windows: Record<string, object> = { NEAR: {}, FAR: {} },
  environment: Record<string, string> = {},
) {
  const server = await startServer(t, environment)
  await server.put('/company', { timezone: zoneOfNoon() })
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  await beginDuty(server.url, key)
  const ids: Record<string, number> = {}
  for (const [index, [awb, given]] of Object.entries(windows).entries()) {
    const address = { address: 'Strada Lipscani', ...km(4 * (index + 1)) }
    ids[awb] = (await server.post('/tasks', aTask({ awb, userId: driver.id, address, ...given }))).body.task.id
  }
  const everyone = server.database.everyone
  const isOwn = sql`organisation_id = ${server.organisationId}`
  return {
    server,
    driver,
    key,
    ids,
    report: (at: object, given: object = {}) =>
      request(server.url, 'POST', '/api/v1/driver/locations', { key, body: { locations: [{ ...at, ...given }] } }),
    verb: (awb: string, name: string, body: object = {}) =>
      request(server.url, 'POST', `/api/v1/driver/tasks/${ids[awb]}/${name}`, { key, body }),
    taskOf: async (awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task,
    /** What was told about a task after it was created, as what it changed. */
    changesOf: async (awb: string) =>
      (await server.get('/events?limit=1000')).body.events
        .filter((event: { awb: string; triggerId: number }) => event.awb === awb && event.triggerId === 5)
        .map((event: { data: { previous: object } }) => event.data.previous),
    /** As if that much time had passed. */
    letTimePass: (minutes: number) =>
      everyone.transaction(async (db) => {
        const ago = sql`interval '1 minute' * ${minutes}`
        await db.run(sql`
          update driver_positions set occurred_at = occurred_at - ${ago}, recorded_at = recorded_at - ${ago}
          where ${isOwn}`)
        await db.run(sql`update locations set occurred_at = occurred_at - ${ago} where ${isOwn}`)
        await db.run(sql`
          update tasks set eta_at = eta_at - ${ago}, complete_before = complete_before - ${ago},
            started_at = started_at - ${ago} where ${isOwn}`)
      }),
    followAgain: () => followDrivers(server),
  }
}

const minutesUntil = (time: string) => (Date.parse(time) - Date.now()) / 60_000

test('arrivals follow the driver along the whole route, and a nearer position makes them earlier', async (t) => {
  const { report, taskOf, letTimePass, changesOf, followAgain } = await aRoute(t)
  await report(km(0))
  await followAgain()
  const [near, far] = [await taskOf('NEAR'), await taskOf('FAR')]
  assert.ok(minutesUntil(near.etaAt) > 5 && minutesUntil(near.etaAt) < 20, near.etaAt)
  assert.ok(near.etaAt < far.etaAt)
  assert.ok(Math.abs(near.eta - minutesUntil(near.etaAt) * 60) < 5)
  assert.match(near.etaText, /^\d+ min$/)

  await letTimePass(1)
  await report(km(3))
  await followAgain()
  const [nearer, further] = [await taskOf('NEAR'), await taskOf('FAR')]
  assert.ok(minutesUntil(nearer.etaAt) < minutesUntil(near.etaAt) - 3)
  assert.ok(minutesUntil(further.etaAt) < minutesUntil(far.etaAt) - 3)
  assert.deepEqual(await changesOf('NEAR'), [], 'an arrival that moves is no event')
  assert.equal(nearer.updatedAt, near.updatedAt)
})

test('a moved arrival comes with the next sync of every phone of the driver, once, and calls none', async (t) => {
  const { server, driver, key, report, taskOf, letTimePass, followAgain } = await aRoute(t)
  // biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
  const cursors = new Map<string, any>()
  async function sync(phone: string, cursor = cursors.get(phone)) {
    const body = { deviceTime: new Date().toISOString(), ...(cursor && { cursor }) }
    const answer = (await request(server.url, 'POST', '/api/v1/driver/sync', { key: phone, body })).body
    cursors.set(phone, answer.cursor)
    return answer.changes.tasks.map(({ awb, etaAt }: { awb: string; etaAt: string }) => [awb, etaAt])
  }
  const arrivals = async () => [
    ['NEAR', (await taskOf('NEAR')).etaAt],
    ['FAR', (await taskOf('FAR')).etaAt],
  ]
  const other = await signIn(server, driver)
  await report(km(0))
  await followAgain()
  for (const phone of [key, other]) assert.equal((await sync(phone)).length, 2)
  const lastEvent = async () => (await server.get('/events?limit=1000')).body.events.at(-1).eventId
  const before = await lastEvent()

  await letTimePass(1)
  await report(km(3))
  await followAgain()
  const lost = cursors.get(key)
  assert.deepEqual(await sync(key), await arrivals())
  assert.deepEqual(await sync(key, lost), await arrivals(), 'the answer did not arrive')
  assert.deepEqual(await sync(key), [])
  assert.deepEqual(await sync(other), await arrivals())
  assert.deepEqual(await sync(other), [])
  assert.equal(await lastEvent(), before, 'without an event nobody is called')
})

test('a driver is looked at again after a while if there is a new position, and after a longer one if not', async (t) => {
  // Without workers, and with hours for seconds, so that no busy machine comes in between.
  const { server, driver, report } = await aRoute(t, { NEAR: {} }, { WAYBILL_ROLE: 'api' })
  const claim = async () =>
    (await claimDrivers(server.database.everyone, { newsSeconds: 3_600, quietSeconds: 7_200 }, 10)).flatMap(
      ({ ids }) => ids,
    )
  const followedAgo = (minutes: number) =>
    server.database.everyone.run(sql`
      update followed_drivers set followed_at = now() - ${minutes} * interval '1 minute'
      where organisation_id = ${server.organisationId}`)
  assert.deepEqual(await claim(), [driver.id])
  assert.deepEqual(await claim(), [])
  await followedAgo(90)
  assert.deepEqual(await claim(), [], 'nothing new')
  await followedAgo(130)
  assert.deepEqual(await claim(), [driver.id])
  await followedAgo(30)
  await report(km(1))
  assert.deepEqual(await claim(), [], 'new, but too early')
  await followedAgo(90)
  assert.deepEqual(
    await Promise.all([claim(), claim(), claim()]).then((all) => all.flat()),
    [driver.id],
    'one of three',
  )
})

test('a task that will be late fires once when that becomes known, and once when it is over', async (t) => {
  const { report, taskOf, letTimePass, changesOf, followAgain } = await aRoute(t, {
    NEAR: { completeBefore: inMinutes(15) },
    FAR: {},
  })
  await report(km(0))
  await followAgain()
  assert.equal((await taskOf('NEAR')).taskWillBeDelayed, false)
  await letTimePass(6)
  await report(km(-1))
  await followAgain()
  await followAgain()
  const late = await taskOf('NEAR')
  assert.ok(late.etaAt > late.completeBefore, `${late.etaAt} ${late.completeBefore}`)
  assert.deepEqual([late.taskWillBeDelayed, late.taskDelayed], [true, false])
  assert.deepEqual(await changesOf('NEAR'), [{ taskWillBeDelayed: false }])

  await letTimePass(1)
  await report(km(3.5))
  await followAgain()
  await followAgain()
  assert.equal((await taskOf('NEAR')).taskWillBeDelayed, false)
  assert.deepEqual(await changesOf('NEAR'), [{ taskWillBeDelayed: false }, { taskWillBeDelayed: true }])
})

test('time alone makes a task late, without a position and without a plan', async (t) => {
  const { server, taskOf, letTimePass, changesOf, followAgain } = await aRoute(t, {
    NEAR: { completeBefore: inMinutes(10) },
    FAR: { completeBefore: inMinutes(15) },
  })
  await followAgain()
  const { etaAt } = await taskOf('FAR')
  assert.ok(minutesUntil(etaAt) < 15, etaAt)
  // Nobody knows where the driver starts, so nothing is between now and the first task.
  await letTimePass(8)
  await followAgain()
  assert.deepEqual(await changesOf('FAR'), [{ taskWillBeDelayed: false }])
  await letTimePass(8)
  await server.makeRound('late tasks')
  await followAgain()
  assert.deepEqual(await changesOf('FAR'), [{ taskWillBeDelayed: false }, { taskDelayed: false }])
  assert.deepEqual(await changesOf('NEAR'), [{ taskWillBeDelayed: false, taskDelayed: false }], 'both at once')
})

test('an hour without the worker misses nothing, and two processes fire nothing twice', async (t) => {
  const { server, report, taskOf, letTimePass, changesOf, verb } = await aRoute(t, {
    NEAR: { completeBefore: inMinutes(30) },
    FAR: { completeBefore: inMinutes(180) },
  })
  const second = await startSecond(t, server)
  await report(km(0))
  await verb('NEAR', 'start')
  await server.makeRound('arrivals')
  await report(km(4))
  await letTimePass(60)
  await report(km(20))
  for (let times = 0; times < 3; times += 1) {
    await letDriversBeDue(server)
    await Promise.all(['arrivals', 'late tasks'].flatMap((name) => [server.makeRound(name), second.makeRound(name)]))
  }
  const near = await taskOf('NEAR')
  assert.deepEqual([near.driverArrived, near.arrivalTime, near.taskDelayed, near.etaAt], [true, null, true, null])
  const told = (await changesOf('NEAR')).flatMap((previous: object) => Object.keys(previous)).sort()
  assert.equal(told.filter((field: string) => field === 'driverArrived').length, 1)
  assert.equal(told.filter((field: string) => field === 'taskDelayed').length, 1)
  assert.deepEqual(await changesOf('FAR'), [])
})

test('a driver has arrived once a good position was near a task in transit, and that is not taken back', async (t) => {
  const { report, taskOf, letTimePass, changesOf, verb, followAgain } = await aRoute(t)
  const hasArrived = async (awb: string) => (await taskOf(awb)).driverArrived
  await report(km(4))
  await followAgain()
  assert.equal(await hasArrived('NEAR'), false, 'it has not been started')
  await letTimePass(1)
  await verb('NEAR', 'start')
  await report(km(4.05), { accuracyMetres: 400 })
  await followAgain()
  assert.equal(await hasArrived('NEAR'), false, 'it may be anywhere')
  await letTimePass(1)
  await report(km(4.3), { accuracyMetres: 10 })
  await followAgain()
  assert.equal(await hasArrived('NEAR'), false, '300 metres away')
  await letTimePass(1)
  await report(km(4.05), { accuracyMetres: 10 })
  await followAgain()
  const arrived = await taskOf('NEAR')
  assert.deepEqual([arrived.driverArrived, arrived.arrivalTime, arrived.etaAt], [true, null, null])
  await letTimePass(1)
  await report(km(9))
  await followAgain()
  assert.equal(await hasArrived('NEAR'), true)
  assert.deepEqual(await changesOf('NEAR'), [{ driverArrived: false }])
  assert.equal(await hasArrived('FAR'), false)
})

test('a task in transit shows where its driver is, and an ended one where it was ended', async (t) => {
  const { report, taskOf, verb } = await aRoute(t)
  const seen = async () => {
    const { lastLocationLat, lastLocationLng } = await taskOf('NEAR')
    return { lat: lastLocationLat, lng: lastLocationLng }
  }
  await report(km(1))
  assert.deepEqual(await seen(), { lat: null, lng: null })
  await verb('NEAR', 'start')
  assert.deepEqual(await seen(), km(1))
  await report(km(2))
  assert.deepEqual(await seen(), km(2))
  await verb('NEAR', 'complete')
  await report(km(7))
  assert.deepEqual(await seen(), km(2))
})

test('a task that ends without having been started keeps where that was, too', async (t) => {
  const { server, report, taskOf, verb } = await aRoute(t)
  const seen = async (awb: string) => {
    const { lastLocationLat, lastLocationLng } = await taskOf(awb)
    return { lat: lastLocationLat, lng: lastLocationLng }
  }
  await report(km(1))
  await verb('NEAR', 'fail', { reason: 'Closed', ...km(2) })
  assert.deepEqual(await seen('NEAR'), km(2), 'the driver said where')
  await server.put('/tasks/awb/FAR/forceComplete', { success: false })
  assert.deepEqual(await seen('FAR'), km(1), 'where the driver was seen last')
})

test('nobody follows a driver off duty: what was planned stands', async (t) => {
  const { server, report, taskOf, key, followAgain, letTimePass } = await aRoute(t)
  await report(km(0))
  await followAgain()
  await request(server.url, 'PUT', '/api/v1/driver/duty', { key, body: { inShift: false } })
  await letTimePass(10)
  const { etaAt } = await taskOf('NEAR')
  await followAgain()
  assert.equal((await taskOf('NEAR')).etaAt, etaAt)
})

test('a driver on duty who reports nothing is silent, since the last position', async (t) => {
  const { server, driver, report, letTimePass, key } = await aRoute(t)
  const silence = async () => {
    const { users } = (await server.get('/drivers')).body
    return users.find(({ id }: { id: number }) => id === driver.id)
  }
  assert.notEqual((await silence()).silentSince, null, 'on duty for ten hours without a position')
  await report(km(0))
  assert.equal((await silence()).silentSince, null)
  await letTimePass(6)
  const { silentSince, position } = await silence()
  assert.equal(silentSince, position.occurredAt)
  await request(server.url, 'PUT', '/api/v1/driver/duty', { key, body: { inShift: false } })
  assert.equal((await silence()).silentSince, null)
})

test('tasks that were late before the flag was stored get it without an event', async (t) => {
  const { server, changesOf, taskOf } = await aRoute(
    t,
    { ENDED: { completeBefore: inMinutes(-5) }, OPEN: { completeBefore: inMinutes(600) } },
    { WAYBILL_ROLE: 'api' },
  )
  const { everyone } = server.database
  // As the previous version left them.
  await everyone.run(
    sql`update tasks set will_be_delayed = not will_be_delayed where organisation_id = ${server.organisationId}`,
  )
  const migration = new URL('../../db/migrations/0034_planned_late.sql', import.meta.url)
  await everyone.run(raw(await readFile(migration, 'utf8')))
  const flags = [(await taskOf('ENDED')).taskWillBeDelayed, (await taskOf('OPEN')).taskWillBeDelayed]
  assert.deepEqual([flags, await changesOf('ENDED'), await changesOf('OPEN')], [[true, false], [], []])
})
