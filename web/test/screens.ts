import type { Page } from 'playwright-core'
import type { Language } from '../../core/words/languages.ts'
import { findMisplaced, type WindowSize } from './misplaced.ts'
import { screenSayIn } from './words.ts'

/*
 * Every screen of the console and how to get there, in any language: for the test that looks for what is misplaced, and
 * for the pictures. Screens are opened in a wide window and then shown in others.
 */

export interface Visit {
  page: Page
  url: string
  language: Language
  /** A task with a driver, and a driver with a route. */
  taskId: number
  awb: string
  driverId: number
}

type Say = ReturnType<typeof screenSayIn>
type Word = Parameters<Say>[0]
type Step = (visit: Visit, say: Say) => Promise<unknown>
export type Screen = (visit: Visit) => Promise<void>

/** Where screens are opened: everything has its button there. */
export const wideWindow = { width: 1440, height: 900 }

/** A path without a new page where possible: loading one takes as long as everything else. */
export async function goTo({ page, url, language }: Pick<Visit, 'page' | 'url' | 'language'>, path: string) {
  const discard = page.getByRole('button', { name: screenSayIn(language)('discard'), exact: true })
  // What is open, what is selected, and where the cursor is.
  for (let time = 0; time < 3; time += 1) {
    await page.keyboard.press('Escape')
    if (await discard.isVisible()) await discard.click()
  }
  const isInside = page.url().startsWith(url) && (await page.locator('nav').count()) > 0
  if (isInside) await page.evaluate((path) => history.pushState({}, '', path), path)
  else await page.goto(url + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
}

/** Nothing loads any more, and what follows the size of the window has followed. */
export async function settle(page: Page) {
  await page.locator('.animate-pulse, [aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        const wait = (frames: number) => (frames === 0 ? done() : requestAnimationFrame(() => wait(frames - 1)))
        wait(4)
      }),
  )
}

/** What is misplaced now, and still is when the page had its time. */
export async function misplacedOn(page: Page): Promise<string[]> {
  let found: string[] = []
  for (let round = 0; round < 4; round += 1) {
    await settle(page)
    found = await findMisplaced(page)
    if (found.length === 0) return []
  }
  return found
}

export const showIn = async (page: Page, { width, height }: WindowSize) => {
  await page.setViewportSize({ width, height })
  await settle(page)
}

const at =
  (path: string | ((visit: Visit) => string), ...steps: Step[]): Screen =>
  async (visit) => {
    const say = screenSayIn(visit.language)
    await visit.page.setViewportSize(wideWindow)
    await goTo(visit, typeof path === 'string' ? path : path(visit))
    await settle(visit.page)
    for (const step of steps) {
      await step(visit, say)
      await settle(visit.page)
    }
  }

const press =
  (...keys: string[]): Step =>
  async ({ page }) => {
    for (const key of keys) await page.keyboard.press(key)
  }
/** The first button, or item of a menu, whose name begins with these words. */
const click =
  (word: Word, role: 'button' | 'menuitem' = 'button', within = 'body'): Step =>
  async ({ page }, say) => {
    const name = new RegExp(`^${RegExp.escape(say(word))}`)
    await page.locator(within).getByRole(role, { name }).first().click()
  }
/** The first button of a driver: its name holds theirs. */
const clickOfDriver =
  (word: 'optimiseRouteOf' | 'reorderRouteOf' | 'actionsFor'): Step =>
  async ({ page }, say) => {
    const [before = '', after = ''] = say(word, { driver: '\n' }).split('\n').map(RegExp.escape)
    await page
      .getByRole('button', { name: new RegExp(`^${before}.+${after}$`) })
      .first()
      .click()
  }
