import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makePng } from '../../server/test/pictures.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { browserWithCamera } from './camera.ts'
import { test } from './console.ts'
import { says, startDriver, takePhoto, tap } from './driver.ts'

const go = (page: Page, screen: string) => page.evaluate(`location.hash = '#/${screen}'`)
const photos = (page: Page) => page.getByRole('img', { name: /^Photo \d/ })

/** With the camera in the page. */
async function shoot(page: Page) {
  await page
    .locator('button:enabled', { has: page.locator('svg') })
    .and(page.getByLabel('Take the photo'))
    .click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** What is stored on the phone of pictures and of what names them. */
const stored = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const opening = indexedDB.open('waybill-driver')
        opening.onsuccess = () => {
          const db = opening.result
          const counts = ['ops', 'files', 'pictures'].map((store) => db.transaction(store).objectStore(store).count())
          const last = counts.at(-1) as IDBRequest
          last.onsuccess = () => {
            done(counts.map(({ result }) => result))
            db.close()
          }
        }
      }),
  )

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
const imagesOf = (task: any): (string | null)[] =>
  task.notes.filter(({ type }: { type: number }) => type === 2).map(({ image }: { image: string | null }) => image)

test('a photo is taken in the page, enlarged, taken again and deleted, and sent when the stop is left', async (t) => {
  const { signedIn, tasks, look } = await startDriver(t)
  const { page } = await signedIn({ browser: await browserWithCamera() })
  const stop = `task/${tasks[0].id}`
  await go(page, `${stop}/complete`)
  await tap(page, 'Take a photo')
  await page.getByLabel('Take the photo').waitFor()
  await assertAccessible(page, 'the camera')
  await shoot(page)
  await photos(page).waitFor()

  // Whatever else is sent meanwhile, the photo stays.
  await go(page, stop)
  await tap(page, 'Add note')
  await page.getByRole('textbox', { name: 'Note' }).fill('At the door')
  await tap(page, 'Save')
  await until('the note', async () => (await look()).notes.length === 1)
  await until('only the photo to be left', async () => (await stored(page)).join() === '1,1,1')
  await go(page, `${stop}/complete`)
  const sources = () => photos(page).evaluateAll((images) => images.map((image) => image.getAttribute('src')))
  const first = await until('the photo to be drawn', async () => (await sources())[0])
  await photos(page).click()
  await assertAccessible(page, 'a photo')
  await tap(page, 'Take again')
  await shoot(page)
  // The old one goes when the new one is kept, so for a moment there are both.
  await until('only the new one', async () => (await sources()).length === 1 && !(await sources()).includes(first))
  assert.deepEqual(await stored(page), [1, 1, 1])

  await photos(page).click()
  await tap(page, 'Delete')
  await tap(page, 'Keep it')
  await tap(page, 'Delete')
  await says(page, 'Delete this photo? It cannot be brought back.')
  await tap(page, 'Delete')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await photos(page).waitFor({ state: 'detached' })
  assert.deepEqual(await stored(page), [0, 0, 0])

  await tap(page, 'Take a photo')
  await shoot(page)
  await photos(page).waitFor()
  await go(page, '')
  await until('the photo', async () => imagesOf(await look()).filter(Boolean).length === 1)
  await go(page, `${stop}/complete`)
  await photos(page).click()
  await says(page, 'This photo is at the office or on its way there, so it can no longer be deleted.')
  assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
})

test('photos are shown in the order they were taken, and one that may have reached the server stays', async (t) => {
  const { signedIn, tasks, look, wire } = await startDriver(t)
  const { page } = await signedIn()
  const stop = `task/${tasks[0].id}`
  wire.cut()
  await go(page, `${stop}/complete`)
  const widths = [31, 32, 33, 34, 35, 36]
  for (const width of widths)
    await takePhoto(page, { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(makePng(width, 30)) })
  const shown = () =>
    photos(page).evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
  assert.deepEqual(await shown(), widths)

  // The stop is left: from now on a request may have got through.
  await go(page, 'waiting')
  await tap(page, 'Send now')
  await says(page, /The server cannot be reached/)
  await go(page, `${stop}/complete`)
  await page.getByRole('button', { name: 'Photo 2' }).click()
  await says(page, /can no longer be deleted/)
  await tap(page, 'Close')

  wire.mend()
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await until('all photos', async () => imagesOf(await look()).filter(Boolean).length === widths.length)
  await page.reload()
  await until('the photos', async () => (await photos(page).count()) === widths.length)
  assert.deepEqual(await shown(), widths)
})

test('without a camera, or if it is not allowed, the app says so and takes a photo of the phone’s own camera', async (t) => {
  const { signedIn, tasks } = await startDriver(t)
  const { page } = await signedIn()
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await go(page, `task/${tasks[0].id}/complete`)
  await tap(page, 'Take a photo')
  await says(page, /The camera is not allowed/)
  await assertAccessible(page, 'no camera')
  await tap(page, 'Close')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await takePhoto(page)
})
