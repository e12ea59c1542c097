import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { aTask, beginDuty, makeDriver, signIn } from '../../server/test/factories.ts'
import { importRoads } from '../../server/test/imported-roads.ts'
import { at } from '../../server/test/river-town.ts'
import { request, startServer, type TestServer } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { sharedBrowser, startConsole, test, watchForTrouble } from './console.ts'
import { takeContext } from './contexts.ts'
import { hasMap, mapOn, paintOf } from './drawn.ts'
import { startDriver } from './driver.ts'

/*
 * A driver in the south-west of the town on the river, and somebody in the south-east: by road it is twice as far as the crow flies,
 * over the bridge.
 */

const [driverAt, home] = [at(0, 0), at(4, 0)]
const address = { address: 'Calea 4', ...home }

/** How much of the map is painted in the colour of ways, which pins have, too. */
const painted = async (page: Page, colour: string) => (await paintOf(page)).get(colour) ?? 0

/** A running server takes over what was imported within a second. */
async function takeOver(t: TestContext, server: Pick<TestServer, 'config' | 'get'>, driverId: number) {
  await importRoads(t, server)
  await until('the roads to be taken over', async () => {
    const { route } = (await server.get(`/drivers/${driverId}/route`)).body
    return route.travel.source === 'roads'
  })
}

async function driverOnDuty(server: TestServer | Awaited<ReturnType<typeof startConsole>>) {
  const driver = await makeDriver(server, { name: 'Vlad Ene', driverTransportationId: 4 })
  const key = await signIn(server, driver)
  await beginDuty(server.url, key)
  const call = (method: string, path: string, body: object) =>
    request(server.url, method, `/api/v1/driver/${path}`, { key, body })
  return { ...driver, call, report: (place: object) => call('POST', 'locations', { locations: [place] }) }
}

test('the route of the selected driver follows the roads once a map is imported, and is asked for only while somebody looks', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const driver = await driverOnDuty(server)
  await driver.report(driverAt)
  const add = (awb: string) => server.post('/tasks', aTask({ awb, userId: driver.id, address }))
  await add('FIRST')
  await server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, {})
  const page = await server.open(`/?driver=${driver.id}`, { draws: true, viewport: { width: 1100, height: 540 } })
  await mapOn(page, 'world')
  const card = page.getByRole('region', { name: 'Route of Vlad Ene' })
  await card.waitFor()
  const blue = '23,92,211'
  await until('a straight line', async () => (await painted(page, blue)) > 100)
  const straight = await painted(page, blue)

  await takeOver(t, server, driver.id)
  const asked: string[] = []
  page.on('request', (one) => one.url().endsWith('/route') && asked.push(one.url()))
  await page.reload()
  await mapOn(page, 'world')
  await until('the way over the bridge', async () => (await painted(page, blue)) > straight + leastOfWay)
  // A driver who follows the line needs no other.
  await driver.report(at(0, 1))
  await page.getByRole('button', { name: 'Close route' }).click()
  await card.waitFor({ state: 'detached' })
  await until('no line', async () => (await painted(page, blue)) < straight + leastOfWay)
  assert.equal(asked.length, 1)
})

