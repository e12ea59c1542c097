import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
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
