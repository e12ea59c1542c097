import assert from 'node:assert/strict'
import { aTask } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { startConsole, test } from './console.ts'
import { letGo, says, startDriver, tap } from './driver.ts'
import { inOneGo } from './steps.ts'

test('money with decimals in the console', async (t) => {
  const server = await startConsole(t)
  const page = await server.open('/?view=table')
  const dialog = page.getByRole('dialog')
  const step = inOneGo(t)
  const create = async (price: string) => {
    await page.getByRole('button', { name: 'New task' }).click()
    await dialog.getByLabel('Address', { exact: true }).fill('Strada Nouă 5, București')
    await dialog.getByLabel('AWB').fill('A-1')
    await dialog.getByText('Payment', { exact: true }).click()
    await dialog.getByLabel('Price', { exact: true }).fill(price)
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  }

  await step('a price with decimals says what to turn on, and an admin turns it on', async () => {
    await create('89,50')
    await dialog.getByText('change “Decimals in amounts” in Settings').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.goto(`${server.url}/settings`)
    const picker = page.getByLabel('Decimals in amounts')
    await picker.waitFor()
    assert.deepEqual(await picker.getByRole('option').allTextContents(), ['None: 120', 'Two: 89.50'])
    await picker.selectOption({ label: 'Two: 89.50' })
    await page.getByRole('button', { name: 'Save' }).click()
    await until('the setting to be saved', async () => (await server.get('/company')).body.company.moneyDecimals === 2)
  })

  await step('then it is taken as it is written, shown with both decimals, and paid in parts', async () => {
    await server.put('/company', { settings: { allowPartialPayments: true } })
    await page.goto(`${server.url}/?view=table`)
    await create('1.089,50 lei')
    await page.getByText('A-1 created').waitFor()
    assert.equal((await server.get('/tasks/awb/A-1')).body.task.totalPrice, 1_089.5)
    await page.getByTitle('Open A-1', { exact: true }).click()
    const panel = page.getByRole('complementary', { name: 'Task A-1' })
    await panel.getByText('RON 1,089.50').first().waitFor()

    await panel.getByRole('button', { name: 'Add payment' }).click()
    const amount = dialog.getByLabel('Amount')
    assert.equal(await amount.inputValue(), '1089.50')
    for (const [typed, words] of [
      ['40,2551', 'Enter at most two decimals'],
      ['€ 40', 'in another currency'],
      ['forty', 'such as 120 or 89.50'],
    ] as const) {
      await amount.fill(typed)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText(words).waitFor()
    }
    await amount.fill('40,25')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('RON 1,049.25').first().waitFor()
    assert.equal((await server.get('/tasks/awb/A-1')).body.task.leftToBePaid, 1_049.25)
  })

  await step('a price that has decimals stays while other fields are changed after they were turned off', async () => {
    await server.put('/company', { moneyDecimals: 0 })
    await page.reload()
    const panel = page.getByRole('complementary', { name: 'Task A-1' })
    await panel.getByRole('button', { name: 'Edit' }).click()
    assert.equal(await dialog.getByLabel('Price', { exact: true }).inputValue(), '1089.50')
    await dialog.getByLabel('Details').fill('Two boxes')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByText('Two boxes').first().waitFor()
    const { totalPrice, details } = (await server.get('/tasks/awb/A-1')).body.task
    assert.deepEqual([totalPrice, details], [1_089.5, 'Two boxes'])
  })
})

test('a driver takes 40,25 of 89,50', async (t) => {
  const { signedIn, server, driver, tasks, look } = await startDriver(t, ['A-1'])
  await server.put('/company', { moneyDecimals: 2, settings: { allowPartialPayments: true } })
  await server.put('/tasks/awb/A-1', { totalPrice: 89.5 })
  await server.post('/tasks', aTask({ awb: 'A-2', userId: driver.id, totalPrice: 0.3 }))
  const { page } = await signedIn()
  await page.evaluate(`location.hash = '#/task/${tasks[0].id}'`)
  await tap(page, /^Start$/)
  await tap(page, 'I have arrived')
  await tap(page, 'Complete')
  const amount = page.getByLabel('Amount received')
  assert.equal(await amount.inputValue(), '89.50')
  await page.getByText('Cash', { exact: true }).click()
  await amount.fill('89,51')
  await says(page, '“89,51” is more than')
  await amount.fill('40,255')
  await says(page, '“40,255” is not an amount')
  await amount.fill('40,25')
  await says(page, 'Nothing missing')
  await tap(page, 'Complete')
  await letGo(page)
  await until('the office to know', async () => (await look()).statusId === 9)
  assert.equal((await look()).leftToBePaid, 49.25)
})
