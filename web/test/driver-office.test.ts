import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { test } from './console.ts'
import { says, startDriver, takePhoto, tap } from './driver.ts'

const go = (page: Page, screen: string) => page.evaluate(`location.hash = '#/${screen}'`)
const places: Record<string, object> = {
  'A-1': { address: 'Strada Lipscani 12', lat: 44.4323, lng: 26.1004 },
  'A-2': { address: 'Calea Victoriei 3', lat: 44.4308, lng: 26.0975 },
}
const aRoute = (awb: string) => ({
  totalPrice: 60,
  address: places[awb],
  customer: { name: `Ștefan ${awb}`, phone: '0722000111' },
})

test('a finished stop shows what was done, the day its sums, sent or not, and the office can be called', async (t) => {
  const { signedIn, server, tasks, wire, look } = await startDriver(t, ['A-1', 'A-2'], aRoute)
  await server.put('/company', { phone: '+40213000000', settings: { autoDeletePhotosFromApp: true } })
  const { page } = await signedIn()
  const complete = async (id: number) => {
    await go(page, `task/${id}`)
    await tap(page, 'Start')
    await tap(page, 'I have arrived')
    await go(page, `task/${id}/complete`)
  }
  await complete(tasks[0].id)
  await takePhoto(page)
  await page.getByText('Cash', { exact: true }).click()
  await tap(page, 'Complete')
  await until('the photo', async () => (await look()).notes.some(({ image }: { image: string | null }) => image))

  // The photo is no longer on the phone, and comes from the server.
  await go(page, `task/${tasks[0].id}`)
  await says(page, 'What was done')
  await says(page, /60.* · Cash/)
  await page.getByRole('button', { name: 'Photo 1' }).click()
  const large = page.getByRole('dialog').getByRole('img', { name: 'Photo 1' })
  await until('the picture', () => large.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0))
  assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await assertAccessible(page, 'a finished stop')
  assert.equal(await page.getByRole('link', { name: 'Call the office' }).getAttribute('href'), 'tel:+40213000000')

  wire.cut()
  await complete(tasks[1].id)
  await page.getByText('Card', { exact: true }).click()
  await tap(page, 'Complete')
  await says(page, 'All stops done')
  await go(page, 'me')
  await says(page, 'Your day')
  await page.getByRole('link', { name: 'Call the office' }).waitFor()
  const day = page.getByRole('region', { name: 'Your day' })
  await until('the sums', async () =>
    /Succeeded2Failed0Cash collected\D*60\D*Card collected\D*60\D*To hand in\D*60\D*not sent yet: \D*60/.test(
      (await day.textContent()) ?? '',
    ),
  )
})

test('a stop is found by its customer without accents, and by what is scanned', async (t) => {
  const { signedIn, tasks } = await startDriver(t, ['A-1', 'A-2'], aRoute)
  const { page } = await signedIn()
  await tap(page, 'Find a stop')
  await page.getByLabel('AWB, address, name or phone').fill('stefan a-2')
  await assertAccessible(page, 'finding a stop')
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Calea Victoriei 3/ })
    .click()
  await page.getByRole('heading', { name: 'Calea Victoriei 3' }).waitFor()
  await page.goBack()
  await tap(page, 'Find a stop')
  await page.getByLabel('AWB, address, name or phone').fill('Cluj')
  await says(page, 'No stop of yours fits “Cluj”.')

  await page.evaluate(() => {
    Object.assign(window, {
      BarcodeDetector: class {
        static async getSupportedFormats() {
          return ['code_128']
        }
        detect = async () => [{ rawValue: 'a-1' }]
      },
    })
    const canvas = document.createElement('canvas')
    canvas.getContext('2d')
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(5)
    HTMLMediaElement.prototype.play = async () => {}
  })
  await tap(page, 'Scan a parcel')
  await page.getByRole('heading', { name: 'Strada Lipscani 12' }).waitFor()
  assert.equal(await page.evaluate('location.hash'), `#/task/${tasks[0].id}`)
})
