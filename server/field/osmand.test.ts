import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from '../db/sql.ts'
import { sendRefusal } from '../http/errors.ts'
import { createLog } from '../log.ts'
import { beginDuty, letSignInPass, makeDriver } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'

const recorded = (name: string) => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8').trim()
const at = new Date(Date.now() - 60_000)
at.setMilliseconds(0)
const filled = (text: string) =>
  text.replaceAll('{seconds}', String(at.getTime() / 1_000)).replaceAll('{iso}', at.toISOString())

/** A driver on duty whose phone has Traccar Client. */
async function aTracker(t: TestContext) {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const { code } = (await server.post(`/drivers/${driver.id}/invite`)).body
  const { token, osmandUrl } = (await server.post('/driver/login', { phone: driver.phone, code })).body
  await letSignInPass(server, driver)
  await beginDuty(server.url, token)
  const path = new URL(osmandUrl).pathname
  const ask = (method: string, query = '', body?: unknown) =>
    request(server.url, method, `${path}${query}`, body === undefined ? {} : { body })
  const kept = () =>
    server.database.everyone.many<Record<string, unknown>>(sql`
      select occurred_at, lat, lng, round(speed_metres_per_second::numeric, 2)::float8 as speed, heading,
        accuracy_metres::numeric::float8 as accuracy, battery
      from locations where organisation_id = ${server.organisationId} order by occurred_at`)
  return { server, driver, token, osmandUrl, ask, kept }
}

const seen = { occurred_at: at, lat: 44.4323012, lng: 26.1004, speed: 8, heading: 63, accuracy: 3.9, battery: 79 }

test('Traccar Client before version 9 reports in the address', async (t) => {
  const { ask, kept, server, driver } = await aTracker(t)
  const query = `/?${filled(recorded('traccar-client-8.txt'))}`
  assert.deepEqual((await ask('POST', query)).body, { success: true, kept: 1, leftOut: [] })
  assert.deepEqual(await kept(), [seen])
  assert.equal((await ask('GET', query)).body.kept, 1)
  assert.equal((await kept()).length, 1, 'sent twice, kept once')
  assert.equal((await server.get('/drivers')).body.users[0].position.lat, 44.4323012)
  assert.equal((await server.get(`/drivers/${driver.id}/devices`)).body.devices[0].battery, 79)
})

test('Traccar Client since version 9 reports in a body', async (t) => {
  const { ask, kept } = await aTracker(t)
  const body = JSON.parse(filled(recorded('traccar-client-9.json')))
  assert.deepEqual((await ask('POST', '', body)).body, { success: true, kept: 1, leftOut: [] })
  assert.deepEqual(await kept(), [seen])
})

test('what a phone does not know is left empty, and times come in several forms', async (t) => {
  const { ask, kept } = await aTracker(t)
  const coords = { latitude: 1, longitude: 2, accuracy: -1, speed: -1, heading: -1 }
  const location = { timestamp: at.toISOString(), coords, battery: { level: -1 } }
  assert.equal((await ask('POST', '', { location })).body.kept, 1)
  const unknown = { speed: null, heading: null, accuracy: null, battery: null }
  assert.deepEqual(await kept(), [{ occurred_at: at, lat: 1, lng: 2, ...unknown }])
  for (const timestamp of [at.getTime() + 1_000, new Date(at.getTime() + 2_000).toISOString()])
    assert.equal((await ask('GET', `?id=1&location=3,4&timestamp=${timestamp}&speed=NaN`)).body.kept, 1)
  assert.deepEqual(
    (await kept()).map(({ occurred_at }) => (occurred_at as Date).getTime() - at.getTime()),
    [0, 1_000, 2_000],
  )
})

test('a position nobody can use is left out with 200, or the app would send it for ever', async (t) => {
  const { ask, kept } = await aTracker(t)
  const cases: [query: string, body: unknown, code: string][] = [
    ['?id=1', undefined, 'VALIDATION_FAILED'],
    ['?lat=NaN&lon=2', undefined, 'VALIDATION_FAILED'],
    ['?lat=91&lon=2', undefined, 'VALIDATION_FAILED'],
    ['?lat=1&lon=2&timestamp=0', undefined, 'LOCATION_TOO_OLD'],
    ['?lat=1&lon=2&timestamp=4102444800', undefined, 'LOCATION_IN_FUTURE'],
    ['?lat=1&lon=2&timestamp=noon', undefined, 'INVALID_TIME'],
    ['', { location: 'here' }, 'VALIDATION_FAILED'],
    ['', { location: { coords: null } }, 'VALIDATION_FAILED'],
    ['', [], 'VALIDATION_FAILED'],
  ]
  for (const [query, body, code] of cases) {
    const reply = await ask('POST', query, body)
    if (Array.isArray(body)) assert.equal(reply.status, 400)
    else assert.deepEqual([reply.status, reply.body.kept, reply.body.leftOut[0].code], [200, 0, code], query)
  }
  assert.deepEqual(await kept(), [])
})

test('off duty the app is answered and nothing is kept; signed out, it is refused', async (t) => {
  const { ask, kept, server, token, osmandUrl } = await aTracker(t)
  await request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift: false } })
  const away = new Date(Date.now() + 29_000).getTime()
  await server.database.everyone.run(sql`
    update users set duty_ended_at = now() - interval '1 hour' where organisation_id = ${server.organisationId}`)
  const { status, body } = await ask('GET', `?lat=1&lon=2&timestamp=${away}`)
  assert.deepEqual([status, body.kept, body.leftOut[0].code], [200, 0, 'OFF_DUTY'])
  assert.deepEqual(await kept(), [])
  await beginDuty(server.url, token)
  assert.equal((await ask('GET', '?lat=1&lon=2')).body.kept, 1)
  await request(server.url, 'DELETE', '/api/v1/driver/session', { key: token })
  assert.equal((await ask('GET', '?lat=1&lon=2')).status, 401)
  assert.equal((await kept()).length, 1)
  const deviceKey = osmandUrl.split('/').at(-1)
  assert.equal(Buffer.from(deviceKey, 'base64url').length, 16)
  assert.equal((await request(server.url, 'GET', '/api/v1/driver/tasks', { key: deviceKey })).status, 401)
  assert.equal((await request(server.url, 'GET', `/osmand/${token}?lat=1&lon=2`, {})).status, 401)
})

test('the key of a device stands in no log and no table', async (t) => {
  const { server, osmandUrl, ask } = await aTracker(t)
  const deviceKey = osmandUrl.split('/').at(-1) as string
  await ask('GET', '?lat=1&lon=2')
  const { found } = await server.database.everyone.get<{ found: number }>(sql`
    select count(*)::int as found from driver_tokens t where t::text like ${`%${deviceKey}%`}`)
  assert.equal(found, 0)

  const lines: string[] = []
  const log = createLog('debug', { write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream)
  const asked = { id: '1', method: 'GET', url: `/osmand/${deviceKey}`, routeOptions: { url: '/osmand/:deviceKey' } }
  const reply = { header: () => reply, code: () => reply, send: () => reply }
  sendRefusal(new Error('Broken'), asked as unknown as FastifyRequest, reply as unknown as FastifyReply, log)
  assert.match(lines.join(), /osmand/)
  assert.ok(!lines.join().includes(deviceKey))
})
