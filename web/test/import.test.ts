import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { amountsOf } from '../../server/test/proofs.ts'
import { readXlsx } from '../console/files/xlsx-read.ts'
import { writeXlsx } from '../console/files/xlsx-write.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Import tasks' })
const choose = (page: Page, name: string, content: string | Uint8Array) =>
  dialog(page)
    .getByLabel('Choose a file')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
const press = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name }).click()

test('tables in and out', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const page = await server.open('/?view=table')
  const step = inOneGo(t)

  await step('a list is imported; rows with problems are shown, corrected and imported again', async () => {
    const driver = await makeDriver(server, { name: 'Vlad Marin' })
    await server.post('/tasks', aTask({ awb: 'C-3' }))
    await page.getByRole('button', { name: 'Import' }).first().click()
    await choose(
      page,
      'lista.csv',
      'Nr. comandă;Adresa;Interval;Ramburs;Curier;Culoare\n' +
        'C-1;Strada Lipscani 1, București;10:00-12:00;120 lei;Vlad Marin;roșu\n' +
        'C-2;;10:00-12:00;;;\n' +
        'C-3;Strada Nouă 3;;;;\n' +
        'C-4;Strada Nouă 4;14:00-12:00;;;\n',
    )
    await dialog(page).getByText('4 rows in lista.csv').waitFor()
    assert.equal(await dialog(page).getByLabel('Task field for Curier').inputValue(), 'driver')
    await dialog(page).getByLabel('Task field for Culoare').selectOption('Keep as custom field')
    await dialog(page).getByLabel('Day for rows with only a time').fill('2030-01-02')
    await press(page, 'Next')
    await dialog(page).getByText('The address is missing').waitFor()
    await dialog(page).getByText('The time window ends before it starts').waitFor()
    await press(page, 'Import 2 tasks')

    await dialog(page).getByText('1 task created').waitFor()
    await dialog(page).getByText('3 rows were not imported').waitFor()
    await dialog(page).getByText('Another task already has this AWB').waitFor()
    const { task } = (await server.get('/tasks/awb/C-1')).body
    assert.equal(task.completeAfter, '2030-01-02T08:00:00.000Z')
    assert.equal(task.userId, driver.id)
    assert.equal(task.totalPrice, 120)
    assert.deepEqual(task.customFields, [{ key: 'Culoare', value: 'roșu' }])
    await dialog(page).getByText('1 address is still being located').waitFor()

    const saving = page.waitForEvent('download')
    await press(page, 'Download these rows as CSV')
    const saved = await readFile(await (await saving).path(), 'utf8')
    assert.match(saved, /Reason not imported\r\n/)
    const mended = saved
      .replace('C-2,', 'C-2,Strada Nouă 2')
      .replace('C-3,', 'C-33,')
      .replace('14:00-12:00', '12:00-14:00')
    await press(page, 'Import another file')
    await choose(page, 'mended.csv', mended)
    await press(page, 'Next')
    await press(page, 'Import 3 tasks')
    await dialog(page).getByText('3 tasks created').waitFor()
    assert.equal((await server.get('/tasks')).body.tasks.length, 5)
    await press(page, 'Done')
    await dialog(page).waitFor({ state: 'detached' })
  })

  await step('a workbook of hundreds of rows is imported in sets, and its columns are remembered', async () => {
    const { rows: count } = amountsOf('import')
    const rows = Array.from({ length: count }, (_, index) => [
      `X-${index}`,
      `Strada Nouă ${index}`,
      { wall: '2030-01-02 10:00:00' },
      index,
    ])
    const file = await writeXlsx('List', ['Cod intern', 'Unde', 'De la', 'Colete'], rows)
    await page.getByRole('button', { name: 'Import' }).first().click()
    await choose(page, 'list.xlsx', file)
    await dialog(page).getByText('Choose a column for the address').waitFor()
    await dialog(page).getByLabel('Task field for Unde').selectOption('Address')
    await dialog(page).getByLabel('Task field for Cod intern').selectOption('AWB')
    const before = (await server.get('/tasks')).body.tasks.length
    await press(page, 'Next')
    await press(page, `Import ${count} tasks`)
    await dialog(page).getByText(`${count} tasks created`).waitFor()
    assert.equal((await server.get('/tasks?limit=1000')).body.tasks.length - before, count)
    const { task } = (await server.get('/tasks/awb/X-7')).body
    assert.deepEqual([task.quantity, task.completeAfter], [7, '2030-01-02T08:00:00.000Z'])

    await press(page, 'Import another file')
    await choose(page, 'list.xlsx', file)
    assert.equal(await dialog(page).getByLabel('Task field for Unde').inputValue(), 'address')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  })

  await step('five thousand rows are read and checked while the page stays responsive', async (t) => {
    await page.getByRole('button', { name: 'Import' }).first().click()
    await dialog(page).waitFor()
    // Counts how often the page gets time, which does not depend on the speed of the machine; durations would.
    await page.evaluate(() => {
      const { scheduler } = window as unknown as { scheduler: { yield: () => Promise<void> } }
      const given = scheduler.yield.bind(scheduler)
      const counted = Object.assign(window, { turns: 0 })
      scheduler.yield = () => {
        counted.turns += 1
        return given()
      }
    })
    const line = (index: number) =>
      `B-${index},"Strada Lipscani ${index}, București",10:00,12:00,Ioana Pop,0712345678,120\n`
    const rows = Array.from({ length: 5000 }, (_, index) => line(index)).join('')
    await choose(page, 'big.csv', `awb,address,from,until,customer,phone,price\n${rows}`)
    await press(page, 'Next')
    await dialog(page).getByText('5,000 rows ready').waitFor()
    const turns = await page.evaluate(() => (window as unknown as { turns: number }).turns)
    t.diagnostic(`the page was let in ${turns} times`)
    assert.ok(turns > 0, 'the page was let in')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  })

  await step('the filtered tasks are exported as a workbook', async () => {
    await server.post('/tasks', aTask({ awb: 'E-1', totalPrice: 120 }))
    await server.post('/tasks', aTask({ awb: 'F-1' }))
    await page.getByRole('searchbox').fill('E-1')
    await page.waitForURL(/q=E-1/)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('Export: 1 task').waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Excel (.xlsx)' }).click()
    const download = await saving
    assert.match(download.suggestedFilename(), /^tasks-\d{4}-\d\d-\d\d\.xlsx$/)
    const [headers, row, ...more] = await readXlsx(new Uint8Array(await readFile(await download.path())))
    assert.deepEqual([row?.[headers!.indexOf('AWB')], row?.[headers!.indexOf('Price')], more.length], ['E-1', '120', 0])
  })
})
