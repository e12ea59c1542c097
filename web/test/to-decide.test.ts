import assert from 'node:assert/strict'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { screenSayIn } from './words.ts'

for (const language of ['en', 'ro'] as const) {
  const say = screenSayIn(language)

  test(`failed tasks that wait for a decision are counted above the day, listed and settled (${language})`, async (t) => {
    const console = await startConsole(t)
    await console.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })
    const driver = await makeDriver(console, { name: 'Dan Pop' })
    const fails = async (awb: string, more = {}) => {
      await console.post('/tasks', aTask({ awb, userId: driver.id, ...more }))
      await console.put(`/tasks/awb/${awb}/forceComplete`, { success: false, failureReason: 'Nobody at home' })
    }
    const page = await console.open('/', { locale: language })
    const count = (n: number) => page.getByRole('link', { name: say('toDecideCount', { n }), exact: true })
    const anyCount = page.locator('main header a[href="/to-decide"]')
    await fails('A-1')
    await page.getByText('A-1', { exact: true }).first().waitFor()
    assert.equal(await anyCount.count(), 0, 'it can be tried again')

    // The setting alone makes it one of them, and each further failure is counted while the page is looked at.
    await console.put('/company', { settings: { mostAttempts: 1 } })
    await count(1).waitFor()
    await fails('A-2')
    await fails('PICKUP', { pickupTask: true })
    await count(3).waitFor()
    await assertAccessible(page, 'the day with the count')

    await count(3).click()
    await page.getByRole('heading', { level: 1, name: say('toDecide') }).waitFor()
    const row = (awb: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name: awb, exact: true }) })
    for (const awb of ['A-1', 'A-2', 'PICKUP']) await row(awb).getByText('Nobody at home').waitFor()
    await assertAccessible(page, 'what waits for a decision')

    // One corrected, one brought back: both leave the list; undone, the parcel is there again.
    const choose = async (awb: string, word: 'bringBack' | 'correctEnd' | 'leaveAsItIs') => {
      await row(awb).getByRole('button').click()
      await page.getByRole('menuitem', { name: say(word) }).click()
    }
    const dialog = page.getByRole('dialog')
    await choose('PICKUP', 'correctEnd')
    await dialog.getByLabel(say('correctReason')).fill('Picked up after all')
    await dialog.getByRole('button', { name: say('markAsSucceeded') }).click()
    await row('PICKUP').waitFor({ state: 'detached' })
    await choose('A-1', 'bringBack')
    await assertDialogAccessible(page, 'bringing back')
    await dialog.getByRole('button', { name: say('bringBack') }).click()
    await row('A-1').waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: say('undo') })
      .first()
      .click()
    await row('A-1').waitFor()

    // The way to a task on its day, and back.
    await row('A-2').getByRole('link').click()
    await page.locator('[data-panel]').getByRole('heading', { name: 'A-2' }).waitFor()
    await count(2).click()

    // What is left as it is waits no more; undone, it does.
    await choose('A-2', 'leaveAsItIs')
    await assertDialogAccessible(page, 'leaving')
    await dialog.getByRole('button', { name: say('leaveAsItIs') }).click()
    await row('A-2').waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: say('undo') })
      .first()
      .click()
    for (const awb of ['A-1', 'A-2']) await row(awb).waitFor()

    await page.getByRole('button', { name: say('bringAllBack') }).click()
    await dialog.getByText(say('bringBackTitle', { n: 2 })).waitFor()
    await dialog.getByRole('button', { name: say('bringBack') }).click()
    await page.getByRole('heading', { name: say('noToDecide') }).waitFor()
    for (const awb of ['A-1', 'A-2'])
      await until(
        `${awb} goes back`,
        async () => (await console.get(`/tasks/awb/${awb}`)).body.task.returnedAs !== null,
      )
    await page
      .getByRole('link', { name: say('dispatch') })
      .first()
      .click()
    await page.getByText('A-1-R', { exact: true }).first().waitFor()
    assert.equal(await anyCount.count(), 0, 'nothing is left to decide')
  })
}

test('the count is above every day, and not where nothing is to be done after the last try', async (t) => {
  const say = screenSayIn('en')
  const console = await startConsole(t)
  await console.put('/company', { settings: { mostAttempts: 1 } })
  const driver = await makeDriver(console)
  await console.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))
  await console.put('/tasks/awb/A-1/forceComplete', { success: false })
  const page = await console.open('/?view=table&day=2031-12-30')
  const link = page.getByRole('link', { name: say('toDecideCount', { n: 1 }), exact: true })
  await link.waitFor()
  await console.put('/company', { settings: { afterLastAttempt: 'stay' } })
  await link.waitFor({ state: 'detached' })
})

test('all that wait are left as they are at once, a failed pickup too, and its panel says who did it', async (t) => {
  const say = screenSayIn('en')
  const console = await startConsole(t)
  await console.put('/company', { settings: { mostAttempts: 1 } })
  const driver = await makeDriver(console)
  for (const awb of ['A-1', 'PICKUP']) {
    await console.post('/tasks', aTask({ awb, userId: driver.id, pickupTask: awb === 'PICKUP' }))
    await console.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
  }
  const page = await console.open('/to-decide')
  await page.getByRole('button', { name: say('leaveAll') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('leaveAsItIs') })
    .click()
  await page.getByRole('heading', { name: say('noToDecide') }).waitFor()
  for (const awb of ['A-1', 'PICKUP'])
    assert.notEqual((await console.get(`/tasks/awb/${awb}`)).body.task.closedAt, null, awb)
  const { id } = (await console.get('/tasks/awb/PICKUP')).body.task
  await page.goto(`${console.url}/?view=table&task=${id}`)
  await page.locator('[data-panel]').getByText(say('TASK_LEFT'), { exact: false }).waitFor()
})
