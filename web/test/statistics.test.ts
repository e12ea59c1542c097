import assert from 'node:assert/strict'
import { sql } from '../../server/db/sql.ts'
import { makeDriver, zoneOfNoon } from '../../server/test/factories.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const address = { address: 'Strada Lipscani 12', lat: 44.43, lng: 26.1 }

test('the statistics of a day match its tasks', async (t) => {
  const server = await startConsole(t)
  const driver = await makeDriver(server, { name: 'Vlad Marin' })
  const own = { address, userId: driver.id }
  await server.post('/tasks', { ...own, awb: 'ON-TIME', totalPrice: 100, completeBefore: inMinutes(60) })
  await server.post('/tasks', { ...own, awb: 'LATE', totalPrice: 40, paymentTypeId: 2, completeBefore: inMinutes(-20) })
  await server.post('/tasks', { ...own, awb: 'FAILED', totalPrice: 7 })
  await server.post('/tasks', { ...own, awb: 'OPEN', totalPrice: 5 })
  await server.post('/tasks', { awb: 'WAITS', address })
  for (const awb of ['ON-TIME', 'LATE']) await server.put(`/tasks/awb/${awb}/forceComplete`, { success: true })
  await server.put('/tasks/awb/FAILED/forceComplete', { success: false, failureReason: 'Nobody at home' })
  await server.database.everyone.run(sql`
    update tasks set left_to_be_paid = 10 where organisation_id = ${server.organisationId} and awb = 'LATE'`)

  const page = await server.open('/statistics')
  await page.getByText('Average delay').waitFor()

  const { tasks } = (await server.get('/tasks')).body as { tasks: { statusId: number }[] }
  for (const status of [1, 6, 7, 9, 10])
    assert.equal(
      Number(await page.locator(`[data-status="${status}"]`).textContent()),
      tasks.filter(({ statusId }) => statusId === status).length,
      `state ${status}`,
    )
  await page.getByText('50%', { exact: true }).first().waitFor()
  await page.getByText('1 of 2 time windows met').waitFor()
  await page.getByText('20 min', { exact: true }).waitFor()
  const cells = async (name: RegExp) =>
    (await page.getByRole('row', { name }).getByRole('cell').allTextContents()).map((text) => text.replace(/\s/, ' '))
  assert.deepEqual(await cells(/^Vlad Marin/), [
    '2',
    '1',
    '1',
    '50%',
    '67%',
    '–',
    '–',
    '–',
    'RON 30',
    'RON 0',
    'RON 0',
    'RON 110',
  ])
  assert.deepEqual(await cells(/^Nobody at home/), ['1'])
  assert.deepEqual(await cells(/^Cash/), ['RON 0', 'RON 5', 'RON 100', 'RON 7'])
  assert.deepEqual(await cells(/^Card/), ['RON 30', 'RON 0', 'RON 10', 'RON 0'])

  await page.getByText('As a table').click()
  const perHour = await page.locator('details tbody td').allTextContents()
  assert.equal(
    perHour.reduce((sum, count) => sum + Number(count), 0),
    3,
    'every ended task is in an hour',
  )

  await page.getByText('No arrival was promised in this period.').waitFor()

  // Wide enough for the totals.
  await page.setViewportSize({ width: 1920, height: 900 })
  await page.getByRole('link', { name: 'Dispatch' }).click()
  await page.getByRole('button', { name: 'Board', exact: true }).click()
  const figure = page.getByText('To collect', { exact: true }).locator('..')
  await figure.getByText(/RON\s5$/).waitFor()
  const left = async (column: string) =>
    (await page.getByRole('region', { name: column, exact: true }).locator('header').innerText()).replace(/\s/g, ' ')
  assert.match(await left('Assigned'), /To collect: RON 5/)
  assert.match(await left('Succeeded'), /Delivered, unpaid: RON 110/)
  assert.match(await left('Failed'), /Not collected \(failed\): RON 7/)

  await page.getByRole('link', { name: 'Statistics' }).click()
  await page.getByRole('button', { name: 'Previous day' }).click()
  await page.getByText('No tasks on this day').waitFor()
})

test('the statistics say how well promised arrivals came true', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  await server.put('/company', { timezone: zoneOfNoon() })
  const driver = await makeDriver(server)
  const ids = []
  for (const awb of ['A', 'B'])
    ids.push((await server.post('/tasks', { awb, address, userId: driver.id })).body.task.id as number)
  const promise = (id: number | undefined, made: number, eta: number, came: number | null) =>
    server.database.everyone.run(sql`
      insert into promises (organisation_id, task_id, promised_at, eta_at, arrived_at)
      values (${server.organisationId}, ${id}, ${inMinutes(made)}, ${inMinutes(eta)},
        ${came === null ? null : inMinutes(came)})`)
  await promise(ids[0], -120, -30, -10)
  await promise(ids[0], -60, -12, -10)
  await promise(ids[1], -60, -30, -34)
  await promise(ids[1], 0, 20, null)

  const page = await server.open('/statistics', { viewport: { width: 1280, height: 800 } })
  const table = page.getByRole('table', { name: 'ETA accuracy' })
  const rows = async () =>
    (await table.getByRole('row').all()).slice(1).map(async (row) => row.getByRole('cell').allTextContents())
  await table.waitFor()
  assert.deepEqual(await Promise.all(await rows()), [
    ['1', '0%', '20 min', '20 min later', '0'],
    ['2', '100%', '3 min', '1 min earlier', '0'],
    ['0', '–', '–', '–', '1'],
    ['3', '67%', '9 min', '6 min later', '1'],
  ])
  await assertAccessible(page, 'the accuracy of arrivals')
})

