import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { readPdf } from '../../server/test/pdf.ts'
import { readZpl } from '../../server/test/zpl.ts'
import { assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'

async function readDownload(page: Page, click: () => Promise<unknown>) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  const parts: Uint8Array[] = []
  for await (const part of await download.createReadStream()) parts.push(part)
  return { name: download.suggestedFilename(), bytes: Buffer.concat(parts) }
}

test('labels of selected tasks and of one task, in the format used last, and the run sheet of a driver', async (t) => {
  const server = await startConsole(t)
  const driver = await makeDriver(server, { name: 'Vlad Marin' })
  for (const awb of ['LABEL-1', 'LABEL-2']) await server.post('/tasks', aTask({ awb, userId: driver.id }))
  const page = await server.open('/?view=table')
  await page.getByTitle('Open LABEL-1').waitFor()
  await page.getByRole('checkbox').first().click()
  const bar = page.locator('[data-bulk]')
  await bar.getByRole('button', { name: 'Labels' }).click()
  const dialog = page.getByRole('dialog', { name: 'Labels' })
  await dialog.getByLabel('Printed on').selectOption('zpl')
  await assertDialogAccessible(page, 'the dialog with labels')
  const zpl = await readDownload(page, () => dialog.getByRole('button', { name: 'Save 2 labels' }).click())
  assert.equal(zpl.name, 'labels.zpl')
  assert.equal(readZpl(zpl.bytes.toString()).length, 2)
  await dialog.waitFor({ state: 'detached' })

  await page.getByTitle('Open LABEL-2').click()
  const panel = page.getByRole('complementary', { name: /LABEL-2/ })
  await panel.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Labels' }).click()
  assert.equal(await dialog.getByLabel('Printed on').inputValue(), 'zpl', 'the printer is still the same')
  await dialog.getByLabel('Printed on').selectOption('pdf-a4')
  const pdf = await readDownload(page, () => dialog.getByRole('button', { name: 'Save 1 label' }).click())
  assert.match(readPdf(pdf.bytes)[0]?.text ?? '', /^LABEL-2$/m)

  await page.goto(`${server.url}/drivers`)
  const sheet = await readDownload(page, () => page.getByRole('link', { name: 'Run sheet: Vlad Marin' }).click())
  assert.match(readPdf(sheet.bytes)[0]?.text ?? '', /Vlad Marin[\s\S]*LABEL-1[\s\S]*LABEL-2/)
})
