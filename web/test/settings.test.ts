import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aTask } from '../../server/test/factories.ts'
import { addPerson } from '../../server/test/people.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'

/* What a setting takes away or begins with on the pages, as the server rules it (server/test/settings.test.ts). */

type Console = Awaited<ReturnType<typeof startConsole>>

const set = (console: Console, settings: object) => console.put('/company', { settings })

const columnsOf = (page: Page) => page.getByRole('columnheader').allTextContents()
const shows = (page: Page, column: string) => page.getByRole('columnheader', { name: column }).waitFor()
const hides = (page: Page, column: string) =>
  page.getByRole('columnheader', { name: column }).waitFor({ state: 'detached' })

test('an admin chooses the columns of the table for everybody; a person’s own come on top, and there is a way back', async (t) => {
  const console = await startConsole(t)
  const dispatcher = await addPerson(console, 'dispatcher')
  await console.post('/tasks', aTask({ awb: 'C-1' }))
  const page = await console.open('/?view=table')
  const menu = page.getByRole('dialog', { name: 'Columns' })
  const everybody = menu.getByRole('button', { name: 'Use for everybody' })
  await page.getByRole('button', { name: 'Columns' }).click()
  await everybody.waitFor()
  assert.equal(await everybody.isDisabled(), true, 'they are what everybody has')
  await menu.getByLabel('Phone').check()
  await menu.getByLabel('Priority').uncheck()
  await everybody.click()
  await page.getByText('Everybody now begins with these columns').waitFor()
  await assertAccessible(page, 'the columns')
  const kept: { key: string }[] = (await console.get('/company')).body.company.settings.customizeColumnDefines
  assert.deepEqual(
    ['phone', 'priority', 'awb'].map((name) => kept.some(({ key }) => key === name)),
    [true, false, true],
  )

  const other = await console.open('/?view=table', { as: dispatcher.cookie })
  await shows(other, 'Phone')
  assert.equal((await columnsOf(other)).includes('Priority'), false)
  await other.getByRole('button', { name: 'Columns' }).click()
  const own = other.getByRole('dialog', { name: 'Columns' })
  await own.getByLabel('Team').check()
  await shows(other, 'Team')
  assert.equal(await own.getByRole('button', { name: 'Use for everybody' }).count(), 0, 'only for admins')

  await menu.getByLabel('Phone').uncheck()
  await everybody.click()
  await hides(other, 'Phone')
  await shows(other, 'Team')
  await own.getByRole('button', { name: 'Back to the organisation’s columns' }).click()
  await hides(other, 'Team')
  await other.reload()
  await shows(other, 'AWB')
  assert.equal((await columnsOf(other)).includes('Team'), false)
})

test('where AWBs are generated nobody types one, in the form or in an import, and they are still shown', async (t) => {
  const console = await startConsole(t, 'dispatcher')
  await set(console, { enableAWB: false })
  const page = await console.open('/?view=table')
  const form = page.getByRole('dialog', { name: 'New task' })
  await page.getByRole('button', { name: 'New task' }).click()
  await form.getByLabel('Address', { exact: true }).fill('Strada Lipscani 1, București')
  await form.getByLabel('AWB').waitFor({ state: 'detached' })
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('row').filter({ hasText: 'Strada Lipscani 1' }).getByText(/^WB/).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: /^Edit WB/ })
  await edit.getByLabel('Details').waitFor()
  assert.equal(await edit.getByLabel('AWB').count(), 0)
  await page.keyboard.press('Escape')

  const list = page.getByRole('dialog', { name: 'Import tasks' })
  await page.getByRole('button', { name: 'Import' }).first().click()
  const content = Buffer.from('AWB;Adresa\nX-1;Strada Nouă 1\nX-1;Strada Nouă 2\n')
  await list.getByLabel('Choose a file').setInputFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: content })
  await list.getByText('AWBs are generated').waitFor()
  const meaning = list.getByLabel('Task field for AWB')
  assert.equal(await meaning.inputValue(), '')
  assert.equal(await meaning.locator('option', { hasText: /^AWB$/ }).count(), 0)
  await list.getByRole('button', { name: 'Next' }).click()
  await list.getByRole('button', { name: 'Import 2 tasks' }).click()
  await list.getByText('2 tasks created').waitFor()
})
