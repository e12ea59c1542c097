import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { apps } from '../../contract/pages.ts'
import { publicHolidays } from '../../core/holidays.ts'
import { type AppTexts, loadTexts } from '../../core/words/apps.ts'
import { makeDriver } from '../../server/test/factories.ts'
import { markAll, unmarked } from '../../server/test/marked.ts'
import { startConsole, test } from './console.ts'
import { driverOf } from './driver.ts'

/*
 * The pages in a language that does not exist, made from English: they ask for the Romanian texts and get these, so
 * every text that is on a screen unmarked is in no catalogue. What the test types in itself has an Ω.
 */

const root = resolve(import.meta.dirname, '../..')

const names = {
  console: 'consoleWords',
  import: 'importWords',
  records: 'recordWords',
  days: 'dayWords',
  firstSteps: 'firstStepWords',
  partners: 'partnerWords',
  loading: 'loadingWords',
  driver: 'driverWords',
  settings: 'settingTexts',
  addresses: 'addressWords',
  cash: 'cashWords',
  labels: 'labelWords',
  tries: 'tryWords',
} as const satisfies Record<keyof AppTexts, string>

async function speakMadeUp(context: BrowserContext) {
  for (const [app, name] of Object.entries(names)) {
    const texts = markAll(await loadTexts(app as keyof typeof names, 'en'))
    const body = `export const ${name} = ${JSON.stringify(texts)}`
    const file = app.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    await context.route(`**/assets/words-ro-${file}-*.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body }),
    )
  }
}

/** The texts a person can see or hear. */
const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts: string[] = []
    const isShown = (element: Element | null) =>
      element?.checkVisibility() && !element.closest('script, style, svg, code')
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const { parentElement, textContent } = walk.currentNode
      if (textContent?.trim() && isShown(parentElement)) texts.push(textContent)
    }
    for (const element of document.body.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
      if (isShown(element))
        for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.push(element.getAttribute(name) ?? '')
    for (const { selectedOptions } of document.body.querySelectorAll('select'))
      for (const { textContent } of selectedOptions) texts.push(textContent ?? '')
    return [document.title, ...texts]
  })

/** What no catalogue has: names of the product and of languages, units, and what `Intl` writes. */
const months =
  /\b(?:(?:luni|marți|miercuri|joi|vineri|sâmbătă|duminică)(?!\p{L})|(?:ian|feb|mar|apr|mai|iun|iul|aug|sept|oct|nov|dec|lun|mie|vin|sâm|dum)\b\.?)/gu
const ours = /(?<!\p{L})(?:Waybill|English|Română|lei|min|h|kB|MB|https)(?!\p{L})/gu
/** Names that other tests use too. */
const theirs = /Test key|Europe\/\w+|Team \d+|Ana Pop|Vlad Ene|^V$|Admin|\S+@example\.org|\/t\/\S+/g

/** The fields of another app, as they are called there. */
const traccar = [
  'Server URL',
  'Device identifier',
  'Location accuracy',
  'High',
  'Distance',
  'Interval',
  'Offline buffering',
]

/** Names of public holidays are said in the language of their country, whatever the page speaks. */
const holidays = new RegExp(
  publicHolidays('RO', 2026)
    .map(({ name }) => name)
    .join('|'),
  'g',
)

async function look(page: Page, what: string, found: string[]) {
  for (const text of await textsOn(page)) {
    const words = unmarked(
      text.trim().replace(theirs, ' ').replace(holidays, ' ').replace(months, ' ').replace(ours, ' '),
    )
    if (words.length > 0 && !traccar.includes(text.trim())) found.push(`${what}: ${text.trim()}`)
  }
}

/** What can be opened on a page: menus, and the form behind its first button. */
async function openAll(page: Page, what: string, found: string[]) {
  const menus = page.locator('main [aria-haspopup]:visible, header [aria-haspopup]:visible')
  for (let at = 0; at < Math.min(await menus.count(), 4); at += 1) {
    await menus.nth(at).click()
    await look(page, `${what}, menu ${at}`, found)
    await page.keyboard.press('Escape')
  }
  const first = page
    .locator('main button:visible')
    .filter({ has: page.locator('svg.lucide-plus') })
    .first()
  if ((await first.count()) === 0) return
  await first.click()
  await page.getByRole('dialog').waitFor()
  await look(page, `${what}, its form`, found)
  await page.keyboard.press('Escape')
}

test('every page of the console is said by the catalogue of its language', async (t) => {
  const console = await startConsole(t)
  await console.put('/company', { name: 'Ωmega' })
  const hub = (await console.post('/hubs', { name: 'Ω-Hub', lat: 44.4, lng: 26.1 })).body.hub
  const driver = await makeDriver(console, { name: 'Ωna' })
  await console.post('/reasons', { code: 'Ω', label: 'Ω' })
  await console.post('/teams', { name: 'Ω-Team', hubId: hub.id })
  const address = { address: 'Ω 12', lat: 44.43, lng: 26.1 }
  const given = { address, customer: { name: 'Ωana', phone: '0712345678' } }
  const { task } = (await console.post('/tasks', { awb: '1', userId: driver.id, ...given })).body
  await console.post('/tasks', { awb: '2', ...given })

  const page = await console.open('about:blank', { locale: 'ro-RO' })
  await speakMadeUp(page.context())
  const found: string[] = []
  const visit = async (path: string) => {
    await page.goto(new URL(path, console.url).href)
    await page.getByText('~~»').first().waitFor()
    await page.getByText('«Loading…~~»').first().waitFor({ state: 'detached' })
    await look(page, path, found)
  }
  for (const view of ['map', 'table', 'board', 'timeline']) {
    await visit(`/?view=${view}&task=${task.id}`)
    await openAll(page, view, found)
  }
  for (const path of apps.console.filter((path) => path !== '/' && !path.includes(':'))) {
    await visit(path)
    await openAll(page, path, found)
  }
  assert.deepEqual([...new Set(found)], [])
})

test("every screen of the driver's app is said by the catalogue of its language", async (t) => {
  const console = await startConsole(t)
  await console.put('/company', { name: 'Ωmega' })
  await console.post('/reasons', { code: 'Ω', label: 'Ω' })
  const address = { address: 'Ω 12', lat: 44.43, lng: 26.1 }
  const given = () => ({
    address,
    customer: { name: 'Ωana', phone: '0712345678' },
    totalPrice: 20,
    collectPayment: true,
  })
  const { takePhone, invite, wire, tasks } = await driverOf(t, console, ['1', '2'], given)
  const phone = await takePhone({ locale: 'ro-RO', serviceWorkers: 'block', isNew: true })
  await speakMadeUp(phone.context)
  const { page } = phone
  const found: string[] = []
  const see = async (screen: string) => {
    await page.getByText('~~»').first().waitFor()
    await look(page, screen, found)
  }
  await page.goto(`${wire.url}/driver`)
  await see('signing in')
  await page.goto(`${wire.url}/driver#${(await invite()).link.split('#')[1]}`)
  await page.getByRole('switch').waitFor()
  await see('intro')
  const id = tasks[0]?.['id']
  for (const screen of ['', 'map', 'me', 'waiting', 'locked', `task/${id}`, `task/${id}/complete`, `task/${id}/fail`]) {
    await page.evaluate(`location.hash = '#/${screen}'`)
    // Drawn by the frame after next.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await see(screen)
  }
  assert.deepEqual([...new Set(found)], [])
})

/** Also of screens that are not opened above: dialogs, toasts, what is seen only when something fails. */
test('no element has a text that is written into its page', async () => {
  const text = />\s*\p{Lu}[\p{L} ,.'’:…!?-]{2,}\s*<\//u
  const attribute = /\b(?:aria-label|placeholder|title|alt)="(?!Waybill")(?:\p{Lu}|[^"]* )[^"]*"/u
  const found: string[] = []
  for await (const file of glob('web/{console,driver,map,tasks,ui}/**/*.tsx', { cwd: root })) {
    const source = await readFile(join(root, file), 'utf8')
    for (const rule of [text, attribute]) if (rule.test(source)) found.push(`${file}: ${rule.exec(source)?.[0]}`)
  }
  assert.deepEqual(found, [])
})
