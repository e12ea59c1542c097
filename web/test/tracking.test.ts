import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { aTask, beginDuty, makeDriver, signIn } from '../../server/test/factories.ts'
import { photo } from '../../server/test/pictures.ts'
import { request, startServer } from '../../server/test/server.ts'
import { assertAccessible } from './axe.ts'
import { sharedBrowser, test, watchForTrouble } from './console.ts'
import { takeContext } from './contexts.ts'
import { mapOn, seesColour } from './drawn.ts'
import { tinyMap } from './tiny-map.ts'
import { startWire } from './wire.ts'

/** A driver on duty with a task, and the page of its customer. */
async function aDelivery(t: TestContext, environment: Record<string, string> = { WAYBILL_MAP_STYLE: 'none' }) {
  const server = await startServer(t, environment)
  await server.put('/company', {
    name: 'Curier Vest',
    settings: { callCenterPhoneNumber: '021 555 01 40', accentColor: '#ffd400' },
  })
  const driver = await makeDriver(server, { name: 'Vlad Ene', driverTransportationId: 5 })
  const key = await signIn(server, driver)
  await beginDuty(server.url, key)
  const { task } = (await server.post('/tasks', aTask({ awb: 'BUC1-0135', userId: driver.id }))).body
  const { id, uuid } = task as { id: number; uuid: string }
  const drive = (method: string, path: string, options: object) =>
    request(server.url, method, `/api/v1/driver/${path}`, { key, ...options })
  const verb = (name: string, body: object = {}) => drive('POST', `tasks/${id}/${name}`, { body })
  return {
    server,
    uuid,
    verb,
    report: (lat: number, lng: number) => drive('POST', 'locations', { body: { locations: [{ lat, lng }] } }),
    async deliver() {
      const fileId = randomUUID()
      await drive('PUT', `files/${fileId}`, { raw: photo, headers: { 'content-type': 'image/jpeg' } })
      await verb('start')
      await verb('notes', { fileId })
      await verb('complete')
    },
    async open(options: BrowserContextOptions & { draws?: boolean; url?: string; complains?: RegExp } = {}) {
      const { draws, url = server.url, complains, ...rest } = options
      const browser = await sharedBrowser(draws)
      const viewport = { width: 390, height: 844 }
      const context = await takeContext(t, browser, { viewport, locale: 'en-GB', ...rest })
      const page = await context.newPage()
      watchForTrouble(t, page, complains)
      await page.goto(`${url}/t/${uuid}`)
      return page
    },
  }
}

const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const isLive = (page: Page) => page.locator('#live.now').waitFor()

test('without script a customer reads everything, leaves instructions, asks for news and rates', async (t) => {
  const { server, open, verb, report, deliver } = await aDelivery(t)
  const page = await open({ javaScriptEnabled: false })
  await says(page, 'Planned')
  assert.equal(await page.getByRole('link', { name: 'Call' }).getAttribute('href'), 'tel:0215550140')
  assert.equal(await page.getByRole('link', { name: 'Message' }).getAttribute('href'), 'sms:0215550140')
  await page.getByRole('textbox', { name: 'Instructions for the courier' }).fill('Intercom 41')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Intercom 41' }).waitFor()
  assert.equal((await server.get('/tasks/awb/BUC1-0135')).body.task.customerNotes, 'Intercom 41')

  await verb('start')
  await report(44.44, 26.09)
  await says(page, /^As of \d\d:\d\d$/)
  await page.getByRole('link', { name: 'Show the newest' }).click()
  await says(page, 'On its way')
  assert.equal(await page.locator('#map').isVisible(), false, 'no empty place where a map would be')
  await deliver()
  await page.getByRole('link', { name: 'Show the newest' }).click()
  await says(page, 'Delivered')
  await page.getByRole('img', { name: 'Photo of the delivery' }).waitFor()
  await page.getByRole('radio', { name: '4: good' }).check()
  await page.getByRole('button', { name: 'Send' }).click()
  await says(page, 'Thank you for your feedback')
  assert.equal((await server.get('/tasks/awb/BUC1-0135')).body.task.feedbacks[0].rating, 4)
})

test('with script the page follows the driver and sends forms without leaving, and keeps what is being written', async (t) => {
  const { server, open, verb, deliver } = await aDelivery(t)
  const page = await open()
  await isLive(page)
  await page.evaluate('window.isSame = true')
  const field = page.getByRole('textbox', { name: 'Instructions for the courier' })
  await field.fill('Third floor')
  await verb('start')
  await page.getByRole('heading', { name: 'On its way' }).waitFor()
  assert.equal(await field.inputValue(), 'Third floor')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Third floor' }).waitFor()
  assert.equal((await server.get('/tasks/awb/BUC1-0135')).body.task.customerNotes, 'Third floor')
  await verb('arrive')
  await page.getByRole('heading', { name: 'Your courier has arrived' }).waitFor()
  assert.equal(await page.getByRole('textbox').count(), 0)
  await says(page, 'Third floor')
  await deliver()
  await page.getByRole('heading', { name: 'Delivered' }).waitFor()
  await page.getByRole('radio', { name: '5: very good' }).check()
  await page.getByRole('textbox').fill('Kind')
  await page.getByRole('button', { name: 'Send' }).click()
  await says(page, 'Thank you for your feedback')
  assert.equal(await page.evaluate('window.isSame'), true)
  assert.match((await page.locator('#news').textContent()) ?? '', /Delivered/)
})

