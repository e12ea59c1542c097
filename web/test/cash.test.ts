import assert from 'node:assert/strict'
import { renderPdf, textsOfPdf } from '../../server/test/codes.ts'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { screenSayIn } from './words.ts'

test('a dispatcher closes the day of a driver, says why something is missing, and corrects it', async (t) => {
  const console = await startConsole(t, 'dispatcher')
  await console.put('/company', { settings: { moneyDecimals: 2, allowPartialPayments: true } })
  const driver = await makeDriver(console, { name: 'Vlad Marin' })
  const say = screenSayIn('en')
  const page = await console.open('/cash')
  await page.getByText(say('noCash')).waitFor()
  await assertAccessible(page, 'no cash')

  const { task } = (await console.post('/tasks', aTask({ awb: 'A-1', userId: driver.id, totalPrice: 120 }))).body as {
    task: { id: number }
  }
  await console.post(`/tasks/${task.id}/payments`, { amount: 119.5, method: 'cash', userId: driver.id })
  await page.getByRole('button', { name: say('previousDay') }).click()
  await page.getByText(say('noCash')).waitFor()
  await page.getByRole('button', { name: say('nextDay') }).click()
  const row = page.getByRole('row', { name: /Vlad Marin/ })
  await row.getByText(say('cashOpen'), { exact: true }).waitFor()
  await assertAccessible(page, 'cash')

  await row.getByRole('button', { name: say('closeDay') }).click()
  const dialog = page.getByRole('dialog')
  const close = dialog.getByRole('button', { name: say('closeDay'), exact: true })
  await dialog.getByLabel(say('cashCounted')).fill('119,25')
  await dialog
    .getByText(/0\.25 missing/)
    .first()
    .waitFor()
  await assertDialogAccessible(page, 'closing a day')
  await dialog.getByLabel(say('cashNote')).fill('A torn note')
  await close.click()
  await row.getByText('A torn note').waitFor()
  await row.getByText(/0\.25 missing/).waitFor()
  assert.equal(await row.getByRole('button', { name: say('closeDay') }).count(), 0, 'it is closed once')

  await row.getByRole('button', { name: /Vlad Marin/ }).click()
  await page.getByRole('menuitem', { name: say('correctDay') }).click()
  await dialog.getByLabel(say('amount')).fill('0.25')
  await dialog.getByLabel(say('cashNote')).fill('Found')
  const correct = dialog.getByRole('button', { name: say('correctDay'), exact: true })
  // The server does it, its answer is lost, and the dispatcher presses again.
  let isLost = false
  await page.route('**/cash/corrections', async (route) => {
    if (isLost) return route.continue()
    isLost = true
    await route.fetch()
    return route.abort()
  })
  await correct.click()
  await dialog.getByRole('alert').waitFor()
  await correct.click()
  await row.getByText(say('cashExact')).waitFor()

  await row.getByRole('button', { name: /Vlad Marin/ }).click()
  await page.getByRole('menuitem', { name: say('cashDetails') }).click()
  await dialog.getByText(say('cashKind_correction')).waitFor()
  await dialog.getByText('A-1', { exact: false }).waitFor()
  await assertDialogAccessible(page, 'lines of cash')
})

for (const language of ['en', 'ro'] as const)
  test(`a day of cash is printed on one sheet, with names, sums and room to sign: ${language}`, async (t) => {
    const console = await startConsole(t, 'dispatcher')
    await console.put('/company', { settings: { moneyDecimals: 2, allowPartialPayments: true } })
    const names = ['Ștefan Pârvulescu-Țuțuianu', 'Vlad Marin', 'Ana Radu', 'Ioana Dumitrescu', 'Gheorghe Ionescu']
    for (const [at, name] of names.entries()) {
      const { id } = await makeDriver(console, { name })
      const { task } = (await console.post('/tasks', aTask({ userId: id, totalPrice: 1234.5 + at }))).body
      await console.post(`/tasks/${task.id}/payments`, { amount: 1000, method: at === 1 ? 'card' : 'cash', userId: id })
    }
    const say = screenSayIn(language)
    const page = await console.open('/cash', { locale: language })
    await page.getByRole('row', { name: /Vlad Marin/ }).waitFor()
    const { company } = (await console.get('/company')).body

    const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true, printBackground: true })

    const texts = await textsOfPdf(pdf)
    assert.equal(texts.length, 1)
    const text = texts.join().replaceAll(/\s+/g, ' ').replaceAll('\uFFFE', '-')
    const year = String(Temporal.Now.plainDateISO('Europe/Bucharest').year)
    for (const wanted of [
      ...names,
      company.name,
      say('cash'),
      year,
      say('cashSignature'),
      say('cashTotal'),
      say('cashToHandIn'),
    ])
      assert.ok(text.includes(wanted), `${wanted} in: ${text}`)
    assert.match(text, /4[.,]000/, 'what all have to hand in')
    for (const hidden of [say('closeDay'), say('export')]) assert.ok(!text.includes(hidden), `no ${hidden}`)
    const [{ width, height } = { width: 0, height: 0 }] = await renderPdf(pdf, 72)
    assert.ok(width > height, 'across')
  })
