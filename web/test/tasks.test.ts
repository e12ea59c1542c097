import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { addPerson } from '../../server/test/people.ts'
import { untilHolds } from '../../server/test/until.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

const panelOf = (page: Page, awb: string) => page.getByRole('complementary', { name: `Task ${awb}` })
const dialog = (page: Page) => page.getByRole('dialog')

test('one task', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const driver = await makeDriver(server, { name: 'Vlad Marin' })
  const page = await server.open('/?view=table')
  const openTask = (awb: string) => page.getByTitle(`Open ${awb}`, { exact: true }).click()
  const step = inOneGo(t)

  await step('a dispatcher creates a task; refusals are shown at their fields, and nothing typed is lost', async () => {
    await server.post('/tasks', aTask({ awb: 'A-1' }))

    await page.getByRole('button', { name: 'New task' }).click()
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await dialog(page).getByText('Enter an address').waitFor()
    await dialog(page).getByLabel('Address', { exact: true }).fill('Strada Nouă 5, București')
    await dialog(page).getByLabel('AWB').fill('A-1')
    await dialog(page).getByLabel('Not before').fill('2030-01-02T10:00')
    await dialog(page).getByLabel('Until').fill('2030-01-02T12:30')
    await dialog(page).getByRole('button', { name: 'Driver: No driver' }).click()
    await page.getByRole('combobox', { name: 'Search driver or team' }).fill('vlad')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Payment', { exact: true }).click()
    await dialog(page).getByLabel('Price', { exact: true }).fill('120')
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await dialog(page).getByText('Another task already has this AWB').waitFor()
    await dialog(page).locator('input[aria-invalid]:focus').waitFor()

    await dialog(page).getByLabel('AWB').fill('A-2')
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('A-2 created').waitFor()
    const { task } = (await server.get('/tasks/awb/A-2')).body
    assert.equal(task.address.address, 'Strada Nouă 5, București')
    assert.equal(task.completeAfter, '2030-01-02T08:00:00.000Z', 'read on the clocks of Bucharest')
    assert.equal(task.leftToBePaid, 120)
    assert.equal(task.userId, driver.id)
  })

  await step(
    'the panel of a task shows everything, assigns a driver, adds a note, and lists the activity',
    async () => {
      await server.post('/tasks', {
        ...aTask({ awb: 'A-3', details: 'Two boxes', totalPrice: 90 }),
        customer: { name: 'Ioana Pop', phone: '0712345678' },
      })
      await server.post('/tasks', aTask({ awb: 'A-4', dependencies: ['A-3'] }))
      await openTask('A-3')
      const panel = panelOf(page, 'A-3')
      assert.equal(
        await panel.getByRole('link', { name: 'Call +40712345678' }).getAttribute('href'),
        'tel:+40712345678',
      )

      await panel.getByRole('button', { name: 'Choose a driver' }).click()
      await page.getByRole('option', { name: 'Vlad Marin' }).click()
      await panel.getByText('Ana Pop assigned the task to Vlad Marin').waitFor()
      assert.equal((await server.get('/tasks/awb/A-3')).body.task.user.name, 'Vlad Marin')

      await panel.getByLabel('Add note').fill('Ring twice')
      await panel.getByRole('button', { name: 'Add note' }).click()
      await panel.getByText('Ana Pop added a note').waitFor()

      await server.put('/tasks/awb/A-3', { details: 'Three boxes' })
      await panel.getByText('Details: Two boxes → Three boxes').waitFor()

      await panel.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Mark as failed…' }).click()
      await dialog(page).getByLabel('Reason').fill('Nobody at home')
      await dialog(page).getByRole('button', { name: 'Mark as failed' }).click()
      await panel.getByText('Failed', { exact: true }).waitFor()
      // The page may show it before the server has answered.
      const reason = async () => (await server.get('/tasks/awb/A-3')).body.task.cancelReason
      await untilHolds(async () => assert.equal(await reason(), 'Nobody at home'))
    },
  )

  await step('an approximate address is marked and can be corrected by hand', async () => {
    await server.post('/tasks', { awb: 'A-5', address: { address: 'Strada care nu există' } })
    await openTask('A-5')
    const panel = panelOf(page, 'A-5')
    await panel.getByRole('button', { name: 'Correct address' }).click()
    await panel.getByLabel('Coordinates').fill('44.43')
    await panel.getByText('Enter two numbers').waitFor()
    await panel.getByLabel('Coordinates').fill('44.4323, 26.1004')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Address corrected').waitFor()
    const { address } = (await server.get('/tasks/awb/A-5')).body.task
    assert.deepEqual([address.lat, address.lng, address.precision], [44.4323, 26.1004, 'exact'])
  })

  await step("two dispatchers edit one task: each sees the other's change, and no change is lost", async () => {
    const maria = await addPerson(server, 'dispatcher', 'Maria Stoica')
    await server.post('/tasks', aTask({ awb: 'A-6', details: 'Two boxes', quantity: 2 }))
    await openTask('A-6')
    await panelOf(page, 'A-6').getByRole('button', { name: 'Edit' }).click()
    await dialog(page).getByLabel('Details').fill('Four boxes')

    await maria.put('/tasks/awb/A-6', {
      details: 'Three boxes',
      quantity: 3,
      completeBefore: '2030-01-02 12:00',
      customer: { name: 'Ioana' },
    })
    await dialog(page).getByText('Maria Stoica changed:').waitFor()
    await dialog(page).getByText('Now: Three boxes').waitFor()
    assert.equal(
      await dialog(page).getByLabel('Details', { exact: true }).inputValue(),
      'Four boxes',
      'what was typed is kept',
    )
    assert.equal(
      await dialog(page).getByLabel('Until').inputValue(),
      '2030-01-02T12:00',
      'the rest shows what is stored',
    )

    await dialog(page).getByLabel('Customer phone').fill('0712345678')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('A-6 saved').waitFor()
    const { task } = (await server.get('/tasks/awb/A-6')).body
    assert.deepEqual(
      [task.details, task.quantity, task.completeBefore, task.customer.name, task.customer.phone],
      ['Four boxes', 3, '2030-01-02T10:00:00.000Z', 'Ioana', '+40712345678'],
    )
    const last = task.timelines.at(-1)
    assert.deepEqual(
      Object.keys(last.data.previous).sort(),
      ['customer', 'customerId', 'details'],
      'nothing else was sent',
    )
  })

  await step(
    'if a task is deleted while it is edited, the form says so, and the task can be created again',
    async () => {
      await server.post('/tasks', aTask({ awb: 'A-7', details: 'Two boxes' }))
      await openTask('A-7')
      await panelOf(page, 'A-7').getByRole('button', { name: 'Edit' }).click()
      await dialog(page).getByLabel('Details').fill('Four boxes')
      await server.delete('/tasks/awb/A-7')
      await dialog(page).getByRole('button', { name: 'Create again' }).click()
      await page.getByText('A-7 created').waitFor()
      assert.equal((await server.get('/tasks/awb/A-7')).body.task.details, 'Four boxes')
      await page.getByText('This task was deleted').waitFor()
    },
  )

  await step('a task can be copied, and deleted after a confirmation', async () => {
    await server.post('/tasks', aTask({ awb: 'A-8', details: 'Two boxes', quantity: 2 }))
    await openTask('A-8')
    const panel = panelOf(page, 'A-8')
    await panel.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await dialog(page).getByLabel('AWB').fill('A-9')
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('A-9 created').waitFor()
    const copy = (await server.get('/tasks/awb/A-9')).body.task
    assert.deepEqual([copy.details, copy.quantity, copy.address.lat], ['Two boxes', 2, 44.4323])

    await panel.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('A-8 deleted').waitFor()
    assert.equal((await server.get('/tasks/awb/A-8')).status, 404)
    await panel.waitFor({ state: 'detached' })
  })
})
