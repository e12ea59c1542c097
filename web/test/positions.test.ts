import assert from 'node:assert/strict'
import { sql } from '../../server/db/sql.ts'
import { followDrivers } from '../../server/test/arrivals.ts'
import { beginDuty, makeDriver, signIn, zoneOfNoon } from '../../server/test/factories.ts'
import { request, type TestServer } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

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

test('a dispatcher switches the duty of a driver, on the page of drivers and beside the map', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const ana = await makeDriver(server, { name: 'Ana Radu' })
  const inShift = async () => (await server.get('/drivers')).body.users[0].inShift as boolean
  const page = await server.open('/drivers', { viewport: { width: 390, height: 800 } })

  const duty = page.getByRole('switch', { name: 'On duty: Ana Radu' })
  await duty.focus()
  await page.keyboard.press('Space')
  await page.getByRole('switch', { name: 'On duty: Ana Radu', checked: true }).waitFor()
  assert.equal(await inShift(), true)

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Dispatch', exact: true }).click()
  await page.getByRole('button', { name: 'Board', exact: true }).click()
  await page.getByRole('button', { name: 'Actions for Ana Radu' }).click()
  await page.getByRole('button', { name: 'Switch off duty' }).click()
  await page.getByText('0 on duty').waitFor()
  assert.equal(await inShift(), false)

  // From the phone of the driver, or by another dispatcher.
  await server.put(`/drivers/${ana.id}/duty`, { inShift: true })
  await page.getByText('1 on duty').waitFor()
})

test('a task shows who is nearest and how old that is, and one click offers the places in their route', async (t) => {
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
  const places = page.getByRole('list', { name: 'Place in the route of Ana Radu' })
  await places.getByRole('button', { name: /^Best place ?\+/ }).waitFor()
  await places.getByText('no task becomes late').first().waitFor()
  await assertAccessible(page, 'the places in a route')
  await page.keyboard.press('Enter')
  await page.getByText('1 task assigned to Ana Radu').waitFor()
  const assigned = (await server.get(`/tasks/${task.id}`)).body.task
  assert.deepEqual([assigned.userId, assigned.route?.position], [ana.id, 1])
  assert.ok(assigned.etaAt)

  await page.getByRole('button', { name: 'Previous day' }).click()
  await page.waitForURL(/day=/)
  await page.getByRole('heading', { name: 'NEAR-1' }).waitFor()
  assert.equal(await page.getByText('Nearest drivers').count(), 0, 'where they are now says nothing about another day')
})

test('what a page shows as time passes', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const timezone = zoneOfNoon()
  await server.put('/company', { timezone })
  const ana = await driverOnDuty(server, { name: 'Ana Radu', driverTransportationId: 4 })
  await ana.report({ lat: 44.43, lng: 26.1 })
  const page = await server.open('about:blank', { fresh: true })
  await page.clock.install()
  await page.goto(`${server.url}/?view=timeline`)
  const step = inOneGo(t)

  await step('a driver on duty who sends no position is marked until they do', async () => {
    const silent = page.getByRole('img', { name: /^No position since/ })
    await page.getByText('1 on duty').waitFor()
    assert.equal(await silent.count(), 0)

    await server.database.everyone.run(sql`
      update driver_positions set occurred_at = now() - interval '6 minutes'
      where organisation_id = ${server.organisationId}`)
    await page.clock.fastForward('01:05')
    await until('the marks in the timeline and among the drivers', async () => (await silent.count()) === 2)
    await assertAccessible(page, 'silent drivers')
    await ana.report({ lat: 44.44, lng: 26.1 })
    await silent.first().waitFor({ state: 'detached' })
  })

  await step('arrivals and delays move while a dispatcher looks, with the driver and by time alone', async () => {
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
    await page.getByRole('button', { name: 'Board', exact: true }).click()
    const card = page.getByRole('row').filter({ has: page.getByText('ETA-1', { exact: true }) })
    await card.getByText(`ETA ${first}`).waitFor({ state: 'attached' })

    const second = await follow(44.5)
    assert.notEqual(first, second)
    await card.getByText(`ETA ${second}`).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Table' }).click()
    await card.getByText(`ETA ${second}`).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Timeline' }).click()
    await page.getByRole('option', { name: new RegExp(`ETA-1.*Planned ${second}`) }).waitFor()

    await page.getByRole('button', { name: 'Table' }).click()
    await card.getByText(`ETA ${second}`).waitFor({ state: 'attached' })
    await page.clock.fastForward('01:00:00')
    await card.getByText(`Expected at ${second}, not there yet`).waitFor({ state: 'attached' })
    await page.clock.fastForward('01:05:00')
    await card.getByRole('img', { name: 'Late' }).waitFor()
  })
})
