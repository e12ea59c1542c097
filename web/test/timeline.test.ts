import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { makeDriver, makeTeam } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

const at = (km: number) => ({ address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 })

/** Two drivers; the first has a planned route of three, far enough apart to be told from each other. */
async function aDay(t: TestContext) {
  const server = await startConsole(t)
  const { hub } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body
  const { id: teamId } = await makeTeam(server, { hubId: hub.id })
  const vlad = await makeDriver(server, { name: 'Vlad Marin', teams: [teamId] })
  const ana = await makeDriver(server, { name: 'Ana Radu', teams: [teamId] })
  await server.post('/tasks', { awb: 'OWN', userId: ana.id, serviceTime: 20, address: at(-4) })
  for (const km of [4, 8, 12])
    await server.post('/tasks', { awb: `KM-${km}`, userId: vlad.id, serviceTime: 20, address: at(km) })
  for (const { id } of [vlad, ana]) await server.post(`/drivers/${id}/tasks/optimizeTodayTasks`, {})
  const awbsOf = async ({ id }: { id: number }): Promise<string[]> =>
    (await server.get(`/drivers/${id}/tasks`)).body.tasks.map(({ awb }: { awb: string }) => awb)
  return { server, vlad, ana, awbsOf }
}

const block = (page: Page, awb: string) => page.getByRole('option', { name: new RegExp(`\\b${awb},`) })

async function laneX(page: Page, driverId: number, x: number) {
  const box = await page.locator(`[data-lane="${driverId}"]`).boundingBox()
  assert.ok(box)
  return { x: x - box.x, y: 30 }
}

