import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { followDrivers } from '../test/arrivals.ts'
import { aTask, beginDuty, letDaysPass, makeDriver, signIn, zoneOfNoon } from '../test/factories.ts'
import { addPerson } from '../test/people.ts'
import { request, startServer } from '../test/server.ts'
import { keepPromises } from './promises.ts'
import { dropEndedTasks } from './retention.ts'

const minutes = 60_000

/** Arrivals follow only a driver on duty: without, what a test says of them is all there is. */
async function aPlan(t: TestContext, awbs: string[], { isOnDuty = true } = {}) {
  const server = await startServer(t)
  await server.put('/company', { timezone: zoneOfNoon() })
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  if (isOnDuty) await beginDuty(server.url, key)
  const ids: Record<string, number> = {}
  for (const awb of awbs) ids[awb] = (await server.post('/tasks', aTask({ awb, userId: driver.id }))).body.task.id
  const db = server.database.of(server.organisationId)
  const own = sql`organisation_id = ${server.organisationId}`
  return {
    server,
    driver,
    ids,
    db,
    verb: (awb: string, name: string, body: object = {}) =>
      request(server.url, 'POST', `/api/v1/driver/tasks/${ids[awb]}/${name}`, { key, body }),
    report: async (query = '') => (await server.get(`/reports/eta${query}`)).body,
    /** Promises as if they had been made: how many minutes ago, and for when. */
    promise: (awb: string, madeAgo: number, etaAgo: number) =>
      db.run(sql`
        insert into promises (organisation_id, task_id, promised_at, eta_at)
        values (${server.organisationId}, ${ids[awb]}, ${new Date(Date.now() - madeAgo * minutes)},
          ${new Date(Date.now() - etaAgo * minutes)})`),
    kept: (awb: string) =>
      db.many<{ promised_at: Date; eta_at: Date; arrived_at: Date | null }>(sql`
        select * from promises where ${own} and task_id = ${ids[awb]} order by promised_at`),
  }
}

test('a saved plan is a promise, and the driver’s arrival shows whether it was kept', async (t) => {
  const { server, driver, ids, verb, kept, report } = await aPlan(t, ['A-1'], { isOnDuty: false })
  await server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, {})
  const { etaAt } = (await server.get(`/tasks/${ids['A-1']}`)).body.task
  assert.deepEqual(
    (await kept('A-1')).map(({ eta_at, arrived_at }) => [eta_at.toISOString(), arrived_at]),
    [[etaAt, null]],
  )
  assert.deepEqual([(await report()).promises, (await report()).open], [0, 1])

  await verb('A-1', 'start')
  await verb('A-1', 'arrive')
  const { arrivalTime } = (await server.get(`/tasks/${ids['A-1']}`)).body.task
  assert.equal((await kept('A-1'))[0]?.arrived_at?.toISOString(), arrivalTime)
  await verb('A-1', 'complete')
  assert.equal((await kept('A-1'))[0]?.arrived_at?.toISOString(), arrivalTime, 'the end changes nothing')
  const { promises, open, withinTenMinutes, shareWithinTenMinutes, hours } = await report()
  assert.deepEqual([promises, open, withinTenMinutes, shareWithinTenMinutes, hours.length], [1, 0, 1, 1, 1])
})

test('the report has the mean error, the tendency and the share within ten minutes, by hour of promise', async (t) => {
  const { server, ids, promise, report, db } = await aPlan(t, ['A', 'B', 'C'], { isOnDuty: false })
  // Two hours ago for half an hour ago and for an hour ago; an hour ago for now.
  await promise('A', 120, 30)
  await promise('B', 120, 60)
  await promise('A', 60, 0)
  await promise('C', 60, 0)
  const came = async (awb: string, ago: number) =>
    db.run(sql`
      update promises set arrived_at = ${new Date(Date.now() - ago * minutes)}
      where organisation_id = ${server.organisationId} and task_id = ${ids[awb]}`)
  await came('A', 5)
  await came('B', 64)

  const { hours, ...all } = await report(`?from=${new Date(Date.now() - 180 * minutes).toISOString()}`)
  // 25 minutes late, 4 early, 5 early; C is still awaited.
  assert.deepEqual([all.promises, all.open, all.withinTenMinutes, all.shareWithinTenMinutes], [3, 1, 2, 0.667])
  const near = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) <= 2, `${value} is not ${wanted}`)
  near(all.meanErrorSeconds, ((25 + 4 + 5) * 60) / 3)
  near(all.meanLateSeconds, ((25 - 4 - 5) * 60) / 3)
  assert.deepEqual(
    hours.map(({ promises, open }: { promises: number; open: number }) => [promises, open]),
    [
      [2, 0],
      [1, 1],
    ],
  )
  assert.equal(hours[1].hour - hours[0].hour, 1)
  const none = await report('?from=2026-01-01%2000:00&to=2026-01-02%2000:00')
  assert.deepEqual([none.promises, none.meanErrorSeconds, none.shareWithinTenMinutes, none.hours], [0, null, null, []])
  for (const [query, field] of [
    ['?from=soon', 'from'],
    ['?from=2025-01-01%2000:00&to=2026-06-01%2000:00', 'to'],
  ] as const) {
    const { error } = (await server.get(`/reports/eta${query}`)).body
    assert.equal(error.field, field)
  }
})

