import assert from 'node:assert/strict'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

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
