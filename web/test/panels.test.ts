import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { aTask, makeDriver, signIn } from '../../server/test/factories.ts'
import { photo } from '../../server/test/pictures.ts'
import { request } from '../../server/test/server.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

test('the panel of a task', async (t) => {
  const { open, post, get, put, url } = await startConsole(t)
  const driver = await makeDriver({ post })
  const page = await open('/?view=table')
  const dialog = page.getByRole('dialog')
  const step = inOneGo(t)

  await step('a task shows what the driver filled in, and what the customer said as soon as it is said', async () => {
    const fields = [
      { field_key: 'door', label: 'Which door?', type: 'text' },
      { field_key: 'id', label: 'Seen the ID', type: 'check' },
    ]
    await post('/forms', { name: 'Visit', fields })
    const { task } = (await post('/tasks', aTask({ awb: 'FORM-1', userId: driver.id }))).body
    await page.getByTitle('Open FORM-1').click()
    const panel = page.getByRole('complementary', { name: /FORM-1/ })
    await panel.getByText('Activity').waitFor()

    await panel.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByText('Team, form and dependencies').click()
    await dialog.getByLabel('Form', { exact: true }).selectOption({ label: 'Visit' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })

    const key = await signIn({ post }, driver)
    const occurredAt = new Date().toISOString()
    const fileId = randomUUID()
    const answers = [
      { field_key: 'door', answer: 'The blue one' },
      { field_key: 'id', answer: true },
    ]
    const ops = [
      { opId: '1', type: 'form', taskId: task.id, occurredAt, answers },
      { opId: '2', type: 'scan', taskId: task.id, occurredAt, code: 'OTHER' },
      { opId: '3', type: 'signature', taskId: task.id, occurredAt, fileId, name: 'Signed by Radu' },
    ]
    await request(url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime: occurredAt, ops } })
    await panel.getByText('The blue one', { exact: true }).waitFor()
    await panel.getByText('Seen the ID').waitFor()
    await panel.getByText('filled in the form').waitFor()
    await panel.getByText('The code of another parcel').waitFor()
    const picture = { key, raw: photo, headers: { 'content-type': 'image/jpeg' } }
    await request(url, 'PUT', `/api/v1/driver/files/${fileId}`, picture)
    const signature = panel.getByRole('listitem').filter({ hasText: 'Signed by Radu' }).first()
    await signature.locator(`button img[src="/files/${fileId}?size=thumb"]`).waitFor()

    await put('/tasks/awb/FORM-1/forceComplete', {})
    await request(url, 'POST', `/t/${task.uuid}/feedback`, { body: { rating: 4, comment: 'Friendly' } })
    await panel.getByRole('img', { name: '4 stars out of 5' }).waitFor()
    await panel.getByText('Friendly').waitFor()
    await panel.getByText('Customer left feedback').waitFor()
    await assertAccessible(page, 'a task with answers and feedback')
  })

  await step(
    'a dispatcher sees what was paid, enters and corrects it, and fails a task for a reason of the organisation',
    async () => {
      await post('/reasons', { code: 'RAIN', label: 'Too wet', labels: { en: 'Rain' } })
      const { task } = (await post('/tasks', aTask({ awb: 'PAY-1', userId: driver.id, totalPrice: 120 }))).body
      await page.getByTitle('Open PAY-1').click()
      const panel = page.getByRole('complementary', { name: /PAY-1/ })
      const pay = async (amount: string, method: string) => {
        await panel.getByRole('button', { name: 'Add payment' }).click()
        await dialog.getByLabel('Amount').fill(amount)
        await dialog.getByLabel('Method').selectOption({ label: method })
        await dialog.getByRole('button', { name: 'Save' }).click()
      }
      await panel.getByText('Nothing was paid yet').waitFor()
      await pay('130', 'Other')
      await dialog.getByText('Only 120 is left to be paid').waitFor()
      await dialog.getByLabel('Amount').fill('120')
      await dialog.getByLabel('Note').fill('Bank transfer')
      await assertDialogAccessible(page, 'a payment being entered')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await panel.getByText('Bank transfer').waitFor()
      await panel.getByText(/recorded a payment of/).waitFor()
      await pay('-20', 'Other')
      await panel.getByText(/corrected the payments by/).waitFor()

      // Of a driver, as it happens.
      const key = await signIn({ post }, driver)
      const occurredAt = new Date().toISOString()
      const ops = [{ opId: '4', type: 'payment', taskId: task.id, occurredAt, amount: 20, method: 'card' }]
      await request(url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime: occurredAt, ops } })
      await panel.getByRole('listitem').filter({ hasText: 'Card' }).filter({ hasText: driver.name }).waitFor()

      await panel.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Mark as failed' }).click()
      await dialog.getByRole('combobox', { name: 'Reason' }).selectOption({ label: 'Rain' })
      await dialog.getByLabel('Details').fill('Flood')
      await dialog.getByRole('button', { name: 'Mark as failed' }).click()
      await panel.getByText('Too wet: Flood').first().waitFor()
      const { payments } = (await get(`/tasks/${task.id}/payments`)).body
      assert.deepEqual(
        payments.map(({ amount }: { amount: number }) => amount),
        [120, -20, 20],
      )
    },
  )
})

test('a task, its form, the import and a plan are accessible', async (t) => {
  const { open, post } = await startConsole(t)
  const driver = await makeDriver({ post })
  const { task } = (await post('/tasks', aTask({ awb: 'OPEN-1', totalPrice: 120, userId: driver.id }))).body
  await post('/tasks', aTask({ awb: 'OPEN-2', userId: driver.id }))
  const page = await open(`/?view=table&task=${task.id}`)
  await page.getByText('Activity').waitFor()
  await assertAccessible(page, 'task')

  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: /OPEN-1/ }).waitFor({ state: 'detached' })
  await page.keyboard.press('n')
  await page.getByRole('dialog').waitFor()
  await assertAccessible(page, 'form')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Import' }).first().click()
  await page.getByRole('dialog').waitFor()
  await assertDialogAccessible(page, 'import')
  await page.keyboard.press('Escape')

  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Timeline', exact: true }).click()
  for (const name of [/^Optimise/, /^Reorder/]) {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').getByText('OPEN-2').first().waitFor()
    await assertDialogAccessible(page, `${name}`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})
