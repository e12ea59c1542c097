import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { aTask, makeDriver, signIn } from '../../server/test/factories.ts'
import { request, type TestServer } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { mapOn, paintOf, seesColour } from './drawn.ts'
import { tinyMap } from './tiny-map.ts'

const place = (lat: number, lng: number, street = 'Strada Lipscani 12') => ({
  address: { address: `${street}, București`, lat, lng },
})

/** Small, because every pixel of the map is drawn by the processor. */
const drawn = { draws: true, viewport: { width: 1100, height: 600 } }

/** A driver on duty. */
async function driverOnDuty(server: TestServer, given: object = {}) {
  const driver = await makeDriver(server, given)
  const key = await signIn(server, driver)
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
  await request(server.url, 'PUT', '/api/v1/driver/duty', { key, body: { inShift: true, occurredAt: anHourAgo } })
  const report = (location: object) =>
    request(server.url, 'POST', '/api/v1/driver/locations', { key, body: { locations: [location] } })
  return { ...driver, report }
}

const waiting = '181,71,8'
const given = '23,92,211'

test('a task on the map has a tooltip and can be selected and opened', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const { body } = await server.post('/tasks', { ...aTask(place(44.4323, 26.1004)), awb: 'MAP-1' })
  const page = await server.open('/', drawn)
  const canvas = await mapOn(page, 'schematic')
  await page.getByText('Schematic map').waitFor()
  await seesColour(page, waiting, 20)
  assert.ok((await paintOf(page)).size > 20, 'something is drawn')
  const box = await canvas.boundingBox()
  assert.ok(box && box.width > 400 && box.height > 300, 'the map has a size')

  // The only task is in the middle of the map.
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(middle.x + 1, middle.y)
  await page.getByRole('tooltip').getByText('Strada Lipscani 12, București').waitFor()
  await page.mouse.click(middle.x, middle.y)
  await page.getByText('1 selected').first().waitFor({ state: 'attached' })
  await canvas.press('Enter')
  await page.waitForURL(`**/?task=${body.task.id}`)
})

test('a box drawn with Shift selects the tasks inside, and tasks without coordinates are listed', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  for (const [lat, lng] of [
    [44.43, 26.1],
    [44.44, 26.11],
    [44.45, 26.12],
  ] as const)
    await server.post('/tasks', aTask(place(lat, lng)))
  await server.post('/tasks', { awb: 'LOST-1', address: { address: 'Nicăieri 7' } })
  const page = await server.open('/', drawn)
  const box = await (await mapOn(page, 'schematic')).boundingBox()
  assert.ok(box)
  await seesColour(page, waiting, 40)

  await page.keyboard.down('Shift')
  await page.mouse.move(box.x + 5, box.y + box.height * 0.35)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 60, box.y + box.height - 5, { steps: 3 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await page.getByText('2 selected').first().waitFor({ state: 'attached' })

  await page.getByRole('button', { name: '1 task not on the map' }).click()
  await page.getByRole('dialog').getByText('Nicăieri 7').waitFor()
})

test('a click on a driver shows their stops in planned order', async (t) => {
  const server = await startConsole(t)
  const driver = await driverOnDuty(server, { name: 'Vlad Marin', driverTransportationId: 5 })
  const awbs = ['R-1', 'R-2', 'R-3', 'R-4']
  for (const [at, awb] of awbs.entries())
    await server.post('/tasks', {
      ...aTask(place(44.42 + at / 100, 26.08 + at / 50, `Strada ${at}`)),
      awb,
      userId: driver.id,
    })
  await server.put('/tasks/awb/R-1/forceComplete', { success: true })
  await server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, {})
  const page = await server.open('/', drawn)
  await mapOn(page, 'schematic')

  await page.locator(`[data-marker="${driver.id}"]`).click()
  await page.waitForURL(`**/?driver=${driver.id}`)
  const card = page.getByRole('region', { name: 'Route of Vlad Marin' })
  await card.getByText('3 stops left').waitFor()
  const shown = await card.getByRole('listitem').allInnerTexts()

  const { body } = await server.get(`/tasks?userId=${driver.id}&statusId=6`)
  const planned = (body.tasks as { route: { position: number }; address: { address: string } }[])
    .sort((one, other) => one.route.position - other.route.position)
    .map(({ address }) => address.address.split(',')[0])
  assert.deepEqual(
    shown.map((text) => text.split('\n')[1]),
    planned,
  )
  await seesColour(page, given, 300)
  await card.getByRole('button', { name: 'Close route' }).click()
  await card.waitFor({ state: 'detached' })
})

test('drivers move on the map, and an old position is shown as old', async (t) => {
  const server = await startConsole(t)
  const ana = await driverOnDuty(server, { name: 'Ana Radu' })
  const dan = await driverOnDuty(server, { name: 'Dan Stan' })
  for (const lat of [44.4, 44.46]) await server.post('/tasks', aTask(place(lat, 26.1)))
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  await ana.report({ lat: 44.44, lng: 26.09, heading: 90, occurredAt: minutesAgo(5.5) })
  await dan.report({ lat: 44.42, lng: 26.1, occurredAt: minutesAgo(0) })
  const page = await server.open('/', drawn)
  await mapOn(page, 'schematic')

  const [old, fresh] = [ana, dan].map(({ id }) => page.locator(`[data-marker="${id}"]`))
  await old?.getByText('5 min ago', { exact: true }).waitFor()
  assert.deepEqual([await old?.getAttribute('data-stale'), await fresh?.getAttribute('data-stale')], ['true', 'false'])
  const before = await fresh?.boundingBox()
  await dan.report({ lat: 44.45, lng: 26.1, occurredAt: minutesAgo(0) })
  const moved = async () => (before?.y ?? 0) - ((await fresh?.boundingBox())?.y ?? 0)
  await until('the driver to move to the north', async () => (await moved()) >= 50)
})

