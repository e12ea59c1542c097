import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, beginDuty, makeDriver, makeTeam, signIn, zoneOfNoon } from '../test/factories.ts'
import { readPdf } from '../test/pdf.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

async function sheetOf(server: Pick<TestServer, 'url' | 'key'>, driverId: number, query = '') {
  const reply = await request(server.url, 'GET', `/api/v1/manifests/${driverId}${query}`, { key: server.key })
  assert.equal(reply.status, 200, reply.text.slice(0, 300))
  return { headers: reply.headers, pages: readPdf(reply.bytes).map(({ text }) => text) }
}

const door = (km: number) => ({ address: `Strada Șoimului ${km}`, lat: 44.4323, lng: 26 + km / 79.5 })

test('a run sheet has the stops of the day in order, what to collect, and lines to sign on', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'off' })
  await server.put('/company', { name: 'Curierul Șoim', timezone: zoneOfNoon() })
  const hub = (await server.post('/hubs', { name: 'Depozit Nord', address: 'Calea Griviței 100', lat: 44.4, lng: 26 }))
    .body.hub
  const team = await makeTeam(server, { hubId: hub.id })
  const driver = await makeDriver(server, { name: 'Ionuț Țurcanu', teams: [team.id], driverTransportationId: 5 })
  const add = (awb: string, km: number, given: object) =>
    server.post('/tasks', aTask({ awb, userId: driver.id, address: door(km), ...given }))
  const customer = { name: 'Măriuca Ștefan', phone: '0722000111' }
  await add('DONE', 1, { totalPrice: 10, customer })
  await add('FIRST', 2, { totalPrice: 50, quantity: 2, customer })
  await add('SAME-DOOR', 2, { totalPrice: 30, paymentTypeId: 2, quantity: 1 })
  await add('LAST', 6, {})
  const other = await makeDriver(server)
  await server.post('/tasks', aTask({ awb: 'OF-ANOTHER', userId: other.id }))
  await server.put('/tasks/awb/DONE/forceComplete', {})

  const { pages, headers } = await sheetOf(server, driver.id)
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="manifest-\d+-\d{4}-\d\d-\d\d.pdf"$/)
  assert.equal(pages.length, 1)
  const text = pages[0] ?? ''
  assert.match(text, /^Curierul Șoim\nBorderou de livrare\n/)
  for (const words of [
    'Ionuț Țurcanu',
    'Dubă',
    'Depozit Nord, Calea Griviței 100',
    'Strada Șoimului 2',
    'Măriuca Ștefan',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)
  const order = [...text.matchAll(/^(DONE|FIRST|SAME-DOOR|LAST|OF-ANOTHER)$/gm)].map(([awb]) => awb)
  assert.deepEqual(order, ['DONE', 'FIRST', 'SAME-DOOR', 'LAST'])
  assert.match(text, /2\n2\n[\s\S]*FIRST/, 'the second stop is loaded second, before it the last')
  assert.match(text, /″\n[\s\S]*SAME-DOOR/, 'what is at the same door is one stop')
  assert.match(text, /Finalizată \d\d:\d\d/)
  assert.match(text, /Opriri\n3\nComenzi\n4/)
  assert.match(
    text,
    /De încasat în numerar\n50[^\d][\s\S]*De încasat cu cardul\n30[^\d][\s\S]*Total de încasat\n80[^\d]/,
  )
  assert.match(text, /Preluat de șofer \(semnătură\)/)
  assert.match(text, /Pagina 1 din 1/)

  const english = (await sheetOf(server, driver.id, '?language=en')).pages[0]
  assert.match(english ?? '', /Delivery run sheet[\s\S]*Van/)
})

test('a long day takes several pages, each with its columns and its number', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'off' })
  const driver = await makeDriver(server)
  const tasks = Array.from({ length: 60 }, (_, at) =>
    aTask({
      awb: `${'A'.repeat(58)}-${at}`,
      userId: driver.id,
      address: { ...door(at), address: 'Ș'.repeat(500), addressSecondLine: 'W '.repeat(250).trim() },
      customer: { name: 'W'.repeat(120), phone: '0722000111' },
      totalPrice: 2_147_483_647,
    }),
  )
  assert.equal((await server.post('/tasks/bulkCreate', { tasks })).status, 200)
  const { pages } = await sheetOf(server, driver.id)
  assert.ok(pages.length > 3 && pages.length < 61, `${pages.length} pages`)
  pages.forEach((text, at) => {
    assert.ok(text.includes(`Pagina ${at + 1} din ${pages.length}`))
  })
  assert.match(pages[1] ?? '', /^Oprire\nÎnc\.\n/)
  assert.match(pages.at(-1) ?? '', /Preluat de șofer/)
})

test('tomorrow is what is meant for it, yesterday what was done, and a day without tasks says so', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'off' })
  const zone = zoneOfNoon()
  await server.put('/company', { timezone: zone })
  const driver = await makeDriver(server)
  const day = Temporal.Now.plainDateISO(zone).add({ days: 2 })
  await server.post('/tasks', aTask({ awb: 'TODAY', userId: driver.id }))
  await server.post(
    '/tasks',
    aTask({ awb: 'THEN', userId: driver.id, completeAfter: `${day} 09:00`, completeBefore: `${day} 11:30` }),
  )
  const [today, then, before] = await Promise.all(
    ['', `?day=${day}`, '?day=2020-01-01'].map(
      async (query) => (await sheetOf(server, driver.id, query)).pages[0] ?? '',
    ),
  )
  assert.ok(today?.includes('TODAY') && !today.includes('THEN'))
  assert.ok(then?.includes('THEN') && !then.includes('TODAY'))
  assert.match(then ?? '', /09:00\s*[–-]\s*11:30/)
  assert.match(before ?? '', /Nicio comandă în această zi/)
  assert.match(before ?? '', /1 ianuarie 2020/)
})

test('a run sheet is for those who may see the tasks, of a driver of theirs, and for a real day', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  await beginDuty(server.url, token)
  const { secret } = (await server.post('/keys', { name: 'Other', scopes: ['tasks:write'] })).body.key
  const code = async (key: string, query = '') =>
    (await request(server.url, 'GET', `/api/v1/manifests/${driver.id}${query}`, { key })).body.error.code
  assert.equal(await code((await server.another()).key), 'DRIVER_NOT_FOUND')
  assert.equal(await code(secret), 'FORBIDDEN')
  assert.equal(await code(token), 'UNAUTHORIZED')
  assert.equal(await code(server.key, '?day=soon'), 'INVALID_TIME')
})
