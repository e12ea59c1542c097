import type { Page } from 'playwright-core'
import { until } from '../../server/test/until.ts'

/** Waits until the map is drawn on that background. */
export async function mapOn(page: Page, ground: 'world' | 'given' | 'tiles') {
  page.setDefaultTimeout(60_000)
  await page.locator(`.map-frame[data-ground="${ground}"]`).waitFor()
  const canvas = page.locator('.map-frame canvas')
  await canvas.waitFor()
  return canvas
}

/** How many pixels of the map have each colour. */
export async function paintOf(page: Page): Promise<Map<string, number>> {
  const picture = (await page.locator('.map-frame').screenshot()).toString('base64')
  const counts = await page.evaluate(async (picture) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (char) => char.charCodeAt(0))]))
    const brush = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d') as OffscreenCanvasRenderingContext2D
    brush.drawImage(bitmap, 0, 0)
    const { data } = brush.getImageData(0, 0, bitmap.width, bitmap.height)
    const counts = new Map<number, number>()
    for (const pixel of new Uint32Array(data.buffer)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
    return [...counts]
  }, picture)
  // The bytes of a pixel are red, green, blue and opacity.
  return new Map(counts.map(([pixel, count]) => [new Uint8Array(Uint32Array.of(pixel).buffer, 0, 3).join(), count]))
}

/** Waits until a colour covers at least that many pixels. */
export async function seesColour(page: Page, colour: string, least: number) {
  await until(`${colour} on the map`, async () => ((await paintOf(page)).get(colour) ?? 0) >= least)
}

/** The part of the app that draws the map is on the phone, all of it, without the map ever having been opened. */
export const hasMap = (page: Page) =>
  until('the map to be on the phone', () =>
    page.evaluate(`fetch('/driver-worker.js').then((script) => script.text()).then(async (script) => {
      const rest = JSON.parse(/"rest":(\\[.*?\\])/.exec(script)[1])
      const found = await Promise.all(rest.map((path) => caches.match(path)))
      return rest.length > 0 && found.every(Boolean)
    })`),
  )