test('the statistics of a range of days, and what of them is on paper', async (t) => {
  const server = await startConsole(t)
  await server.put('/company', { timezone: zoneOfNoon() })
  const driver = await makeDriver(server, { name: 'Vlad Marin' })
  for (const [awb, days, success] of [
    ['TODAY', 0, true],
    ['BEFORE', 1, true],
    ['BEFORE-TOO', 1, false],
    ['OLD', 6, true],
    ['OLDER', 40, true],
  ] as const) {
    await server.post('/tasks', { awb, address, userId: driver.id, totalPrice: 10 })
    await server.put(`/tasks/awb/${awb}/forceComplete`, { success })
    await server.database.everyone.run(sql`
      update tasks set completed_at = completed_at - make_interval(days => ${days})
      where organisation_id = ${server.organisationId} and awb = ${awb}`)
  }
  const page = await server.open('/statistics', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' })
  const cells = async (name: RegExp) =>
    (await page.getByRole('row', { name }).getByRole('cell').allTextContents()).map((text) => text.replace(/\s/g, ' '))
  const status = async (id: number) => Number(await page.locator(`[data-status="${id}"]`).textContent())
  await page.getByText('1 of 1 done').waitFor()
  assert.equal(await page.getByRole('table', { name: 'Days' }).count(), 0, 'one day needs no list of days')

  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days')
  await page.getByText('4 of 4 done').waitFor()
  assert.deepEqual([await status(9), await status(10)], [3, 1])
  const days = page.getByRole('table', { name: 'Days' }).getByRole('row')
  assert.equal(await days.count(), 4, 'the days with tasks, under a head')
  assert.deepEqual((await days.nth(2).getByRole('cell').allTextContents()).slice(-8, -3), ['1', '1', '0', '–', '50%'])
  assert.deepEqual((await cells(/^Vlad Marin/)).slice(0, 3), ['3', '1', '0'])
  await assertAccessible(page, 'the statistics of a week')

  await page.getByRole('button', { name: 'Earlier' }).click()
  await page.getByText('No tasks in this period').waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Period' }).inputValue(), '', 'other days have no name')
  await page.getByRole('button', { name: 'Later' }).click()
  await page.getByText('4 of 4 done').waitFor()

  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('navigation').isVisible(), false)
  assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false)
  await page.getByRole('table', { name: 'Tasks ended per hour' }).waitFor()
  const look = (selector: string, what: 'color' | 'backgroundColor') =>
    page.evaluate(([of, name]) => getComputedStyle(document.querySelector(of) as Element)[name], [
      selector,
      what,
    ] as const)
  assert.equal(await look('main section', 'color'), 'rgb(16, 24, 40)', 'dark ink, whatever the screen')
  const scrolls = await page.evaluate(
    () =>
      [...document.querySelectorAll('main, main *')].filter(
        (one) => getComputedStyle(one).overflowY !== 'visible' && one.scrollHeight > one.clientHeight + 1,
      ).length,
  )
  assert.equal(scrolls, 0, 'nothing scrolls on paper')
})

test('the table prints every row, also those that are not on the screen', async (t) => {
  const server = await startConsole(t)
  const tasks = Array.from({ length: 300 }, (_, index) => ({ awb: `P-${String(index).padStart(3, '0')}`, address }))
  await server.post('/tasks/bulkCreate', { tasks })
  const page = await server.open('/?view=table', { viewport: { width: 1280, height: 800 } })
  await page.getByRole('button', { name: 'Print' }).waitFor()
  await page.getByText('P-000').waitFor()
  assert.ok((await page.getByRole('row').count()) < 100, 'the screen draws only what is in sight')

  await page.emulateMedia({ media: 'print' })
  const paper = page.locator('#printed')
  await paper.waitFor()
  assert.equal(await paper.locator('tbody tr').count(), tasks.length)
  const printed = await paper.innerText()
  for (const { awb } of tasks) assert.ok(printed.includes(awb), awb)
  assert.equal(await page.locator('#root').isVisible(), false, 'and nothing else')

  await page.emulateMedia({ media: 'screen' })
  await paper.waitFor({ state: 'detached' })
  // As the browser prints it: it tells the page before, and does not wait.
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  const pages = pdf.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0
  assert.ok(pages >= 5, `${pages} pages`)
})

test('people see how fast their drivers really are, and how much that stands on', async (t) => {
  const server = await startConsole(t)
  const seen = [
    { transportationId: 4, drivers: 2, days: 4, count: 31, factor: null },
    { transportationId: 5, drivers: 6, days: 21, count: 1_230, factor: 1.123 },
    { transportationId: 2, drivers: 3, days: 12, count: 140, factor: 0.95 },
  ]
  await server.post('/tasks', { awb: 'DONE', address })
  const page = await server.open('/statistics')
  await page.getByText('Nothing learned yet').waitFor()

  await server.database.everyone.run(sql`
    insert into speed_lessons (organisation_id, claimed_at, learned_at, seen)
    values (${server.organisationId}, now(), now(), ${JSON.stringify(seen)})
    on conflict (organisation_id) do update set seen = excluded.seen`)
  await page.reload()
  const row = async (name: RegExp) =>
    (await page.getByRole('row', { name }).getByRole('cell').allTextContents()).map((text) => text.replace(/\s/, ' '))
  await page.getByText('12% longer').waitFor()
  assert.deepEqual(await row(/^Van/), ['12% longer', '1,230', '6', '21'])
  assert.deepEqual(await row(/^Bicycle/), ['5% less time', '140', '3', '12'])
  assert.deepEqual(await row(/^Car/), ['not enough data yet', '31', '2', '4'])
  await assertAccessible(page, 'learned speeds')
})
