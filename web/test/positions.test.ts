import assert from 'node:assert/strict'
import { sql } from '../../server/db/sql.ts'
import { followDrivers } from '../../server/test/arrivals.ts'
import { beginDuty, makeDriver, signIn, zoneOfNoon } from '../../server/test/factories.ts'
import { request, type TestServer } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { mapOn, seesColour } from './drawn.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** A driver on duty, and a way to report where they were. */
async function driverOnDuty(server: TestServer, given: object) {
  const driver = await makeDriver(server, given)
  const key = await signIn(server, driver)
  await beginDuty(server.url, key)
  const report = (...locations: object[]) =>
    request(server.url, 'POST', '/api/v1/driver/locations', { key, body: { locations } })
  return { ...driver, key, report }
}

/** To the north, four kilometres in half an hour. */
const drive = Array.from({ length: 31 }, (_, minute) => ({
  lat: 44.42 + minute * 0.0012,
  lng: 26.1,
  occurredAt: minutesAgo(40 - minute),
}))

test('the track of a driver’s day is drawn on the map, and says how far they drove', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  await server.put('/company', { timezone: zoneOfNoon() })
  const ana = await driverOnDuty(server, { name: 'Ana Radu' })
  await ana.report(...drive)
  const page = await server.open('/?view=board', { draws: true, viewport: { width: 1280, height: 420 } })

  await page.getByRole('button', { name: 'Actions for Ana Radu' }).click()
  await page.getByRole('button', { name: 'Show track' }).click()
  await page.waitForURL((url) => url.searchParams.get('track') === 'true')
  const card = page.getByRole('region', { name: 'Route of Ana Radu' })
  await card.getByText('4 km driven').waitFor()
  await mapOn(page, 'schematic')
  await seesColour(page, '105,39,218', 200)

  await server.put('/company', { settings: { preferredUnitType: 'imperial' } })
  await card.getByText('2.5 mi driven').waitFor()

  await page.getByRole('button', { name: 'Previous day' }).click()
  await card.getByText('No positions on this day').waitFor()
  await page.route(/\/locations\?/, (route) => route.abort())
  await page.getByRole('button', { name: 'Previous day' }).click()
  await card.getByText('The track could not be loaded').waitFor()
  await page.unrouteAll()
  await card.getByRole('button', { name: 'Try again' }).click()
  await card.getByText('No positions on this day').waitFor()

  await card.getByRole('button', { name: 'Hide track' }).click()
  await card.getByText('No positions on this day').waitFor({ state: 'detached' })
})

