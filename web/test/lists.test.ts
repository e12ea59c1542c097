import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

type Console = Awaited<ReturnType<typeof startConsole>>

/** Some tasks with awbs T-1, T-2, … whose windows end one after the other. */
async function makeTasks(server: Console, count: number, given: object = {}) {
  const soon = Date.now() + 3 * 3_600_000
  const tasks = Array.from({ length: count }, (_, at) => {
    const window = { completeBefore: new Date(soon + at * 60_000).toISOString() }
    const address = { address: `Strada Lungă ${at + 1}`, lat: 44.43 + at / 1000, lng: 26.1, area: 'Titan' }
    return aTask({ awb: `T-${at + 1}`, address, ...window, ...given })
  })
  for (let from = 0; from < count; from += 1000) {
    const { body } = await server.post('/tasks/bulkCreate', { tasks: tasks.slice(from, from + 1000) })
    assert.ok(body.results.every(({ success }: { success: boolean }) => success))
  }
}

const taskOf = async (server: Console, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task

const row = (page: Page, awb: string) => page.getByRole('row').filter({ has: page.getByText(awb, { exact: true }) })

/** By its checkbox; with Shift all up to it. */
const select = (page: Page, awb: string, ...modifiers: 'Shift'[]) =>
  row(page, awb).getByRole('checkbox').click({ modifiers })

const hasDriver = (server: Console, awb: string, driverId: number | null) =>
  until(`${awb} to have driver ${driverId}`, async () => (await taskOf(server, awb)).userId === driverId)

async function start(t: TestContext, tasks: number) {
  const server = await startConsole(t)
  const ana = await makeDriver(server, { name: 'Ana Radu' })
  const dan = await makeDriver(server, { name: 'Dan Stan' })
  await makeTasks(server, tasks)
  return { server, ana, dan }
}

/** Both drivers are off duty, and that part of the pane is collapsed at first. */
async function showOffDuty(page: Page) {
  const part = page.getByRole('button', { name: 'Off duty' })
  if ((await part.getAttribute('aria-expanded')) !== 'true') await part.click()
}

test('dragging in the lists', async (t) => {
  const { server, ana, dan } = await start(t, 4)
  const page = await server.open('/')
  const step = inOneGo(t)

  await step('a task dragged onto a driver is assigned to them, and that can be undone', async () => {
    await showOffDuty(page)

    await row(page, 'T-2').dragTo(page.locator(`[data-driver="${ana.id}"]`))
    await page.getByText('1 task assigned to Ana Radu').waitFor()
    await hasDriver(server, 'T-2', ana.id)

    await page.getByRole('button', { name: 'Undo' }).click()
    await hasDriver(server, 'T-2', null)
    await page.getByRole('button', { name: 'Unassigned 4' }).waitFor()
  })

  await step(
    'dragging one of the selected tasks moves them all; from the menu they go to whom a part of a name finds',
    async () => {
      await page.keyboard.press('2')
      await showOffDuty(page)

      await select(page, 'T-1')
      await select(page, 'T-3', 'Shift')
      await page.getByText('3 selected').waitFor()
      await row(page, 'T-2').dragTo(page.locator(`[data-driver="${dan.id}"]`))

      await page.getByText('3 tasks assigned to Dan Stan').waitFor()
      for (const awb of ['T-1', 'T-2', 'T-3']) await hasDriver(server, awb, dan.id)
      assert.equal((await taskOf(server, 'T-4')).userId, null)

      await page.getByRole('checkbox', { name: 'Select all shown' }).check()
      await page.getByRole('button', { name: 'Assign to…' }).click()
      await page.getByRole('combobox', { name: 'Search driver or team' }).fill('radu')
      await page.getByRole('option', { name: /Ana Radu/ }).click()
      await page.getByText('4 tasks assigned to Ana Radu').waitFor()
      for (const awb of ['T-1', 'T-2', 'T-3', 'T-4']) await hasDriver(server, awb, ana.id)
      await page.getByText('4 selected').waitFor({ state: 'hidden' })
    },
  )

  await step('on a narrow screen the drivers appear for a dragged task', async () => {
    await page.getByRole('button', { name: 'Off duty' }).click()
    await page.locator(`[data-driver="${dan.id}"]`).waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1024, height: 768 })
    const side = page.locator('[data-driver-side]')
    await row(page, 'T-1').waitFor()
    await side.waitFor({ state: 'hidden' })
    await row(page, 'T-1').hover()
    await page.mouse.down()
    await page.mouse.move(500, 400, { steps: 4 })
    await side.waitFor()
    // The drivers off duty expand under the dragged task.
    await page.getByRole('button', { name: 'Off duty' }).hover()
    await page.locator(`[data-driver="${dan.id}"]`).hover()
    await page.mouse.up()

    await hasDriver(server, 'T-1', dan.id)
    await side.waitFor({ state: 'hidden' })
  })
})

