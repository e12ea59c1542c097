import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../web/test/chromium.ts'
import { keepResults, median, onDatabase, printHeader, withClient, withServer } from './measure.ts'
import { processorTimes, type Running, startWaybill } from './processes.ts'
import { call, findDatabase, key, makeDrivers } from './stage.ts'

/*
 * The dispatch screen on a day of 5,000 tasks: how much processor time the page's own thread takes until the first rows are
 * there, and its longest task while it loads, while the table is scrolled, and when events arrive. Processor time, not time by
 * the clock: others may use the machine. `--rounds=N` repeats more often, `--tasks=N` makes fewer tasks, `--views=map,table`
 * opens only these, `--fresh` opens each in a browser that has none of the files. With WAYBILL_BENCH_PROFILE every step leaves a .cpuprofile in that folder, and its numbers are worth less.
 */

const views = ['table', 'board', 'map', 'timeline'] as const
type View = (typeof views)[number]

const usualTasks = 5_000
const usualRounds = 3
const drivers = 40
const openWindow = { width: 1280, height: 800 }

/** Milliseconds of processor time. */
interface Found {
  firstRows: number
  loaded: number
  longestLoading: number
  longestScrolling?: number
  longestAfterOne: number
  longestAfterFifty: number
}

const words: Record<keyof Found, string> = {
  firstRows: 'until the first rows',
  loaded: 'until everything is there',
  longestLoading: 'longest while loading',
  longestScrolling: 'longest while scrolling',
  longestAfterOne: 'longest after one event',
  longestAfterFifty: 'longest after fifty',
}
const columns = Object.keys(words) as (keyof Found)[]

export async function run(args: string[]) {
  const given = (name: string) => new RegExp(`--${name}=(\\S+)`).exec(args.join(' '))?.[1]
  const rounds = Number(given('rounds') ?? usualRounds)
  const count = Number(given('tasks') ?? usualTasks)
  const chosen = views.filter((view) => !given('views') || given('views')?.split(',').includes(view))
  await withServer(async ({ url, adminUrl }) => {
    printHeader(`The dispatch screen, ${count} tasks`, rounds)
    const environment = { WAYBILL_GEOCODER: 'off', WAYBILL_MAP_STYLE: 'none' }
    const api = await startWaybill('all', url, key, environment)
    const [browser, drawing] = [await launchBrowser(false), await launchBrowser(true)]
    try {
      await withClient(onDatabase(adminUrl, 'waybill'), async (client) => {
        const databasePid = await findDatabase(client)
        const office: Office = { api, count, databasePid, cookie: await signIn(api), ...(await fillDay(api, count)) }
        await untilQuiet(office)
        const results = await measureAll(office, { browser, drawing }, chosen, rounds, args.includes('--fresh'))
        print(results)
        if (args.includes('--keep')) await keepResults('console', results)
      })
    } finally {
      await Promise.all([browser.close(), drawing.close()])
      await api.stop()
    }
  })
}

interface Office {
  api: Running
  count: number
  databasePid: number
  cookie: string
  driverIds: number[]
  /** Tasks that nobody has yet: assigning them is what happens while we watch. */
  free: number[]
}

