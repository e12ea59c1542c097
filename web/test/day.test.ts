import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aTask, makeDriver, signIn } from '../../server/test/factories.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { request } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'
import { startWire } from './wire.ts'

/** Answers to the page wait, as they were when it asked. A stream has no end, so it is asked for later. */
async function holdBack(page: Page, address: string | RegExp) {
  const [read, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(address, async (route) => {
    const isStream = route.request().url().endsWith('/stream')
    const response = isStream ? undefined : await route.fetch()
    read.resolve()
    await released.promise
    await (response ? route.fulfill({ response }) : route.continue())
  })
  return { isRead: read.promise, release: released.resolve }
}

const list = `awb,address,latitude,longitude,customer
D-1,"Strada Lipscani 12",44.4323,26.1004,Ana Pop
D-2,"Calea Victoriei 100",44.4450,26.0930,Dan Ene
D-3,"Bulevardul Unirii 20",44.4270,26.1080,Ion Stan
`

test("a dispatcher's day: import, assign by drag and by keyboard, optimise, watch it being done, send a webhook again", async (t) => {
  const { open, url, get, post } = await startConsole(t)
  const receiver = await startReceiver(t)
  await post('/webHooks', { url: receiver.url, trigger: 2 })
  const driver = await makeDriver({ post }, { name: 'Mihai Ionescu' })
  const token = await signIn({ post }, driver)
  const asDriver = (method: string, path: string, body: object = {}) =>
    request(url, method, `/api/v1/driver${path}`, { key: token, body })
  await asDriver('PUT', '/duty', { inShift: true })
  const page = await open('/?view=table')

  await page.getByRole('button', { name: 'Import' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'day.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
  for (const step of ['Next', 'Import 3 tasks', 'Done']) await dialog.getByRole('button', { name: step }).click()
  await dialog.waitFor({ state: 'detached' })

  const row = (awb: string) => page.getByRole('row', { name: new RegExp(awb) })
  const view = (name: string) => page.getByRole('button', { name, exact: true })
  await row('D-1').dragTo(page.getByRole('complementary').getByText('Mihai Ionescu'))
  await row('D-1').getByText('Assigned').waitFor()
  for (const awb of ['D-2', 'D-3']) await row(awb).getByRole('checkbox').check()
  await page.keyboard.press('a')
  await dialog.waitFor()
  await page.keyboard.type('mihai')
  await page.keyboard.press('Enter')
  await row('D-3').getByText('Assigned').waitFor()
  // The page says so before the server does.
  const ofDriver = async () => (await get(`/drivers/${driver.id}/tasks`)).body.tasks
  await until('the driver has all three', async () => (await ofDriver()).length === 3)

  await view('Timeline').click()
  await page
    .getByRole('button', { name: /^Optimise/ })
    .first()
    .click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await dialog.waitFor({ state: 'detached' })
  const tasks = await ofDriver()
  assert.ok(
    tasks.every((task: { route: object | null }) => task.route),
    'every task has its place in the route',
  )

  await view('Table').click()
  const [first] = tasks
  await asDriver('POST', `/tasks/${first.id}/start`)
  await row(first.awb).getByText('In transit').waitFor()
  await asDriver('POST', `/tasks/${first.id}/complete`)
  await row(first.awb).getByText('Succeeded').waitFor()

  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'Deliveries' }).click()
  await dialog.getByText(first.awb).click()
  await dialog.getByRole('button', { name: 'Resend', exact: true }).click()
  await page.getByText('1 event will be resent').waitFor()
})

test('the connection', async (t) => {
  const { open, post, url } = await startConsole(t)
  const wire = await startWire(t, url)
  const page = await open('about:blank')
  const step = inOneGo(t)

  await step('a task created while the page opens is shown, whether the list or the stream is late', async () => {
    const driver = await makeDriver({ post }, { name: 'Mihai Ionescu' })
    const token = await signIn({ post }, driver)

    const stream = await holdBack(page, '**/events/stream')
    const listed = page.waitForResponse(/\/tasks\?/)
    await page.goto(`${wire.url}/?view=table`)
    await listed
    await post('/tasks', aTask({ awb: 'BEFORE-THE-STREAM' }))
    stream.release()
    await page.getByText('BEFORE-THE-STREAM').waitFor()

    const list = await holdBack(page, /\/tasks\?/)
    await page.reload()
    await list.isRead
    await page.getByText('Live', { exact: true }).waitFor()
    await post('/tasks', aTask({ awb: 'AFTER-THE-LIST' }))
    // It comes after the task, so the task was heard of.
    await request(url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift: true } })
    await page.getByText('Mihai Ionescu').waitFor()
    list.release()
    await page.getByText('AFTER-THE-LIST').waitFor()

    const [late, later] = [await holdBack(page, '**/events/stream'), await holdBack(page, /\/tasks\?/)]
    await page.reload()
    await later.isRead
    await post('/tasks', aTask({ awb: 'BEFORE-BOTH' }))
    late.release()
    await page.getByText('Live', { exact: true }).waitFor()
    later.release()
    await page.getByText('BEFORE-BOTH').waitFor()
    await page.unrouteAll()
  })

  await step(
    'when the connection is lost the page says since when, and later catches up without a reload',
    async () => {
      await post('/tasks', aTask({ awb: 'EARLIER' }))
      await page.getByText('EARLIER').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      await page.evaluate(() => Object.assign(window, { sameDocument: true }))

      wire.cut()
      await page.getByText(/No updates since/).waitFor()
      await post('/tasks', aTask({ awb: 'MEANWHILE' }))
      assert.equal(await page.getByText('MEANWHILE').count(), 0)

      wire.mend()
      await page.getByText('MEANWHILE').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      assert.ok(await page.evaluate(() => 'sameDocument' in window))
    },
  )
})

test('an empty organisation', async (t) => {
  const { open, person } = await startConsole(t)
  const page = await open('/')
  const step = inOneGo(t)

  await step('it shows what to do first, and is accessible', async () => {
    await page.getByRole('heading', { name: 'Dispatch' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    for (const view of ['Map', 'Board', 'Timeline', 'Table']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await page.getByRole('button', { name: view, exact: true, pressed: true }).waitFor()
      await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached' })
      await assertAccessible(page, view)
    }
    await page.getByText('No tasks on this day').waitFor()
  })

  await step('when the session ends, a person can sign in again without losing typed text', async () => {
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Address', { exact: true }).fill('Strada Lungă 1')

    await person.delete('/sessions')
    // The page may have noticed already.
    await page
      .getByRole('button', { name: 'Create', exact: true })
      .click({ timeout: 3_000 })
      .catch(() => {})
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('Password').fill('correct horse battery')
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.waitFor({ state: 'detached' })

    assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), 'Strada Lungă 1')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Strada Lungă 1').first().waitFor()
  })
})

test('the pages are in Romanian for people who choose it', async (t) => {
  const { open } = await startConsole(t)
  const page = await open('/?view=table', { locale: 'ro-RO' })
  await page.getByRole('heading', { name: 'Dispecerat' }).waitFor()
  await page.getByText('Nicio comandă în această zi').waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'ro')
})
