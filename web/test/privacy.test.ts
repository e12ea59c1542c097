import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { addPerson } from '../../server/test/people.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

const customer = { name: 'Zamfira Quintescu', phone: '0712345678', email: 'zamfira@quintescu.example' }

test('the page of privacy', async (t) => {
  const console = await startConsole(t)
  const driver = await makeDriver(console, { name: 'Dan Munteanu' })
  const make = async (awb: string) =>
    (await console.post('/tasks', aTask({ awb, customer, details: 'Third floor', userId: driver.id, totalPrice: 50 })))
      .body.task
  const ended = await make('ENDED-1')
  await console.post('/tasks/awb/ENDED-1/notes', { note: 'Ring twice' })
  await console.put('/tasks/awb/ENDED-1/forceComplete', { success: true })
  await make('OPEN-1')
  const step = inOneGo(t)
  const page = await console.open('/privacy', { viewport: { width: 1280, height: 900 } })
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  const preview = () => page.getByRole('button', { name: 'Preview' }).click()

  await step('says if nothing is kept, and what is wrong with the question', async () => {
    await page.getByText('Nothing has been erased yet').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Download what is kept' }).isDisabled())
    await page.getByLabel('Phone').fill('0799 999 999')
    await preview()
    await page.getByText('Nothing is kept about this phone number.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Erase' }).count(), 0)
    await page.getByLabel('Find by').selectOption('AWB of a task')
    await page.getByLabel('AWB', { exact: true }).fill('NO-SUCH')
    await preview()
    await main.getByText('No task has this AWB.').waitFor()
    await page.getByLabel('Find by').selectOption('Driver who left')
    await page.getByLabel('Number of the driver').fill(String(driver.id))
    await preview()
    await page.getByText('Delete the driver first').waitFor()
    await assertAccessible(page, 'a refused question')
  })

  await step('hands over what is kept about a customer', async () => {
    await page.getByLabel('Find by').selectOption('Phone of a customer')
    await page.getByLabel('Phone').fill('0712 345 678')
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download what is kept' }).click()
    const file = await saving
    assert.equal(file.suggestedFilename(), 'personal-data.tar')
    assert.match(await readFile(await file.path(), 'latin1'), /Zamfira Quintescu/)
  })

  await step('shows what will be erased and what stays, and erases when asked twice', async () => {
    await preview()
    await main.getByText('1 task', { exact: true }).waitFor()
    await main.getByText('OPEN-1 has not ended yet').waitFor()
    await main.getByText('This cannot be undone').waitFor()
    await assertAccessible(page, 'a preview')
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await assertDialogAccessible(page, 'erasing')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await console.get(`/tasks/${ended.id}`)).body.task.details, 'Third floor')
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await dialog.getByRole('button', { name: 'Erase for good' }).click()

    await main.getByText('This is the receipt.').waitFor()
    const [receipt] = (await console.get('/erasures')).body.erasures
    assert.deepEqual(receipt.taskIds, [ended.id])
    // Where it was asked for, and in the list.
    const lines = main.getByRole('listitem').filter({ hasText: receipt.receipt })
    await lines.nth(1).waitFor()
    assert.match((await lines.last().textContent()) ?? '', /Ana Pop.*By request.*1 task · 1 note/)
    await assertAccessible(page, 'a receipt')
  })

  await step('a task that was erased says so instead of its address, and cannot be edited', async () => {
    await page.goto(`${console.url}/?view=table&task=${ended.id}`)
    const panel = page.getByRole('complementary', { name: /ENDED-1/ })
    await panel.getByText(/^Personal data erased on /).waitFor()
    await panel.getByText('Ana Pop erased the personal data').waitFor()
    assert.equal(await panel.getByRole('button', { name: 'Edit' }).count(), 0)
    assert.equal(await panel.getByLabel('Add note').count(), 0)
    const row = page.getByRole('row').filter({ hasText: 'ENDED-1' })
    await row.getByText('Personal data erased').waitFor()
    await assertAccessible(page, 'the panel of an erased task')
  })

  await step('the setting warns before it erases', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    const warning = page.getByText('erased within minutes of saving')
    await page.getByLabel('Keep personal data (hours)').waitFor()
    assert.equal(await warning.count(), 0)
    await page.getByLabel('Keep personal data (hours)').fill('720')
    await warning.waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This cannot be undone').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved').waitFor()
    const { settings } = (await console.get('/company')).body.company
    assert.equal(settings.hoursToSaveCustomerDataAfterDone, 720)
  })

  await step('is not for dispatchers', async () => {
    const dispatcher = await addPerson(console, 'dispatcher')
    const other = await console.open('/privacy', { as: dispatcher.cookie })
    await other.getByText('Admins only').waitFor()
    assert.equal(await other.getByRole('link', { name: 'Privacy' }).count(), 0)
  })
})
