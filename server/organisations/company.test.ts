import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '../../core/settings.ts'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver } from '../test/factories.ts'
import { startSecond } from '../test/second.ts'
import { request, startServer } from '../test/server.ts'
import { until } from '../test/until.ts'

test('a new organisation has the default of every setting', async (t) => {
  const server = await startServer(t)
  const { company } = (await server.get('/company')).body

  const { createdAt, updatedAt, settings: shown, ...fields } = company
  assert.deepEqual(fields, {
    id: server.organisationId,
    name: 'Test',
    logo: '',
    email: '',
    phone: null,
    timezone: 'Europe/Bucharest',
    currency: 'RON',
    country: { id: 'RO', name: 'Romania' },
    moneyDecimals: 0,
    shiftTimes: [],
    firstSteps: 'done',
    publicUrl: null,
  })
  assert.equal(createdAt, updatedAt)
  const defaults = Object.entries(settings).map(([name, setting]) => [name, setting.default])
  assert.deepEqual(shown, Object.fromEntries(defaults))
})

test('a change keeps fields and settings that are not given', async (t) => {
  const server = await startServer(t)
  await server.put('/company', { name: 'Curier Rapid', phone: '021 123', settings: { enableAWB: false } })
  const changed = await server.put('/company', { email: 'a@b.ro', settings: { locationTrackingTime: 30 } })
  const { company } = (await server.get('/company')).body

  assert.deepEqual(changed.body.company, company)
  assert.deepEqual([company.name, company.phone, company.email], ['Curier Rapid', '021 123', 'a@b.ro'])
  assert.equal(company.settings.enableAWB, false)
  assert.equal(company.settings.locationTrackingTime, 30)
  assert.equal(company.settings.enableRouteOptimization, true)
  assert.ok(company.updatedAt > company.createdAt)
})

test('a response can be sent back unchanged', async (t) => {
  const server = await startServer(t)
  const { company } = (await server.get('/company')).body
  const { updatedAt: _, ...same } = (await server.put('/company', company)).body.company

  assert.deepEqual({ ...same, updatedAt: company.updatedAt }, company)
})

test('a change without fields changes nothing', async (t) => {
  const server = await startServer(t)
  const { company } = (await server.get('/company')).body

  assert.deepEqual((await server.put('/company')).body.company, company)
  assert.deepEqual((await server.put('/company', { unknown: 1, name: null, country: null })).body.company, company)
})

test('null is stored where a field can be null, and counts as not given elsewhere', async (t) => {
  const server = await startServer(t)
  const texts = { callCenterPhoneNumber: '112', smsSenderId: 'WAYBILL', customizeColumnDefines: [{ key: 'awb' }] }
  await server.put('/company', { phone: '1', settings: { ...texts, enableAWB: false, accentColor: '#102030' } })
  const nothing = Object.fromEntries(Object.keys(settings).map((name) => [name, null]))
  const { company } = (await server.put('/company', { phone: null, settings: nothing })).body

  assert.equal(company.phone, null)
  for (const name of Object.keys(texts)) assert.equal(company.settings[name], null, name)
  assert.deepEqual([company.settings.enableAWB, company.settings.accentColor], [false, '#102030'])
})

test('to choose what is set already, or by default, is no change of the rules', async (t) => {
  const server = await startServer(t)
  const changedAt = async () =>
    (
      await server.database.everyone.get<{ settings_changed_at: Date | null }>(sql`
        select settings_changed_at from organisations where id = ${server.organisationId}`)
    ).settings_changed_at
  await server.put('/company', { settings: { allowDriverToTakeNotesOnSite: true, makeSignaturesMandatory: false } })
  assert.equal(await changedAt(), null)
  await server.put('/company', { settings: { makeSignaturesMandatory: true } })
  const first = await changedAt()
  assert.ok(first)
  await server.put('/company', { name: 'Another name', settings: { makeSignaturesMandatory: true } })
  assert.deepEqual(await changedAt(), first)
})

test('numbers and booleans may come as text, codes in lower case, the country as shown', async (t) => {
  const server = await startServer(t)
  const given = { enableAWB: 'false', hoursToSaveCustomerDataAfterDone: '48' }
  const first = await server.put('/company', { country: 'de', currency: 'eur', settings: given })
  const second = await server.put('/company', { country: { id: 'FR', name: 'anything' }, timezone: 'Europe/Paris' })

  assert.deepEqual(first.body.company.country, { id: 'DE', name: 'Germany' })
  assert.equal(first.body.company.currency, 'EUR')
  assert.equal(first.body.company.settings.enableAWB, false)
  assert.equal(first.body.company.settings.hoursToSaveCustomerDataAfterDone, 48)
  assert.deepEqual(second.body.company.country, { id: 'FR', name: 'France' })
  assert.equal(second.body.company.timezone, 'Europe/Paris')
})

