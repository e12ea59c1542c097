import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { browserWithCamera, holdBefore, lookLong } from './camera.ts'
import { test } from './console.ts'
import { says, startDriver, tap } from './driver.ts'

const openScanner = async (page: Page, street = 'Strada Lipscani') => {
  await page.getByText(street).first().click()
  await tap(page, /^Scan/)
}

const scansOf = async ({ look }: { look: () => Promise<{ notes: { type: number; note: string }[] }> }) =>
  (await look()).notes.filter(({ type }) => type === 4).map(({ note }) => note)

test('a driver scans a parcel with the camera, with our own decoder where the browser has none, and later without a network', async (t) => {
  const streets: Record<string, string> = { 'RO-4711': 'Strada Lipscani 12', 'RO-4712': 'Calea Victoriei 3' }
  const day = await startDriver(t, Object.keys(streets), (awb) => ({ address: { address: streets[awb] } }))
  const look = () => day.look('RO-4711')
  const phone = await day.signedIn({ browser: await browserWithCamera() })
  const loaded: string[] = []
  phone.page.on('request', (request) => loaded.push(request.url()))
  await openScanner(phone.page)
  await until('the scan', async () => (await scansOf({ look })).join() === 'RO-4711')
  await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(loaded.some((url) => url.endsWith('.wasm')))
  assert.ok(loaded.every((url) => url.startsWith(day.wire.url) || url.startsWith('data:') || url.startsWith('blob:')))

  day.wire.cut()
  const page = await phone.reopen()
  await openScanner(page, 'Calea Victoriei')
  await says(page, /RO-4711 is not on this parcel \(RO-4712\)/)
})

test('a wrong code held before the camera is noted once, and the app says whose it is', async (t) => {
  const streets: Record<string, string> = { 'RO-1': 'Strada Lipscani 12', 'RO-2': 'Calea Victoriei 3' }
  const day = await startDriver(t, Object.keys(streets), (awb) => ({ address: { address: streets[awb] } }))
  const look = () => day.look('RO-1')
  const { page } = await day.signedIn({ browser: await browserWithCamera() })
  await holdBefore(page, 'ro-2')
  await openScanner(page)
  await says(page, /ro-2 is not on this parcel \(RO-1\).*It belongs to this stop:/)
  await assertAccessible(page, 'a wrong parcel')
  await lookLong(page)
  await until('the scan', async () => (await scansOf({ look })).length > 0)

  // Also after the scanner was closed and opened again, and typed in other letters.
  await tap(page, 'Close')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await tap(page, /^Scan/)
  await lookLong(page)
  await page.getByLabel('Code on the parcel').fill('RO-2')
  await tap(page, 'Check')
  await says(page, /RO-2 is not on this parcel/)
  await page.getByRole('link', { name: /Calea Victoriei 3.*RO-2/ }).click()
  await page.getByRole('heading', { name: 'Calea Victoriei 3' }).waitFor()
  assert.equal(await page.evaluate('location.hash'), `#/task/${day.tasks[1].id}`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // Here it is the right one, in lower case too.
  await tap(page, /^Scan/)
  await until('the right scan', async () => (await scansOf({ look: () => day.look('RO-2') })).join() === 'ro-2')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(await scansOf({ look }), ['ro-2'])
  await page.goBack()
  await page.getByRole('heading', { name: 'Strada Lipscani 12' }).waitFor()
})

test('a browser that reads codes itself loads no decoder, and the code of another parcel is said at once', async (t) => {
  const day = await startDriver(t, ['RO-1'])
  const look = () => day.look('RO-1')
  const { page } = await day.signedIn({ browser: await browserWithCamera() })
  await holdBefore(page, 'RO-2')
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await openScanner(page)
  await says(page, /RO-2 is not on this parcel/)
  await says(page, 'Hold the code in front of the camera.')
  await assertAccessible(page, 'the scanner')
  await until('the scan', async () => (await scansOf({ look })).includes('RO-2'))
  assert.ok(!loaded.some((url) => url.endsWith('.wasm')))
})

test('without a camera, or if it is not allowed, the app says so and takes what is typed', async (t) => {
  const day = await startDriver(t, ['RO-3'])
  const look = () => day.look('RO-3')
  const { page } = await day.signedIn()
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await openScanner(page)
  await says(page, /The camera is not allowed/)
  await page.getByLabel('Code on the parcel').fill('RO-3')
  await tap(page, 'Check')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until('the scan', async () => (await scansOf({ look })).join() === 'RO-3')
})
