import assert from 'node:assert/strict'
import type { Route } from 'playwright-core'
import { startServer } from '../../server/test/server.ts'
import { sharedBrowser, startConsole, test, watchForTrouble } from './console.ts'

const mostBytes = 250_000

type Part = [name: string, bytes: number]

test('the first visit of the console loads at most 250 kB, including fonts', async (t) => {
  const { url } = await startServer(t)
  const context = await (await sharedBrowser()).newContext({ locale: 'ro-RO' })
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'Conectare' }).waitFor()
  await page.evaluate('document.fonts.ready')
  const parts: Part[] = await page.evaluate(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
       .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`,
  )
  const packed = parts.reduce((sum, [, bytes]) => sum + bytes, 0)
  t.diagnostic(`${packed} bytes`)
  assert.ok(packed > 50_000 && packed <= mostBytes, JSON.stringify(parts))
  assert.ok(parts.some(([name]) => name.endsWith('.woff2')))
})

/** With a single operation: it takes Swagger UI five seconds of processor time to show all of them. */
async function shorten(route: Route) {
  const response = await route.fetch()
  const document = await response.json()
  const { securitySchemes } = document.components
  const paths = { '/api/v1/tasks': { get: { responses: {} } } }
  await route.fulfill({ response, json: { ...document, paths, components: { securitySchemes } } })
}

test('the API reference keeps a key only while its tab is open', async (t) => {
  const { key, open, url } = await startConsole(t)
  const page = await open('about:blank')
  await page.context().route('**/openapi.json', shorten)
  await page.goto(`${url}/docs`)
  const isAuthorised = () => page.locator('.authorization__btn .locked').first().waitFor()
  await page.locator('.btn.authorize').first().click()
  await page.locator('.auth-container input').first().fill(key)
  await page.locator('.auth-container .btn.authorize').first().click()
  await isAuthorised()
  await page.reload()
  await isAuthorised()
  assert.equal(await page.evaluate('localStorage.length'), 0)

  const other = await page.context().newPage()
  watchForTrouble(t, other)
  await other.goto(page.url())
  await other.locator('.authorization__btn .unlocked').first().waitFor()
})
