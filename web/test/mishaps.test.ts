import assert from 'node:assert/strict'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'
import { startWire } from './wire.ts'

test('every page works in a browser with an unusual language tag', async (t) => {
  const server = await startConsole(t)
  const driver = await makeDriver(server)
  await server.post('/tasks', aTask({ awb: 'ENDED', userId: driver.id }))
  await server.put('/tasks/awb/ENDED/forceComplete', { success: true })
  const page = await server.open('about:blank')
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'language', { value: 'en-US@posix' })
    Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] })
  })
  await page.goto(`${server.url}/statistics`)
  await page.getByRole('img', { name: /Chart of tasks ended in each hour/ }).waitFor()
  await page.goto(`${server.url}/?view=table`)
  await page.getByText('ENDED').waitFor()
})

test('an app whose texts cannot be loaded says so in every language, and can be loaded again', async (t) => {
  const server = await startConsole(t)
  const page = await server.open('about:blank', { complains: /./, locale: 'ro-RO', serviceWorkers: 'block' })
  const apps = [
    ['console', '/statistics', 'Statistici'],
    ['driver', '/driver', 'Conectare'],
  ] as const
  for (const [app, path, heading] of apps) {
    await page.route(`**/assets/words-*-${app}-*.js`, (route) => route.abort())
    await page.goto(server.url + path)
    const said = page.getByRole('alert').getByRole('heading')
    await said.first().waitFor()
    assert.deepEqual(await said.allInnerTexts(), ['Waybill nu a putut fi încărcat', 'Waybill could not be loaded'])
    await assertAccessible(page, `${app} without texts`)
    await page.unrouteAll()
    await page.getByRole('button', { name: /Încearcă din nou/ }).click()
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  }
})

test('an app whose scripts do not come says so in every language, and can be loaded again', async (t) => {
  const server = await startConsole(t)
  const page = await server.open('about:blank', { complains: /./, locale: 'ro-RO', serviceWorkers: 'block' })
  const apps = [
    ['/statistics', 'Statistici'],
    ['/driver', 'Conectare'],
  ] as const
  for (const [path, heading] of apps) {
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto(server.url + path)
    const said = page.getByRole('heading')
    await said.first().waitFor()
    assert.deepEqual(await said.allInnerTexts(), ['Waybill has not loaded yet', 'Waybill nu s-a încărcat încă'])
    await assertAccessible(page, `${path} without scripts`)
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Încearcă din nou' }).click()
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    assert.equal(await page.getByText('Waybill nu s-a încărcat încă').count(), 0)
  }
})

test('pages and dialogs whose scripts do not come', async (t) => {
  const server = await startConsole(t)
  const wire = await startWire(t, server.url)
  const page = await server.open(`${wire.url}/?view=table`, { complains: /./ })
  await page.getByText('Live', { exact: true }).waitFor()
  // The last thing that every page loads.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /guards-/.test(name)))
  const step = inOneGo(t)
  const unreachable = page.getByRole('alert').filter({ hasText: 'The server cannot be reached' })
  const follow = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

  await step('without a server a page says so, in the console, and is there when the server is', async () => {
    wire.cut()
    await page.getByText(/No updates since/).waitFor()
    await follow('Statistics')
    await unreachable.waitFor()
    wire.mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Statistics', exact: true }).waitFor()
  })

  await step('a page of a newer version loads the console of that version', async () => {
    let isOld = true
    await page.route('**/assets/people-page-*.js', (route) => (isOld ? route.abort() : route.continue()))
    await page.route(`${wire.url}/`, (route) => route.fulfill({ contentType: 'text/html', body: 'another script' }))
    await page.route('**/people', (route) => {
      isOld = route.request().resourceType() !== 'document'
      return route.continue()
    })
    await follow('People')
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor()
    await page.unrouteAll()
  })

  await step('a page without its texts says so, and asks for them only once', async () => {
    let requests = 0
    await page.route('**/assets/words-en-records-*.js', (route) => {
      requests += 1
      return route.abort()
    })
    await page.goto(`${wire.url}/hubs`)
    await unreachable.waitFor()
    assert.equal(requests, 1)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Hubs', exact: true }).waitFor()
  })

  await step('a dialog says so in a dialog, and the screen keeps its place', async () => {
    await page.route('**/assets/import-dialog-*.js', (route) => route.abort())
    await page.goto(`${wire.url}/?view=table`)
    await page.getByRole('button', { name: 'Import' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'The server cannot be reached' })
    await dialog.waitFor()
    await assertDialogAccessible(page, 'a dialog that was not loaded')
    await dialog.locator('footer').getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Import' }).first().click()
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Import' }).first().click()
    await page.getByRole('dialog', { name: 'Import tasks' }).waitFor()
  })
})

test('what an open task says needs no texts of other pages, which would not come without a server', async (t) => {
  const server = await startConsole(t)
  await server.post('/tasks', aTask({ awb: 'T-1' }))
  const page = await server.open('about:blank')
  const isOfOtherPages = /\/assets\/words-en-(?!console-)/
  await page.route(isOfOtherPages, (route) => route.abort())
  await page.goto(`${server.url}/?view=table`)
  await page.getByText('T-1', { exact: true }).click()
  await page.locator('[data-panel]').getByText('Opens only on this computer', { exact: true }).waitFor()
})

test('a view that fails', async (t) => {
  const server = await startConsole(t)
  const driver = await makeDriver(server)
  await server.post('/tasks', aTask({ awb: 'T-1', userId: driver.id }))
  const page = await server.open('about:blank', { complains: /./ })
  // Before the page is opened: only then is it certain that none of its requests gets past.
  await page.route('**/assets/board-view*.js', (route) => route.abort())
  await page.goto(`${server.url}/?view=table`)
  const step = inOneGo(t)

  await step('if a view fails, the rest of the page works, and the view can be tried again', async () => {
    await page.getByText('T-1', { exact: true }).waitFor()
    await page.evaluate(() => {
      const { prototype } = Intl.DateTimeFormat
      const { formatToParts } = prototype
      prototype.formatToParts = () => {
        throw new RangeError('Invalid time value')
      }
      Object.assign(window, { mend: () => Object.assign(prototype, { formatToParts }) })
    })
    await page.keyboard.press('4')
    const failed = page.getByText('This part of the page could not be shown. The rest still works.')
    await failed.waitFor()
    await page.keyboard.press('2')
    await page.getByText('T-1', { exact: true }).waitFor()

    await page.keyboard.press('4')
    await failed.waitFor()
    await page.evaluate(() => (window as unknown as { mend: () => void }).mend())
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByRole('option', { name: /T-1/ })
      .or(page.getByRole('button', { name: /T-1/ }))
      .first()
      .waitFor()
    assert.equal(await failed.count(), 0)
  })

  await step('a view that failed to load can be loaded again', async () => {
    await page.keyboard.press('3')
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'Assigned', exact: true }).getByText('T-1', { exact: true }).waitFor()
  })
})
