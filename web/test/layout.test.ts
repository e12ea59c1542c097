import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import type { Language } from '../../core/words/languages.ts'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import type { Word } from '../words/console.ts'
import { startConsole, test } from './console.ts'
import { startWire } from './wire.ts'
import { sayIn } from './words.ts'

const widths = [1024, 1152, 1280, 1366, 1440, 1536, 1920]
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const tomorrow = Temporal.Now.plainDateISO('Europe/Bucharest').add({ days: 1 }).toString()

/** Drivers with usual names who are late, unassigned tasks of today and tomorrow, and a sum with many digits. */
async function aBusyDay(t: TestContext) {
  const server = await startConsole(t)
  for (const name of ['Georgiana Nistor', 'Cristian Gheorghiu']) {
    const { id } = await makeDriver(server, { name, driverTransportationId: 5 })
    const tasks = Array.from({ length: 12 }, (_, at) => ({
      address: { address: `Km ${at}`, lat: 44.43, lng: 26.1 + (at % 3) / 200 },
      userId: id,
      serviceTime: 3,
      totalPrice: 99_999,
      completeBefore: minutesFromNow(3 * at - 40),
    }))
    await server.post('/tasks/bulkCreate', { tasks })
    await server.post(`/drivers/${id}/tasks/optimizeTodayTasks`, {})
  }
  const awb = 'PARTNER-2026-0000000001'
  for (const later of [
    {},
    { completeAfter: `${tomorrow} 09:00`, completeBefore: `${tomorrow} 12:00`, pickupTask: true, awb },
  ])
    await server.post('/tasks', aTask({ details: 'Waits', ...later }))
  return server
}

/** Everything in the top bar that is cut off, outside the window, or covers something else. */
const troubleInBar = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('main header')
    const parts = [...(bar?.children ?? [])].filter(
      (part) => part.tagName !== 'H1' && getComputedStyle(part).display !== 'none',
    )
    const trouble: string[] = []
    let end = 0
    for (const part of parts) {
      const { left, right, width } = part.getBoundingClientRect()
      const name = part.textContent || part.getAttribute('aria-label')
      if (left < end) trouble.push(`${name} is over what is before it`)
      if (right > window.innerWidth) trouble.push(`${name} ends at ${right} of ${window.innerWidth}`)
      if (part.tagName !== 'DL' && part.scrollWidth > Math.ceil(width)) trouble.push(`${name} is cut off`)
      end = right
    }
    const strip = bar?.querySelector('dl')?.getBoundingClientRect()
    for (const figure of bar?.querySelectorAll('dl > div') ?? []) {
      const { top, left, right } = figure.getBoundingClientRect()
      const isShown = strip && top < strip.bottom
      if (isShown && (right > strip.right || left < strip.left)) trouble.push(`${figure.textContent} is cut off`)
    }
    return trouble
  })

type Box = { x: number; y: number; width: number; height: number }
async function boxOf(page: Page, selector: string): Promise<Box> {
  const box = await page.locator(selector).boundingBox()
  assert.ok(box, `${selector} is on the page`)
  return box
}
const isOver = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

const isCutOff = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))

const places: Word[] = [
  'dispatch',
  'drivers',
  'teams',
  'hubs',
  'forms',
  'reasons',
  'statistics',
  'cash',
  'webhooks',
  'keys',
  'people',
  'settings',
]

