import assert from 'node:assert/strict'
import { aTask, makeDriver } from '../../server/test/factories.ts'
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