test('an invalid value is refused with the name of its field, and nothing is stored', async (t) => {
  const server = await startServer(t)
  const before = (await server.get('/company')).body
  const cases: [body: object, field: string, says: RegExp][] = [
    [{ name: '' }, 'name', /not only spaces/],
    [{ name: 'x'.repeat(121) }, 'name', /1 to 120/],
    [{ email: 'nobody' }, 'email', /email address/],
    [{ country: 'Romania' }, 'country', /two-letter country code such as RO$/],
    [{ country: { id: 'XX' } }, 'country', /two-letter country code/],
    [{ country: 40 }, 'country', /must be/],
    [{ timezone: 'Mars/Olympus' }, 'timezone', /a time zone such as Europe\/Bucharest$/],
    [{ timezone: '+02:00' }, 'timezone', /a time zone/],
    [{ currency: 'LEI' }, 'currency', /three-letter currency code such as RON$/],
    [{ settings: [] }, 'settings', /must be an object/],
    [{ settings: { enableAWB: 'maybe' } }, 'settings.enableAWB', /true or false/],
    [{ settings: { accentColor: 'blue' } }, 'settings.accentColor', /a colour such as #0b5fff$/],
    [{ settings: { preferredUnitType: 'parsecs' } }, 'settings.preferredUnitType', /one of metric, imperial$/],
    [{ settings: { locationTrackingTime: -1 } }, 'settings.locationTrackingTime', /at least 0$/],
    [{ settings: { locationTrackingTime: 1.5 } }, 'settings.locationTrackingTime', /a whole number$/],
    [{ settings: { locationTrackingDistance1: 1e9 } }, 'settings.locationTrackingDistance1', /at most 100000$/],
    [{ settings: { smsSenderId: 'x'.repeat(501) } }, 'settings.smsSenderId', /at most 500 characters/],
    [
      { settings: { customizeColumnDefines: ['x'.repeat(10_000)] } },
      'settings.customizeColumnDefines',
      /at most 10000/,
    ],
    [{ name: 'Other', settings: { smsSenderId: 'a\u0000b' } }, 'settings.smsSenderId', /not text/],
  ]
  for (const [body, field, says] of cases) {
    const { status, body: answer } = await server.put('/company', body)
    assert.deepEqual([status, answer.error.code, answer.error.field], [400, 'VALIDATION_FAILED', field])
    assert.match(answer.error.message, says)
  }
  const several = await server.put('/company', { country: 'X', currency: 'Y' })
  assert.deepEqual(
    several.body.error.details.map(({ field }: { field: string }) => field),
    ['country', 'currency'],
  )
  assert.deepEqual((await server.get('/company')).body, before)
})

test('opening hours are kept by day of the week, shown to drivers, and replaced as a whole', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const given = [
    { day: 6, start: '9:00', end: '13:00' },
    { day: 1, start: '8:00', end: '24:00' },
  ]
  const kept = [
    { day: 1, start: '08:00', end: '00:00' },
    { day: 6, start: '09:00', end: '13:00' },
  ]
  assert.deepEqual((await server.get('/company')).body.company.shiftTimes, [])
  assert.deepEqual((await server.put('/company', { shiftTimes: given })).body.company.shiftTimes, kept)
  assert.deepEqual((await server.put('/company', { phone: '1' })).body.company.shiftTimes, kept)
  const { user } = (await server.put(`/drivers/${driver.id}`, { name: 'Ana' })).body
  assert.deepEqual([user.shiftTimes, user.company.shiftTimes], [[], kept])
  for (const [shiftTimes, field] of [
    [[{ day: 1, start: '8:00', end: 'noon' }], 'shiftTimes.0.end'],
    [[...given, { day: 6, start: '1:00', end: '2:00' }], 'shiftTimes.2.day'],
  ] as const)
    assert.equal((await server.put('/company', { shiftTimes })).body.error.field, field)
  assert.deepEqual((await server.put('/company', { shiftTimes: [] })).body.company.shiftTimes, [])
})

test('two changes at the same time are both kept', async (t) => {
  const server = await startServer(t)
  const names = Object.entries(settings).flatMap(([name, { type }]) => (type === 'boolean' ? [name] : []))
  await Promise.all(names.map((name) => server.put('/company', { settings: { [name]: false } })))
  const { company } = (await server.get('/company')).body

  assert.deepEqual(
    names.filter((name) => company.settings[name]),
    [],
  )
})