test('the console in every size', async (t) => {
  const server = await aBusyDay(t)
  const openIn = (locale: string) => server.open('about:blank', { locale })
  const pages: Record<Language, Page> = { en: await openIn('en-GB'), ro: await openIn('ro-RO') }

  for (const language of ['en', 'ro'] as Language[])
    await t.test(
      `nothing leaves the window or covers anything from 1024 pixels up, in ${language}: another day, a task open, tasks selected, the connection lost`,
      async (t) => {
        const say = sayIn(language)
        const wire = await startWire(t, server.url)
        const page = pages[language]
        await page.goto(`${wire.url}/?view=table&day=${tomorrow}`)
        await page.getByRole('row', { name: /PARTNER/ }).waitFor()
        const inEveryWidth = async (check: (what: string) => Promise<void>) => {
          for (const width of widths) {
            await page.setViewportSize({ width, height: 768 })
            await check(`${width} pixels`)
          }
        }
        const rowOf = async (button: Word) =>
          (await page.getByRole('button', { name: say(button), exact: true }).boundingBox())?.y
        await inEveryWidth(async (what) => {
          assert.deepEqual(await troubleInBar(page), [], what)
          assert.equal(await rowOf('columns'), await rowOf('filters'), `${what}: the columns stand beside the filters`)
        })

        await page.keyboard.press('j')
        await page.keyboard.press('x')
        await page.keyboard.press('Enter')
        await page.locator('[data-panel] h2').waitFor()
        wire.cut()
        await page.locator('[data-liveness=stale]').waitFor()
        await inEveryWidth(async (what) => {
          assert.deepEqual(await troubleInBar(page), [], `${what}, not live`)
          const panel = await boxOf(page, '[data-panel]')
          const bulk = await boxOf(page, `section[aria-label="${say('bulkActions')}"]`)
          const awb = await boxOf(page, '[data-panel] h2')
          assert.ok(!isOver(bulk, panel), `${what}: the panel leaves the bar of the selection alone`)
          assert.ok(bulk.x >= 0 && panel.x + panel.width <= page.viewportSize()!.width, what)
          assert.ok(awb.x + awb.width <= panel.x + panel.width, what)
          const rows = await boxOf(page, '[role=grid]')
          assert.ok(!isOver(rows, panel), `${what}: the panel covers no rows`)
        })
        assert.equal(
          await page.locator('[data-panel] h2').evaluate((awb) => awb.scrollWidth > awb.clientWidth),
          false,
          'the awb is shown whole',
        )
      },
    )

  await t.test('names of drivers and the labels of the timeline can be read', async () => {
    const page = pages.en
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${server.url}/?view=timeline`)
    await page.locator('[data-label]').first().waitFor()
    assert.deepEqual(await isCutOff(page, '[data-driver] button[aria-pressed]'), [])
    assert.deepEqual(await isCutOff(page, '[data-lane] .font-medium[title]'), [])
    assert.deepEqual(await isCutOff(page, '[data-label]'), [])
    const overlaps = await page.locator('[data-lane]').evaluateAll((lanes) =>
      lanes.flatMap((lane) => {
        const boxes = [...lane.querySelectorAll('[data-label]')].map((label) => label.getBoundingClientRect())
        boxes.sort((one, other) => one.left - other.left)
        return boxes.filter((box, at) => at > 0 && box.left < (boxes[at - 1]?.right ?? 0)).length
      }),
    )
    assert.deepEqual(overlaps, [0, 0])

    await page.setViewportSize({ width: 1024, height: 768 })
    await page.keyboard.press('1')
    await page.getByRole('complementary', { name: sayIn('en')('taskList') }).waitFor()
    assert.deepEqual(await isCutOff(page, 'aside fieldset'), [], 'the states above the list beside the map')
  })

  await t.test('no page scrolls beyond its content, on a small screen or a phone', async () => {
    const say = sayIn('en')
    const page = pages.en
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${server.url}/account`)
    for (const name of ['account', ...places] as Word[]) {
      // On a phone most pages are in a menu.
      await page.setViewportSize({ width: 1440, height: 900 })
      if (name !== 'account') await page.getByRole('link', { name: say(name), exact: true }).click()
      await page.getByRole('heading', { level: 1, name: say(name) }).waitFor()
      await page.getByText(say('loading')).first().waitFor({ state: 'detached' })
      for (const viewport of [
        { width: 1280, height: 720 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(viewport)
        const beyond = await page.evaluate(() => {
          const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement
          const scroller = document.querySelector('main > .overflow-y-auto')
          const content = [...(scroller?.children ?? [])].reduce(
            (sum, one) => sum + one.getBoundingClientRect().height,
            0,
          )
          return {
            right: scrollWidth - clientWidth,
            down: scrollHeight - clientHeight,
            blank: scroller
              ? Math.max(0, scroller.scrollHeight - Math.max(scroller.clientHeight, Math.ceil(content)))
              : 0,
            wide: scroller ? scroller.scrollWidth - scroller.clientWidth : 0,
          }
        })
        assert.deepEqual(beyond, { right: 0, down: 0, blank: 0, wide: 0 }, `${name} at ${viewport.width} pixels`)
      }
    }
  })
})
