import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { saveSuperAdmin } from '../../server/people/queries.ts'
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

test('where tasks cannot be unassigned, nothing offers it: no button, menu, drag or key, and no undo that would', async (t) => {
  const console = await startConsole(t)
  const ana = await makeDriver(console, { name: 'Ana Radu' })
  for (const awb of ['N-1', 'N-2']) await console.post('/tasks', aTask({ awb }))
  await console.put(`/containers/drivers/${ana.id}`, { tasks: ['N-1'] })
  const page = await console.open('/?view=table')
  const row = (awb: string) => page.getByRole('row').filter({ has: page.getByText(awb, { exact: true }) })
  const bar = page.getByRole('region', { name: 'Actions for the selected tasks' })
  const unassign = bar.getByRole('button', { name: 'Unassign', exact: true })
  const offDuty = page.getByRole('button', { name: 'Off duty' })
  const drivers = page.locator(`[data-driver="${ana.id}"]`)
  const listActions = async () => {
    await drivers.getByRole('button', { name: 'Actions for Ana Radu' }).click()
    const menu = page.getByRole('dialog', { name: 'Actions for Ana Radu' })
    await menu.getByRole('button', { name: 'Switch on duty' }).waitFor()
    const texts = await menu.getByRole('button').allTextContents()
    await page.keyboard.press('Escape')
    return ['Unassign all', 'Driver unavailable…'].filter((text) => texts.includes(text))
  }
  await row('N-1').getByRole('checkbox').click()
  await unassign.waitFor()
  if ((await offDuty.getAttribute('aria-expanded')) !== 'true') await offDuty.click()
  assert.deepEqual(await listActions(), ['Unassign all', 'Driver unavailable…'])

  await set(console, { disableAdminUnassignToOrg: true })
  await unassign.waitFor({ state: 'detached' })
  await bar.getByRole('button', { name: 'Force complete' }).waitFor()
  assert.deepEqual(await listActions(), [])
  await page.keyboard.press('Shift+?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('New task').waitFor()
  assert.equal(await help.getByText('Unassign', { exact: true }).count(), 0)
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'Clear selection' }).click()

  await page.getByTitle('Open N-1', { exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Task N-1' })
  await panel.getByRole('button', { name: 'Change driver: Ana Radu' }).click()
  await page.getByRole('option', { name: /Ana Radu/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Unassign', exact: true }).count(), 0)
  await page.keyboard.press('Escape')

  await row('N-2').getByRole('checkbox').click()
  await bar.getByRole('button', { name: 'Assign to…' }).click()
  await page.getByRole('option', { name: /Ana Radu/ }).click()
  await page.getByText('1 task assigned to Ana Radu').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0, 'nothing could be given back')

  await page.goto(`${console.url}/?view=board`)
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  await column('Assigned').getByText('N-1').dragTo(column('Unassigned'))
  await page.getByText('Not allowed by your organisation’s settings').first().waitFor()
  assert.equal((await console.get('/tasks/awb/N-1')).body.task.userId, ana.id)
})

test('where a team needs a driver, the form offers teams only once there is one', async (t) => {
  const console = await startConsole(t, 'dispatcher')
  const { id } = await makeDriver(console, { name: 'Ana Radu' })
  const team = (await console.get('/drivers')).body.users.find((user: { id: number }) => user.id === id).driverTeams[0]
  await set(console, { enableTeamAssignment: false })
  const page = await console.open('/?view=table')
  await page.getByRole('button', { name: 'New task' }).click()
  const form = page.getByRole('dialog', { name: 'New task' })
  await form.getByLabel('Address', { exact: true }).fill('Strada Lipscani 1, București')
  await form.getByText('Team, form and dependencies').click()
  await form.getByLabel('Depends on').waitFor()
  await form.getByLabel('Team').waitFor({ state: 'detached' })
  await form.getByRole('button', { name: 'Driver: No driver' }).click()
  await page.getByRole('option', { name: /Ana Radu/ }).click()
  await form.getByLabel('Team').selectOption(team.name)
  await form.getByLabel('AWB').fill('E-1')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('E-1 created').waitFor()
  assert.equal((await console.get('/tasks/awb/E-1')).body.task.teamId, team.id)

  await page.getByTitle('Open E-1', { exact: true }).click()
  await page.getByRole('complementary', { name: 'Task E-1' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  const copy = page.getByRole('dialog', { name: 'Copy of E-1' })
  await copy.getByRole('button', { name: 'Create', exact: true }).click()
  await copy.waitFor({ state: 'detached' })
  const tasks: { awb: string; teamId: number | null }[] = (await console.get('/tasks')).body.tasks
  assert.equal(tasks.find(({ awb }) => awb !== 'E-1')?.teamId, null, 'the copy has no driver, so it has no team')
})

test('force completing begins with what the organisation has set: failed, and its reason', async (t) => {
  const console = await startConsole(t)
  const ana = await makeDriver(console, { name: 'Ana Radu' })
  await console.post('/reasons', { code: 'NOBODY_HOME', label: 'Nobody home' })
  for (const awb of ['F-1', 'F-2', 'F-3']) await console.post('/tasks', aTask({ awb, userId: ana.id }))
  const page = await console.open('/?view=table')
  const dialog = page.getByRole('dialog', { name: 'Force complete' })
  const openFor = async (awb: string) => {
    await page
      .getByRole('row')
      .filter({ has: page.getByText(awb, { exact: true }) })
      .getByRole('checkbox')
      .click()
    await page.getByRole('button', { name: 'Force complete' }).click()
    await dialog.waitFor()
  }
  await openFor('F-1')
  assert.equal(await dialog.getByLabel('Succeeded').isChecked(), true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear selection' }).click()

  // The page hears of it by itself.
  const heard = page.waitForResponse(/\/company$/)
  await set(console, { forceCompleteAsFailed: true, forceCompleteAsFailedCancelReason: 'Closed by the office' })
  await heard
  await openFor('F-1')
  assert.equal(await dialog.getByLabel('Failed').isChecked(), true)
  assert.equal(await dialog.getByLabel('Details').inputValue(), 'Closed by the office')
  await dialog.getByRole('button', { name: 'Force complete' }).click()
  await page.getByText('1 task ended').waitFor()
  const one = (await console.get('/tasks/awb/F-1')).body.task
  assert.deepEqual([one.statusId, one.cancelReason], [10, 'Closed by the office'])

  await openFor('F-2')
  await dialog.getByLabel('Reason', { exact: true }).selectOption('Nobody home')
  assert.equal(await dialog.getByLabel('Details').inputValue(), '', 'a reason of the list says enough')
  await dialog.getByRole('button', { name: 'Force complete' }).click()
  await page.getByText('1 task ended').nth(1).waitFor()
  assert.equal((await console.get('/tasks/awb/F-2')).body.task.cancelReason, 'Nobody home')
})

test('only a super admin sees the installation, on the account page', async (t) => {
  const console = await startConsole(t)
  const page = await console.open('/account')
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Installation' }).count(), 0)
  await saveSuperAdmin(console.database.everyone, console.organisationId, console.person.id, true)
  await page.reload()
  await page.getByRole('heading', { name: 'Installation' }).waitFor()
  await page.getByText(/^PostgreSQL \d/).waitFor()
  await assertAccessible(page, 'the account of a super admin')
})
