import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { browserWithCamera, holdBefore, lookLong } from './camera.ts'
import { test } from './console.ts'
import { says, sendNow, startDriver, tap } from './driver.ts'

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

/** As a scanner does that types, without the camera. */
async function type(page: Page, code: string) {
  await page.getByLabel('Code on the parcel').fill(code)
  await page.keyboard.press('Enter')
}

const saysNot = async (page: Page, text: string | RegExp) => assert.equal(await page.getByText(text).count(), 0)

/** The scans that a page sends, each once. */
function scansSentBy(page: Page) {
  const sent = new Map<string, string>()
  page.on('request', (request) => {
    if (!request.url().endsWith('/driver/sync')) return
    for (const { opId, type, code } of request.postDataJSON()?.ops ?? []) if (type === 'load') sent.set(opId, code)
  })
  return () => [...sent.values()]
}

test('a driver loads the vehicle, without a network too, and is told what is missing and what is not theirs', async (t) => {
  const day = await startDriver(t, ['L-1', 'L-2', 'L-3'])
  const ana = await makeDriver(day.server, { name: 'Ana Pop' })
  const customer = { name: 'Ecaterina Dumitrescu', phone: '0722000111' }
  await day.server.post('/tasks', aTask({ awb: 'B-1', userId: ana.id, customer }))
  const { page } = await day.signedIn()
  await page.getByRole('link', { name: 'Load', exact: true }).click()
  await says(page, '0 of 3 loaded')
  await says(page, '3 parcels missing')
  await assertAccessible(page, 'the load')
  assert.deepEqual(await page.getByRole('listitem').getByText(/^L-/).allTextContents(), ['L-3', 'L-2', 'L-1'])

  const sent = scansSentBy(page)
  await tap(page, 'Scan parcels')
  await type(page, 'l-3')
  await says(page, 'Belongs to you: load 1 of 3')
  await until('the scan', async () => (await day.look('L-3')).loadedAt !== null)
  await type(page, 'L-3')
  await says(page, /^Already loaded/)
  await type(page, 'B-1')
  await says(page, 'For Ana Pop')
  await says(page, 'Do not take it along.')
  await saysNot(page, /Ecaterina/)
  await assertAccessible(page, 'a parcel of another driver')

  day.wire.cut()
  for (const code of ['L-2', 'L-1']) {
    await type(page, code)
    await says(page, code)
  }
  await says(page, 'Belongs to you: load 3 of 3')
  await type(page, 'NOBODY')
  await says(page, 'None of your stops has this code. Whose it is appears as soon as it is sent.')
  await tap(page, 'Close')
  await says(page, '3 of 3 loaded')
  await says(page, '3 scans not sent yet')
  await says(page, '1 parcel does not belong here')
  await saysNot(page, 'Everything is loaded')

  day.wire.mend()
  await sendNow(page)
  await page.evaluate(`location.hash = '#/load'`)
  await says(page, '2 parcels do not belong here')
  await says(page, 'No task has this code')
  assert.notEqual((await day.look('L-1')).loadedAt, null)
  assert.deepEqual(sent().sort(), ['B-1', 'L-1', 'L-2', 'NOBODY', 'l-3'])
  await saysNot(page, 'Everything is loaded')
  for (const left of ['1 parcel does not belong here', 'Everything is loaded']) {
    await page.getByRole('button', { name: 'Taken out' }).first().click()
    await says(page, left)
  }
  await saysNot(page, /belong/)
})

test('what the phone did not know is loaded once the server says that it is the driver’s', async (t) => {
  const day = await startDriver(t, ['L-1'])
  const { page } = await day.signedIn()
  day.wire.cut()
  const { task } = (await day.server.post('/tasks', aTask({ awb: 'L-2', userId: day.driver.id }))).body as Wire
  await page.evaluate(`location.hash = '#/load'`)
  await tap(page, 'Scan parcels')
  await type(page, 'L-2')
  await says(page, /^None of your stops has this code/)
  day.wire.mend()
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await says(page, /^Belongs to you/)
  await tap(page, 'Close')
  await says(page, '1 of 2 loaded')
  await until('the mark', async () => (await day.look(task.awb)).loadedAt !== null)
})

test('a parcel of another driver held before the camera is noted and told once', async (t) => {
  const day = await startDriver(t, ['RO-1'])
  const ana = await makeDriver(day.server, { name: 'Ana Pop' })
  await day.server.post('/tasks', aTask({ awb: 'RO-2', userId: ana.id }))
  const { page } = await day.signedIn({ browser: await browserWithCamera() })
  await holdBefore(page, 'RO-2')
  const sent = scansSentBy(page)
  await page.evaluate(`location.hash = '#/load'`)
  await tap(page, 'Scan parcels')
  await says(page, 'For Ana Pop')
  await lookLong(page)
  await tap(page, 'Close')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await tap(page, 'Scan parcels')
  await says(page, 'For Ana Pop')
  await lookLong(page)
  await says(page, 'All sent')
  assert.deepEqual(sent(), ['RO-2'])

  // The office gives it to this driver after all.
  await day.server.put(`/containers/drivers/${day.driver.id}`, { tasks: ['RO-2'] })
  await tap(page, 'Close')
  await says(page, '2 parcels missing')
  await saysNot(page, /does not belong/)
  await tap(page, 'Scan parcels')
  await until('the scan', async () => (await day.look('RO-2')).loadedAt !== null)
})

test('who leaves without a parcel is asked, where parcels are scanned, and may', async (t) => {
  const day = await startDriver(t, ['L-1', 'L-2'])
  const { page } = await day.signedIn()
  await day.server.post('/scans', { code: 'L-1', at: 'vehicle', userId: day.driver.id })
  await says(page, '1 of 2 loaded')
  await tap(page, 'Start')
  await says(page, 'Leave now?')
  await says(page, '1 parcel missing')
  await tap(page, 'Back to loading')
  await says(page, '1 parcel missing')
  await page.goBack()
  await tap(page, 'Start')
  await tap(page, 'Start all the same')
  await until('the start', async () => (await day.look('L-1')).statusId === 7)
})
