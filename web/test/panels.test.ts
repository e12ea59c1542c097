import { aTask, makeDriver } from '../../server/test/factories.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'

test('everybody can use what opens over the day: a task, its form, an import, a plan', async (t) => {
  const { open, post, url } = await startConsole(t)
  const driver = await makeDriver({ post })
  const { task } = (await post('/tasks', aTask({ awb: 'OPEN-1', totalPrice: 120, userId: driver.id }))).body
  await post('/tasks', aTask({ awb: 'OPEN-2', userId: driver.id }))
  const page = await open(`/?view=table&task=${task.id}`)
  await page.getByText('Activity').waitFor()
  await assertAccessible(page, 'task')

  await page.goto(`${url}/?view=table`)
  await page.getByRole('row', { name: /OPEN-2/ }).waitFor()
  await page.keyboard.press('n')
  await page.getByRole('dialog').waitFor()
  await assertAccessible(page, 'form')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('dialog').waitFor()
  await assertAccessible(page, 'import')
  await page.keyboard.press('Escape')

  await page.goto(`${url}/?view=timeline`)
  for (const name of [/^Optimise/, /^Reorder/]) {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').getByText('OPEN-2').first().waitFor()
    await assertAccessible(page, `${name}`)
    await page.keyboard.press('Escape')
  }
})
