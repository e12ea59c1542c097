import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { aPassword } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import type { Word } from '../console/pages/record-words.ts'
import { assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'
import { firstSayIn, importSayIn, recordSayIn } from './words.ts'

const say = recordSayIn('en')
const importSay = importSayIn('en')

/** Every form that opens over a page, and what is typed into it. */
const forms: [path: string, button: Word, type: (dialog: Locator) => Promise<unknown>][] = [
  ['/drivers', 'newDriver', (dialog) => dialog.getByLabel(say('shiftStart')).fill('09:00')],
  ['/teams', 'newTeam', (dialog) => dialog.getByLabel(say('name')).fill('Nord')],
  ['/hubs', 'newHub', (dialog) => dialog.getByLabel(say('address')).fill('București')],
  ['/webhooks', 'newWebhook', (dialog) => dialog.getByLabel(say('url')).fill('https://example.org')],
  ['/keys', 'newKey', (dialog) => dialog.getByLabel(say('keyName')).fill('Shop')],
  ['/people', 'invitePerson', (dialog) => dialog.getByLabel(say('email')).fill('a@example.org')],
  ['/reasons', 'newReason', (dialog) => dialog.getByLabel(say('askForPhoto')).check()],
  ['/forms', 'newForm', (dialog) => dialog.getByRole('button', { name: say('addFormField') }).click()],
  ['/', 'newTask', (dialog) => dialog.getByLabel(say('details')).fill('Two boxes')],
]

const question = (page: Page) => page.getByRole('dialog', { name: say('discardTitle') })
const answer = (page: Page, word: 'keepEditing' | 'discard') =>
  question(page)
    .getByRole('button', { name: say(word) })
    .click()

test('nothing typed is lost', async (t) => {
  const console = await startConsole(t)
  const driver = await makeDriver(console, { name: 'Ana Radu' })
  await console.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))
  const page = await console.open('/drivers')
  const step = inOneGo(t)
  const goTo = (name: Word) => page.getByRole('link', { name: say(name), exact: true }).click()
  const places: Record<string, Word> = {
    '/drivers': 'drivers',
    '/teams': 'teams',
    '/hubs': 'hubs',
    '/webhooks': 'webhooks',
    '/keys': 'keys',
    '/people': 'people',
    '/reasons': 'reasons',
    '/forms': 'forms',
    '/': 'dispatch',
  }

  await step('every form closes at once while it is untouched, and asks once when something was typed', async () => {
    for (const [path, button, type] of forms) {
      await goTo(places[path] as Word)
      const dialog = page.getByRole('dialog', { name: say(button) })
      const open = () =>
        page
          .getByRole('button', { name: say(button) })
          .first()
          .click()
      await open()
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await question(page).count(), 0, `${button}: nothing was typed`)

      await open()
      await type(dialog)
      await page.keyboard.press('Escape')
      await question(page)
        .getByRole('button', { name: say('keepEditing') })
        .click()
      await question(page).waitFor({ state: 'detached' })
      await dialog.waitFor()
      // A click outside asks as well. Right after the question went, the dialog may not listen to clicks yet.
      await until('the question', async () => {
        await page.mouse.click(8, 300)
        return question(page)
          .waitFor({ timeout: 1_000 })
          .then(
            () => true,
            () => false,
          )
      })
      await question(page)
        .getByRole('button', { name: say('discard') })
        .click()
      await dialog.waitFor({ state: 'detached' })
    }
  })

  await step('what was changed and changed back is no change, and Cancel asks too', async () => {
    await goTo('teams')
    const dialog = page.getByRole('dialog', { name: say('newTeam') })
    await page
      .getByRole('button', { name: say('newTeam') })
      .first()
      .click()
    await dialog.getByLabel(say('name')).fill('Nord')
    await dialog.getByRole('button', { name: say('cancel') }).click()
    await assertDialogAccessible(page, 'the question before something typed is lost')
    await question(page)
      .getByRole('button', { name: say('keepEditing') })
      .click()
    assert.equal(await dialog.getByLabel(say('name')).inputValue(), 'Nord')
    await dialog.getByLabel(say('name')).fill('')
    await dialog.getByRole('button', { name: say('cancel') }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  await step('the texts of messages ask', async () => {
    await goTo('part_messages')
    await page.getByRole('button', { name: say('messageTexts'), exact: true }).click()
    await page
      .getByRole('button', { name: new RegExp(`^${say('edit')}:`) })
      .first()
      .click()
    const dialog = page.getByRole('dialog').first()
    await dialog.getByLabel(say('messageText')).fill('Hello {name}')
    await page.keyboard.press('Escape')
    await question(page)
      .getByRole('button', { name: say('discard') })
      .click()
    await dialog.waitFor({ state: 'detached' })
  })

  await step(
    'settings ask before another page, keep what is typed when somebody else saves, and not after saving',
    async () => {
      await goTo('settings')
      const name = page.getByLabel(say('name'), { exact: true })
      await name.waitFor()
      await goTo('teams')
      await page.getByRole('heading', { level: 1, name: say('teams') }).waitFor()
      await goTo('settings')
      await name.fill('Curier Rapid')
      await goTo('teams')
      await question(page)
        .getByRole('button', { name: say('keepEditing') })
        .click()
      assert.match(page.url(), /\/settings$/)

      await console.put('/company', { phone: '021 123 4567' })
      const other = await console.open('/settings')
      await until('the other page to have it', async () =>
        (await other.getByRole('textbox', { name: say('phone') }).inputValue()).startsWith('021'),
      )
      assert.equal(await name.inputValue(), 'Curier Rapid')
      await page.getByRole('button', { name: say('save') }).click()
      await page.getByText(say('settingsSaved')).waitFor()
      await until('both to be shown', async () =>
        (await page.getByRole('textbox', { name: say('phone') }).inputValue()).startsWith('021'),
      )
      await goTo('teams')
      await page.getByRole('heading', { level: 1, name: say('teams') }).waitFor()
      const { company } = (await console.get('/company')).body
      assert.deepEqual([company.name, company.phone], ['Curier Rapid', '021 123 4567'])
    },
  )

  await step('a note asks before another task, and closing the tab asks the browser', async () => {
    await goTo('dispatch')
    await page.getByRole('row', { name: /A-1/ }).dblclick()
    const panel = page.getByRole('complementary', { name: /A-1/ })
    const note = panel.getByLabel(say('addNote')).first()
    await note.fill('Ring twice')
    await panel.getByRole('button', { name: say('close') }).click()
    await question(page)
      .getByRole('button', { name: say('keepEditing') })
      .click()
    assert.equal(await note.inputValue(), 'Ring twice')

    const asked = page.waitForEvent('dialog')
    const closing = page.close({ runBeforeUnload: true })
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await closing
    await panel.getByRole('button', { name: say('close') }).click()
    await question(page)
      .getByRole('button', { name: say('discard') })
      .click()
    await panel.waitFor({ state: 'detached' })
  })

  await step('stops that were moved ask until the order is saved, and not where they are back', async () => {
    await console.post('/tasks', aTask({ awb: 'A-2', userId: driver.id }))
    const page = await console.open('/?view=timeline')
    const name = say('reorderRouteOf', { driver: 'Ana Radu' })
    const dialog = page.getByRole('dialog', { name })
    const open = () => page.getByRole('button', { name }).first().click()
    const move = (word: 'moveUp' | 'moveDown') =>
      dialog.getByRole('button', { name: say(word, { awb: 'A-1' }) }).click()
    await open()
    await move('moveDown')
    await page.keyboard.press('Escape')
    await answer(page, 'keepEditing')
    await question(page).waitFor({ state: 'detached' })
    await move('moveUp')
    await dialog.getByRole('button', { name: say('cancel') }).click()
    await dialog.waitFor({ state: 'detached' })

    await open()
    await move('moveDown')
    await dialog.getByRole('button', { name: say('cancel') }).click()
    await answer(page, 'keepEditing')
    await dialog.getByRole('button', { name: say('save') }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await question(page).count(), 0)
    await page.close()
  })

  await step('why a driver is unavailable is asked about', async () => {
    await console.put(`/drivers/${driver.id}/duty`, { inShift: true })
    const page = await console.open('/?view=table')
    await page.getByRole('button', { name: 'Actions for Ana Radu' }).click()
    await page.getByRole('button', { name: say('makeUnavailable') }).click()
    const dialog = page.getByRole('dialog', { name: 'Ana Radu is unavailable' })
    await dialog.getByLabel('Reason (optional)').fill('Ill')
    await page.keyboard.press('Escape')
    await answer(page, 'discard')
    await dialog.waitFor({ state: 'detached' })
    await page.close()
  })

  const other = await console.open('/?view=table')
  await step('a file that was read asks; rows that the browser keeps do not, they are there again', async () => {
    const dialog = other.getByRole('dialog', { name: importSay('importTitle') })
    const open = () =>
      other
        .getByRole('button', { name: say('import') })
        .first()
        .click()
    await open()
    await dialog.waitFor()
    await other.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await open()
    const buffer = Buffer.from('awb,address\nB-1,\n')
    await dialog.getByLabel('Choose a file').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer })
    const next = dialog.getByRole('button', { name: importSay('next') })
    await next.waitFor()
    await other.keyboard.press('Escape')
    await answer(other, 'keepEditing')
    await question(other).waitFor({ state: 'detached' })
    await next.click()
    await dialog.getByText(importSay('keptHere')).waitFor()
    await other.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await question(other).count(), 0)
    await open()
    await dialog.getByRole('button', { name: importSay('importGoOnOf', { file: 'rows.csv' }) }).waitFor()
    await other.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  await step('signing out asks about what is typed, and about an import that only this browser has', async () => {
    const signOut = async () => {
      await other.getByRole('button', { name: /^Signed in as/ }).click()
      await other.getByRole('menuitem', { name: say('signOut') }).click()
    }
    await signOut()
    await question(other).getByText(say('signOutEndsImport')).waitFor()
    await assertDialogAccessible(other, 'the question before signing out')
    await answer(other, 'keepEditing')
    await question(other).waitFor({ state: 'detached' })

    await other.getByRole('row', { name: /A-1/ }).dblclick()
    const note = other.getByRole('complementary', { name: /A-1/ }).getByLabel(say('addNote')).first()
    await note.fill('Ring twice')
    await signOut()
    await question(other).getByText(say('discardLead')).waitFor()
    await answer(other, 'keepEditing')
    await question(other).waitFor({ state: 'detached' })
    assert.equal(await note.inputValue(), 'Ring twice')
    await signOut()
    await answer(other, 'discard')
    await other.getByLabel(say('password')).waitFor()
  })
})