test('a dispatcher switches the duty of a driver, on the page of drivers and beside the map', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const ana = await makeDriver(server, { name: 'Ana Radu' })
  const inShift = async () => (await server.get('/drivers')).body.users[0].inShift as boolean
  const page = await server.open('/drivers', { viewport: { width: 390, height: 800 } })

  const duty = page.getByRole('switch', { name: 'On duty: Ana Radu' })
  await duty.focus()
  await page.keyboard.press('Space')
  await page.getByRole('switch', { checked: true }).waitFor()
  assert.equal(await inShift(), true)

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${server.url}/?view=board`)
  await page.getByRole('button', { name: 'Actions for Ana Radu' }).click()
  await page.getByRole('button', { name: 'Switch off duty' }).click()
  await page.getByText('0 on duty').waitFor()
  assert.equal(await inShift(), false)

  // From the phone of the driver, or by another dispatcher.
  await server.put(`/drivers/${ana.id}/duty`, { inShift: true })
  await page.getByText('1 on duty').waitFor()
})

test('a task shows who is nearest and how old that is, and is assigned with one click', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const ana = await driverOnDuty(server, { name: 'Ana Radu', driverTransportationId: 4 })
  const dan = await driverOnDuty(server, { name: 'Dan Stan', driverTransportationId: 4 })
  await makeDriver(server, { name: 'Off Duty' })
  await driverOnDuty(server, { name: 'Not Seen' })
  await ana.report({ lat: 44.48, lng: 26.1, occurredAt: minutesAgo(0) })
  await dan.report({ lat: 44.44, lng: 26.1, occurredAt: minutesAgo(7.5) })
  const address = { address: 'Strada Lipscani 12', lat: 44.43, lng: 26.1 }
  const { task } = (await server.post('/tasks', { awb: 'NEAR-1', address })).body
  const page = await server.open(`/?view=table&task=${task.id}`, { viewport: { width: 1280, height: 800 } })

  const nearest = page.getByRole('list', { name: 'Nearest drivers' })
  const names = async () => (await nearest.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0])
  await nearest.getByText('position 7 min ago').waitFor()
  assert.deepEqual(await names(), ['Dan Stan', 'Ana Radu'])
  await page.getByText('1 driver on duty has no position.').waitFor()
  await assertAccessible(page, 'the nearest drivers')

  await ana.report({ lat: 44.431, lng: 26.1 })
  await until('the list to follow the drivers', async () => (await names())[0] === 'Ana Radu')
  await nearest.getByRole('button', { name: 'Assign to Ana Radu' }).press('Enter')
  await page.getByText('1 task assigned to Ana Radu').waitFor()
  assert.equal((await server.get(`/tasks/${task.id}`)).body.task.userId, ana.id)

  await page.goto(`${server.url}/?view=table&day=2026-01-01&task=${task.id}`)
  await page.getByRole('heading', { name: 'NEAR-1' }).waitFor()
  assert.equal(await page.getByText('Nearest drivers').count(), 0, 'where they are now says nothing about another day')
})

test('arrivals and delays move while a dispatcher looks, with the driver and by time alone', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const timezone = zoneOfNoon()
  await server.put('/company', { timezone })
  const ana = await driverOnDuty(server, { name: 'Ana Radu', driverTransportationId: 4 })
  const address = { address: 'Strada Lipscani 12', lat: 44.43, lng: 26.1 }
  const completeBefore = minutesAgo(-120)
  const { task } = (await server.post('/tasks', { awb: 'ETA-1', address, userId: ana.id, completeBefore })).body
  const follow = async (lat: number) => {
    await ana.report({ lat, lng: 26.1 })
    await followDrivers(server)
    const { etaAt } = (await server.get(`/tasks/${task.id}`)).body.task
    return new Date(etaAt).toLocaleTimeString('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' })
  }
  const first = await follow(44.6)
  const page = await server.open('/?view=board', { fresh: true })
  const card = page.getByRole('row').filter({ has: page.getByText('ETA-1', { exact: true }) })
  await card.getByText(`ETA ${first}`).waitFor({ state: 'attached' })

  const second = await follow(44.5)
  assert.notEqual(first, second)
  await card.getByText(`ETA ${second}`).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Table' }).click()
  await card.getByText(`ETA ${second}`).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Timeline' }).click()
  await page.getByRole('option', { name: new RegExp(`ETA-1.*Planned ${second}`) }).waitFor()

  await page.clock.install()
  await page.goto(`${server.url}/?view=table`)
  await card.getByText(`ETA ${second}`).waitFor({ state: 'attached' })
  await page.clock.fastForward('01:00:00')
  await card.getByText(`Expected at ${second}, not there yet`).waitFor({ state: 'attached' })
  await page.clock.fastForward('01:05:00')
  await card.getByRole('img', { name: 'Late' }).waitFor()
})

test('a driver on duty who sends no position is marked until they do', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const ana = await driverOnDuty(server, { name: 'Ana Radu' })
  await ana.report({ lat: 44.43, lng: 26.1 })
  const page = await server.open('/?view=timeline', { viewport: { width: 1280, height: 800 }, fresh: true })
  const silent = page.getByRole('img', { name: /^No position since/ })
  await page.getByText('1 on duty').waitFor()
  assert.equal(await silent.count(), 0)

  await page.clock.install()
  await page.reload()
  await page.getByText('1 on duty').waitFor()
  await server.database.everyone.run(sql`
    update driver_positions set occurred_at = now() - interval '6 minutes'
    where organisation_id = ${server.organisationId}`)
  await page.clock.fastForward('01:05')
  await until('the marks in the timeline and among the drivers', async () => (await silent.count()) === 2)
  await assertAccessible(page, 'silent drivers')
  await ana.report({ lat: 44.44, lng: 26.1 })
  await silent.first().waitFor({ state: 'detached' })
})