test('only an arrival that moves by minutes is a new promise, and one that is corrected at once never was', async (t) => {
  const { server, ids, db, kept } = await aPlan(t, ['A'], { isOnDuty: false })
  const start = Date.now()
  const tell = (afterMinutes: number, etaMinutes: number) =>
    keepPromises(
      db,
      server.organisationId,
      [{ task_id: ids['A'] as number, eta_at: new Date(start + etaMinutes * minutes) }],
      new Date(start + afterMinutes * minutes),
    )
  const seen = async () =>
    (await kept('A')).map(({ promised_at, eta_at }) =>
      [promised_at, eta_at].map((time) => Math.round((time.getTime() - start) / minutes)),
    )
  await tell(0, 60)
  await tell(1, 90)
  assert.deepEqual(await seen(), [[0, 90]], 'corrected within five minutes')
  for (let minute = 2; minute < 30; minute += 1) await tell(minute, 90 + (minute % 5))
  assert.deepEqual(await seen(), [[0, 90]], 'it only trembles')
  await tell(30, 95)
  await tell(31, 94)
  assert.deepEqual(await seen(), [
    [0, 90],
    [30, 95],
  ])
})

test('without an arrival the driver’s completion counts, but not what the office ended', async (t) => {
  const { server, driver, verb, kept, ids } = await aPlan(t, ['DRIVER', 'OFFICE', 'SYSTEM', 'LOST'])
  const maria = await addPerson(server, 'dispatcher')
  await server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, {})
  await verb('DRIVER', 'start')
  await verb('DRIVER', 'complete')
  await maria.put('/tasks/awb/OFFICE/forceComplete', { success: true })
  await server.put('/tasks/awb/SYSTEM/forceComplete', { success: true })
  await verb('LOST', 'start')
  await verb('LOST', 'arrive')
  const came = async (awb: string) => (await kept(awb))[0]?.arrived_at?.toISOString() ?? null
  assert.equal(await came('DRIVER'), (await server.get(`/tasks/${ids['DRIVER']}`)).body.task.completedAt)
  assert.equal(await came('OFFICE'), null)
  assert.equal(await came('SYSTEM'), null, 'nor what another system ended by key')

  assert.notEqual(await came('LOST'), null)
  await server.post('/tasks/bulkUnassign', { tasks: ['LOST'] })
  assert.equal(await came('LOST'), null, 'who takes it next still has to come')
})

test('the first position at the door counts as the arrival, even if the phone sends it later', async (t) => {
  const { server, driver, verb, kept, ids } = await aPlan(t, ['A'])
  await server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, {})
  const ago = (count: number) => new Date(Date.now() - count * minutes).toISOString()
  await letDaysPass(server)
  await verb('A', 'start', { occurredAt: ago(30) })
  const key = await signIn(server, driver)
  const { lat, lng } = aTask().address
  const came = ago(20)
  const locations = [
    { lat, lng, occurredAt: ago(10) },
    { lat, lng, occurredAt: came },
    { lat: lat + 0.1, lng, occurredAt: ago(25) },
  ]
  await request(server.url, 'POST', '/api/v1/driver/locations', { key, body: { locations } })
  await followDrivers(server)
  assert.equal((await server.get(`/tasks/${ids['A']}`)).body.task.driverArrived, true)
  assert.equal((await kept('A'))[0]?.arrived_at?.toISOString(), came)
  const { events } = (await server.get('/events?limit=100')).body
  assert.equal(events.at(-1).time, came)
})

test('promises go with their task', async (t) => {
  const { server, driver, db, kept } = await aPlan(t, ['A'])
  await server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, {})
  await server.put('/tasks/awb/A/forceComplete', {})
  await db.run(sql`
    update tasks set updated_at = now() - interval '40 days' where organisation_id = ${server.organisationId}`)
  assert.equal((await kept('A')).length, 1)
  assert.equal(await dropEndedTasks(db, server.organisationId, new Date(Date.now() - 30 * 24 * 60 * minutes), 10), 1)
  assert.equal((await kept('A')).length, 0)
})
