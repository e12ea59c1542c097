import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../server/db/sql.ts'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'
import { startWire } from './wire.ts'

const row = (page: Page, awb: string) => page.getByRole('row').filter({ has: page.getByText(awb, { exact: true }) })
const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

/** A driver, two tasks, and a page whose connection can be cut. */
async function aDay(t: TestContext) {
  const server = await startConsole(t)
  const ana = await makeDriver(server, { name: 'Ana Radu' })
  for (const awb of ['T-1', 'T-2']) await server.post('/tasks', aTask({ awb }))
  const wire = await startWire(t, server.url)
  const page = await server.open(`${wire.url}/?view=table`)
  await live(page)
  return { server, ana, wire, page }
}

test('an outage', async (t) => {
  const { server, ana, wire, page } = await aDay(t)
  const step = inOneGo(t)
  const give = async () => {
    await page.keyboard.press('a')
    await page.keyboard.type('ana')
    await page.keyboard.press('Enter')
  }

  await step('an assignment that did not reach the server is not shown, during an outage or after it', async () => {
    await row(page, 'T-1').getByRole('checkbox').check()
    wire.cut()
    await page.getByText(/No updates since/).waitFor()
    await give()
    await page.getByText('1 task could not be changed: The server cannot be reached').waitFor()
    await row(page, 'T-1').getByText('Unassigned').waitFor()
    await page.getByText('1 selected').waitFor()

    wire.mend()
    await live(page)
    await row(page, 'T-1').getByText('Unassigned').waitFor()
    await give()
    await page.getByText('1 task assigned to Ana Radu').waitFor()
    await row(page, 'T-1').getByText('Assigned', { exact: true }).waitFor()
    assert.equal((await server.get('/tasks/awb/T-1')).body.task.userId, ana.id)
  })

  await step('an undo that did not reach the server is offered again', async () => {
    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    // A notice stays while the mouse is on it.
    await undo.last().hover()
    wire.cut()
    await page.getByText(/No updates since/).waitFor()
    await undo.last().click()
    await page.getByText('The server cannot be reached', { exact: true }).waitFor()
    await undo.last().hover()
    wire.mend()
    await live(page)
    await undo.last().click()
    await page.getByText('Undone', { exact: true }).waitFor()
    await row(page, 'T-1').getByText('Unassigned').waitFor()
    await row(page, 'T-1').getByRole('checkbox').check()
    // The page shows it before it is done, and the next step cuts the connection.
    const answered = page.waitForResponse((response) => /assign/i.test(response.url()) && response.ok())
    await give()
    await answered
    await row(page, 'T-1').getByText('Assigned', { exact: true }).waitFor()
  })

  await step(
    'tasks that could not be loaded again stay on the screen, marked as old, until the connection is back',
    async () => {
      await row(page, 'T-1').getByText('Assigned', { exact: true }).waitFor()
      // Writes still work, but reads fail.
      await page.route(/\/api\/v1\/(events|tasks\?)/, (route) => route.abort())
      wire.cut()
      wire.mend()
      await page.getByText(/No updates since/).waitFor()
      await server.put('/tasks/awb/T-1/forceComplete', { success: true })
      await row(page, 'T-1').getByRole('checkbox').check()
      await page.keyboard.press('u')
      await page.getByText('1 task could not be changed: The task has already started or ended').waitFor()
      await row(page, 'T-1').getByText('Assigned', { exact: true }).waitFor()

      const notice = page.getByText(/Last updated at \d\d:\d\d, and may be out of date/)
      await notice.waitFor()
      await row(page, 'T-2').getByText('Unassigned').waitFor()
      assert.equal(await page.getByText('Something went wrong').count(), 0)

      // There is no event for this, so only fetching again shows it.
      await server.database.everyone.run(sql`
      update tasks set awb = 'T-2 renamed' where organisation_id = ${server.organisationId} and awb = 'T-2'`)
      await page.unrouteAll()
      await row(page, 'T-1').getByText('Succeeded').waitFor()
      await row(page, 'T-2 renamed').waitFor()
      await notice.waitFor({ state: 'detached' })
    },
  )

  await step('a task dropped on the timeline during an outage goes back to where it came from', async () => {
    await page.getByRole('button', { name: 'Timeline', exact: true }).click()
    const strip = page.getByRole('region', { name: 'Unassigned tasks' })
    const lane = page.locator(`[data-lane="${ana.id}"]`)
    await lane.waitFor()
    const refused = page.getByText('1 task could not be changed: The server cannot be reached')
    await refused.waitFor({ state: 'detached' })
    wire.cut()
    await page.getByText(/No updates since/).waitFor()
    await strip.getByRole('button', { name: /T-2/ }).dragTo(lane)
    await refused.waitFor()
    await strip.getByRole('button', { name: /T-2/ }).waitFor()
  })
})
