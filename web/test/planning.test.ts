import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Locator } from 'playwright-core'
import { makeDriver, makeTeam, signIn } from '../../server/test/factories.ts'
import { request } from '../../server/test/server.ts'
import { startConsole, test } from './console.ts'

/** Places along a road to the east, one for each kilometre. */
const at = (km: number) => ({ address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 })

/** A driver whose hub is at kilometre 0, with tasks by awb at their kilometre. */
async function aRoute(t: TestContext, kilometres: Record<string, number>) {
  const server = await startConsole(t)
  const { hub } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body
  const { id: teamId } = await makeTeam(server, { hubId: hub.id })
  const driver = await makeDriver(server, { name: 'Vlad Marin', teams: [teamId] })
  for (const [awb, km] of Object.entries(kilometres))
    await server.post('/tasks', { awb, userId: driver.id, serviceTime: 5, address: at(km) })
  const awbs = async (): Promise<string[]> =>
    (await server.get(`/drivers/${driver.id}/tasks`)).body.tasks.map(({ awb }: { awb: string }) => awb)
  return { server, driver, awbs }
}

test('a dispatcher previews an optimised route, applies and undoes it, and reorders it by keyboard as its dependencies allow', async (t) => {
  const { server, awbs } = await aRoute(t, { C: 3, A: 1, B: 2 })
  await server.put('/tasks/awb/B', { dependencies: ['A'] })
  const page = await server.open('/?view=timeline')

  await page.getByRole('button', { name: 'Optimise the route of Vlad Marin' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: '2 stops later' }).waitFor()
  await dialog.getByText('Travel times are estimated').waitFor()
  assert.deepEqual(await awbs(), ['C', 'A', 'B'], 'looking changes nothing')

  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Route of Vlad Marin optimised').waitFor()
  assert.deepEqual(await awbs(), ['A', 'B', 'C'])

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.deepEqual(await awbs(), ['C', 'A', 'B'])

  await page.getByRole('button', { name: 'Reorder the route of Vlad Marin' }).first().click()
  await dialog.getByRole('button', { name: 'Move A down' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('B depends on A and must come after it').waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled())

  await page.keyboard.press('Alt+ArrowUp')
  await dialog.getByRole('button', { name: 'Move A up' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await dialog.getByRole('button', { name: 'Move B up' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Route of Vlad Marin reordered').waitFor()
  assert.deepEqual(await awbs(), ['A', 'B', 'C'])
})

test('all routes can be put back although the only answer was lost, and who wants to learns that nothing was saved', async (t) => {
  const { server, awbs } = await aRoute(t, { C: 3, A: 1, B: 2 })
  const page = await server.open('/?view=table')
  let reaches = true
  await page.route('**/planning/optimise', async (route) => {
    if (!route.request().postData()?.includes('undoId')) return route.continue()
    if (reaches) await route.fetch()
    return route.abort()
  })
  await page.getByRole('row').filter({ hasText: 'Km 3' }).waitFor()
  const apply = async () => {
    await page.locator('main header').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Optimise routes…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  }
  const lost = page.getByText('The server cannot be reached · It is not known whether the last routes were saved')
  // The dialog closes, as with any click beside it.
  const undo = async () => {
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  await apply()
  await lost.waitFor()
  assert.deepEqual(await awbs(), ['A', 'B', 'C'])
  await undo()
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.deepEqual(await awbs(), ['C', 'A', 'B'])

  reaches = false
  await apply()
  await lost.waitFor()
  await undo()
  await page.getByText(/There is nothing to undo/).waitFor()
  assert.deepEqual(await awbs(), ['C', 'A', 'B'])
})

test('waiting tasks are assigned to the best drivers, after the plan was shown and explained', async (t) => {
  const { server, driver, awbs } = await aRoute(t, {})
  const token = await signIn(server, driver)
  await request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift: true } })
  await server.post('/tasks', { awb: 'NEAR', address: at(1) })
  await server.post('/tasks', { awb: 'NOWHERE', address: { address: 'Somewhere' } })
  const page = await server.open('/?view=timeline')

  await page.getByRole('button', { name: 'Plan…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 task gets a driver').first().waitFor()
  await dialog.getByRole('row', { name: /NEAR.*Vlad Marin.*none/ }).waitFor()
  await dialog.getByRole('row', { name: /NOWHERE.*not on the map/ }).waitFor()
  assert.deepEqual(await awbs(), [], 'looking changes nothing')

  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 task assigned').waitFor()
  assert.deepEqual(await awbs(), ['NEAR'])
  assert.equal((await server.get('/tasks/awb/NOWHERE')).body.task.userId, null)
})

test('when a past day is shown, the planning buttons say that it cannot be planned', async (t) => {
  const { server } = await aRoute(t, { LEFT: 1 })
  const window = { completeAfter: '2020-01-02T10:00:00Z', completeBefore: '2020-01-02T12:00:00Z' }
  await server.put('/tasks/awb/LEFT', window)
  await server.post('/tasks', { awb: 'WAITS', address: at(2), ...window })
  const page = await server.open('/?view=timeline&day=2020-01-02')

  const refuses = async (button: Locator, name: string) => {
    await button.waitFor()
    assert.equal(await button.getAttribute('aria-disabled'), 'true', name)
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Routes of past days cannot be planned.').waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByRole('button', { name: 'Close' }).click()
  }
  for (const name of ['Optimise the route of Vlad Marin', 'Reorder the route of Vlad Marin', 'Plan…'])
    await refuses(page.getByRole('button', { name }).first(), name)

  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'WAITS' }).getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: 'Actions for the selected tasks' })
  await refuses(bar.getByRole('button', { name: 'Plan', exact: true }), 'the bar of the selection')
})
