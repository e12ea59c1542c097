import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { beginDuty, makeDriver, makeTeam, signIn } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'
import { until } from '../test/until.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function aDriver(t: TestContext, given: object = {}) {
  const server = await startServer(t)
  const driver = await makeDriver(server, given)
  const token = await signIn(server, driver)
  await beginDuty(server.url, token)
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
  assert.deepEqual([status, body], [200, { success: true, kept: 1, leftOut: [] }])
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

test('a clock that goes a little fast does not hide what follows', async (t) => {
  const { report, position } = await aDriver(t)
  await report({ lat: 1, lng: 1, occurredAt: new Date(Date.now() + 20_000).toISOString() })
  const { occurredAt } = await position()
  // The server reads the clock of the database, which may differ a little from ours on a busy machine.
  const nearlyNow = Date.now() + 5_000
  assert.ok(Date.parse(occurredAt) < nearlyNow, occurredAt)
  await until('a later position to count', async () => {
    await report({ lat: 2, lng: 2 })
    return (await position()).lat === 2
  })
  assert.ok(Date.parse((await position()).occurredAt) < nearlyNow, 'it counted before the wrong time had come')
})

test('a bad position is left out in words, and the others are kept', async (t) => {
  const { report, position } = await aDriver(t)
  const good = { lat: 1, lng: 1 }
  const cases: [location: unknown, code: string, field?: string][] = [
    [{ lat: 91, lng: 0 }, 'VALIDATION_FAILED', 'lat'],
    [{ lat: 'NaN', lng: 0 }, 'VALIDATION_FAILED', 'lat'],
    [{ lat: null, lng: 0 }, 'VALIDATION_FAILED', 'lat'],
    [{ lat: 0 }, 'VALIDATION_FAILED', 'lng'],
    ['here', 'VALIDATION_FAILED'],
    [{ ...good, heading: 361 }, 'VALIDATION_FAILED', 'heading'],
    [{ ...good, occurredAt: 'yesterday' }, 'INVALID_TIME', 'occurredAt'],
    [{ ...good, occurredAt: '1970-01-01T00:00:00Z' }, 'LOCATION_TOO_OLD', 'occurredAt'],
    [{ ...good, occurredAt: minutesAgo(31 * 24 * 60) }, 'LOCATION_TOO_OLD', 'occurredAt'],
    [{ ...good, occurredAt: minutesAgo(-10) }, 'LOCATION_IN_FUTURE', 'occurredAt'],
    [{ ...good, occurredAt: minutesAgo(11 * 60) }, 'OFF_DUTY'],
  ]
  const { status, body } = await report(...(cases.map(([location]) => location) as object[]), { lat: 7, lng: 7 })
  assert.deepEqual([status, body.kept], [200, 1])
  assert.deepEqual(
    body.leftOut.map(({ item, code, field }: Record<string, unknown>) => [item, code, field]),
    cases.map(([, code, field], index) => [index + 1, code, field]),
  )
  assert.ok(body.leftOut.every(({ message }: { message: string }) => message.length > 10))
  assert.equal((await position()).lat, 7)
})

test('numbers closer to zero than any device can measure count as zero', async (t) => {
  const { report, position } = await aDriver(t)
  const tiny = { lat: 1e-300, lng: 1e-300, heading: 1e-300, accuracyMetres: 1e-300, speedMetresPerSecond: 1e-300 }
  assert.deepEqual((await report(tiny)).body, { success: true, kept: 1, leftOut: [] })
  assert.equal((await position()).heading, 0)
})

test('too many positions, or none that can be read, are refused, and so is everyone but a driver', async (t) => {
  const { server, token, report, position } = await aDriver(t)
  const good = { lat: 1, lng: 1 }
  for (const count of [1_001, 10_000])
    assert.equal((await report(...Array.from({ length: count }, () => good))).body.error.code, 'TOO_MANY_ITEMS')
  const send = (key: string, body: object) => request(server.url, 'POST', '/api/v1/driver/locations', { key, body })
  assert.equal((await send(token, {})).body.error.code, 'VALIDATION_FAILED')
  assert.equal((await send(token, { locations: [good], deviceTime: 'noon' })).body.error.field, 'deviceTime')
  assert.equal((await send(server.key, { locations: [good] })).status, 401)
  assert.equal(await position(), null)
})

test('off duty, or signed out, a driver is not followed', async (t) => {
  const { server, driver, token, report, position } = await aDriver(t)
  const { devices } = (await server.get(`/drivers/${driver.id}/devices`)).body
  await report({ lat: 1, lng: 1, occurredAt: minutesAgo(30) })
  const duty = { inShift: false, occurredAt: minutesAgo(10) }
  await request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: duty })
  const { body } = await report({ lat: 2, lng: 2, occurredAt: minutesAgo(20) }, { lat: 3, lng: 3 })
  assert.deepEqual([body.kept, body.leftOut[0].item, body.leftOut[0].code], [1, 2, 'OFF_DUTY'])
  assert.equal((await position()).lat, 2, 'what the phone sends late was still on duty')
  await server.delete(`/drivers/${driver.id}/devices/${devices[0].id}`)
  assert.equal((await report({ lat: 4, lng: 4 })).status, 401)
})