test('the timeline', async (t) => {
  const { server, vlad, ana, awbsOf } = await aDay(t)
  const page = await server.open('/?view=timeline')
  const step = inOneGo(t)

  await step('every driver with tasks has a lane with the route in order, and unassigned tasks are above', async () => {
    await server.post('/tasks', { awb: 'WAITS', address: at(2) })

    const lane = page.getByRole('listbox', { name: 'Route of Vlad Marin' })
    await lane.waitFor()
    const names = await lane.getByRole('option').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    assert.deepEqual(
      names.map((name) => name?.split(',')[0]),
      ['1. KM-4', '2. KM-8', '3. KM-12'],
    )
    await page.getByRole('listbox', { name: 'Route of Ana Radu' }).waitFor()
    await page.getByRole('region', { name: 'Unassigned tasks' }).getByRole('button', { name: /WAITS/ }).waitFor()

    await assertAccessible(page, 'timeline')
  })

  await step("each driver's run sheet is saved from their lane, those of others from theirs", async () => {
    const sheet = page.locator(`[data-lane="${vlad.id}"]`).getByRole('link', { name: 'Run sheet: Vlad Marin' })
    const [saved] = await Promise.all([page.waitForEvent('download'), sheet.click()])
    assert.match(saved.suggestedFilename(), /\.pdf$/)
    await page.locator(`[data-lane="${ana.id}"]`).getByRole('link', { name: 'Run sheet: Ana Radu' }).waitFor()
  })

  await step('no filter gives an unassigned task a driver', async () => {
    const strip = page.getByRole('region', { name: 'Unassigned tasks' })
    const search = page.getByRole('searchbox').first()
    await search.fill('KM-4')
    await strip.getByText('1 unassigned task, hidden by the filters').waitFor()
    assert.equal(await page.getByText('Every task has a driver').count(), 0)
    await search.fill('')
    await strip.getByRole('button', { name: /WAITS/ }).waitFor()
  })

  await step('an unassigned task can be dropped on a lane and dragged back', async () => {
    const strip = page.getByRole('region', { name: 'Unassigned tasks' })
    const last = await block(page, 'KM-12').boundingBox()
    assert.ok(last)

    await strip.getByRole('button', { name: /WAITS/ }).dragTo(page.locator(`[data-lane="${vlad.id}"]`), {
      targetPosition: await laneX(page, vlad.id, last.x + last.width + 4),
    })
    await until('the task to come last', async () => (await awbsOf(vlad)).join() === 'KM-4,KM-8,KM-12,WAITS')

    await block(page, 'WAITS').dragTo(strip)
    await strip.getByRole('button', { name: /WAITS/ }).waitFor()
    await until('the task to be unassigned', async () => !(await awbsOf(vlad)).includes('WAITS'))
  })

  await step('the keyboard moves along a route, reorders it, and opens a task', async () => {
    await block(page, 'KM-4').focus()
    await page.keyboard.press('ArrowRight')
    assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /^2\. KM-8/)

    await page.keyboard.press('Alt+ArrowLeft')
    await page.getByText('Route of Vlad Marin reordered').waitFor()
    await until('the new order', async () => (await awbsOf(vlad)).join() === 'KM-8,KM-4,KM-12')
    await page.locator('[role=option]:focus', { hasText: '1' }).waitFor()
    assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /^1\. KM-8/, 'and stays where it was')

    await page.keyboard.press('Space')
    await page.getByRole('option', { name: /KM-8/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/task=\d+/)
    const panel = page.getByRole('complementary', { name: 'Task KM-8' })
    await panel.getByRole('button', { name: 'Close', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
  })

  await step('dragging a block along its lane changes the order, and to another lane the driver', async () => {
    await block(page, 'KM-12').waitFor()

    const first = await block(page, 'KM-8').boundingBox()
    assert.ok(first)
    await block(page, 'KM-12').dragTo(page.locator(`[data-lane="${vlad.id}"]`), {
      targetPosition: await laneX(page, vlad.id, first.x - 2),
    })
    await page.getByText('Route of Vlad Marin reordered').waitFor()
    await until('the new order', async () => (await awbsOf(vlad)).join() === 'KM-12,KM-8,KM-4')

    const own = await block(page, 'OWN').boundingBox()
    assert.ok(own)
    await block(page, 'KM-8').dragTo(page.locator(`[data-lane="${ana.id}"]`), {
      targetPosition: await laneX(page, ana.id, own.x - 2),
    })
    await page.getByText('1 task assigned to Ana Radu').waitFor()
    await until('the task to come before the one Ana had', async () => (await awbsOf(ana)).join() === 'KM-8,OWN')
  })
})

test('a stop of several parcels is one block, which opens to its parcels and moves as one', async (t) => {
  const server = await startConsole(t)
  const { hub } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body
  const { id: teamId } = await makeTeam(server, { hubId: hub.id })
  const vlad = await makeDriver(server, { name: 'Vlad Marin', teams: [teamId] })
  const ana = await makeDriver(server, { name: 'Ana Radu', teams: [teamId] })
  for (const [awb, km, serviceTime] of [
    ['FIRST', 4, 5],
    ['A-1', 8, 30],
    ['A-2', 8, 10],
    ['A-3', 8, 0],
    ['LAST', 20, 5],
  ] as const)
    await server.post('/tasks', { awb, userId: vlad.id, serviceTime, address: at(km) })
  await server.post(`/drivers/${vlad.id}/tasks/optimizeTodayTasks`, {})
  const routeOf = async ({ id }: { id: number }): Promise<string> =>
    (await server.get(`/drivers/${id}/tasks`)).body.tasks.map(({ awb }: { awb: string }) => awb).join()
  const page = await server.open('/?view=timeline')
  const step = inOneGo(t)
  const stop = page.getByRole('option', { name: /3 parcels/ })
  const planned = await routeOf(vlad)

  await step('it is as long as planning counts: its longest parcel, and a minute for each other one', async () => {
    await stop.waitFor()
    assert.equal(await page.getByRole('listbox', { name: 'Route of Vlad Marin' }).getByRole('option').count(), 3)
    const name = (await stop.getAttribute('aria-label')) ?? ''
    const [, from = '', to = ''] = /Planned ([\d:]+)–([\d:]+)/.exec(name) ?? []
    const minutes = (time: string) => Number(time.slice(0, -3)) * 60 + Number(time.slice(-2))
    const tasks = (await server.get(`/drivers/${vlad.id}/tasks`)).body.tasks as { awb: string; etaAt: string }[]
    const eta = (awb: string) => Date.parse(tasks.find((task) => task.awb === awb)?.etaAt ?? '')
    assert.equal(eta('A-1'), eta('A-3'), 'one arrival for all')
    // As the names say minutes only, one more or less.
    assert.ok(Math.abs(((minutes(to) - minutes(from) + 1440) % 1440) - 32) <= 1, name)
  })

  await step('a click, or Enter, shows its parcels; one of them opens, and Escape leads back', async () => {
    await stop.focus()
    await page.keyboard.press('Enter')
    const list = page.getByRole('dialog', { name: /^3 parcels/ })
    await list.getByRole('button', { name: /A-2/ }).waitFor()
    await assertAccessible(page, 'the parcels of a stop')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /3 parcels/)
    await stop.click()
    await list.getByRole('button', { name: /A-2/ }).click()
    const panel = page.getByRole('complementary', { name: 'Task A-2' })
    await panel.getByRole('button', { name: 'Close', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
  })

  await step('the keyboard puts all its parcels a place earlier, and undo puts all of them back', async () => {
    await stop.focus()
    await page.keyboard.press('Alt+ArrowLeft')
    // A notice stays while the mouse is on it.
    await page.getByText('Route of Vlad Marin reordered').hover()
    await until('all parcels to come first', async () => (await routeOf(vlad)) === 'A-1,A-2,A-3,FIRST,LAST')
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await until('all to be where they were', async () => (await routeOf(vlad)) === planned)
  })

  await step(
    'dragged to another lane, all its parcels change the driver, and undo gives all of them back',
    async () => {
      // For a lane of hers.
      await server.post('/tasks', { awb: 'OWN', userId: ana.id, address: at(-4) })
      await page.getByText('OWN', { exact: true }).waitFor()
      await stop.dragTo(page.locator(`[data-lane="${ana.id}"]`), { targetPosition: { x: 400, y: 30 } })
      await page.getByText('3 tasks assigned to Ana Radu').hover()
      await until('Ana to have them', async () => (await routeOf(ana)).includes('A-1,A-2,A-3'))
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await until('Vlad to have all of them back, where they were', async () => (await routeOf(vlad)) === planned)
    },
  )

  await step('what became of its parcels is seen in the block', async () => {
    await server.put('/tasks/awb/A-1/forceComplete', { success: true })
    await server.put('/tasks/awb/A-2/forceComplete', { success: false, failureReason: 'Nobody there' })
    // The third is still to come, and stays where it is planned.
    const ended = page.getByRole('option', { name: /A-1, A-2, 2 parcels.*1 × Failed, 1 × Succeeded/ })
    await ended.waitFor()
    assert.equal(await ended.locator('[data-state]').count(), 2)
    await assertAccessible(page, 'a stop of several states')
  })
})