test('the name of a team that is made with its first driver is not lost', async (t) => {
  const console = await startConsole(t)
  const page = await console.open('/drivers')
  const dialog = page.getByRole('dialog', { name: say('newDriver') })
  await page
    .getByRole('button', { name: say('newDriver') })
    .first()
    .click()
  const team = dialog.getByLabel(firstSayIn('en')('newTeam'))
  await team.fill('Nord')
  await page.keyboard.press('Escape')
  await question(page)
    .getByRole('button', { name: say('keepEditing') })
    .click()
  assert.equal(await team.inputValue(), 'Nord')
  await team.fill(firstSayIn('en')('firstTeamName'))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('where the browser keeps nothing, no button closes an import that is not sent without asking', async (t) => {
  const console = await startConsole(t)
  const page = await console.open('about:blank')
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('A private window', 'InvalidStateError')
    }
  })
  await page.goto(`${console.url}/?view=table`)
  await page.route('**/tasks/bulkCreate', (route) => route.abort())
  await page
    .getByRole('button', { name: say('import') })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: importSay('importTitle') })
  const button = (name: string) => dialog.getByRole('button', { name, exact: true })
  const buffer = Buffer.from('awb,address\nB-1,Strada Lungă 1\n')
  await dialog.getByLabel('Choose a file').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer })
  await button(importSay('next')).click()
  await button(importSay('importNow', { n: 1 })).click()
  await button(importSay('importStop')).click()
  await button(importSay('finish')).click()
  await answer(page, 'keepEditing')
  await question(page).waitFor({ state: 'detached' })
  assert.equal(await button(importSay('importAnother')).count(), 0)

  await page.unrouteAll()
  await button(importSay('importSendRest', { n: 1 })).click()
  await button(importSay('importAnother')).waitFor()
  await button(importSay('finish')).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await console.get('/tasks/awb/B-1')).body.task.awb, 'B-1')
})

test('who does not sign in again when the session has ended is asked about what is typed, then signs in from the start', async (t) => {
  const console = await startConsole(t)
  const page = await console.open('/?view=table')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.keyboard.press('n')
  const address = page.getByLabel('Address', { exact: true })
  await address.fill('Strada Lungă 1')
  await console.person.delete('/sessions')
  // The page may have noticed already.
  await page
    .getByRole('button', { name: 'Create', exact: true })
    .click({ timeout: 3_000 })
    .catch(() => {})
  const ended = page.getByRole('dialog', { name: say('sessionEnded') })
  await ended.waitFor()
  await page.keyboard.press('Escape')
  await answer(page, 'keepEditing')
  await question(page).waitFor({ state: 'detached' })
  assert.equal(await address.inputValue(), 'Strada Lungă 1')

  await page.keyboard.press('Escape')
  await answer(page, 'discard')
  await page.waitForURL(/sign-in/)
  await page.getByLabel(say('email')).fill(console.person.email)
  await page.getByLabel(say('password')).fill(aPassword)
  await page.getByRole('button', { name: say('signIn') }).click()
  await page.getByText('Live', { exact: true }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
})
