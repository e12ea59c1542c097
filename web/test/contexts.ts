import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { keepDrawing } from './drawing.ts'

/*
 * Where a page was open before, opening it takes half the processor time: its files are cached and a process is there.
 * So a test gives its context back empty, and the next one with the same options takes it.
 */

interface Profile {
  context: BrowserContext
  /** Stays open, so that the browser keeps the process. */
  blank: Page
  /** The requests of the test that failed or have no answer, and how they stand. */
  unanswered: Map<Request, string>
}

const idle = new WeakMap<Browser, Map<string, Profile[]>>()

export interface ContextOptions extends BrowserContextOptions {
  /** For a test that leaves something in its context that cannot be removed, as a clock or a script. */
  fresh?: boolean
  /** Its service workers and what they keep stay for the next test: installing an app takes as long as opening it. */
  keepsApps?: boolean
}

/** What is cleared of a context that keeps its apps. */
const notApps = 'cookies,file_systems,indexeddb,local_storage,shader_cache,websql'

/**
 * A context without anything of earlier tests but the apps it keeps, until the end of this one. Unless a test is about
 * motion, nothing moves by itself: every frame is drawn by the processor.
 */
export async function takeContext(
  t: TestContext,
  browser: Browser,
  { fresh, keepsApps = false, ...options }: ContextOptions,
) {
  const wanted = { reducedMotion: 'reduce' as const, ...options }
  const key = JSON.stringify({ ...wanted, keepsApps })
  const all = idle.get(browser) ?? new Map<string, Profile[]>()
  idle.set(browser, all)
  const same = all.get(key) ?? []
  all.set(key, same)
  const profile = (!fresh && same.pop()) || (await makeProfile(browser, wanted))
  const { context, unanswered } = profile
  const stop = keepDrawing(t, context)
  t.after(async () => {
    stop()
    if (!browser.isConnected()) return
    if (!t.passed) {
      for (const page of context.pages()) await describe(t, page)
      for (const [request, state] of unanswered) t.diagnostic(`${request.method()} ${request.url()} ${state}`)
    }
    if (fresh) return context.close()
    await clear(profile, keepsApps ? notApps : 'all')
    same.push(profile)
  })
  // Generous, for a busy machine.
  context.setDefaultTimeout(90_000)
  return context
}

/** What somebody would have seen who looked at a page of a test that failed. */
async function describe(t: TestContext, page: Page) {
  if (page.url() === 'about:blank') return
  const shown = await page
    .locator('body')
    .innerText({ timeout: 5_000 })
    .catch(({ message }: Error) => message)
  t.diagnostic(`${page.url()} shows: ${shown.replace(/\s+/g, ' ').slice(0, 2_000)}`)
}

async function makeProfile(browser: Browser, options: BrowserContextOptions): Promise<Profile> {
  const context = await browser.newContext(options)
  const unanswered = new Map<Request, string>()
  context.on('request', (request) => unanswered.set(request, 'has no answer'))
  context.on('requestfinished', (request) => unanswered.delete(request))
  context.on('requestfailed', (request) => unanswered.set(request, `failed: ${request.failure()?.errorText}`))
  return { context, blank: await context.newPage(), unanswered }
}

async function clear({ context, blank, unanswered }: Profile, storageTypes: string) {
  await Promise.all(context.pages().map((page) => page !== blank && page.close()))
  const isReal = await blank.evaluate(() => /native code/.test(`${setTimeout}`))
  assert.ok(isReal, 'a clock cannot be taken out of a context: this test needs a fresh one')
  unanswered.clear()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearCookies()
  await context.clearPermissions()
  await context.setGeolocation(null)
  const session = await context.newCDPSession(blank)
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes })
  await session.detach()
}