test('right after going off duty nothing is kept any more, and what was reported before it was known goes', async (t) => {
  const { server, driver, token, report, position } = await aDriver(t)
  const now = Date.now()
  const secondsAgo = (seconds: number) => new Date(now - seconds * 1000).toISOString()
  const goOffDuty = (occurredAt: string) =>
    request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift: false, occurredAt } })
  const kept = async (): Promise<number[]> => {
    const { body } = await server.get(`/drivers/${driver.id}/locations?from=${secondsAgo(10 * 3600)}`)
    return body.locations.map(({ lat }: { lat: number }) => lat)
  }
  await report({ lat: 1, lng: 1, occurredAt: secondsAgo(60) })
  await goOffDuty(secondsAgo(20))
  const { body } = await report({ lat: 1.1, lng: 1, occurredAt: secondsAgo(19) }, { lat: 1.2, lng: 1 })
  assert.deepEqual([body.kept, body.leftOut.length], [0, 2])
  assert.equal((await position()).lat, 1)

  await beginDuty(server.url, token)
  await report({ lat: 1.001, lng: 1, occurredAt: secondsAgo(15) }, { lat: 1.002, lng: 1, occurredAt: secondsAgo(5) })
  assert.equal((await position()).lat, 1.002)
  await goOffDuty(secondsAgo(10))
  assert.deepEqual([(await position()).lat, await kept()], [1.001, [1, 1.001]], 'the phone said it late')

  await beginDuty(server.url, token)
  await goOffDuty(minutesAgo(9 * 60))
  assert.deepEqual([await position(), await kept()], [null, []])
})

test('a duty that the office ended later than the driver did has ended when the driver did', async (t) => {
  const { server, driver, token, report, position } = await aDriver(t)
  const goOffDuty = (occurredAt: string) =>
    request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift: false, occurredAt } })
  await report({ lat: 1.1, lng: 1, occurredAt: minutesAgo(130) }, { lat: 1.2, lng: 1, occurredAt: minutesAgo(60) })
  await server.put(`/drivers/${driver.id}/duty`, { inShift: false })
  await goOffDuty(minutesAgo(120))
  const { locations } = (await server.get(`/drivers/${driver.id}/locations?from=${minutesAgo(600)}`)).body
  assert.deepEqual(
    locations.map(({ lat }: { lat: number }) => lat),
    [1.1],
  )
  assert.equal((await position()).lat, 1.1)
  const { body } = await report({ lat: 1.3, lng: 1, occurredAt: minutesAgo(30) })
  assert.deepEqual([body.kept, body.leftOut[0].code], [0, 'OFF_DUTY'])

  await goOffDuty(minutesAgo(60))
  await goOffDuty(minutesAgo(13 * 60))
  assert.equal((await report({ lat: 1.4, lng: 1, occurredAt: minutesAgo(125) })).body.kept, 1, 'the first word counts')
})

test('the end of an earlier duty, told late, does not end the one that the office has begun', async (t) => {
  const { server, driver, token, report } = await aDriver(t)
  const tell = (inShift: boolean, occurredAt: string) =>
    request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift, occurredAt } })
  await tell(false, minutesAgo(0))
  await server.put(`/drivers/${driver.id}/duty`, { inShift: true })
  assert.equal((await tell(false, minutesAgo(15 * 60))).body.user.inShift, true)
  assert.equal((await report({ lat: 1, lng: 1 })).body.kept, 1)
  assert.equal((await tell(false, minutesAgo(0))).body.user.inShift, false)
})

test('a phone with a wrong clock is corrected if it says what its clock shows', async (t) => {
  const { server, token, position } = await aDriver(t)
  const fast = (minutes: number) => minutesAgo(minutes - 120)
  const body = { deviceTime: fast(0), locations: [{ lat: 1, lng: 1, occurredAt: fast(3) }] }
  assert.equal((await request(server.url, 'POST', '/api/v1/driver/locations', { key: token, body })).body.kept, 1)
  assert.ok(Math.abs(Date.parse((await position()).occurredAt) - Date.parse(minutesAgo(3))) < 10_000)
})

test('the office sees where a driver drove and how far, and a batch sent twice changes nothing', async (t) => {
  const { server, driver, report } = await aDriver(t)
  const metre = 1 / 111_195
  const drive = Array.from({ length: 300 }, (_, index) => ({
    lat: 44 + (index < 200 ? index * 10 : 2_000) * metre,
    lng: 26 + (index < 200 ? 0 : (index - 200) * 10 * metre),
    occurredAt: new Date(Date.now() - (400 - index) * 1_000).toISOString(),
    accuracyMetres: 5,
    battery: 80,
  }))
  for (const part of [drive.slice(150), drive.slice(0, 200), drive]) await report(...part)
  const track = async (query = `?from=${minutesAgo(60)}`) => server.get(`/drivers/${driver.id}/locations${query}`)
  const { metres, locations } = (await track()).body
  assert.ok(metres > 2_600 && metres < 2_760, `${metres}`)
  assert.ok(locations.length >= 3 && locations.length < 10, `${locations.length} points`)
  assert.equal(locations[0].lat, 44)
  assert.equal((await track(`?from=${minutesAgo(60)}&to=${minutesAgo(50)}`)).body.metres, 0)
  assert.equal((await track('?from=noon')).body.error.code, 'INVALID_TIME')
  assert.equal((await track(`?from=${minutesAgo(50 * 60)}&to=${minutesAgo(0)}`)).body.error.field, 'to')
  assert.equal((await server.get('/drivers/999999/locations')).body.error.code, 'DRIVER_NOT_FOUND')
  assert.equal((await server.get(`/drivers/${driver.id}/devices`)).body.devices[0].battery, 80)
})

test('a driver who leaves takes their position along', async (t) => {
  const { server, driver, report } = await aDriver(t)
  await report({ lat: 1, lng: 1 })
  await server.delete(`/drivers/${driver.id}`)
  const rows = await server.database.everyone.many(sql`
    select organisation_id from driver_positions where organisation_id = ${server.organisationId}
    union all
    select organisation_id from locations where organisation_id = ${server.organisationId}`)
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
  await beginDuty(server.url, key)
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