test('tasks can be found, assigned and unassigned with the keyboard alone', async (t) => {
  const { server, ana } = await start(t, 5)
  const page = await server.open('/?view=table')
  await row(page, 'T-5').waitFor()
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())

  await press('j', 'j', 'x', 'j', 'x', 'a')
  await page.getByRole('dialog', { name: 'Assign to…' }).waitFor()
  await page.keyboard.type('ana')
  await press('Enter')
  await page.getByText('2 tasks assigned to Ana Radu').waitFor()
  await hasDriver(server, 'T-2', ana.id)
  await hasDriver(server, 'T-3', ana.id)

  await press('/')
  await page.keyboard.type('T-3')
  await page.waitForURL(/q=T-3/)
  await press('Enter')
  await row(page, 'T-2').waitFor({ state: 'detached' })
  await press('k', 'u')
  await hasDriver(server, 'T-3', null)

  await press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await press('1', 'Escape')
  assert.match(page.url(), /view=table/, 'keys do nothing while a dialog is open')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press('3')
  await page.waitForURL(/view=board/)
})

test('two dispatchers see what the other does, and on the board a card goes back to Unassigned and nowhere else', async (t) => {
  const { server, ana } = await start(t, 2)
  const [one, other] = [await server.open('/?view=table'), await server.open('/?view=board')]
  await Promise.all([one, other].map((page) => page.getByText('Live', { exact: true }).waitFor()))
  const column = (name: string) => other.getByRole('region', { name, exact: true })
  const card = (name: string) => column(name).getByText('T-1', { exact: true })
  await select(one, 'T-1')
  await one.keyboard.press('a')
  await one.keyboard.type('ana')
  await one.keyboard.press('Enter')
  await one.getByText('1 task assigned').waitFor()
  await card('Assigned').waitFor()
  await hasDriver(server, 'T-1', ana.id)

  await server.put('/tasks/awb/T-2', { customer: { name: 'Ilinca Vlad', phone: '0712345678' } })
  await row(one, 'T-2').getByText('Ilinca Vlad').waitFor()

  await card('Assigned').dragTo(column('Succeeded'))
  await other.getByText('Only the driver can end a task. To end it yourself, use Force complete.').waitFor()
  assert.equal((await taskOf(server, 'T-1')).statusId, 6, 'and nothing has happened')

  await card('Assigned').dragTo(column('Unassigned'))
  await card('Unassigned').waitFor()
  await hasDriver(server, 'T-1', null)
})