test('a task dragged from the list onto a driver on the map is assigned to them', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const driver = await driverOnDuty(server, { name: 'Dan Stan' })
  await driver.report({ lat: 44.44, lng: 26.1, occurredAt: new Date().toISOString() })
  await server.post('/tasks', { ...aTask(place(44.43, 26.1)), awb: 'DRAG-1' })
  await server.post('/tasks', { ...aTask(place(44.45, 26.1)), awb: 'DRAG-2' })
  const page = await server.open('/', drawn)
  await mapOn(page, 'schematic')
  const row = page.getByRole('row').filter({ has: page.getByText('DRAG-2', { exact: true }) })

  await row.dragTo(page.locator(`[data-marker="${driver.id}"]`))

  await page.getByText('1 task assigned to Dan Stan').waitFor()
  const { body } = await server.get('/tasks?statusId=6')
  assert.deepEqual(
    body.tasks.map((task: { awb: string; userId: number }) => [task.awb, task.userId]),
    [['DRAG-2', driver.id]],
  )
})

/** A server of map styles, as an operator might run one. */
async function styleServer(t: TestContext) {
  const style = {
    version: 8,
    sources: {
      lakes: {
        type: 'geojson',
        attribution: 'Drawn by <a href="https://example.com">Somebody</a>',
        data: { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [26.1, 44.43] } },
      },
    },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': '#336699' } },
      { id: 'lakes', type: 'circle', source: 'lakes' },
    ],
  }
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    response.end(JSON.stringify(style))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/style.json`
}

test('the map is the one chosen by the operator, with its attribution', async (t) => {
  const server = await startConsole(t, 'admin', { WAYBILL_MAP_STYLE: await styleServer(t) })
  await server.post('/tasks', aTask(place(44.43, 26.1)))
  const page = await server.open('/', drawn)
  await mapOn(page, 'given')
  await seesColour(page, '51,102,153', 100_000)
  await page.getByRole('link', { name: 'Somebody' }).waitFor()
  await seesColour(page, waiting, 20)
})

test('if the map cannot be reached, a schematic one is shown that says so', async (t) => {
  const server = await startConsole(t, 'admin', { WAYBILL_MAP_STYLE: 'http://127.0.0.1:9/style.json' })
  await server.post('/hubs', { name: 'Depozit Vest', lat: 44.43, lng: 26.0 })
  await server.post('/tasks', aTask(place(44.43, 26.1)))
  const page = await server.open('/', { ...drawn, colorScheme: 'dark' })
  await mapOn(page, 'schematic')
  await page.getByText('the map server cannot be reached').waitFor()
  await page.locator('.map-frame').getByText('Depozit Vest').waitFor({ state: 'attached' })
  await page.locator('.maplibregl-ctrl-scale').waitFor()
})

test('a site without internet shows the map from its data folder', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-map-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const server = await startConsole(t, 'admin', { WAYBILL_DATA: folder })
  const config = async () => (await fetch(`${server.url}/console.json`)).json()
  assert.deepEqual(await config(), {})
  assert.equal((await fetch(`${server.url}/map/tiles.pmtiles`)).status, 404)

  const map = tinyMap()
  await writeFile(join(folder, 'map.pmtiles'), map)
  assert.deepEqual(await config(), { tiles: '/map/tiles.pmtiles' })
  const part = await fetch(`${server.url}/map/tiles.pmtiles`, { headers: { range: 'bytes=0-6' } })
  assert.deepEqual([part.status, await part.text()], [206, 'PMTiles'])
  assert.equal(part.headers.get('content-range'), `bytes 0-6/${map.length}`)

  await server.post('/tasks', aTask(place(44.43, 26.1)))
  const page = await server.open('/', drawn)
  await mapOn(page, 'tiles')
  await seesColour(page, '191,220,236', 100_000)
  await page.getByRole('link', { name: 'OpenStreetMap' }).waitFor()
})

test('the map is accessible', async (t) => {
  const server = await startConsole(t)
  const driver = await driverOnDuty(server)
  await server.post('/hubs', { name: 'Depozit Vest', lat: 44.43, lng: 26.0 })
  await server.post('/tasks', { ...aTask(place(44.43, 26.1)), userId: driver.id, awb: 'AXE-1' })
  await server.post('/tasks', { ...aTask(place(44.44, 26.1)), userId: driver.id, awb: 'AXE-2' })
  await server.put('/tasks/awb/AXE-2/forceComplete', { success: true })
  const page = await server.open(`/?driver=${driver.id}`, drawn)
  await mapOn(page, 'schematic')
  await page.locator('[data-marker]').waitFor()
  await assertAccessible(page, 'the map')
})

test('where the browser cannot draw a map, the page says so and the list works', async (t) => {
  const server = await startConsole(t)
  await server.post('/tasks', aTask({ awb: 'STILL-HERE' }))
  const page = await server.open('/')
  await page.getByRole('heading', { name: 'This browser cannot draw the map' }).waitFor()
  await page
    .getByRole('complementary', { name: 'Tasks' })
    .getByRole('row', { name: /STILL-HERE/ })
    .waitFor()
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /STILL-HERE/ }).waitFor()
})
