import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { type Browser, devices, type Page } from 'playwright-core'
import { person, startHost } from '../../cli/demo/host.ts'
import { runDemo } from '../../cli/demo/run.ts'
import { Assigned, Failed, InTransit, Succeeded } from '../../core/task-status.ts'
import { type Language, languageCodes } from '../../core/words/languages.ts'
import { launchBrowser } from './chromium.ts'
import { driverScreens, type OutsideScreen, type OutsideVisit, trackingScreens } from './outside-screens.ts'
import { consoleScreens, settle, type Visit, wideWindow } from './screens.ts'

/*
 * Screenshots of every screen in every size, theme and language: `npm run screenshots`. It starts a demo of its own, or
 * uses one that is running: `--url http://127.0.0.1:4000`. Less of it: `npm run screenshots -- --screens map,task
 * --sizes 390,1366 --themes dark --languages ro`. With `--map city.osm.pbf` there are streets on the maps. Those in the README, of
 * an extract of Bucharest, are in docs/pictures.
 */

const heights = {
  '320': 568,
  '390': 844,
  '683': 384,
  '768': 1024,
  '1024': 768,
  '1280': 800,
  '1366': 768,
  '1440': 900,
}
const usualSizes = '390,768,1024,1366,1440'

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    map: { type: 'string' },
    out: { type: 'string', default: '.waybill/screenshots' },
    screens: { type: 'string', default: '' },
    sizes: { type: 'string', default: usualSizes },
    themes: { type: 'string', default: 'light,dark' },
    languages: { type: 'string', default: languageCodes.join() },
  },
})

/** The chosen ones of a list; a name that is not in it is a mistake to be told. */
function choose<Name extends string>(what: string, given: string, known: readonly Name[]): Name[] {
  const wanted = given.split(',').filter(Boolean)
  const strange = wanted.find((one) => !known.includes(one as Name))
  if (strange) throw new Error(`There is no ${what} “${strange}”; there are ${known.join(', ')}`)
  return wanted as Name[]
}

/** Whom and what the pictures show. */
interface Found extends Pick<Visit, 'taskId' | 'awb' | 'driverId'>, Pick<OutsideVisit, 'url' | 'invite' | 'stops'> {}

const pageScreens: Record<string, OutsideScreen> = {
  'sign-in': async ({ page, url }) => void (await page.goto(`${url}/sign-in`)),
  ...trackingScreens,
}
const outsideScreens = { ...pageScreens, ...driverScreens }

const all = [...Object.keys(outsideScreens), ...Object.keys(consoleScreens)]
const names = values.screens ? choose('screen', values.screens, all) : all
const sizes = choose('size', values.sizes, Object.keys(heights) as (keyof typeof heights)[])
const themes = choose('theme', values.themes, ['light', 'dark'])
const spoken: Language[] = choose('language', values.languages, languageCodes)
const out = resolve(values.out)

/** The screen as it is, in every chosen size and theme. */
async function shoot(page: Page, name: string, language: Language) {
  for (const width of sizes) {
    await page.setViewportSize({ width: Number(width), height: heights[width] })
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settle(page)
      // A map draws for a while after everything else.
      if (await page.locator('canvas').count()) await page.waitForTimeout(1_500)
      await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}-${language}.png`) })
    }
  }
}

/** One that cannot be taken is told, and the others are taken. */
const attempt = (name: string, work: () => Promise<unknown>) =>
  work().catch((error: Error) => console.error(`${name}: ${error.message.split('\n')[0]}`))

async function signIn(page: Page, url: string) {
  await page.goto(`${url}/sign-in`)
  await page.locator('input[name=email]').fill(person.email)
  await page.locator('input[name=password]').fill(person.password)
  await page.locator('button[type=submit]').click()
  await page.locator('nav').waitFor()
}

/** With the rights of the person who is signed in. A write has the JSON type even if it is empty. */
const ask = (page: Page, method: 'GET' | 'POST', path: string, body?: object) =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers: HeadersInit = method === 'GET' ? {} : { 'content-type': 'application/json' }
      return (await fetch(`/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json()
    },
    [method, path, body] as const,
  )

type Task = { id: number; uuid: string; awb: string; userId: number }

