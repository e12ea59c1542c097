import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Assigned } from '../../core/task-status.ts'
import { aTask, makeDriver, signIn, zoneOfNoon } from '../../server/test/factories.ts'
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
const drawn = { draws: true, viewport: { width: 1100, height: 540 } }

/** A driver on duty. */
async function driverOnDuty(server: TestServer, given: object = {}) {
  const driver = await makeDriver(server, given)
  const key = await signIn(server, driver)
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
  await request(server.url, 'PUT', '/api/v1/driver/duty', { key, body: { inShift: true, occurredAt: anHourAgo } })
  const report = (...locations: object[]) =>
    request(server.url, 'POST', '/api/v1/driver/locations', { key, body: { locations } })
  return { ...driver, report }
}

const waiting = '181,71,8'
const given = '23,92,211'

test('tasks on the map', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  // The second one is in the middle of the map.
  const ids: number[] = []
  for (const [at, street] of ['Strada Sudului 1', 'Strada Lipscani 12', 'Strada Nordului 3'].entries())
    ids.push((await server.post('/tasks', aTask(place(44.43 + at / 100, 26.1 + at / 100, street)))).body.task.id)
  await server.post('/tasks', { awb: 'LOST-1', address: { address: 'Nicăieri 7' } })
  const page = await server.open('/', drawn)
  const canvas = await mapOn(page, 'world')
  await seesColour(page, waiting, 40)
  const box = await canvas.boundingBox()
  assert.ok(box && box.width > 400 && box.height > 300, 'the map has a size')
  const selected = (count: number) => page.getByText(`${count} selected`).first().waitFor({ state: 'attached' })

  await t.test('a box drawn with Shift selects the tasks inside', async () => {
    await page.keyboard.down('Shift')
    await page.mouse.move(box.x + 5, box.y + box.height * 0.35)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 60, box.y + box.height - 5, { steps: 3 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await selected(2)
  })

  await t.test('tasks without coordinates are listed', async () => {
    await page.getByRole('button', { name: '1 task not on the map' }).click()
    await page.getByRole('dialog').getByText('Nicăieri 7').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  await t.test(
    'a task has a tooltip, is opened by a click, which brings it to the middle, and selected by one with Ctrl',
    async () => {
      await page.getByText('Map without streets').waitFor()
      assert.ok((await paintOf(page)).size > 20, 'something is drawn')
      const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      await page.mouse.move(middle.x + 1, middle.y)
      await page.getByRole('tooltip').getByText('Strada Lipscani 12, București').waitFor()
      await page.mouse.click(middle.x, middle.y)
      await page.waitForURL(`**/?task=${ids[1]}`)
      await page
        .getByRole('complementary', { name: /^Task / })
        .getByRole('button', { name: 'Close', exact: true })
        .click()
      await page.waitForURL((url) => !url.searchParams.has('task'))

      // From the list, one that is not in the middle.
      await page.getByRole('row').filter({ hasText: 'Strada Nordului 3' }).click()
      await page.waitForURL(`**/?task=${ids[2]}`)
      const frame = page.locator('.map-frame')
      await until('its pin, with its ring, in the middle', async () => {
        const now = await frame.boundingBox()
        if (!now) return false
        await page.mouse.move(now.x + now.width / 2 + 1, now.y + now.height / 2)
        return page.getByRole('tooltip').getByText('Strada Nordului 3, București').isVisible()
      })
      const now = await frame.boundingBox()
      assert.ok(now)
      await page.keyboard.down('Control')
      await page.mouse.click(now.x + now.width / 2, now.y + now.height / 2)
      await page.keyboard.up('Control')
      await selected(3)
    },
  )
})

test('a map with little and with much on it', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  await server.post('/hubs', { name: 'Depozit', lat: 44.43, lng: 26.1 })
  const page = await server.open('/', drawn)
  await mapOn(page, 'world')
  const frame = page.locator('.map-frame')
  const scale = page.locator('.maplibregl-ctrl-scale')
  const metres = async () => {
    const [, number, unit] = /([\d.]+)\s*(km|m)/.exec((await scale.textContent()) ?? '') ?? []
    return Number(number) * (unit === 'km' ? 1_000 : 1)
  }
  const middle = async () => {
    const box = await frame.boundingBox()
    assert.ok(box)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  await t.test('one hub alone shows its city', async () => {
    await frame.getByText('Depozit').waitFor({ state: 'attached' })
    await until('a city', async () => (await metres()) >= 1_000 && (await metres()) <= 3_000)
  })

  await t.test('after an import the map shows what came', async () => {
    await page.getByRole('button', { name: 'Import' }).first().click()
    const dialog = page.getByRole('dialog')
    const list =
      'awb,address,lat,lng\nI-1,Strada Unu 1,46.76,23.58\nI-2,Strada Doi 2,46.77,23.6\nI-3,Strada Trei 3,46.78,23.62\n'
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'day.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
    for (const step of ['Next', 'Import 3 tasks', 'Done']) await dialog.getByRole('button', { name: step }).click()
    await dialog.waitFor({ state: 'detached' })
    await until('the second of them in the middle', async () => {
      const { x, y } = await middle()
      await page.mouse.move(x + 1, y)
      return page.getByRole('tooltip').getByText('Strada Doi 2').isVisible()
    })
  })

  await t.test('many pins on one spot are a circle, which a click opens', async () => {
    const around = Array.from({ length: 12 }, (_, at) =>
      aTask(place(46.77 + (at - 6) / 2_000, 23.6 + (at % 4) / 2_000)),
    )
    const afar = [place(45.75, 22.6), place(47.77, 24.6)].map((one) => aTask(one))
    await server.post('/tasks/bulkCreate', { tasks: [...around, ...afar] })
    await page.getByRole('row').nth(10).waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await until('the whole country', async () => (await metres()) >= 10_000)
    await seesColour(page, given, 300)
    const { x, y } = await middle()
    // At first it becomes a smaller one.
    await until('the pins by themselves', async () => {
      const isNear = (await metres()) <= 2_000
      if (!isNear) await page.mouse.click(x, y)
      return isNear
    })
    assert.ok(!page.url().includes('task='))
  })
})

test('drivers on the map', async (t) => {
  const server = await startConsole(t)
  await server.put('/company', { timezone: zoneOfNoon() })
  const vlad = await driverOnDuty(server, { name: 'Vlad Marin', driverTransportationId: 5 })
  const ana = await driverOnDuty(server, { name: 'Ana Radu' })
  const dan = await driverOnDuty(server, { name: 'Dan Stan' })
  await server.post('/hubs', { name: 'Depozit Vest', lat: 44.43, lng: 26.02 })
  const stops = Array.from({ length: 4 }, (_, at) => ({
    ...aTask(place(44.42 + at / 100, 26.08 + at / 50, `Strada ${at}`)),
    awb: `R-${at + 1}`,
    userId: vlad.id,
  }))
  const drags = [44.4, 44.46].map((lat, at) => ({ ...aTask(place(lat, 26.1)), awb: `DRAG-${at + 1}` }))
  await server.post('/tasks/bulkCreate', { tasks: [...stops, ...drags] })
  await server.put('/tasks/awb/R-1/forceComplete', { success: true })
  await server.post(`/drivers/${vlad.id}/tasks/optimizeTodayTasks`, {})
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  await ana.report({ lat: 44.44, lng: 26.06, heading: 90, occurredAt: minutesAgo(5.5) })
  await dan.report({ lat: 44.42, lng: 26.1, occurredAt: minutesAgo(0) })
  const page = await server.open('/', drawn)
  await mapOn(page, 'world')
  const markerOf = ({ id }: { id: number }) => page.locator(`[data-marker="${id}"]`)

  await t.test('an old position is shown as old', async () => {
    await markerOf(ana).getByText('5 min ago', { exact: true }).waitFor()
    const stale = [ana, dan].map((driver) => markerOf(driver).getAttribute('data-stale'))
    assert.deepEqual(await Promise.all(stale), ['true', 'false'])
  })

  await t.test('a driver moves when they report where they are', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const yOf = async () => (await markerOf(dan).boundingBox())?.y ?? 0
    const before = await yOf()
    await dan.report({ lat: 44.45, lng: 26.1, occurredAt: minutesAgo(0) })
    await until('the driver to move to the north', async () => before - (await yOf()) >= 50)
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })

  await t.test('a task dragged from the list onto a driver is assigned to them', async () => {
    const row = page.getByRole('row').filter({ has: page.getByText('DRAG-2', { exact: true }) })
    await row.dragTo(markerOf(ana))
    await page.getByText('1 task assigned to Ana Radu').waitFor()
    const { body } = await server.get(`/tasks?userId=${ana.id}`)
    assert.deepEqual(
      body.tasks.map(({ awb, statusId }: { awb: string; statusId: number }) => [awb, statusId]),
      [['DRAG-2', Assigned]],
    )
  })

  await t.test('a click on a driver shows their stops in planned order', async (t) => {
    await markerOf(vlad).click()
    await page.waitForURL(`**/?driver=${vlad.id}`)
    const card = page.getByRole('region', { name: 'Route of Vlad Marin' })
    await card.getByText('3 stops left').waitFor()
    const shown = await card.getByRole('listitem').allInnerTexts()

    const { body } = await server.get(`/tasks?userId=${vlad.id}&statusId=${Assigned}`)
    const planned = (body.tasks as { route: { position: number }; address: { address: string } }[])
      .sort((one, other) => one.route.position - other.route.position)
      .map(({ address }) => address.address.split(',')[0])
    assert.deepEqual(
      shown.map((text) => text.split('\n')[1]),
      planned,
    )
    await seesColour(page, given, 300)
    await t.test('the map is accessible', () => assertAccessible(page, 'the map'))
    await card.getByRole('button', { name: 'Close route' }).click()
    await card.waitFor({ state: 'detached' })
  })

  await t.test('the track of a driver’s day is drawn, and says how far they drove', async () => {
    const mara = await driverOnDuty(server, { name: 'Mara Ion' })
    // To the north, four kilometres in half an hour.
    await mara.report(
      ...Array.from({ length: 31 }, (_, minute) => ({
        lat: 44.42 + minute * 0.0012,
        lng: 26.13,
        occurredAt: minutesAgo(40 - minute),
      })),
    )
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 420 })
    await page.getByRole('button', { name: 'Actions for Mara Ion' }).click()
    await page.getByRole('button', { name: 'Show track' }).click()
    await page.waitForURL((url) => url.searchParams.get('track') === 'true')
    const card = page.getByRole('region', { name: 'Route of Mara Ion' })
    await card.getByText('4 km driven').waitFor()
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
})

/** A server of map styles, as an operator might run one, that can be out of order. */
async function startStyles(t: TestContext) {
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
  const styles = { url: '', isReachable: true }
  const server = createServer((request, response) => {
    if (!styles.isReachable) return void request.socket.destroy()
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    response.end(JSON.stringify(style))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  styles.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/style.json`
  return styles
}

test('the map of the operator', async (t) => {
  const styles = await startStyles(t)
  const server = await startConsole(t, 'admin', { WAYBILL_MAP_STYLE: styles.url })
  await server.post('/hubs', { name: 'Depozit Vest', lat: 44.43, lng: 26.0 })
  await server.post('/tasks', aTask(place(44.43, 26.1)))
  const page = await server.open('about:blank', drawn)

  await t.test('is shown, with its attribution', async () => {
    styles.isReachable = true
    await page.goto(server.url)
    await mapOn(page, 'given')
    await seesColour(page, '51,102,153', 100_000)
    await page.getByRole('link', { name: 'Somebody' }).waitFor()
    await seesColour(page, waiting, 20)
  })

  await t.test('if it cannot be reached, one without streets is shown that says so', async () => {
    styles.isReachable = false
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(server.url)
    await mapOn(page, 'world')
    await page.getByText('the map server cannot be reached').waitFor()
    await page.locator('.map-frame').getByText('Depozit Vest').waitFor({ state: 'attached' })
    await page.locator('.maplibregl-ctrl-scale').waitFor()
  })
})

test('a site without internet shows the map from its data folder', async (t) => {
  const server = await startConsole(t)
  const config = async () => {
    const { geocoder: _, ...map } = await (await fetch(`${server.url}/console.json`)).json()
    return map
  }
  assert.deepEqual(await config(), {})
  assert.equal((await fetch(`${server.url}/map/tiles.pmtiles`)).status, 404)

  const map = tinyMap()
  const file = join(server.config.dataFolder, 'map.pmtiles')
  t.after(() => rm(file))
  await writeFile(file, map)
  assert.deepEqual(await config(), { tiles: '/map/tiles.pmtiles' })
  const part = await fetch(`${server.url}/map/tiles.pmtiles`, { headers: { range: 'bytes=0-6' } })
  assert.deepEqual([part.status, await part.text()], [206, 'PMTiles'])
  assert.equal(part.headers.get('content-range'), `bytes 0-6/${map.length}`)

  await server.post('/tasks', aTask(place(44.43, 26.1)))
  const page = await server.open('/', drawn)
  await mapOn(page, 'tiles')
  await seesColour(page, '168,208,232', 100_000)
  await page.getByRole('link', { name: '© OpenStreetMap contributors' }).waitFor()
})

test('without a map and without internet there are land and sea', async (t) => {
  const server = await startConsole(t)
  for (const [lat, lng] of [
    [44.17, 28.63],
    [45.18, 28.8],
  ] as const)
    await server.post('/tasks', aTask(place(lat, lng)))
  const page = await server.open('/', drawn)
  await mapOn(page, 'world')
  await seesColour(page, '168,208,232', 2_000)
  await page.getByRole('link', { name: 'GeoNames' }).waitFor()
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