/** A dispatcher with a session, and its cookie. */
async function signIn(api: Running): Promise<string> {
  const person = { name: 'Ana Pop', email: 'ana@example.org', role: 'dispatcher' }
  const { link } = await call({ api }, 'POST', '/people', JSON.stringify(person))
  const answer = await fetch(`${api.url}/api/v1/session/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token: link.split('#')[1], password: 'correct horse battery' }),
  })
  const [cookie] = answer.headers.getSetCookie()
  if (!cookie) throw new Error(`Signing in answered ${answer.status}: ${await answer.text()}`)
  return cookie.split(';')[0] as string
}

/** Two tasks in three have a driver, an eighth of all is done; two in five have a window, a third is paid on delivery. */
async function fillDay(api: Running, count: number): Promise<Pick<Office, 'driverIds' | 'free'>> {
  const driverIds = await makeDrivers({ api }, drivers)
  for (const id of driverIds) await call({ api }, 'PUT', `/drivers/${id}/duty`, JSON.stringify({ inShift: true }))
  const draw = (n: number, salt: number) => ((Math.imul(n * 104_729 + salt, 2_654_435_761) >>> 8) % 10_000) / 10_000
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const taskOf = (n: number) => ({
    awb: `WB-${String(n).padStart(6, '0')}`,
    address: {
      address: `Strada Ion Luca Caragiale ${n % 180}, București`,
      area: `Sector ${(n % 6) + 1}`,
      lat: 44.35 + draw(n, 1) * 0.18,
      lng: 26 + draw(n, 2) * 0.22,
    },
    customer: { name: `Ana Maria ${n % 900}`, phone: `07123${10_000 + (n % 900)}` },
    details: 'Two boxes',
    ...(n % 5 < 2 && { completeAfter: inHours(draw(n, 3)), completeBefore: inHours(1 + draw(n, 4) * 8) }),
    ...(n % 3 === 0 && { totalPrice: 89 + (n % 40) }),
    ...(n % 3 > 0 && { userId: driverIds[n % drivers] }),
  })
  const ids: number[] = []
  for (let from = 0; from < count; from += 500) {
    const tasks = Array.from({ length: Math.min(500, count - from) }, (_, at) => taskOf(from + at))
    const { results } = await call({ api }, 'POST', '/tasks/bulkCreate', JSON.stringify({ tasks }))
    for (const { data, error } of results) {
      if (!data) throw new Error(`A task was refused: ${JSON.stringify(error)}`)
      ids.push(data.id)
    }
  }
  const isDone = (n: number) => n % 3 > 0 && n % 16 < 3
  const done = ids.flatMap((_, n) => (isDone(n) ? [taskOf(n).awb] : []))
  await inFours(done, (awb) => call({ api }, 'PUT', `/tasks/awb/${awb}/forceComplete`, '{"success":"true"}'))
  return { driverIds, free: ids.filter((_, n) => n % 3 === 0) }
}

async function inFours(list: readonly string[], work: (one: string) => Promise<unknown>) {
  const left = [...list]
  const worker = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
}

/** Arrivals are computed after tasks were given; they would be counted as somebody's. */
async function untilQuiet(office: Office) {
  for (let quiet = 0, round = 0; quiet < 3 && round < 90; round += 1) {
    const before = processorTimes(office)
    await pause(1_000)
    const after = processorTimes(office)
    quiet = after.node - before.node + (after.postgres - before.postgres) < 60 ? quiet + 1 : 0
  }
}

type Results = Partial<Record<View, Found[]>>

async function measureAll(
  office: Office,
  { browser, drawing }: Record<'browser' | 'drawing', Browser>,
  chosen: readonly View[],
  rounds: number,
  isFresh: boolean,
): Promise<Results> {
  const results: Results = {}
  const contexts = new Map<View, BrowserContext>()
  // Otherwise a round before the first is not counted: from then on the browser has the files.
  for (let round = isFresh ? 1 : 0; round <= rounds; round += 1)
    for (const view of chosen) {
      const one = view === 'map' ? drawing : browser
      const context = contexts.get(view) ?? (await openContext(one, office))
      if (!isFresh) contexts.set(view, context)
      const found = await measure(office, one, context, view)
      if (isFresh) await context.close()
      if (round > 0) results[view] = [...(results[view] ?? []), found]
    }
  return results
}

async function openContext(browser: Browser, { api, cookie }: Office): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', viewport: openWindow })
  context.setDefaultTimeout(180_000)
  const at = cookie.indexOf('=')
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: api.url }])
  await context.addInitScript({ content: markFirstRows })
  return context
}

const mark = 'first rows'

/* What runs in the page is text: this program knows no page. */

/** The mark is set after the first rows are painted. */
const markFirstRows = `
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[data-task]')) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark('${mark}')))
  }).observe(document, { childList: true, subtree: true })`

/** A screen a frame, to the end. */
const scrollDown = `(async () => {
  const list = document.querySelector('[role=grid]')
  for (let last = -1; list.scrollTop > last; ) {
    last = list.scrollTop
    list.scrollTop += list.clientHeight
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
  }
})()`

const idleForASecond = `(async () => {
  const until = performance.now() + 1_000
  while (performance.now() < until) await new Promise((idle) => requestIdleCallback(idle))
})()`

async function measure(office: Office, browser: Browser, context: BrowserContext, view: View): Promise<Found> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const watch = (step: string, work: () => Promise<unknown>) =>
    watchTasks({ browser, page, session, step: `${view}-${step}` }, work)
  try {
    const loading = await watch('load', async () => {
      await page.goto(`${office.api.url}/?view=${view}`)
      await page.locator('[data-task]').first().waitFor()
      await tabSays(page, 'All', office.count)
    })
    const scrolling = view === 'table' ? await watch('scroll', () => page.evaluate(scrollDown)) : undefined
    const one = await watch('one', () => assignSome(office, page, 1))
    const fifty = await watch('fifty', () => assignSome(office, page, 50))
    return {
      firstRows: loading.untilMark,
      loaded: loading.total,
      longestLoading: loading.longest,
      ...(scrolling && { longestScrolling: scrolling.longest }),
      longestAfterOne: one.longest,
      longestAfterFifty: fifty.longest,
    }
  } finally {
    await page.close()
    await untilQuiet(office)
  }
}

/** A tab of a state, by its name and what it counts. */
const tabSays = (page: Page, name: string, count: number) =>
  page
    .locator('fieldset button')
    .filter({ hasText: new RegExp(`^\\s*${name}\\s*${count}\\s*$`) })
    .waitFor()

/** As another dispatcher would. */
async function assignSome(office: Office, page: Page, count: number) {
  const tasks = office.free.splice(0, count)
  const path = `/drivers/${office.driverIds[count % drivers]}/tasks/bulkAssign`
  await call(office, 'POST', path, JSON.stringify({ tasks }))
  await tabSays(page, 'Unassigned', office.free.length)
}

interface Watched {
  browser: Browser
  page: Page
  session: CDPSession
  step: string
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  /** Of its thread: processor time. */
  tdur?: number
  args?: { name?: string }
}

/** What the thread of the page did during some work, until it has nothing left to do. */
async function watchTasks({ browser, page, session, step }: Watched, work: () => Promise<unknown>) {
  const { WAYBILL_BENCH_PROFILE: profile } = process.env
  if (profile) {
    await session.send('Profiler.enable')
    await session.send('Profiler.start')
  }
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] })
  await work()
  await page.evaluate(idleForASecond)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  if (profile) {
    const { profile: found } = await session.send('Profiler.stop')
    await mkdir(profile, { recursive: true })
    await writeFile(join(profile, `${step}.cpuprofile`), JSON.stringify(found))
  }
  const isOfPage = ofPages(traceEvents)
  const tasks = traceEvents.filter((event) => isOfPage(event) && event.ph === 'X' && /RunTask$/.test(event.name))
  // Without it a task took less than a microsecond.
  if (tasks.every(({ tdur }) => tdur === undefined)) throw new Error('This browser does not tell processor time')
  const sum = (some: TraceEvent[]) => some.reduce((total, { tdur = 0 }) => total + tdur / 1_000, 0)
  const marked = traceEvents.find(({ name }) => name === mark)?.ts ?? Number.NaN
  return {
    total: sum(tasks),
    untilMark: sum(tasks.filter(({ ts }) => ts < marked)),
    longest: tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1_000), 0),
  }
}

/** The thread that runs the scripts of the page; others of its process do not hold it up. */
function ofPages(events: TraceEvent[]): (event: TraceEvent) => boolean {
  const idOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const names = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const ids = new Set(names.map(idOf))
  return (event) => ids.has(idOf(event))
}

function print(results: Results) {
  const title = columns.map((column) => ` ${words[column]} |`).join('')
  console.log(
    `\nProcessor time in ms, the median of the rounds and the most.\n\n| |${title}\n|---|${'---:|'.repeat(columns.length)}`,
  )
  for (const [view, rounds] of Object.entries(results)) {
    const cells = columns.map((column) => {
      const values = rounds.flatMap((found) => found[column] ?? [])
      return values.length === 0 ? ' |' : ` ${median(values).toFixed(0)} (${Math.max(...values).toFixed(0)}) |`
    })
    console.log(`| ${view} |${cells.join('')}`)
  }
}
