import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aTask } from '../../server/test/factories.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

const row = (page: Page, awb: string) => page.getByRole('row').filter({ has: page.getByText(awb, { exact: true }) })
const dialog = (page: Page) => page.getByRole('dialog')
/** Follows the link of a notice. */
const showIn = (page: Page, notice: string) =>
  page
    .getByRole('region', { name: 'Notices' })
    .locator('div', { hasText: notice })
    .getByRole('button', { name: 'Show', exact: true })
    .click()

test('another day', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const page = await server.open('/?view=table&day=2030-01-02')
  const step = inOneGo(t)

  await step(
    'tasks created or imported while a future day is shown are for that day; those for another day have a link there',
    async () => {
      const create = async (awb: string, fill: () => Promise<void> = async () => {}) => {
        await page.getByRole('button', { name: 'New task' }).click()
        await dialog(page).getByLabel('Address', { exact: true }).fill('Strada Nouă 5')
        await dialog(page).getByLabel('AWB').fill(awb)
        await fill()
        await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
        await dialog(page).waitFor({ state: 'detached' })
      }
      await create('SAME')
      await row(page, 'SAME').waitFor()
      const { task } = (await server.get('/tasks/awb/SAME')).body
      assert.deepEqual(
        [task.completeAfter, task.completeBefore],
        ['2030-01-01T22:00:00.000Z', '2030-01-02T21:59:00.000Z'],
      )

      await create('OTHER', async () => {
        await dialog(page).getByLabel('Not before').fill('2030-01-05T10:00')
        await dialog(page).getByLabel('Until').fill('2030-01-05T12:00')
      })
      await showIn(page, 'OTHER created · on 5 Jan')
      await page.waitForURL(/day=2030-01-05/)
      await page.getByRole('complementary', { name: 'Task OTHER' }).waitFor()
      await row(page, 'OTHER').waitFor()

      await page.getByRole('button', { name: 'Import' }).first().click()
      const list = 'awb,address,window,day\nI-1,Strada Lipscani 1,10:00-12:00,\nI-2,Strada Lipscani 2,,2030-01-07\n'
      await dialog(page)
        .getByLabel('Choose a file')
        .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
      await dialog(page).getByRole('button', { name: 'Next' }).click()
      await dialog(page).getByRole('button', { name: 'Import 2 tasks' }).click()
      await dialog(page).getByRole('button', { name: '7 Jan · 1 task' }).click()
      await page.waitForURL(/day=2030-01-07/)
      await row(page, 'I-2').waitFor()
      assert.equal((await server.get('/tasks/awb/I-1')).body.task.completeAfter, '2030-01-05T08:00:00.000Z')
    },
  )

  await step('moving a task to another day shows a link to that day', async () => {
    await server.post('/tasks', aTask({ awb: 'MOVED' }))
    await page.getByRole('button', { name: 'Today', exact: true }).click()
    await page.getByTitle('Open MOVED').click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog(page).getByLabel('Not before').fill('2030-01-05T10:00')
    await dialog(page).getByLabel('Until').fill('2030-01-05T12:00')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await showIn(page, 'MOVED saved · on 5 Jan')
    await page.waitForURL(/day=2030-01-05/)
  })
})
