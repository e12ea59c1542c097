import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { Succeeded } from '../../core/task-status.ts'
import { untilHolds } from '../../server/test/until.ts'
import { startConsole, test } from './console.ts'
import { aFullOffice } from './full-office.ts'
import { sizeName, windowSizes } from './misplaced.ts'
import { misplacedOn, showIn } from './screens.ts'
import { sayIn } from './words.ts'

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

test('on a tablet the bar of the day has two lines, and at any width it shows what is at risk', async (t) => {
  const { server } = await aFullOffice(t)
  for (const [locale, language] of [
    ['en-GB', 'en'],
    ['ro-RO', 'ro'],
  ] as const) {
    const say = sayIn(language)
    const page = await server.open('/?view=table', { viewport: { width: 768, height: 1024 }, locale })
    const bar = page.locator('main header').first()
    const risk = bar.getByText(say('atRisk'), { exact: true })
    await risk.waitFor()
    const lines = await bar.evaluate((header) => {
      const middles = [...header.children]
        .filter((one) => one.matches(':not(h1)') && one.getClientRects().length > 0)
        .map((one) => one.getBoundingClientRect())
        .map(({ top, bottom }) => Math.round((top + bottom) / 20))
      return new Set(middles).size
    })
    assert.equal(lines, 2, language)
    for (const width of [390, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const [figures, figure] = [await bar.locator('dl').boundingBox(), await risk.boundingBox()]
      assert.ok(
        figures && figure && figure.y < figures.y + figures.height,
        `${language} ${width}: ${JSON.stringify({ figures, figure })}`,
      )
    }
    await page.close()
  }
})

test('the dates of keys stay on one line', async (t) => {
  const server = await startConsole(t)
  await server.post('/keys', { name: 'Shop', scopes: ['tasks:read', 'tasks:write', 'drivers:read'] })
  const page = await server.open('/keys', { viewport: { width: 768, height: 1024 }, locale: 'ro-RO' })
  const cells = page.getByRole('row', { name: /Shop/ }).getByRole('cell')
  const lines = await cells
    .nth(1)
    .locator('span')
    .evaluate((date) => date.getClientRects().length)
  assert.equal(lines, 1)
})

test('the address of a tracking page is shortened before its copy button leaves the panel', async (t) => {
  const { server, taskId } = await aFullOffice(t)
  const page = await server.open(`/?view=table&task=${taskId}`, { viewport: { width: 768, height: 1024 } })
  const link = page.locator('[data-panel] a[href^="/t/"]')
  // Some are wider than others.
  await link.evaluate((one) => {
    one.textContent = `/t/${'W'.repeat(22)}`
  })
  const copy = page.locator('[data-panel]').getByRole('button', { name: sayIn('en')('copyTrackingLink') })
  const box = await copy.boundingBox()
  assert.ok(box && box.x + box.width <= 768, `the button ends at ${box && box.x + box.width}`)
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

test('on a phone a dispatcher goes from the list to a task, assigns it, writes a note, completes it, and looks at the map', async (t) => {
  const { server } = await aFullOffice(t)
  const page = await server.open('/?status=1', { viewport: { width: 390, height: 844 }, hasTouch: true })
  const say = sayIn('en')
  const awb = 'PARTNER-2026-0000000001'
  const look = async () => (await server.get(`/tasks/awb/${awb}`)).body.task
  const fits = async (what: string) => assert.deepEqual(await misplacedOn(page), [], what)
  const list = page.getByRole('complementary', { name: say('taskList') })
  const view = page.locator('[data-view=map]')
  const panel = page.locator('[data-panel]')
  const row = list.getByRole('row').filter({ hasText: awb })

  await row.waitFor()
  assert.equal(await view.count(), 0, 'the list has the whole screen')
  await fits('the list')
  await row.tap()
  await panel.getByRole('heading', { name: awb }).waitFor()
  await row.waitFor({ state: 'hidden' })
  await fits('the task')

  await panel.getByRole('button', { name: say('chooseDriver') }).tap()
  await fits('choosing a driver')
  await page.getByRole('option', { name: /Cristian/ }).tap()
  await untilHolds(async () => assert.equal((await look()).user?.name, 'Cristian Gheorghiu'))
  await panel.getByLabel(say('addNote')).fill('The gate is open')
  await panel.getByRole('button', { name: say('addNote') }).tap()
  await untilHolds(async () => assert.equal((await look()).notes.length, 1))
  await panel.getByRole('button', { name: say('more'), exact: true }).tap()
  await page.getByRole('menuitem', { name: say('markSucceeded') }).tap()
  await fits('completing')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('confirmSucceeded') })
    .tap()
  await untilHolds(async () => assert.equal((await look()).statusId, Succeeded))

  await panel.getByRole('button', { name: say('close'), exact: true }).tap()
  await list.waitFor()
  await page.getByRole('button', { name: say('map'), exact: true }).tap()
  await view.waitFor()
  assert.equal(await list.count(), 0, 'the map has the whole screen')
  await fits('the map')
})

test('on a phone every page is in the menu at the lower edge, by its name', async (t) => {
  const { server } = await aFullOffice(t)
  const page = await server.open('/', { viewport: { width: 390, height: 844 }, locale: 'ro-RO' })
  const say = sayIn('ro')
  await page
    .getByRole('navigation')
    .getByRole('button', { name: say('more'), exact: true })
    .click()
  assert.deepEqual(await misplacedOn(page), [])
  await page.getByRole('menuitem', { name: say('statistics') }).click()
  await page.getByRole('heading', { level: 1, name: say('statistics') }).waitFor()
})