const select = press('j', 'x', 'j', 'x')
const inPanel = '[data-panel]'
const inBar = '[data-bulk]'
/** A list of another office's making: rows to fix, and a task that is there already. */
const chooseFile: Step = async ({ page, awb }, say) => {
  const rows = [
    'AWB,Address,Time window,Price,Customer',
    `${awb},"Bulevardul General Gheorghe Magheru 230A, București",10:00-12:00,1250,Ecaterina Dumitrescu-Brătianu`,
    'PARTNER-2026-0000000091,,10:00-12:00,120,Mihaela-Alexandra Constantinescu',
    'PARTNER-2026-0000000092,"Calea Victoriei 12, București",14:00-12:00,a lot,Ana Pop',
    'PARTNER-2026-0000000093,"Strada Lipscani 3, București",10:00-12:00,95,Ana Pop',
  ]
  const file = { name: 'Livrări de joi, zona de nord.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }
  await page.getByLabel(say('importFile'), { exact: true }).setInputFiles(file)
  await page.getByText(say('importRows', { n: 4, file: file.name })).waitFor()
}
const checkFile: Step = async ({ page }, say) => {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('next'), exact: true })
    .click()
  await page.getByText(say('rowsToFix', { n: 2 })).waitFor()
  await page.getByText(say('rowsExisting', { n: 1 })).waitFor()
}
const updateExisting: Step = async ({ page }, say) => {
  await page.getByRole('button', { name: new RegExp(`^${RegExp.escape(say('showExisting'))}`) }).click()
  await page.getByLabel(say('existingUpdate')).check()
}
/** The triggers of a receiver that has one of them already. */
const chooseTriggers: Step = async ({ page }, say) => {
  const url = (await page.locator('tbody tr').first().locator('th, td').first().textContent()) ?? ''
  await click('newWebhook')({ page } as Visit, say)
  await page.getByLabel(say('url'), { exact: true }).fill(url)
  for (const at of [2, 3, 4]) await page.getByRole('dialog').getByRole('checkbox').nth(at).click()
}
const openDelivery: Step = async ({ page }, say) => {
  await page.getByRole('dialog').locator('summary').first().click()
  await page.getByText(say('deliveryBody')).waitFor()
}
const findMessages =
  (text: string): Step =>
  ({ page }, say) =>
    page.getByRole('searchbox', { name: say('search') }).fill(text)
const openMessage: Step = async ({ page }, say) => {
  const again = new RegExp(`^${RegExp.escape(say('sendAgain'))}`)
  await page.getByRole('button', { name: again }).first().waitFor()
  await page.locator('main li summary').first().click()
}
const lastWeek: Step = async ({ page }, say) => {
  await page.getByLabel(say('period'), { exact: true }).selectOption('last7Days')
  await page.getByRole('heading', { name: say('perDay') }).waitFor()
}
const beside = (view: string) => at(({ taskId }) => `/?view=${view}&task=${taskId}`)

