import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type Language, languageCodes } from '../../core/words/languages.ts'
import { amountsOf, tellNumbers } from '../../server/test/proofs.ts'
import { test } from './console.ts'
import { aFullOffice } from './full-office.ts'
import { findMisplaced, sizeName, type WindowSize, windowSizes } from './misplaced.ts'
import { consoleScreens, settle, type Visit } from './screens.ts'
import { sayIn } from './words.ts'

const sizes = windowSizes.slice(0, amountsOf('screens').sizes)

/** What is misplaced now, and still is when the page had its time. */
async function misplacedOn(page: Page): Promise<string[]> {
  let found: string[] = []
  for (let round = 0; round < 4; round += 1) {
    await settle(page)
    found = await findMisplaced(page)
    if (found.length === 0) return []
  }
  return found
}

const showIn = async (page: Page, { width, height }: WindowSize) => {
  await page.setViewportSize({ width, height })
  await settle(page)
}

test('every screen of the console fits every window in every language', async (t) => {
  const { server, taskId, driverId } = await aFullOffice(t)
  let looks = 0
  const lookAt = async (language: Language, name: string, open: (visit: Visit) => Promise<void>, page: Page) => {
    const found: string[] = []
    await open({ page, url: server.url, language, taskId, driverId }).catch((error: Error) => {
      throw new Error(`${name} cannot be opened`, { cause: error })
    })
    for (const size of sizes) {
      await showIn(page, size)
      looks += 1
      for (const one of await misplacedOn(page)) found.push(`${name} (${language}, ${sizeName(size)}): ${one}`)
    }
    return found
  }
  for (const language of languageCodes)
    await t.test(`in ${language} nothing is outside the window or under something else`, async () => {
      const page = await server.open('about:blank', { locale: language })
      const found: string[] = []
      for (const [name, open] of Object.entries(consoleScreens))
        found.push(...(await lookAt(language, name, open, page)))
      assert.deepEqual(found, [])
    })
  tellNumbers(t, 'screens', { screens: Object.keys(consoleScreens).length, sizes: sizes.length, looks })
})

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox()
  assert.ok(box, `${selector} is on the page`)
  return box
}

test('a laptop at 200 % zoom shows a map beside the list, and several lanes of the timeline', async (t) => {
  const { server } = await aFullOffice(t)
  const page = await server.open('/', { viewport: { width: 683, height: 384 }, locale: 'ro-RO' })
  await page.locator('[role=grid] [role=row]').first().waitFor()
  const area = await boxOf(page, '[data-view]')
  assert.ok(area.width >= 240 && area.height >= 240, `the map has ${area.width} × ${area.height} pixels`)
  const list = await boxOf(page, '[role=grid]')
  assert.ok(list.height >= 4 * 44, `the list has ${list.height} pixels`)
  await page.getByRole('button', { name: sayIn('ro')('timeline'), exact: true }).click()
  await page.locator('[data-lane]').first().waitFor()
  const isWhole = (box: { y: number; height: number } | null) => box !== null && box.y + box.height <= 384
  const lanes = await page.locator('[data-lane]').all()
  const boxes = await Promise.all(lanes.map((lane) => lane.boundingBox()))
  assert.ok(boxes.filter(isWhole).length >= 2, `lanes: ${JSON.stringify(boxes)}`)
})

test('a notice stays clear of the bar of the selection, on any screen', async (t) => {
  const { server } = await aFullOffice(t)
  const page = await server.open('/?view=table&q=PARTNER')
  const say = sayIn('en')
  const all = page.getByRole('checkbox', { name: say('selectAll') })
  await all.check()
  await page.keyboard.press('a')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Cristian')
  await page.keyboard.press('Enter')
  const notices = page.getByRole('region', { name: say('notices') })
  // It does not go while the pointer is on it.
  await notices.getByRole('button', { name: say('undo') }).hover()
  await all.check()
  for (const size of windowSizes) {
    await showIn(page, size)
    const [bar, notice] = [await boxOf(page, '[data-bulk]'), await notices.boundingBox()]
    assert.ok(notice && notice.y + notice.height <= bar.y, `${sizeName(size)}: ${JSON.stringify({ bar, notice })}`)
  }
})
