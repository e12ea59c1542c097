import assert from 'node:assert/strict'
import { aPassword } from '../../server/test/people.ts'
import { sharedBrowser, startConsole, test, watchForTrouble } from './console.ts'

test('a dispatcher signs in with e-mail and password and sees the day', async (t) => {
  const { url, person } = await startConsole(t, 'dispatcher')
  const page = await (await sharedBrowser()).newPage()
  t.after(() => page.close())
  watchForTrouble(t, page)

  await page.goto(`${url}/?view=table`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(aPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Dispatch' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  assert.equal(new URL(page.url()).search, '?view=table', 'and comes to where they wanted to go')
})