test('many tasks in the lists', async (t) => {
  const { server, ana } = await start(t, 4)
  await server.put(`/containers/drivers/${ana.id}`, { tasks: ['T-1', 'T-2'] })
  const page = await server.open('/?view=table')
  const step = inOneGo(t)

  await step('filters are kept in the address and shared by the views', async () => {
    await row(page, 'T-1').waitFor()
    await showOffDuty(page)

    await page.getByRole('button', { name: 'Ana Radu', exact: true }).click()
    await row(page, 'T-3').waitFor({ state: 'detached' })
    await page.keyboard.press('3')
    await page.getByRole('region', { name: 'Assigned', exact: true }).getByText('T-2', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Remove filter “Ana Radu”' }).click()
    await page.getByText('T-3', { exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('driver'), null)
  })

  await step('selected tasks are ended or deleted together, and those that cannot be are named', async () => {
    await page.keyboard.press('2')
    for (const awb of ['T-1', 'T-2', 'T-3']) await select(page, awb)
    await page.getByRole('button', { name: 'Force complete' }).click()
    await page.getByRole('radio', { name: 'Failed' }).check()
    await page.getByLabel('Reason').fill('Truck broke down')
    await page.getByRole('dialog').getByRole('button', { name: 'Force complete' }).click()
    await page.getByText('2 tasks ended').waitFor()
    await page.getByText('1 task could not be changed: The task has no driver').waitFor()
    const failed = await taskOf(server, 'T-2')
    assert.deepEqual([failed.statusId, failed.cancelReason], [10, 'Truck broke down'])

    await page.keyboard.press('Escape')
    await select(page, 'T-4')
    await page.getByText('1 selected').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    // Rows behind an open dialog have no role, so wait until it is closed.
    await page.getByText('1 task deleted').waitFor()
    await row(page, 'T-4').waitFor({ state: 'detached' })
    assert.equal((await server.get('/tasks/awb/T-4')).status, 404)
    assert.equal(await row(page, 'T-1').getAttribute('draggable'), null, 'what has ended stays where it is')
  })
})

test('a click opens a task and a checkbox, Ctrl, Shift or a long touch selects it, in every view', async (t) => {
  const { server } = await start(t, 4)
  const page = await server.open('/')
  const panel = (awb: string) => page.getByRole('complementary', { name: `Task ${awb}` })
  const selected = (count: number) => page.getByText(`${count} selected`).first().waitFor({ state: 'attached' })
  const clear = () => page.getByRole('button', { name: 'Clear selection' }).click()
  const step = inOneGo(t)

  for (const view of ['map', 'table', 'board'])
    await step(view, async () => {
      await page.goto(`${server.url}/?view=${view}`)
      await row(page, 'T-2').click()
      await panel('T-2').waitFor()
      assert.equal(await page.getByRole('region', { name: 'Actions for the selected tasks' }).count(), 0)
      await row(page, 'T-4').click({ modifiers: ['Shift'] })
      await selected(3)
      await row(page, 'T-3').click({ modifiers: ['Control'] })
      await selected(2)
      await clear()

      await select(page, 'T-1')
      await select(page, 'T-3', 'Shift')
      await selected(3)
      await panel('T-2').waitFor()
      await clear()

      const touch = { pointerType: 'touch', isPrimary: true, bubbles: true, clientX: 5, clientY: 5 }
      await row(page, 'T-4').dispatchEvent('pointerdown', touch)
      await selected(1)
      await row(page, 'T-4').dispatchEvent('pointerup', touch)
      await row(page, 'T-4').dispatchEvent('click')
      await panel('T-2').waitFor()
      await clear()
    })

  await step('timeline', async () => {
    await page.goto(`${server.url}/?view=timeline`)
    const chip = (awb: string) => page.getByRole('button', { name: new RegExp(awb) })
    await chip('T-3').click()
    await panel('T-3').waitFor()
    await chip('T-1').click({ modifiers: ['Control'] })
    await selected(1)
    await panel('T-3').waitFor()
  })
})

test('the list begins with what needs a hand, ends with what is done, and can be sorted', async (t) => {
  const { server, ana } = await start(t, 5)
  await server.put(`/containers/drivers/${ana.id}`, { tasks: ['T-4', 'T-1', 'T-2'] })
  await server.put('/tasks/awb/T-1/forceComplete', { success: true })
  await server.put('/tasks/awb/T-2/forceComplete', { success: false })
  await server.post(
    '/tasks',
    aTask({ awb: 'LATE', completeBefore: new Date(Date.now() - 60_000).toISOString(), userId: ana.id }),
  )
  const page = await server.open('/')
  const awbs = async () => {
    const rows = await page.getByRole('complementary', { name: 'Tasks' }).getByRole('row').all()
    const placed = await Promise.all(
      rows.map(async (one) => [Number(await one.getAttribute('aria-rowindex')), await one.innerText()] as const),
    )
    return placed.toSorted(([one], [other]) => one - other).map(([, text]) => /T-\d|LATE/.exec(text)?.[0])
  }
  const become = (...wanted: string[]) =>
    until(`the order ${wanted}`, async () => (await awbs()).join() === wanted.join())

  await become('LATE', 'T-3', 'T-5', 'T-2', 'T-4', 'T-1')
  await page.getByRole('button', { name: 'Sort by: What needs attention' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Address' }).click()
  await page.waitForURL(/sort=address/)
  await become('LATE', 'T-3', 'T-4', 'T-5', 'T-1', 'T-2')
  await page.reload()
  await become('LATE', 'T-3', 'T-4', 'T-5', 'T-1', 'T-2')

  await page.goto(`${server.url}/?driver=${ana.id}`)
  await page.getByRole('button', { name: 'Sort by: Route order' }).waitFor()
  await become('LATE', 'T-4', 'T-1', 'T-2')
})

test('a search finds tasks of other days and leads to them, and a task shows the others of its customer and its address', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const customer = { name: 'Ștefan Țurcanu', phone: '0712345678' }
  const address = { address: 'Strada Lungă 7', lat: 44.43, lng: 26.1 }
  await server.post('/tasks', aTask({ awb: 'TODAY-1', customer, address }))
  await server.post('/tasks', aTask({ awb: 'LATER-1', customer, completeAfter: '2099-03-01 10:00' }))
  await server.post('/tasks', aTask({ awb: 'LATER-2', address, completeAfter: '2099-03-02 10:00' }))
  const page = await server.open('/')
  await row(page, 'TODAY-1').waitFor()
  const others = page.getByRole('region', { name: /on other days/ })

  await page.getByRole('searchbox').fill('stefan')
  await others.getByText('1 task on other days').waitFor()
  await others.getByText(/^Sun,? 1 Mar 2099$/).waitFor()
  await server.put('/tasks/awb/LATER-1', { completeAfter: '2099-03-03 10:00' })
  await others.getByText(/^Tue,? 3 Mar 2099$/).waitFor()
  await server.put('/tasks/awb/LATER-1', { completeAfter: '2099-03-01 10:00' })
  await others.getByText(/^Sun,? 1 Mar 2099$/).waitFor()
  await page.getByRole('searchbox').fill('5678')
  await row(page, 'TODAY-1').waitFor()
  await assertAccessible(page, 'a search')
  await others.getByRole('button', { name: /LATER-1/ }).click()
  await page.waitForURL(/day=2099-03-01/)
  await row(page, 'LATER-1').waitFor()
  const panel = (awb: string) => page.getByRole('complementary', { name: `Task ${awb}` })
  await panel('LATER-1').getByRole('heading', { name: 'Other tasks of this customer' }).waitFor()
  await panel('LATER-1')
    .getByRole('button', { name: /TODAY-1/ })
    .click()
  await page.waitForURL((url) => !url.searchParams.has('day'))
  const atAddress = panel('TODAY-1').locator('section', { hasText: 'Other tasks at this address' })
  await atAddress.getByRole('button', { name: /LATER-2/ }).waitFor()

  await page.keyboard.press('2')
  await page.waitForURL(/view=table/)
  await page.getByRole('searchbox').fill('lunga 7')
  await others.getByText('1 task on other days').waitFor()
})

test('a table of more tasks than one answer carries shows all, and draws only those in sight', async (t) => {
  const server = await startConsole(t)
  await makeTasks(server, 1_200)
  const page = await server.open('/?view=table')
  const drawn = () => page.getByRole('row').count()
  await row(page, 'T-1').waitFor()
  assert.ok((await drawn()) < 100, 'only what is in sight is drawn')

  const grid = page.getByRole('grid')
  assert.equal(await grid.getAttribute('aria-rowcount'), '1201')
  await grid.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  await row(page, 'T-1200').waitFor()
  assert.ok((await drawn()) < 100)

  await page.getByRole('button', { name: 'AWB' }).click()
  await page.getByRole('button', { name: 'AWB' }).click()
  await page.getByRole('columnheader', { name: 'AWB' }).and(page.locator('[aria-sort=descending]')).waitFor()
  await grid.evaluate((element) => element.scrollTo({ top: 0 }))
  await row(page, 'T-999').waitFor()

  await page.getByRole('searchbox').fill('lunga 1143')
  await page.locator('[aria-rowcount="2"]').waitFor()
  await row(page, 'T-1143').waitFor()
})

test('the list, the table, the board and their dialogs are accessible', async (t) => {
  const { server, ana } = await start(t, 7)
  await server.put(`/containers/drivers/${ana.id}`, { tasks: ['T-1', 'T-2'] })
  // So low that all of it scrolls with few tasks: every row is checked.
  const page = await server.open('/?view=table', { viewport: { width: 1440, height: 400 } })
  await select(page, 'T-1')
  await showOffDuty(page)
  await assertAccessible(page, 'table')
  await page.keyboard.press('a')
  await page.getByRole('dialog', { name: 'Assign to…' }).waitFor()
  await assertDialogAccessible(page, 'assign')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('3')
  await page.getByRole('region', { name: 'Assigned', exact: true }).waitFor()
  await assertAccessible(page, 'board')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await assertAccessible(page, 'help')
})
