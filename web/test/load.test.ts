import assert from 'node:assert/strict'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { screenSayIn } from './words.ts'

test('a scanner types codes one after the other, and each says whose parcel it is and what is still missing', async (t) => {
  const console = await startConsole(t)
  const say = screenSayIn('en')
  const ion = await makeDriver(console, { name: 'Ion Pop' })
  await console.post('/tasks', aTask({ awb: 'A-1', userId: ion.id }))
  await console.post('/tasks', aTask({ awb: 'A-2', userId: ion.id }))
  const page = await console.open('/load')
  await page.getByText(say('loadMissing', { n: 2 })).waitFor()
  await page.getByLabel(say('scanAt')).selectOption('vehicle')
  // As a scanner does: without looking, and without waiting for an answer.
  for (const code of ['A-1', 'NOBODY', 'A-1']) {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  }
  await page.getByText(say('loadCount', { loaded: 1, expected: 2 })).waitFor()
  await page.getByText('Already scanned').waitFor()
  await page.getByText(say('foreignScans')).waitFor()
  await page.getByText(say('loadMissing', { n: 1 })).click()
  await page.getByRole('link', { name: 'A-2' }).waitFor()
  await assertAccessible(page, 'loading')

  await page.context().setOffline(true)
  await page.getByLabel(say('scanCode')).focus()
  await page.keyboard.type('A-2')
  await page.keyboard.press('Enter')
  await page.getByText(say('scansWaiting', { n: 1 })).waitFor()
  await page.context().setOffline(false)
  await page.getByText(say('loadComplete')).waitFor()
  const { task } = (await console.get('/tasks/awb/A-2')).body
  assert.notEqual(task.loadedAt, null)
})