/** Three parcels for one door, where the driver is; two were scanned into the vehicle. */
async function aStopOfSeveral(page: Page, url: string, userId: number): Promise<Task> {
  const address = { address: 'Bulevardul Decebal 1, București', lat: 44.4246, lng: 26.1213 }
  const customers = ['Elena Dobre', 'Victor Stan', 'Elena Dobre']
  const tasks: Task[] = []
  for (const name of customers) {
    const customer = { name, phone: name === 'Elena Dobre' ? '0722000111' : '0722000222' }
    const body = { address, customer, userId, totalPrice: 120, collectPayment: true }
    tasks.push((await ask(page, 'POST', '/tasks', body)).task)
  }
  for (const { awb } of tasks.slice(1)) await ask(page, 'POST', '/scans', { code: awb, at: 'vehicle', userId })
  const { link } = await ask(page, 'POST', `/drivers/${userId}/invite`)
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: token }
    return (await fetch(`${url}/api/v1/driver/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const { token } = await post('login', { secret: link.split('#')[1] })
  for (const verb of ['start', 'arrive']) for (const { id } of tasks) await post(`tasks/${id}/${verb}`, {}, token)
  return tasks[0] as Task
}

/** A driver with a task in transit and a long route. */
async function lookAround(page: Page, url: string): Promise<Found> {
  const tasksThatAre = async (statusId: number): Promise<Task[]> =>
    (await ask(page, 'GET', `/tasks?statusId=${statusId}`)).tasks
  const [underway, given, succeeded, fallen] = await Promise.all([
    tasksThatAre(InTransit),
    tasksThatAre(Assigned),
    tasksThatAre(Succeeded),
    tasksThatAre(Failed),
  ])
  const load = ({ userId }: Task) => given.filter((task) => task.userId === userId).length
  const [moving] = underway.sort((one, other) => load(other) - load(one))
  if (!moving) throw new Error('The demo has no task in transit')
  const ofDriver = (tasks: Task[]) => tasks.find(({ userId }) => userId === moving.userId) ?? tasks[0] ?? moving
  const planned = ofDriver(given)
  const several = values.url ? planned : await aStopOfSeveral(page, url, moving.userId)
  const { link } = await ask(page, 'POST', `/drivers/${moving.userId}/invite`)
  return {
    url,
    taskId: moving.id,
    awb: moving.awb,
    driverId: moving.userId,
    stops: { moving, planned, delivered: ofDriver(succeeded), failed: ofDriver(fallen), several },
    invite: link.split('#')[1],
  }
}

async function shootConsole(browser: Browser, url: string, language: Language): Promise<Found> {
  const context = await browser.newContext({ viewport: wideWindow, locale: language })
  const page = await context.newPage()
  await signIn(page, url)
  const found = await lookAround(page, url)
  for (const name of names) {
    const open = consoleScreens[name as keyof typeof consoleScreens]
    if (!open) continue
    await attempt(name, async () => {
      await open({ page, language, ...found })
      await shoot(page, name, language)
    })
  }
  await context.close()
  return found
}

async function shootOutside(browser: Browser, found: Found, language: Language) {
  const phone = { hasTouch: true, userAgent: devices['Pixel 7'].userAgent }
  for (const [screens, options] of [
    [pageScreens, {}],
    [driverScreens, phone],
  ] as const) {
    const wanted = names.flatMap((name) => (screens[name] ? [{ name, open: screens[name] }] : []))
    if (wanted.length === 0) continue
    const context = await browser.newContext({ locale: language, ...options })
    const page = await context.newPage()
    for (const { name, open } of wanted)
      await attempt(name, async () => {
        await open({ page, language, ...found })
        await shoot(page, name, language)
      })
    await context.close()
  }
}

/** A demo of its own, stopped in the middle of its day. */
async function startDemo() {
  // A map from the network would be another one every time, or none.
  process.env['WAYBILL_MAP_STYLE'] ??= 'none'
  const host = await startHost(0)
  if (values.map)
    await promisify(execFile)(process.execPath, ['bin/waybill.js', 'map', 'import', resolve(values.map)], {
      env: { ...process.env, WAYBILL_DATA: host.dataFolder },
    })
  const plan = { seed: 1, speed: 30, drivers: 6, tasks: 60, isStill: true, isForced: false, durationSeconds: 0 }
  await runDemo(host, plan, new AbortController().signal)
  return host
}

await mkdir(out, { recursive: true })
const host = values.url ? { url: values.url, stop: async () => {} } : await startDemo()
const browser = await launchBrowser(true)
try {
  for (const language of spoken) {
    const found = await shootConsole(browser, host.url, language)
    await shootOutside(browser, found, language)
  }
} finally {
  await browser.close()
  await host.stop()
}
console.log(`The pictures are in ${out}`)
