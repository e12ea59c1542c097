import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { aTask, makeDriver, makeTeam } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { startConsole, test } from './console.ts'

/** Two drivers; the first has a planned route of this many tasks. */
async function aPlan(t: TestContext, count: number) {
  const server = await startConsole(t, 'dispatcher')
  const { hub } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body
  const { id: teamId } = await makeTeam(server, { hubId: hub.id })
  const ana = await makeDriver(server, { name: 'Ana Radu', teams: [teamId] })
  const dan = await makeDriver(server, { name: 'Dan Stan', teams: [teamId] })
  const tasks = Array.from({ length: count }, (_, index) => ({
    awb: `T-${index + 1}`,
    serviceTime: 5,
    address: { address: `Km ${index + 1}`, lat: 44.43, lng: 26.1 + (((index * 3) % count) + 1) / 79.6 },
  }))
  await server.post(`/drivers/${ana.id}/tasks/bulkCreate`, { tasks })
  await server.post(`/drivers/${ana.id}/tasks/optimizeTodayTasks`, {})
  const planOf = async ({ id }: { id: number }) =>
    (await server.get(`/drivers/${id}/tasks`)).body.tasks.map(
      ({ awb, route, etaAt }: { awb: string; route: object | null; etaAt: string | null }) => ({ awb, route, etaAt }),
    )
  return { server, ana, dan, planOf }
}

test('the undo notice stays while the mouse or the focus is on it, and has a keyboard shortcut', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const ana = await makeDriver(server, { name: 'Ana Radu' })
  for (const awb of ['T-1', 'T-2', 'T-3']) await server.post('/tasks', aTask({ awb, userId: ana.id }))
  const page = await server.open('/?view=table', { fresh: true })
  const row = (awb: string) => page.getByRole('row').filter({ has: page.getByText(awb, { exact: true }) })
  const takeBack = async (awb: string) => {
    await row(awb).getByRole('checkbox').check()
    await page.keyboard.press('u')
    await row(awb).getByText('Unassigned').waitFor()
    await undo.waitFor()
  }
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await row('T-1').waitFor()
  await page.clock.install()

  await takeBack('T-1')
  await undo.hover()
  await page.clock.fastForward(60_000)
  await undo.click()
  await row('T-1').getByText('Assigned', { exact: true }).waitFor()

  await takeBack('T-2')
  await undo.focus()
  await page.clock.fastForward(60_000)
  await page.keyboard.press('Enter')
  await row('T-2').getByText('Assigned', { exact: true }).waitFor()

  await takeBack('T-3')
  await undo.getByText('Ctrl+Z').waitFor()
  await page.keyboard.press('Control+z')
  await row('T-3').getByText('Assigned', { exact: true }).waitFor()

  await takeBack('T-1')
  await page.clock.fastForward(60_000)
  await undo.waitFor({ state: 'detached' })
})

test('assigning many planned tasks to somebody else and undoing it gives back stops and arrivals', async (t) => {
  const { server, ana, dan, planOf } = await aPlan(t, 12)
  const before = await planOf(ana)
  const page = await server.open('/?view=table')
  await page.getByRole('checkbox', { name: 'Select all shown' }).check()
  await page.getByText('12 selected').waitFor()
  await page.getByRole('button', { name: 'Assign to…' }).click()
  await page.getByRole('combobox', { name: 'Search driver or team' }).fill('dan')
  await page.getByText('Place in the route of Dan Stan').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('12 tasks assigned to Dan Stan').waitFor()
  assert.ok((await planOf(dan)).every(({ route }: { route: object | null }) => route !== null))

  await page.keyboard.press('Control+z')
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.deepEqual(await planOf(ana), before)
})

test('undo says what somebody else has changed since, and leaves it alone', async (t) => {
  const { server, ana, dan, planOf } = await aPlan(t, 3)
  const page = await server.open('/?view=table')
  const row = (awb: string) => page.getByRole('row').filter({ has: page.getByText(awb, { exact: true }) })
  await row('T-1').click()
  await page.keyboard.press('u')
  await row('T-1').getByText('Unassigned').waitFor()
  await until('the server to know', async () => (await planOf(ana)).length === 2)
  await server.put(`/containers/drivers/${dan.id}`, { tasks: ['T-1'] })

  await page.getByRole('button', { name: 'Undo', exact: true }).click()

  await page.getByText('1 task could not be changed: Something else has happened since').waitFor()
  assert.deepEqual(
    (await planOf(dan)).map(({ awb }: { awb: string }) => awb),
    ['T-1'],
  )
})

test('F6 leads to the undo button, and back', async (t) => {
  const { server, ana, planOf } = await aPlan(t, 2)
  const before = await planOf(ana)
  const page = await server.open('/?view=table')
  const row = (awb: string) => page.getByRole('row').filter({ has: page.getByText(awb, { exact: true }) })
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  const grid = page.getByRole('grid').first()
  await row('T-1').click()
  await page.keyboard.press('u')
  await undo.waitFor()
  // It takes the focus when it opens, which on a busy machine is later than the notice.
  const panel = page.locator('[data-panel]')
  await until('the focus in the panel', () => panel.evaluate((element) => element === document.activeElement))
  await grid.focus()

  await page.keyboard.press('F6')
  await until('the focus on undo', () => undo.evaluate((button) => button === document.activeElement))
  await page.keyboard.press('Escape')
  await until('the focus back', () => grid.evaluate((element) => element === document.activeElement))
  await page.keyboard.press('F6')
  await page.keyboard.press('Enter')

  await page.getByText('Undone', { exact: true }).waitFor()
  assert.deepEqual(await planOf(ana), before)
  await until('the focus back', () => grid.evaluate((element) => element === document.activeElement))
})