test('with the connection cut the page says since when it is not live, and catches up afterwards', async (t) => {
  const { server, open, verb } = await aDelivery(t)
  const wire = await startWire(t, server.url)
  const page = await open({ url: wire.url })
  await isLive(page)
  wire.cut()
  await says(page, /^Not live since \d\d:\d\d$/)
  await verb('start')
  await page.getByRole('textbox').fill('Third floor')
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'This could not be saved. Please try again.')
  assert.equal(await page.getByRole('textbox').inputValue(), 'Third floor')
  wire.mend()
  await isLive(page)
  await page.getByRole('heading', { name: 'On its way' }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Third floor' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('the page loads at most 60 kB, from here only, and its map only when somebody taps it', async (t) => {
  const { server, open, verb, report } = await aDelivery(t)
  await verb('start')
  await report(44.44, 26.09)
  const page = await open({ draws: true, locale: 'ro-RO' })
  await isLive(page)
  await page.evaluate('document.fonts.ready')
  const loaded = async () =>
    (await page.evaluate(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
         .map(({ entryType, name, encodedBodySize }) => [name, encodedBodySize, entryType])`,
    )) as [string, number, string][]
  const first = await loaded()
  // The page itself is read twice: the second time when the stream is open. If something changes, it is read again.
  const once = new Map(first.map(([name, bytes, type]) => [`${type} ${name}`, bytes]))
  const packed = once.values().reduce((sum, bytes) => sum + bytes, 0)
  t.diagnostic(`${packed} bytes`)
  assert.ok(packed > 20_000 && packed <= 60_000, JSON.stringify(first))
  await page.getByRole('button', { name: 'Arată pe hartă' }).click()
  await page.getByRole('img', { name: 'Vlad' }).waitFor()
  await page.getByRole('img', { name: 'Adresa ta' }).waitFor()
  assert.ok((await loaded()).every(([name]) => name.startsWith(server.url) || name.startsWith('blob:')))
  await report(44.435, 26.095)
  await page.locator('#map[data-lat="44.435"]').waitFor()
  await verb('arrive')
  await page.getByRole('img', { name: 'Vlad' }).waitFor({ state: 'detached' })
})

test('until the operator has chosen a map, that of the customer is drawn without asking anybody else', async (t) => {
  const { server, open, verb, report } = await aDelivery(t, {})
  await verb('start')
  await report(44.44, 26.09)
  const page = await open({ draws: true })
  const foreign = await askedOfOthers(page, server.url)
  await page.reload()
  await isLive(page)
  await page.getByRole('button', { name: 'Show on the map' }).click()
  await page.getByRole('img', { name: 'Vlad' }).waitFor()
  await page.locator('.map-frame[data-ground="world"] .maplibregl-ctrl-scale').waitFor()
  await page.getByRole('link', { name: 'GeoNames' }).waitFor()
  assert.deepEqual(foreign, [])
  assert.equal(await page.locator('.map-problem').count(), 0, 'nothing is missing')
})

test('where the server has streets, customers see them, with their credit, and nobody else is asked', async (t) => {
  const { server, open, verb, report } = await aDelivery(t, {})
  const file = join(server.config.dataFolder, 'map.pmtiles')
  await writeFile(file, tinyMap())
  t.after(() => rm(file))
  await verb('start')
  await report(44.44, 26.09)
  const page = await open({ draws: true })
  const foreign = await askedOfOthers(page, server.url)
  await page.reload()
  await isLive(page)
  await page.getByRole('button', { name: 'Show on the map' }).click()
  await mapOn(page, 'tiles')
  await seesColour(page, '168,208,232', 20_000)
  await page.getByRole('link', { name: '© OpenStreetMap contributors' }).waitFor()
  assert.deepEqual(foreign, [])
})

/** What the page asks of others from now on, or would if the browser let it. */
async function askedOfOthers(page: Page, own: string): Promise<string[]> {
  const foreign: string[] = []
  await page.context().route(
    (url) => url.protocol.startsWith('http') && url.origin !== own,
    (route) => {
      foreign.push(route.request().url())
      return route.abort()
    },
  )
  page.on('requestfailed', (failed) => {
    if (!failed.url().startsWith(own)) foreign.push(failed.url())
  })
  return foreign
}

test('every state of the page can be read by everybody, in the colour of the organisation', async (t) => {
  const { server, open, verb, report, deliver } = await aDelivery(t)
  const page = await open()
  await isLive(page)
  const colour = await page.getByRole('link', { name: 'Call' }).evaluate((link) => getComputedStyle(link).color)
  assert.equal(colour, 'rgb(16, 24, 40)', 'dark on yellow')
  await assertAccessible(page, 'planned')
  await verb('start')
  await report(44.44, 26.09)
  await page.getByRole('button', { name: 'Show on the map' }).waitFor()
  await assertAccessible(page, 'on its way')
  await page.getByRole('button', { name: 'Show on the map' }).click()
  // This browser draws no maps.
  await says(page, 'The map could not be loaded')
  await deliver()
  await page.getByRole('heading', { name: 'Delivered' }).waitFor()
  await assertAccessible(page, 'delivered')
  await page.goto(`${server.url}/t/nothing`)
  await assertAccessible(page, 'no such page')
})
