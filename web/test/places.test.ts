import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { makeDriver, makeTeam } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'

/** A driver with a planned route along a road, the last stop due soon, and a task of an hour that waits on the way. */
async function aDay(t: TestContext) {
  const server = await startConsole(t, 'dispatcher')
  const { hub } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body
  const { id: teamId } = await makeTeam(server, { hubId: hub.id })
  const ana = await makeDriver(server, { name: 'Ana Radu', teams: [teamId] })
  await server.put(`/drivers/${ana.id}/duty`, { inShift: true })
  const at = (km: number) => ({ address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 })
  const completeBefore = new Date(Date.now() + 40 * 60_000).toISOString()
  await server.post('/tasks', { awb: 'A', userId: ana.id, address: at(1) })
  await server.post('/tasks', { awb: 'B', userId: ana.id, address: at(6), completeBefore })
  await server.post(`/drivers/${ana.id}/tasks/optimizeTodayTasks`, {})
  await server.post('/tasks', { awb: 'NEW', serviceTime: 60, address: at(3) })
  const awbs = async (): Promise<string[]> =>
    (await server.get(`/drivers/${ana.id}/tasks`)).body.tasks.map(({ awb }: { awb: string }) => awb)
  return { server, ana, awbs }
}

test('who assigns a task sees the minutes more and who becomes late, and chooses the place', async (t) => {
  const { server, awbs } = await aDay(t)
  const page = await server.open('/?view=table')
  const row = page.getByRole('row').filter({ has: page.getByText('NEW', { exact: true }) })
  await row.click()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Assign to…' })
  await dialog.getByText('Place in the route of Ana Radu').waitFor()
  await dialog.getByText('no task becomes late').waitFor()
  await dialog.getByRole('radio', { name: /^Next \+1 h/ }).check({ force: true })
  await dialog.getByText('1 task will be late: B').waitFor()
  await assertAccessible(page, 'the places of the picker')

  await dialog.getByRole('option', { name: /Ana Radu/ }).click()
  await page.getByText('1 task assigned to Ana Radu').waitFor()
  assert.deepEqual(await awbs(), ['NEW', 'A', 'B'])

  await page.keyboard.press('Control+z')
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.deepEqual(await awbs(), ['A', 'B'])
})

test('a task dropped on a driver goes to the best place, or to the one it is dropped on', async (t) => {
  const { server, ana, awbs } = await aDay(t)
  const page = await server.open('/?view=table', { viewport: { width: 1440, height: 900 } })
  const row = page.getByRole('row').filter({ has: page.getByText('NEW', { exact: true }) })
  const driver = page.locator(`[data-driver="${ana.id}"]`)
  await row.waitFor()
  await row.dragTo(driver, { targetPosition: { x: 40, y: 20 } })
  await until('it is at the best place', async () => (await awbs()).join() === 'A,B,NEW')

  await row.hover()
  await page.mouse.down()
  const box = (await driver.boundingBox()) ?? assert.fail('the driver is not shown')
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 4 })
  await page.mouse.move(box.x + box.width * 0.7, box.y + 22, { steps: 4 })
  await driver.locator('[data-placing=next]').getByText('+').waitFor()
  await page.mouse.up()
  await until('it is next', async () => (await awbs()).join() === 'NEW,A,B')

  await page.goto(`${server.url}/?view=timeline`)
  const block = page.getByRole('option', { name: /NEW/ })
  await block.waitFor()
  await block.dragTo(page.locator(`[data-lane="${ana.id}"]`), { targetPosition: { x: 20, y: 20 } })
  await until('it is at the best place again', async () => (await awbs()).join() === 'A,B,NEW')
})