export const consoleScreens = {
  map: at('/'),
  'map-driver': at(({ driverId }) => `/?driver=${driverId}`),
  table: at('/?view=table'),
  board: at('/?view=board'),
  timeline: at('/?view=timeline'),
  'another-day': at('/?view=table&day=2031-12-30'),
  'nothing-found': at('/?view=table&q=nothing-is-called-so'),
  task: at(({ taskId }) => `/?task=${taskId}`),
  'task-table': beside('table'),
  'task-board': beside('board'),
  'task-timeline': beside('timeline'),
  'task-menu': at(({ taskId }) => `/?view=table&task=${taskId}`, click('more', 'button', inPanel)),
  'task-force': at(
    ({ taskId }) => `/?view=table&task=${taskId}`,
    click('more', 'button', inPanel),
    click('markFailed', 'menuitem'),
  ),
  'task-edit': at(({ taskId }) => `/?view=table&task=${taskId}`, click('edit', 'button', inPanel)),
  selection: at('/?view=table', select),
  'selection-map': at('/', select),
  'selection-task': at(
    ({ taskId }) => `/?view=table&task=${taskId}`,
    ({ page }) => page.locator('[role=grid]').focus(),
    select,
  ),
  filters: at('/?view=table', click('filters')),
  columns: at('/?view=table', click('columns')),
  more: at('/?view=table', click('more', 'button', 'main header')),
  'optimise-all': at('/?view=table', click('more', 'button', 'main header'), click('optimiseAll', 'menuitem')),
  'optimise-route': at('/?view=timeline', clickOfDriver('optimiseRouteOf')),
  'reorder-route': at('/?view=timeline', clickOfDriver('reorderRouteOf')),
  unavailable: at('/?view=table', clickOfDriver('actionsFor'), click('makeUnavailable')),
  search: at('/?view=table&q=Bulevardul'),
  'new-task': at('/?view=table', press('n')),
  import: at('/?view=table', click('import')),
  'import-columns': at('/?view=table', click('import'), chooseFile),
  'import-fix': at('/?view=table', click('import'), chooseFile, checkFile),
  'import-updates': at('/?view=table', click('import'), chooseFile, checkFile, updateExisting),
  assign: at('/?view=table&status=1', select, press('a')),
  complete: at('/?view=table', select, click('forceComplete', 'button', inBar)),
  delete: at('/?view=table', select, click('delete', 'button', inBar)),
  proof: at('/?view=table', select, click('proof', 'button', inBar)),
  labels: at('/?view=table', select, click('labels', 'button', inBar)),
  plan: at('/?view=table&status=1', select, click('plan', 'button', inBar)),
  shortcuts: at('/?view=table', press('?')),
  // On a phone the map comes after the list.
  'map-phone': at('/', async ({ page }, say) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: say('map'), exact: true }).click()
  }),
  'drivers-pane': at(({ taskId }) => `/?view=table&task=${taskId}`, click('showDrivers')),
  addresses: at('/addresses'),
  'addresses-none': at('/addresses?driver=999999999'),
  'to-decide': at('/to-decide'),
  conflicts: at('/conflicts'),
  drivers: at('/drivers'),
  'new-driver': at('/drivers', click('newDriver')),
  invite: at('/drivers', click('invite')),
  absences: at('/drivers', ({ page }) =>
    page
      .getByRole('button', { name: /^(Absences|Absențe)/ })
      .first()
      .click(),
  ),
  teams: at('/teams'),
  'new-team': at('/teams', click('newTeam')),
  hubs: at('/hubs'),
  'new-hub': at('/hubs', click('newHub')),
  forms: at('/forms'),
  'new-form': at('/forms', click('newForm')),
  load: at('/load'),
  schedules: at('/schedules'),
  'new-schedule': at('/schedules', click('newSchedule')),
  holidays: at('/schedules', click('holidaysItem')),
  templates: at('/schedules', click('templatesItem')),
  'save-template': at('/?view=table', press('n'), click('saveAsTemplate')),
  reasons: at('/reasons'),
  'new-reason': at('/reasons', click('newReason')),
  messages: at('/messages'),
  'messages-found': at('/messages', findMessages('07'), openMessage),
  'messages-none': at('/messages', findMessages('nothing-is-called-so')),
  texts: at('/messages', click('messageTexts')),
  cash: at('/cash'),
  'close-day': at('/cash', click('closeDay')),
  statistics: at('/statistics'),
  'statistics-range': at('/statistics', lastWeek),
  webhooks: at('/webhooks'),
  'new-webhook': at('/webhooks', click('newWebhook')),
  'webhook-triggers': at('/webhooks', chooseTriggers),
  deliveries: at('/webhooks', click('deliveries')),
  'delivery-body': at('/webhooks', click('deliveries'), openDelivery),
  keys: at('/keys'),
  'new-key': at('/keys', click('newKey')),
  partners: at('/partners'),
  'new-partner': at('/partners', click('newPartner')),
  'partner-balance': at('/partners', click('balance')),
  'partner-end': at(
    '/partners',
    ({ page }) => page.locator('main tbody [aria-haspopup=menu]').first().click(),
    ({ page }) => page.getByRole('menuitem').click(),
  ),
  give: at('/?view=table&status=1', select, click('giveToPartner', 'button', inBar)),
  'try-again': at('/?view=table&status=10', select, click('tryAgain', 'button', inBar)),
  'bring-back': at('/?view=table&status=10', press('j', 'x'), click('bringBack', 'button', inBar)),
  'correct-outcome': at(
    '/?view=table&status=10',
    press('j', 'Enter'),
    click('more', 'button', inPanel),
    click('correctEnd', 'menuitem'),
  ),
  people: at('/people'),
  'invite-person': at('/people', click('invitePerson')),
  audit: at('/audit'),
  privacy: at('/privacy'),
  settings: at('/settings'),
  account: at('/account'),
} satisfies Record<string, Screen>

export type ScreenName = keyof typeof consoleScreens

/** The console of a shop; the task is one that its courier has. */
export const shopScreens = {
  shop: at('/'),
  'shop-task': at(({ taskId }) => `/?task=${taskId}`),
  'shop-task-menu': at(({ taskId }) => `/?task=${taskId}`, click('more', 'button', inPanel)),
  'shop-take-back': at(
    ({ taskId }) => `/?task=${taskId}`,
    click('more', 'button', inPanel),
    click('takeBack', 'menuitem'),
  ),
  'shop-new': at('/', press('n')),
  'shop-selection': at('/', select),
} satisfies Record<string, Screen>

/** What an admin sees while the first steps are not all taken. */
const firstSteps: Step = ({ page }, say) => page.getByRole('region', { name: say('firstSteps') }).waitFor()
export const firstScreens = {
  'first-steps': at('/', firstSteps),
  'first-steps-table': at('/?view=table', firstSteps),
  'first-steps-timeline': at('/?view=timeline', firstSteps),
} satisfies Record<string, Screen>
