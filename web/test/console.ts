import assert from 'node:assert/strict'
import { after, test as anyTest, type TestContext } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { addPerson } from '../../server/test/people.ts'
import { startServer } from '../../server/test/server.ts'
import { launchBrowser } from './chromium.ts'
import { type ContextOptions, takeContext } from './contexts.ts'
import { leavesOutBrowserTests } from './find-browser.ts'

/** A test that needs a browser. */
export const test = (sentence: string, run: (t: TestContext) => Promise<void>) =>
  anyTest(sentence, { skip: leavesOutBrowserTests && 'needs a browser' }, run)

const running = new Map<boolean, Promise<Browser>>()
after(async () => {
  for (const browser of running.values()) await (await browser).close()
})
/** One browser for all tests of a process, and one that draws maps for those that look at them. */
export function sharedBrowser(draws = false) {
  const browser = running.get(draws) ?? launchBrowser(draws)
  running.set(draws, browser)
  return browser
}

/** A new organisation with a dispatcher. */
export async function startConsole(
  t: TestContext,
  role: 'admin' | 'dispatcher' = 'admin',
  environment: Record<string, string> = {},
) {
  const server = await startServer(t, { WAYBILL_MAP_STYLE: 'none', ...environment })
  const person = await addPerson(server, role)
  return {
    ...server,
    person,
    open: (path = '/', { as = person.cookie, ...options }: Options & { as?: string } = {}) =>
      open(t, server.url, as, path, options),
  }
}

interface Options extends ContextOptions {
  /** Whether the map is drawn, which takes as much time as everything else together. */
  draws?: boolean
  /** Errors that the test expects. */
  complains?: RegExp
}

/** A page of the person with this cookie. Any error in the page fails the test. */
async function open(
  t: TestContext,
  url: string,
  cookie: string,
  path: string,
  { complains, draws, viewport = { width: 1440, height: 900 }, colorScheme = 'light', ...options }: Options,
): Promise<Page> {
  const context = await takeContext(t, await sharedBrowser(draws), { locale: 'en-GB', ...options })
  const at = cookie.indexOf('=')
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }])
  const page = await context.newPage()
  if (viewport) await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  watchForTrouble(t, page, complains)
  await page.goto(new URL(path, url).href)
  return page
}

/** Errors of scripts and of the content policy. Failed requests are not errors: the page itself shows them. */
export function watchForTrouble(t: TestContext, page: Page, expected = /^Failed to load resource/) {
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) trouble.push(message.text())
  })
  t.after(() => assert.deepEqual(trouble, [], 'the page complained'))
}