test('a change is seen by the next request here, and by other processes within a second', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server)
  const nameIn = async (url: string) =>
    (await request(url, 'GET', '/api/v1/company', { key: server.key })).body.company.name
  await nameIn(second.url)

  const headers = { 'idempotency-key': 'rename' }
  await request(server.url, 'PUT', '/api/v1/company', { key: server.key, body: { name: 'New' }, headers })
  assert.equal(await nameIn(server.url), 'New')
  await until('the other process to know it', async () => (await nameIn(second.url)) === 'New')
})

test('a key that may only read cannot write', async (t) => {
  const server = await startServer(t)
  const { key } = (await server.post('/keys', { name: 'Reader', scopes: ['company:read'] })).body
  const ask = (method: string) => request(server.url, method, '/api/v1/company', { key: key.secret })

  assert.equal((await ask('GET')).status, 200)
  assert.deepEqual((await ask('PUT')).body.error.code, 'FORBIDDEN')
})

test('the key of another service can be stored and is never shown', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server, 'debug')
  const canary = 'AIza-canary-7f3e'
  const ask = (method: string, path: string, body?: object) =>
    request(second.url, method, `/api/v1${path}`, { key: server.key, body })

  const seen = [
    await ask('PUT', '/company', { settings: { googleApiKey: canary } }),
    await ask('PUT', '/company', { settings: { googleApiKey: canary, accentColor: 'blue' } }),
    await ask('PUT', '/company', { settings: { googleApiKey: canary.repeat(100) } }),
    await ask('PUT', '/company', { settings: { googleApiKey: { text: canary } } }),
    await ask('GET', '/company'),
    await ask('POST', '/tasks', aTask()),
  ]
  assert.deepEqual(
    seen.map(({ status }) => status),
    [200, 400, 400, 400, 200, 200],
  )
  assert.equal(seen[4]?.body.company.settings.googleApiKey, '')
  assert.ok(!JSON.stringify(seen.map(({ body }) => body)).includes('canary'))

  const db = server.database.everyone
  const stored = await db.get<{ value: string }>(
    sql`select settings->>'googleApiKey' as value from organisations where id = ${server.organisationId}`,
  )
  assert.equal(stored.value, canary)
  const told = await db.many(sql`
    select from events e join events s on s.organisation_id = e.organisation_id and s.id = e.snapshot_id
    where (e::text || s::text) like '%canary%'`)
  assert.deepEqual(told, [])
  await second.stop()
  assert.ok(!second.logged().includes('canary'))
})

test('the first steps follow from what there is, and whether they are shown is remembered', async (t) => {
  const server = await startServer(t)
  const steps = async () => (await server.get('/company/firstSteps')).body.firstSteps
  const taken = async () => Object.entries(await steps()).flatMap(([step, isTaken]) => (isTaken ? step : []))
  assert.deepEqual(Object.keys(await steps()), ['hub', 'team', 'driver', 'invited', 'task', 'assigned', 'delivered'])
  assert.deepEqual(await taken(), [])

  await server.post('/hubs', { name: 'Hub', lat: 44.4, lng: 26.1 })
  assert.deepEqual(await taken(), ['hub'])
  const driver = await makeDriver(server)
  assert.deepEqual(await taken(), ['hub', 'team', 'driver'])
  await server.post(`/drivers/${driver.id}/invite`)
  await server.post('/tasks', { awb: 'A-1', address: { city: 'Cluj-Napoca' } })
  assert.deepEqual(await taken(), ['hub', 'team', 'driver', 'invited', 'task'])
  await server.put(`/containers/drivers/${driver.id}`, { tasks: ['A-1'] })
  await server.put('/tasks/awb/A-1/forceComplete', {})
  assert.equal((await taken()).length, 7)

  assert.equal((await server.get('/company')).body.company.firstSteps, 'done', 'made by hand, so nobody is asked')
  assert.equal((await server.put('/company', { firstSteps: 'open' })).body.company.firstSteps, 'open')
  assert.equal((await server.put('/company', { name: 'Curier' })).body.company.firstSteps, 'open')
  assert.equal((await server.put('/company', { firstSteps: 'later' })).body.error.field, 'firstSteps')
})

test('the company says by which address others reach the server, if the operator set one', async (t) => {
  const server = await startServer(t)
  assert.equal((await server.get('/company')).body.company.publicUrl, null)
  const known = await startServer(t, { WAYBILL_PUBLIC_URL: 'https://waybill.example.org' })
  assert.equal((await known.get('/company')).body.company.publicUrl, 'https://waybill.example.org')
})
