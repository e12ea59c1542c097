import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { person } from '../../cli/demo/host.ts'
import { launchBrowser } from './chromium.ts'

/*
 * Screenshots of every main screen, in two sizes and two themes. Start `npm run demo -- --still`, then `npm run
 * screenshots`. Those in the README are in docs/pictures.
 */

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:4000' },
    out: { type: 'string', default: '.waybill/screenshots' },
    only: { type: 'string', default: '' },
    language: { type: 'string', default: 'en' },
  },
})

type Take = (page: Page) => Promise<unknown>
const at =
  (path: string, then: Take = async () => {}): Take =>
  async (page) => {
    await page.goto(values.url + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {}) // the live stream never ends
    await then(page)
  }
const press =
  (...keys: string[]): Take =>
  async (page) => {
    for (const key of keys) await page.keyboard.press(key)
  }
const click =
  (name: string | RegExp, role: 'button' | 'menuitem' = 'button'): Take =>
  (page) =>
    page.getByRole(role, { name }).first().click()
const inTurn =
  (...takes: Take[]): Take =>
  async (page) => {
    for (const take of takes) await take(page)
  }

/** A driver with a task in transit and a long route. */
async function busyDriver(page: Page): Promise<number> {
  const { users } = await (await page.request.get(`${values.url}/api/v1/drivers`)).json()
  const { tasks } = await (await page.request.get(`${values.url}/api/v1/tasks?statusId=6`)).json()
  const load = (id: number) => tasks.filter(({ userId }: { userId: number }) => userId === id).length
  return users.map(({ id }: { id: number }) => id).sort((one: number, other: number) => load(other) - load(one))[3]
}

const screens: Record<string, Take> = {
  map: at('/'),
  'map-driver': async (page) => at(`/?driver=${await busyDriver(page)}`)(page),
  table: at('/?view=table'),
  board: at('/?view=board'),
  timeline: at('/?view=timeline'),
  task: at('/?view=table', press('j', 'j', 'Enter')),
  'new-task': at('/?view=table', press('n')),
  assign: at('/?view=table&status=1', press('j', 'x', 'j', 'x', 'a')),
  shortcuts: at('/?view=table', press('?')),
  import: at('/', async (page) => {
    const button = page.getByRole('button', { name: 'Import' })
    if (await button.isVisible()) return button.click()
    await click('More')(page) // in a narrow window it is in the menu
    return click('Import', 'menuitem')(page)
  }),
  drivers: at('/drivers'),
  invite: at('/drivers', click(/^Invite:/)),
  teams: at('/teams'),
  hubs: at('/hubs'),
  forms: at('/forms'),
  reasons: at('/reasons'),
  statistics: at('/statistics'),
  webhooks: at('/webhooks'),
  deliveries: at(
    '/webhooks',
    inTurn(click('Deliveries'), (page) => page.locator('details').first().click()),
  ),
  keys: at('/keys'),
  people: at('/people'),
  audit: at('/audit', async (page) => page.locator('details').first().click()),
  settings: at('/settings'),
  account: at('/account'),
}
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 1024, height: 768 } }

async function shoot(browser: Browser, theme: 'light' | 'dark', size: keyof typeof sizes, names: string[]) {
  const context = await browser.newContext({ viewport: sizes[size], colorScheme: theme, locale: values.language })
  const page = await context.newPage()
  await page.goto(`${values.url}/sign-in`)
  await page.locator('input[name=email]').waitFor()
  if (names.length === Object.keys(screens).length) await page.screenshot({ path: picture('sign-in', size, theme) })
  await page.locator('input[name=email]').fill(person.email)
  await page.locator('input[name=password]').fill(person.password)
  await page.locator('button[type=submit]').click()
  await page.locator('nav').waitFor()
  for (const name of names) {
    await screens[name]?.(page).catch((error: Error) => console.error(`${name}: ${error.message.split('\n')[0]}`))
    // Animations must end, and a map that cannot be reached is replaced only after a timeout.
    await page.waitForTimeout(name.startsWith('map') ? 12_000 : 600)
    await page.screenshot({ path: picture(name, size, theme) })
  }
  await context.close()
}

const out = resolve(values.out)
const picture = (name: string, size: string, theme: string) => join(out, `${name}-${size}-${theme}.png`)
await mkdir(out, { recursive: true })
const wanted = values.only.split(',').filter(Boolean)
const names = wanted.length > 0 ? wanted : Object.keys(screens)
const browser = await launchBrowser(true)
for (const theme of ['light', 'dark'] as const)
  for (const size of ['wide', 'narrow'] as const) await shoot(browser, theme, size, names)
await browser.close()
console.log(`The pictures are in ${out}`)