test('a plan is drawn along the roads before it is applied: one route, all of them, new tasks, and what is left of a driver’s day', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const driver = await driverOnDuty(server)
  await driver.report(driverAt)
  const add = (awb: string, place: object, userId?: number) =>
    server.post('/tasks', aTask({ awb, ...(userId && { userId }), address: { address: awb, ...place } }))
  await add('ACROSS', home, driver.id)
  await add('UP', at(0, 4), driver.id)
  await add('NEW', at(4, 4))
  const page = await server.open('/?view=timeline', { draws: true, viewport: { width: 1100, height: 900 } })
  const dialog = page.getByRole('dialog')
  const map = page.getByRole('region', { name: 'Routes on the map' })
  const [grey, blue] = ['92,104,120', '23,92,211']
  const shows = (what: string, isRight: (before: number, after: number) => boolean) =>
    until(what, async () => {
      const paint = await paintOf(page)
      return isRight(paint.get(grey) ?? 0, paint.get(blue) ?? 0)
    })
  const leave = async () => {
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  const openRoute = () => page.getByRole('button', { name: 'Optimise the route of Vlad Ene' }).first().click()

  await openRoute()
  await mapOn(page, 'world')
  await shows('stops, and thin dashes where no road is known', (_, after) => after > fewPixels)
  const dashed = (await paintOf(page)).get(blue) ?? 0
  const leastOfRoads = dashed + leastOfWay
  await leave()
  await takeOver(t, server, driver.id)

  await openRoute()
  await mapOn(page, 'world')
  await shows('both ways', (before, after) => after > leastOfRoads && before > fewPixels)
  await map.getByRole('button', { name: 'Before', exact: true }).click()
  await shows('only the way now', (before, after) => before > leastOfRoads && after < fewPixels)
  await map.getByRole('button', { name: 'After', exact: true }).click()
  await shows('only the way as it would be', (before, after) => after > leastOfRoads && before < fewPixels)
  await leave()

  await page.locator('main header').getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Optimise routes…' }).click()
  await shows('all routes', (before, after) => after > leastOfRoads && before > fewPixels)
  await leave()

  await page.getByRole('button', { name: 'Plan…' }).click()
  await dialog.getByText('1 task gets a driver').first().waitFor()
  await shows('the route with the new task', (_, after) => after > leastOfRoads)
  await map.getByRole('button', { name: 'Before', exact: true }).click()
  await shows('the route without it', (before, after) => before > leastOfRoads && after < fewPixels)
  await leave()

  // The list of drivers needs room.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.getByRole('button', { name: 'Actions for Vlad Ene' }).click()
  await page.getByRole('button', { name: 'Driver unavailable…' }).click()
  await dialog.getByText('2 tasks become unassigned').waitFor()
  await shows('what the driver leaves', (before, after) => before > leastOfWay && after < fewPixels)
})

/** What stands on the map anyway may have one of these colours here and there. */
const fewPixels = 80

/** Three pixels wide, and longer than the straight line. */
const leastOfWay = 400

test('the way along the roads is on the phone without a network, also after the app was closed', async (t) => {
  const { signedIn, wire, server, driver } = await startDriver(t, ['A-1', 'A-2'], (awb) => ({
    address: { address: awb, ...(awb === 'A-1' ? home : at(4, 4)) },
  }))
  await server.put(`/drivers/${driver.id}`, { driverTransportationId: 4 })
  await takeOver(t, server, driver.id)
  const { page, reopen } = await signedIn({
    isNew: true,
    browser: await sharedBrowser(true),
    permissions: ['geolocation'],
    geolocation: { latitude: driverAt.lat, longitude: driverAt.lng, accuracy: 5 },
  })
  const blue = '22,66,154'
  const open = async (page: Page) => {
    await page.getByRole('link', { name: 'Map' }).click()
    await mapOn(page, 'world')
    await page.getByText('My position').first().waitFor({ state: 'attached' })
  }
  await hasMap(page)
  await open(page)
  await until('the way over the bridge', async () => (await painted(page, blue)) > leastOfBoth)
  wire.cut()
  const again = await reopen()
  await open(again)
  await until('the same without a network', async () => (await painted(again, blue)) > leastOfBoth)
})

/** Two stops with their numbers and straight lines between them have half as many. */
const leastOfBoth = 1_800

test('customers see the way along the roads to their address, and no other, while the driver is on the way', async (t) => {
  const server = await startServer(t, { WAYBILL_MAP_STYLE: 'none' })
  const driver = await driverOnDuty(server)
  const { id, uuid } = (await server.post('/tasks', aTask({ userId: driver.id, address }))).body.task
  await server.post('/tasks', aTask({ userId: driver.id, address: { address: 'Calea 0', ...at(0, 4) } }))
  await takeOver(t, server, driver.id)
  const lines = async () => (await (await fetch(`${server.url}/t/${uuid}`)).text()).match(/data-line="[^"]+"/g) ?? []
  assert.deepEqual(await lines(), [], 'the driver has not started')
  await driver.call('POST', `tasks/${id}/start`, {})
  await driver.report(driverAt)
  await until('one line', async () => (await lines()).length === 1)

  const context = await takeContext(t, await sharedBrowser(true), {
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
  })
  const page = await context.newPage()
  watchForTrouble(t, page)
  await page.goto(`${server.url}/t/${uuid}`)
  await page.getByRole('button', { name: 'Show on the map' }).click()
  await mapOn(page, 'world')
  await until('the way over the bridge', async () => (await painted(page, '22,66,154')) > leastForCustomers)
  await driver.call('POST', `tasks/${id}/arrive`, {})
  await page.getByRole('heading', { name: 'Your courier has arrived' }).waitFor()
  assert.deepEqual(await lines(), [])
})

/** Without a line nothing has this colour. */
const leastForCustomers = 700
