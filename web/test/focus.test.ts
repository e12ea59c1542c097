import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { untilHolds } from '../../server/test/until.ts'
import type { Word } from '../console/pages/record-words.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'
import { recordSayIn } from './words.ts'

const say = recordSayIn('en')

/** The position of the focused field in the open dialog; undefined if no field has the focus. */
const focusedField = (page: Page) =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('[role=dialog] :is(input, select, textarea)')]
    const at = fields.indexOf(document.activeElement as Element)
    return at < 0 ? undefined : at
  })

async function assertInFirstField(page: Page, what: string) {
  await page.getByRole('dialog').waitFor()
  await untilHolds(async () => assert.equal(await focusedField(page), 0, `${what} opens in its first field`))
}

const forms: [page: Word, button: Word][] = [
  ['drivers', 'newDriver'],
  ['teams', 'newTeam'],
  ['hubs', 'newHub'],
  ['forms', 'newForm'],
  ['reasons', 'newReason'],
  ['webhooks', 'newWebhook'],
  ['keys', 'newKey'],
  ['people', 'invitePerson'],
]

test('the focus', async (t) => {
  const { open, post, delete: remove } = await startConsole(t)
  const driver = await makeDriver({ post })
  const page = await open('/?view=table')
  const step = inOneGo(t)

  await step('text typed right after a task form opens goes into the address and triggers no shortcuts', async () => {
    await post('/tasks', aTask({ awb: 'FOCUS-1', userId: driver.id }))
    await page.getByRole('row', { name: /FOCUS-1/ }).waitFor()
    const before = page.url()

    await page.keyboard.press('n')
    await page.keyboard.type('Calea Victoriei 1 / ?')
    assert.equal(await page.getByLabel(say('address'), { exact: true }).inputValue(), 'Calea Victoriei 1 / ?')
    assert.equal(page.url(), before, 'the view is the same')
    await page.getByRole('checkbox', { name: say('createAnother') }).focus()
    await page.keyboard.type('x1n')
    assert.equal(page.url(), before)
    assert.equal(await page.getByRole('dialog').count(), 1)

    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: say('discard') }).click()

    await page.getByTitle(say('openTask', { awb: 'FOCUS-1' })).click()
    const panel = page.getByRole('complementary', { name: /FOCUS-1/ })
    await panel.getByRole('button', { name: say('edit') }).click()
    await assertInFirstField(page, 'a task to change')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    for (const [word, isField] of [
      ['markSucceeded', false],
      ['markFailed', true],
      ['delete', false],
    ] as const) {
      await panel.getByRole('button', { name: say('more') }).click()
      await page.getByRole('menuitem', { name: say(word) }).click()
      await page.getByRole('dialog').waitFor()
      await untilHolds(async () => assert.equal(await focusedField(page), isField ? 0 : undefined, word))
      await page.keyboard.press('Space')
      assert.equal(await page.getByRole('dialog').count(), 1, `${word}: a space does not close what asks`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }

    await panel.getByLabel(say('addNote')).fill('Interfon 12')
    await page.keyboard.press('Tab')
    await page.keyboard.type('n1')
    assert.equal(await page.getByRole('dialog').count(), 0, 'the button that adds a note is no place for shortcuts')
    assert.match(page.url(), /view=table/)
    // What is typed would be asked about on the way to another page.
    await panel.getByLabel(say('addNote')).first().fill('')
  })

  await step('every form opens with the focus in its first field', async () => {
    await post('/tasks', aTask({ awb: 'FOCUS-3' }))
    for (const [name, button] of forms) {
      await page.getByRole('link', { name: say(name), exact: true }).click()
      await page
        .getByRole('button', { name: say(button) })
        .first()
        .click()
      await assertInFirstField(page, name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await remove('/tasks/awb/FOCUS-1')
    await page.getByRole('link', { name: say('dispatch') }).click()
    await page.keyboard.press('2')
    await page.getByRole('row', { name: /FOCUS-3/ }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('a')
    await assertInFirstField(page, 'who gets it')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const word of ['plan', 'forceComplete'] as const) {
      await page
        .getByRole('region', { name: say('bulkActions') })
        .getByRole('button', { name: say(word) })
        .click()
      await assertInFirstField(page, word)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })
})
