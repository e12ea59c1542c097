import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { tilesPath, worldPath } from '../../contract/pages.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { sharedBrowser, test } from './console.ts'
import { hasMap, mapOn, seesColour } from './drawn.ts'
import { says, startDriver, tap } from './driver.ts'
import { misfitsOf } from './fits.ts'
import { lakeTile, tinyMap } from './tiny-map.ts'
import { startWire } from './wire.ts'

const streets: Record<string, [street: string, lat: number | null, lng: number | null]> = {
  'A-1': ['Strada Brașov 6', 44.42, 26.03],
  'A-2': ['Strada Lipscani 12', 44.432, 26.1],
  'A-3': ['Strada Lipscani 12', 44.432, 26.1],
  'A-4': ['Nowhere 1', null, null],
}
const aRoute = (awb: string) => {
  const [street = '', lat, lng] = streets[awb] ?? []
  return { address: { address: `${street}, București`, ...(lat && { lat, lng }) }, completeBefore: inTwoHours }
}
const inTwoHours = new Date(Date.now() + 2 * 3_600_000).toISOString()
const lake = '168,208,232'

/** The operator's own tiles. */
async function ownTiles(t: TestContext) {
  const driver = await startDriver(t, Object.keys(streets), aRoute)
  const file = join(driver.server.config.dataFolder, 'map.pmtiles')
  await writeFile(file, tinyMap())
  t.after(() => rm(file))
  return { ...driver, ground: 'tiles' as const, stopTiles: () => {} }
}

/** A style whose tiles come from another server, as OpenFreeMap's do. */
async function anotherServer(t: TestContext) {
  tileServer ??= startTileServer()
  const wire = await startWire(t, await tileServer)
  const environment = { WAYBILL_MAP_STYLE: `${wire.url}/style.json` }
  const driver = await startDriver(t, Object.keys(streets), aRoute, environment)
  return { ...driver, ground: 'given' as const, stopTiles: wire.cut }
}

/** One for all tests, so that they can use the same server. */
let tileServer: Promise<string> | undefined

