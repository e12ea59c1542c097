import type { Page } from 'playwright-core'
import type { Language } from '../../core/words/languages.ts'
import { findMisplaced, type WindowSize } from './misplaced.ts'
import { recordSayIn } from './words.ts'

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
  driverId: number
}

type Say = ReturnType<typeof recordSayIn>
type Word = Parameters<Say>[0]
type Step = (visit: Visit, say: Say) => Promise<unknown>
export type Screen = (visit: Visit) => Promise<void>

/** Where screens are opened: everything has its button there. */
export const wideWindow = { width: 1440, height: 900 }

/** A path without a new page where possible: loading one takes as long as everything else. */
export async function goTo({ page, url }: Pick<Visit, 'page' | 'url'>, path: string) {
  // What is open, what is selected, and where the cursor is.
  for (let time = 0; time < 3; time += 1) await page.keyboard.press('Escape')
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
    const say = recordSayIn(visit.language)
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
const select = press('j', 'x', 'j', 'x')
const inPanel = '[data-panel]'
const inBar = '[data-bulk]'
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
  search: at('/?view=table&q=Bulevardul'),
  'new-task': at('/?view=table', press('n')),
  import: at('/?view=table', click('import')),
  assign: at('/?view=table&status=1', select, press('a')),
  complete: at('/?view=table', select, click('forceComplete', 'button', inBar)),
  delete: at('/?view=table', select, click('delete', 'button', inBar)),
  proof: at('/?view=table', select, click('proof', 'button', inBar)),
  plan: at('/?view=table&status=1', select, click('plan', 'button', inBar)),
  shortcuts: at('/?view=table', press('?')),
  // On a phone the map comes after the list.
  'map-phone': at('/', async ({ page }, say) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: say('map'), exact: true }).click()
  }),
  'drivers-pane': at(({ taskId }) => `/?view=table&task=${taskId}`, click('showDrivers')),
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
  reasons: at('/reasons'),
  'new-reason': at('/reasons', click('newReason')),
  messages: at('/messages'),
  texts: at('/messages', click('messageTexts')),
  statistics: at('/statistics'),
  webhooks: at('/webhooks'),
  'new-webhook': at('/webhooks', click('newWebhook')),
  deliveries: at('/webhooks', click('deliveries')),
  keys: at('/keys'),
  'new-key': at('/keys', click('newKey')),
  people: at('/people'),
  'invite-person': at('/people', click('invitePerson')),
  audit: at('/audit'),
  privacy: at('/privacy'),
  settings: at('/settings'),
  account: at('/account'),
} satisfies Record<string, Screen>

export type ScreenName = keyof typeof consoleScreens
