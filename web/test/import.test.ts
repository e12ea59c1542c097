import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { sql } from '../../server/db/sql.ts'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { amountsOf, tellNumbers } from '../../server/test/proofs.ts'
import { until } from '../../server/test/until.ts'
import { readXlsx } from '../console/files/xlsx-read.ts'
import { writeXlsx } from '../console/files/xlsx-write.ts'
import { assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Import tasks' })
const choose = (page: Page, name: string, content: string | Uint8Array) =>
  dialog(page)
    .getByLabel('Choose a file')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
const press = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name }).click()

/** A row of the list to check, by its number in the file. */
const fixAt = (page: Page, row: number) => dialog(page).locator(`[data-row="${row}"]`)
const isFocused = (row: Locator) =>
  row.evaluate((element) => element.contains(document.activeElement)).catch(() => false)
/** Whether nothing in the dialog is wider than the window. */
const fitsAcross = (page: Page) =>
  dialog(page).evaluate((element) =>
    [element, ...element.querySelectorAll('*')].every((one) => one.getBoundingClientRect().right <= innerWidth + 1),
  )

test('tables in and out', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const page = await server.open('/?view=table')
  const step = inOneGo(t)
  const countTasks = async () =>
    (
      await server.database.everyone.get<{ count: number }>(
        sql`select count(*)::int as count from tasks where organisation_id = ${server.organisationId}`,
      )
    ).count

  await step('rows with problems are fixed in place, and those whose task exists update it', async () => {
    const driver = await makeDriver(server, { name: 'Vlad Marin' })
    await server.post('/tasks', aTask({ awb: 'C-3', totalPrice: 80 }))
    await page.getByRole('button', { name: 'Import' }).first().click()
    await choose(
      page,
      'lista.csv',
      'Livrări de joi\n\n' +
        'Nr. comandă;Adresa;Interval;Ramburs;Curier;Culoare\n' +
        'C-1;Strada Lipscani 1, București;10:00-12:00;120 lei;Vlad Marin;roșu\n' +
        'C-2;;10:00-12:00;;;\n' +
        'C-3;Strada Nouă 3;;95;;\n' +
        'C-4;Strada Nouă 4;14:00-12:00;;;\n',
    )
    await dialog(page).getByText('4 rows in lista.csv').waitFor()
    await dialog(page).getByText('1 row above it is skipped').waitFor()
    assert.equal(await dialog(page).getByLabel('Task field for Curier').inputValue(), 'driver')
    await dialog(page).getByLabel('Task field for Culoare').selectOption('Keep as custom field')
    await dialog(page).getByLabel('Day for rows with only a time').fill('2030-01-02')
    await press(page, 'Next')
    await dialog(page).getByText('2 rows to fix').waitFor()
    await dialog(page).getByText('The address is missing').waitFor()
    await dialog(page).getByText('1 row has the AWB of an existing task').waitFor()
    await assertDialogAccessible(page, 'the rows of an import')

    await fixAt(page, 5).getByLabel('Adresa').focus()
    await page.keyboard.type('Strada Nouă 2')
    await fixAt(page, 5).getByText('Fixed').waitFor()
    await page.keyboard.press('Enter')
    await until('the next row to fix', () => isFocused(fixAt(page, 7)))
    assert.equal(await dialog(page).getByText('The time window ends before it starts').count(), 1)
    await fixAt(page, 7).getByLabel('Interval').fill('12:00-14:00')
    await dialog(page).getByText('3 rows ready').waitFor()

    await press(page, /^Existing tasks/)
    await fixAt(page, 6).getByText('Exists, left out').waitFor()
    assert.match((await fixAt(page, 6).textContent()) ?? '', /Price.*80.*95/)
    await dialog(page).getByLabel('Update these tasks').check()
    await fixAt(page, 6).getByText('Update', { exact: true }).waitFor()
    await press(page, 'Import 3, update 1')

    await dialog(page).getByText('3 tasks created').waitFor()
    await dialog(page).getByText('1 task updated').waitFor()
    const { task } = (await server.get('/tasks/awb/C-1')).body
    assert.equal(task.completeAfter, '2030-01-02T08:00:00.000Z')
    assert.equal(task.userId, driver.id)
    assert.equal(task.totalPrice, 120)
    assert.deepEqual(task.customFields, [{ key: 'Culoare', value: 'roșu' }])
    assert.equal((await server.get('/tasks/awb/C-2')).body.task.address.address, 'Strada Nouă 2')
    assert.equal((await server.get('/tasks/awb/C-3')).body.task.totalPrice, 95)
    await press(page, 'Done')
    await dialog(page).waitFor({ state: 'detached' })
  })

  await step('existing tasks are looked for again after that failed', async () => {
    await page.route('**/tasks/bulkUpdate', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Import' }).first().click()
    await choose(page, 'din nou.csv', 'Nr. comandă;Adresa\nC-3;Strada Altă 3\n')
    await press(page, 'Next')
    await dialog(page).getByText('Could not look for existing tasks').waitFor()
    await press(page, 'Try again')
    await dialog(page).getByText('1 row has the AWB of an existing task').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Import' }).first().click()
    await press(page, 'Discard din nou.csv')
    await dialog(page).getByText('Unfinished imports').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  })

  await step(
    'what was corrected is there again after the window was closed, and refused rows are fixed from the report',
    async () => {
      await page.getByRole('button', { name: 'Import' }).first().click()
      await choose(
        page,
        'colete.csv',
        'Nr. comandă;Adresa;Colete\nQ-1;Strada Nouă 1;două\nQ-2;Strada Nouă 2;trei\nQ-3;Strada Nouă 3;3\n',
      )
      await press(page, 'Next')
      await fixAt(page, 2).getByLabel('Colete').fill('2')
      await dialog(page).getByText('1 row to fix').waitFor()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Import' }).first().click()
      await dialog(page).getByText('3 rows, not sent yet').waitFor()
      await press(page, 'Continue colete.csv')
      await dialog(page).getByText('1 row to fix').waitFor()
      await press(page, 'Import 2 tasks')
      await dialog(page).getByText('2 tasks created').waitFor()
      await dialog(page).getByText('1 row was not imported').waitFor()
      const saving = page.waitForEvent('download')
      await press(page, 'Download these rows as CSV')
      const saved = await readFile(await (await saving).path(), 'utf8')
      assert.match(saved, /Reason not imported\r\nQ-2/)
      await press(page, 'Fix them here')
      await fixAt(page, 3).getByLabel('Colete').fill('3')
      await press(page, 'Import 1 task')
      await dialog(page).getByText('1 task created').waitFor()
      assert.equal((await server.get('/tasks/awb/Q-2')).body.task.quantity, 3)
      await press(page, 'Import another file')
      await dialog(page).getByText('Drop a file here').waitFor()
      assert.equal(await dialog(page).getByText('Unfinished imports').count(), 0)
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
    },
  )

  await step('an unfinished import remembers that existing tasks are to be updated', async () => {
    for (const awb of ['U-1', 'U-2']) await server.post('/tasks', aTask({ awb }))
    await page.getByRole('button', { name: 'Import' }).first().click()
    await choose(page, 'noi.csv', 'Nr. comandă;Colete\nU-1;2\nU-2;trei\n')
    await press(page, 'Next')
    await press(page, /^Existing tasks/)
    await dialog(page).getByLabel('Update these tasks').check()
    await press(page, 'Update 1 task')
    await dialog(page).getByText('1 task updated').waitFor()
    await press(page, 'Done')
    for (let time = 0; time < 2; time += 1) {
      await page.getByRole('button', { name: 'Import' }).first().click()
      await press(page, 'Continue noi.csv')
      await dialog(page).getByText('1 row to fix').waitFor()
      if (time > 0) break
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
    }
    await fixAt(page, 3).getByLabel('Colete').fill('3')
    await press(page, 'Update 1 task')
    await dialog(page).getByText('1 task updated').waitFor()
    assert.equal((await server.get('/tasks/awb/U-2')).body.task.quantity, 3)
    await press(page, 'Done')
    await dialog(page).waitFor({ state: 'detached' })
  })

  await step(
    'an import whose tab was closed while an answer was lost goes on, and nothing is created twice',
    async () => {
      const before = await countTasks()
      // Without an AWB nothing but the key of a request tells that it was sent before.
      const rows = Array.from({ length: 600 }, (_, index) => `Strada Ruptă ${index}\n`).join('')
      const tab = await page.context().newPage()
      await tab.setViewportSize({ width: 1440, height: 900 })
      await tab.goto(page.url())
      let requests = 0
      await tab.route('**/tasks/bulkCreate', async (route) => {
        requests += 1
        if (requests === 1) return route.continue()
        await route.fetch()
        await route.abort()
      })
      await tab.getByRole('button', { name: 'Import' }).first().click()
      await choose(tab, 'ruptă.csv', `Adresa\n${rows}`)
      await press(tab, 'Next')
      await press(tab, 'Import 600 tasks')
      await dialog(tab).getByText('No connection. Trying again…').waitFor()
      assert.equal((await countTasks()) - before, 500)
      await tab.close()

      await page.reload()
      await page.getByText('The import of ruptă.csv was interrupted: 250 of 600 rows sent.').waitFor()
      await page.getByRole('button', { name: 'Continue' }).click()
      await dialog(page).getByText('600 tasks created').waitFor()
      assert.equal((await countTasks()) - before, 600)
      await press(page, 'Done')
      await page.reload()
      await page.getByRole('button', { name: 'Import' }).first().waitFor()
      assert.equal(await page.getByText(/was interrupted/).count(), 0)
    },
  )

  await step('a long list is corrected by keyboard alone, on a phone too, and imported', async (t) => {
    const { 'rows of a long list': count, 'rows to fix': wrong } = amountsOf('import')
    const every = Math.floor(count / wrong)
    // Ten thousand cannot be divided by three hundred: the rest of the list is right.
    const isWrong = (index: number) => index % every === every - 1 && index < every * wrong
    const line = (index: number) =>
      `L-${index},"Strada Lungă ${index}, București",${isWrong(index) ? 'x' : '10:00'}-12:00,Ioana Pop,0712345678\n`
    const lines = Array.from({ length: count }, (_, index) => line(index)).join('')
    await page.getByRole('button', { name: 'Import' }).first().click()
    await dialog(page).waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    await choose(page, 'lung.csv', `awb,address,time window,customer,phone\n${lines}`)
    await press(page, 'Next')
    await dialog(page).getByText(`${wrong} rows to fix`).waitFor()
    await until(
      'the server to know which tasks exist',
      async () =>
        !(await dialog(page)
          .getByText(/Looking for/)
          .count()),
    )
    assert.ok(await fitsAcross(page), 'nothing is wider than the phone')

    const numbers = Array.from({ length: count }, (_, index) => index)
      .filter(isWrong)
      .map((index) => index + 2)
    await fixAt(page, numbers[0] as number)
      .getByRole('textbox')
      .first()
      .focus()
    for (const number of numbers) {
      await until(`the focus in row ${number}`, () => isFocused(fixAt(page, number)))
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('10:00-12:00')
      await page.keyboard.press('Enter')
    }
    const name = new RegExp(`^Import ${count.toLocaleString('en')} tasks$`)
    await press(page, name)
    await dialog(page)
      .getByText(`${count.toLocaleString('en')} tasks created`)
      .waitFor({ timeout: 600_000 })
    const [last] = (await server.get(`/tasks/awb/L-${count - 1}`)).body.task.completeAfter.split('T').slice(1)
    assert.match(last, /:00:00/)
    const heapBytes = await page.evaluate(
      () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
    )
    t.diagnostic(`${Math.round(heapBytes / 2 ** 20)} MB in the page`)
    tellNumbers(t, 'import', { 'rows of a long list': count, 'rows fixed': wrong })
    await press(page, 'Done')
    await page.setViewportSize({ width: 1440, height: 900 })
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
    const before = await countTasks()
    await press(page, 'Next')
    await press(page, `Import ${count} tasks`)
    await dialog(page).getByText(`${count} tasks created`).waitFor()
    assert.equal((await countTasks()) - before, count)
    const { task } = (await server.get('/tasks/awb/X-7')).body
    assert.deepEqual([task.quantity, task.completeAfter], [7, '2030-01-02T08:00:00.000Z'])

    await press(page, 'Import another file')
    await choose(page, 'list.xlsx', file)
    assert.equal(await dialog(page).getByLabel('Task field for Unde').inputValue(), 'address')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
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