async function startTileServer() {
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host}`
    const json: Record<string, object> = {
      '/style.json': {
        version: 8,
        sources: { water: { type: 'vector', url: `${base}/tiles.json`, attribution: '© Somebody' } },
        layers: [
          { id: 'lakes', type: 'fill', source: 'water', 'source-layer': 'water', paint: { 'fill-color': '#a8d0e8' } },
        ],
      },
      '/tiles.json': { tilejson: '3.0.0', tiles: [`${base}/{z}/{x}/{y}.pbf`], minzoom: 0, maxzoom: 0 },
    }
    const found = json[request.url ?? '']
    response.writeHead(200, { 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
    response.end(found ? JSON.stringify(found) : lakeTile())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

for (const [name, prepare] of [
  ['the operator’s own tiles', ownTiles],
  ['tiles of another server', anotherServer],
] as const)
  test(`the map of the day opens without a network from what was seen: ${name}`, async (t) => {
    const { signedIn, wire, ground, stopTiles } = await prepare(t)
    const phone = await signedIn({ browser: await sharedBrowser(true) })
    const { page } = phone
    await page.getByRole('link', { name: 'Map' }).click()
    await mapOn(page, ground)
    await seesColour(page, lake, 50_000)
    await hasMap(page)

    wire.cut()
    stopTiles()
    const again = await phone.reopen()
    await again.getByRole('link', { name: 'Map' }).click()
    await mapOn(again, ground)
    await seesColour(again, lake, 50_000)

    // Nobody sees where the last driver was.
    await again.evaluate(`location.hash = '#/me'`)
    await tap(again, 'Sign out')
    await again.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await says(again, /Your office gives you a code/)
    assert.equal(await again.evaluate(`caches.has('waybill-map')`), false)
  })

test('the map around the stops of the day is on the phone before anybody has looked at it', async (t) => {
  const { signedIn, wire } = await ownTiles(t)
  const phone = await signedIn({ isNew: true, browser: await sharedBrowser(true) })
  await hasMap(phone.page)
  const parts = () =>
    phone.page.evaluate(`caches.open('waybill-map').then(async (cache) =>
      (await cache.keys()).map(({ url }) => new URL(url).pathname))`) as Promise<string[]>
  // What is at the beginning of each file, and tiles.
  const isKept = async (path: string) => (await parts()).filter((one) => one === path).length >= 2
  await until('streets and the world', async () => (await isKept(tilesPath)) && (await isKept(worldPath)))

  wire.cut()
  const again = await phone.reopen()
  await again.getByRole('link', { name: 'Map' }).click()
  await mapOn(again, 'tiles')
  await seesColour(again, lake, 50_000)
  await again.getByRole('link', { name: '© OpenStreetMap contributors' }).waitFor()
})

test('a new map takes the place of the old one on the phone', async (t) => {
  const { signedIn, server } = await ownTiles(t)
  const { page } = await signedIn({ isNew: true, browser: await sharedBrowser(true) })
  await page.getByRole('link', { name: 'Map' }).click()
  await mapOn(page, 'tiles')
  await seesColour(page, lake, 50_000)
  const editions = () =>
    page.evaluate(`caches.open('waybill-map').then(async (cache) =>
      (await cache.keys()).filter(({ url }) => new URL(url).pathname === '${tilesPath}' && !url.endsWith('first'))
        .map(({ url }) => url.split('&')[0]))`) as Promise<string[]>
  const before = await editions()
  assert.ok(before.length > 0)

  await writeFile(join(server.config.dataFolder, 'map.pmtiles'), tinyMap('Another'))
  await page.reload()
  await seesColour(page, lake, 50_000)
  await until('only parts of the new one', async () => {
    const now = await editions()
    return now.length > 0 && now.every((one) => !before.includes(one))
  })
})

test('a phone that has never seen a map shows the stops without streets, says so, and leads to them', async (t) => {
  const { signedIn, wire, tasks, server, stopTiles } = await anotherServer(t)
  stopTiles()
  await server.put('/company', { settings: { preferredUnitType: 'imperial' } })
  const { page, reopen } = await signedIn({
    isNew: true,
    browser: await sharedBrowser(true),
    permissions: ['geolocation'],
    geolocation: { latitude: 44.41, longitude: 26.05, accuracy: 10 },
  })
  await hasMap(page)
  wire.cut()
  const again = await reopen()
  await again.getByRole('link', { name: 'Map' }).click()
  await mapOn(again, 'world')
  await says(again, /No streets of this area on the phone/)
  await says(again, '1 task not on the map')
  await again.locator('.maplibregl-ctrl-scale').getByText(/mi|ft/).waitFor()
  const stop = (name: RegExp) => again.getByRole('button', { name })
  await stop(/^1\s*Strada Brașov 6, Next stop$/).waitFor()
  await again.getByText('My position').first().waitFor({ state: 'attached' })

  await stop(/^2\+\s*Strada Lipscani 12, 2 tasks here$/).click()
  const spot = again.getByRole('region', { name: '2 tasks here' })
  assert.deepEqual(await spot.getByRole('heading').allTextContents(), ['Strada Lipscani 12', 'Strada Lipscani 12'])
  await spot
    .getByText(/until \d\d:\d\d/)
    .first()
    .waitFor()
  await assertAccessible(again, 'the map')
  const small = await again.evaluate(`[...document.querySelectorAll('main button, main a:not(.maplibregl-ctrl a)')]
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && Math.round(Math.min(width, height)) < 48).map(([text, { width, height }]) => [text, width, height])`)
  assert.deepEqual(small, [], 'everything a thumb taps is at least 48 px')
  assert.deepEqual(await misfitsOf(again, 'the map'), [])
  await spot.getByRole('button', { name: 'Open' }).last().click()
  await says(again, 'A-3')
  await again.getByRole('link', { name: 'On the map' }).click()
  await again.waitForURL(new RegExp(`#/map/${tasks[2].id}$`))
  await spot.waitFor()
})
