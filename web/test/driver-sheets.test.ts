import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/until.ts'
import { test } from './console.ts'
import { says, startDriver, tap } from './driver.ts'

const places = (page: Page) => page.evaluate('history.length')
const hash = (page: Page) => page.evaluate('location.hash')

test('going back closes a sheet and stays at the stop, and going back once more leaves the stop', async (t) => {
  const { signedIn, tasks } = await startDriver(t)
  const { page } = await signedIn()
  await page.getByText('Strada Lipscani').first().click()
  const stop = `#/task/${tasks[0].id}`
  for (const [button, title] of [
    ['Navigate', 'Navigate with'],
    ['Add note', 'Add note'],
    [/^Scan/, 'Scan the parcel'],
  ] as const) {
    await tap(page, button)
    const sheet = page.getByRole('dialog', { name: title })
    await sheet.waitFor()
    await page.goBack()
    await sheet.waitFor({ state: 'detached' })
    assert.equal(await hash(page), stop, `${title} is closed, the stop is not`)
  }

  // Closed by its own button it leaves nothing behind to go back through.
  await tap(page, 'Navigate')
  const open = await places(page)
  await tap(page, 'Close')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until('the entry of the sheet to be left', () => page.evaluate('history.state === null'))
  await page.goBack()
  await says(page, 'Next stop')
  assert.equal(await places(page), open)
})
