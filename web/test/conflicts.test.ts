import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../server/db/sql.ts'
import { aTask, makeDriver, signIn } from '../../server/test/factories.ts'
import { addPerson } from '../../server/test/people.ts'
import { photo } from '../../server/test/pictures.ts'
import { request } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

/** Ana completed tasks offline that Maria had given to Dan. */
async function start(t: TestContext, awbs: string[]) {
  const server = await startConsole(t, 'dispatcher')
  const maria = await addPerson(server, 'dispatcher', 'Maria Ionescu')
  const ana = await makeDriver(server, { name: 'Ana Radu' })
  const dan = await makeDriver(server, { name: 'Dan Stan' })
  const key = await signIn(server, ana)
  const lose = async (awb: string) => {
    const { task } = (await server.post('/tasks', aTask({ awb, userId: ana.id }))).body
    await maria.put(`/containers/drivers/${dan.id}`, { tasks: [awb] })
    const deviceTime = new Date().toISOString()
    const op = { taskId: task.id, occurredAt: deviceTime, lat: 44.4323, lng: 26.1017 }
    const fileId = randomUUID()
    const ops = [
      { ...op, opId: randomUUID(), type: 'photo', fileId, note: 'At the door' },
      { ...op, opId: randomUUID(), type: 'complete' },
    ]
    await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops } })
    const headers = { 'content-type': 'image/jpeg' }
    await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key, raw: photo, headers })
  }
  for (const awb of awbs) await lose(awb)
  const stateOf = async (awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.statusId
  const isOpen = async (awb: string) =>
    (await server.get('/conflicts?settled=false')).body.conflicts.some((one: { awb: string }) => one.awb === awb)
  return { server, maria, dan, lose, stateOf, isOpen }
}

test('conflicts', async (t) => {
  const { server, maria, lose, stateOf, isOpen } = await start(t, ['A-1'])
  const page = await server.open('/?view=table')
  const step = inOneGo(t)

  await step(
    'a task with an open conflict says so in the list and in its panel, which leads to the decision',
    async () => {
      const row = page.getByRole('row', { name: /A-1/ })
      await row.getByRole('img', { name: 'Open conflict' }).waitFor()
      await row.dblclick()
      const panel = page.getByRole('complementary', { name: /A-1/ })
      await panel.getByText(/^Ana Radu reported something after this task had changed/).waitFor()
      await panel.getByRole('link', { name: 'Settle the conflict' }).click()
      await page.getByRole('heading', { level: 1, name: 'Conflicts' }).waitFor()
      await page.goBack()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
    },
  )

  await step('two dispatchers see a conflict at once, one settles it, and the other is told who did', async () => {
    const hers = await server.open('/conflicts', { as: maria.cookie })
    const card = (page: Page, awb: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: awb, exact: true }) })
    await page.getByRole('link', { name: '1 open conflict' }).waitFor()
    await lose('A-2')
    await card(hers, 'A-2').waitFor()
    await page.getByRole('link', { name: '2 open conflicts' }).click()

    const first = card(page, 'A-1')
    await first.getByText('What Ana Radu did').waitFor()
    await first.getByText('Completed the task').waitFor()
    await first.getByText('100 m from the address').first().waitFor()
    await first.getByRole('img', { name: 'Picture taken by Ana Radu' }).waitFor()
    await first.getByText('Maria Ionescu assigned the task to Dan Stan').waitFor()
    await assertAccessible(page, 'conflicts')

    // Undo: nothing has happened, and it is there again.
    await page.getByRole('button', { name: 'Apply the driver’s: A-1' }).click()
    await first.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await first.waitFor()
    assert.equal(await stateOf('A-1'), 6)

    // Both decide; the one whose notice goes first is the one who settles.
    await page.getByRole('button', { name: 'Apply the driver’s: A-1' }).click()
    await hers.getByRole('button', { name: 'Keep as is: A-1' }).click()
    const close = { name: 'Close' }
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', close).last().click()
    await until('what the driver did to be applied', async () => (await stateOf('A-1')) === 9)
    await until('all of it to be settled', async () => !(await isOpen('A-1')))
    await hers.getByRole('region', { name: 'Notices' }).getByRole('button', close).click()
    await hers.getByText('Ana Pop has already settled A-1: what the driver did was applied').waitFor()

    // Closing the page is no undo.
    await hers.getByRole('button', { name: 'Keep as is: A-2' }).click()
    await hers.close()
    await until('A-2 to be settled', async () => !(await isOpen('A-2')))
    assert.equal(await stateOf('A-2'), 6)
    await page.getByText('No open conflicts').waitFor()
    await page.getByRole('button', { name: 'Settled' }).click()
    await card(page, 'A-2').getByText('Kept as it was by Maria Ionescu').waitFor()
    await page.getByRole('searchbox').fill('A-1')
    await card(page, 'A-2').waitFor({ state: 'detached' })
    await card(page, 'A-1').getByText('Applied by Ana Pop').waitFor()
  })

  await step(
    'a role that may only look decides nothing, and a task that has ended offers only what is possible',
    async () => {
      await lose('A-3')
      await maria.put('/tasks/awb/A-3/forceComplete', { success: false })
      const [photo] = (await server.get('/conflicts?settled=false')).body.conflicts
      await maria.post(`/conflicts/${photo.id}/settle`, { apply: false })
      await page.getByRole('searchbox').fill('')
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await page.getByText('The task has already ended, so this can no longer be applied.').waitFor()
      assert.equal(await page.getByRole('button', { name: /^Apply/ }).count(), 0)
      await page.getByRole('button', { name: 'Keep as is: A-3' }).waitFor()

      await page.route('**/api/v1/session', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({
          response: answer,
          json: { ...(await answer.json()), scopes: ['tasks:read', 'company:read'] },
        })
      })
      await page.reload()
      await page.getByText('Your role can view conflicts but not settle them.').waitFor()
      await page.getByText('Completed the task').waitFor()
      assert.equal(await page.getByRole('button', { name: /^Keep/ }).count(), 0)
    },
  )
})

test('a task with an open conflict is marked on the timeline too, however many wait before it', async (t) => {
  const { server, dan, lose, isOpen } = await start(t, ['OLD'])
  // More than one page of them, all about one task: the next one is still marked.
  await server.database.everyone.run(sql`
    insert into conflicts (organisation_id, user_id, task_id, op, code, message, occurred_at, recorded_at)
    select organisation_id, user_id, task_id, op, code, message, occurred_at, recorded_at
    from conflicts, generate_series(1, 120) where organisation_id = ${server.organisationId}`)
  await lose('NEW')
  assert.ok(await isOpen('NEW'))
  await server.post(`/drivers/${dan.id}/tasks/optimizeTodayTasks`, {})
  await lose('WAITING')

  const page = await server.open('/?view=timeline')
  await page.getByRole('option', { name: /\bNEW,.*Open conflict/ }).waitFor()
  const { id } = (await server.get('/tasks/awb/NEW')).body.task
  await page.locator(`[data-conflict~="${id}"]`).waitFor()
  // It came after the plan, so it has no time yet.
  await page.getByRole('button', { name: /Open conflict WAITING/ }).waitFor()
  await page.getByRole('link', { name: '3 open conflicts' }).waitFor()
  await assertAccessible(page, 'the timeline with conflicts')
  // Both tasks are for one door, so they are one stop.
  await page.getByRole('option', { name: /\bNEW,/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: /NEW/ }).click()
  const panel = page.getByRole('complementary', { name: /NEW/ })
  await panel.getByText(/^Ana Radu reported something after this task had changed/).waitFor()
})
