import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { makeDriver, makeTeam, signIn } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'
import { until } from '../test/until.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function aDriver(t: TestContext, given: object = {}) {
  const server = await startServer(t)
  const driver = await makeDriver(server, given)
  const token = await signIn(server, driver)
  const report = (...locations: object[]) =>
    request(server.url, 'POST', '/api/v1/driver/locations', { key: token, body: { locations } })
  const position = async () => (await server.get('/drivers')).body.users[0].position
  return { server, driver, token, report, position }
}

test('a driver who reports is seen where they are', async (t) => {
  const { server, driver, report, position } = await aDriver(t)
  assert.equal(await position(), null)
  const occurredAt = minutesAgo(1)
  const { status, body } = await report({ lat: '44.43', lng: 26.1, heading: 270, occurredAt, accuracyMetres: 8 })
  assert.deepEqual([status, body], [200, { success: true }])
  const seen = { lat: 44.43, lng: 26.1, heading: 270, occurredAt }
  assert.deepEqual(await position(), seen)
  assert.deepEqual((await server.put(`/drivers/${driver.id}`, { name: 'Ana' })).body.user.position, seen)
})

test('of many places the newest counts, and what comes late is no news', async (t) => {
  const { report, position } = await aDriver(t)
  await report(
    { lat: 1, lng: 1, occurredAt: minutesAgo(9) },
    { lat: 3, lng: 3, occurredAt: minutesAgo(3) },
    { lat: 2, lng: 2, occurredAt: minutesAgo(6) },
  )
  assert.equal((await position()).lat, 3)
  await report({ lat: 4, lng: 4, occurredAt: minutesAgo(5) })
  assert.equal((await position()).lat, 3)
  await report({ lat: 5, lng: 5, heading: null })
  assert.deepEqual([(await position()).lat, (await position()).heading], [5, null])
})

test('a clock that goes fast does not hide what follows', async (t) => {
  const { report, position } = await aDriver(t)
  const before = Date.now()
  await report({ lat: 1, lng: 1, occurredAt: minutesAgo(-600) })
  const { occurredAt } = await position()
  assert.ok(Date.parse(occurredAt) >= before && Date.parse(occurredAt) <= Date.now(), occurredAt)
  await until('a later moment', () => Date.now() > Date.parse(occurredAt))
  await report({ lat: 2, lng: 2 })
  assert.equal((await position()).lat, 2)
})

test('a place that cannot be is refused with its field, and nothing is kept', async (t) => {
  const { report, position, server } = await aDriver(t)
  const good = { lat: 1, lng: 1 }
  const cases: [location: object, code: string, field: string][] = [
    [{ lat: 91, lng: 0 }, 'VALIDATION_FAILED', 'locations.1.lat'],
    [{ lat: 0 }, 'VALIDATION_FAILED', 'locations.1.lng'],
    [{ ...good, heading: 361 }, 'VALIDATION_FAILED', 'locations.1.heading'],
    [{ ...good, occurredAt: 'yesterday' }, 'INVALID_TIME', 'locations.1.occurredAt'],
  ]
  for (const [location, code, field] of cases) {
    const { status, body } = await report(good, location)
    assert.deepEqual([status, body.error.code, body.error.field], [400, code, field])
  }
  assert.equal((await report()).body.error.code, 'VALIDATION_FAILED')
  const many = Array.from({ length: 1_001 }, () => good)
  assert.equal((await report(...many)).body.error.code, 'TOO_MANY_ITEMS')
  assert.equal(await position(), null)
  assert.equal((await server.post('/driver/locations', { locations: [good] })).status, 401)
})

test('a driver who leaves takes their position along', async (t) => {
  const { server, driver, report } = await aDriver(t)
  await report({ lat: 1, lng: 1 })
  await server.delete(`/drivers/${driver.id}`)
  const rows = await server.database.everyone.many(sql`
    select from driver_positions where organisation_id = ${server.organisationId}`)
  assert.equal(rows.length, 0)
})

test('reporting all day touches no index', async (t) => {
  const { server, report } = await aDriver(t)
  for (let lat = 1; lat <= 20; lat += 1) await report({ lat, lng: 1, occurredAt: minutesAgo(100 - lat) })
  const count = async () => {
    const { updates, hot } = await server.database.everyone.get<{ updates: number; hot: number }>(sql`
      select n_tup_upd as updates, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'driver_positions'`)
    return { updates: Number(updates), hot: Number(hot) }
  }
  // Counted by every connection for itself, and told once a second.
  const { updates, hot } = await until('the updates to be counted', async () => {
    const counted = await count()
    return counted.updates >= 19 && counted
  })
  assert.equal(hot, updates)
})

test('a plan begins where the driver is, unless that is old or they have finished something since', async (t) => {
  const at = (km: number) => ({ address: { address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 } })
  const server = await startServer(t)
  const { id: hubId } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body.hub
  const team = await makeTeam(server, { hubId })
  const driver = await makeDriver(server, { teams: [team.id] })
  const key = await signIn(server, driver)
  const drive = (path: string, body: object = {}) =>
    request(server.url, 'POST', `/api/v1/driver/${path}`, { key, body })
  for (const [awb, km] of Object.entries({ NEAR: 1, MIDDLE: 5, FAR: 9 }))
    await server.post('/tasks', { awb, userId: driver.id, ...at(km) })
  const firstOf = async () => {
    const { route } = (await server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, { dryRun: true })).body
    return route.stops[0].awb
  }
  const beAt = (km: number, minutes: number) =>
    drive('locations', { locations: [{ ...at(km).address, occurredAt: minutesAgo(minutes) }] })

  assert.equal(await firstOf(), 'NEAR')
  await beAt(10, 40)
  assert.equal(await firstOf(), 'NEAR')
  await beAt(10, 20)
  assert.equal(await firstOf(), 'FAR')

  const { task } = (await server.post('/tasks', { awb: 'DONE', userId: driver.id, ...at(0) })).body
  await drive(`tasks/${task.id}/start`)
  await drive(`tasks/${task.id}/complete`)
  assert.equal(await firstOf(), 'NEAR')
  await beAt(10, 0)
  assert.equal(await firstOf(), 'FAR')
})
