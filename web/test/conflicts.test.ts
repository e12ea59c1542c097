import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { aTask, makeDriver, signIn } from '../../server/test/factories.ts'
import { addPerson } from '../../server/test/people.ts'
import { photo } from '../../server/test/pictures.ts'
import { request } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'

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
  return { server, maria, lose, stateOf, isOpen }
}

test('two dispatchers see a conflict at once, one settles it, and the other is told who did', async (t) => {
  const { server, maria, lose, stateOf, isOpen } = await start(t, ['A-1'])
  const mine = await server.open('/?view=table')
  const hers = await server.open('/conflicts', { as: maria.cookie })
  const card = (page: typeof mine, awb: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: awb, exact: true }) })
  await mine.getByRole('link', { name: '1 open conflict' }).waitFor()
  await lose('A-2')
  await card(hers, 'A-2').waitFor()
  await mine.getByRole('link', { name: '2 open conflicts' }).click()

  const first = card(mine, 'A-1')
  await first.getByText('What Ana Radu did').waitFor()
  await first.getByText('Completed the task').waitFor()
  await first.getByText('100 m from the address').first().waitFor()
  await first.getByRole('img', { name: 'Picture taken by Ana Radu' }).waitFor()
  await first.getByText('Maria Ionescu assigned the task to Dan Stan').waitFor()
  await assertAccessible(mine, 'conflicts')

  // Undo: nothing has happened, and it is there again.
  await mine.getByRole('button', { name: 'Apply the driver’s: A-1' }).click()
  await first.waitFor({ state: 'detached' })
  await mine.keyboard.press('Control+z')
  await first.waitFor()
  assert.equal(await stateOf('A-1'), 6)

  // Both decide; the one whose notice goes first is the one who settles.
  await mine.getByRole('button', { name: 'Apply the driver’s: A-1' }).click()
  await hers.getByRole('button', { name: 'Keep what is: A-1' }).click()
  const close = { name: 'Close' }
  await mine.getByRole('region', { name: 'Notices' }).getByRole('button', close).last().click()
  await until('what the driver did to be applied', async () => (await stateOf('A-1')) === 9)
  await until('all of it to be settled', async () => !(await isOpen('A-1')))
  await hers.getByRole('region', { name: 'Notices' }).getByRole('button', close).click()
  await hers.getByText('Ana Pop has already settled A-1: what the driver did was applied').waitFor()

  // Closing the page is no undo.
  await hers.getByRole('button', { name: 'Keep what is: A-2' }).click()
  await hers.close()
  await until('A-2 to be settled', async () => !(await isOpen('A-2')))
  assert.equal(await stateOf('A-2'), 6)
  await mine.getByText('No open conflicts').waitFor()
  await mine.getByRole('button', { name: 'Settled' }).click()
  await card(mine, 'A-2').getByText('Kept as it was by Maria Ionescu').waitFor()
  await mine.getByRole('searchbox').fill('A-1')
  await card(mine, 'A-2').waitFor({ state: 'detached' })
  await card(mine, 'A-1').getByText('Applied by Ana Pop').waitFor()
})

test('a role that may only look decides nothing, and a task that has ended offers only what is possible', async (t) => {
  const { server, maria } = await start(t, ['A-1'])
  await maria.put('/tasks/awb/A-1/forceComplete', { success: false })
  const [photo] = (await server.get('/conflicts')).body.conflicts
  await maria.post(`/conflicts/${photo.id}/settle`, { apply: false })
  const page = await server.open('/conflicts')
  await page.getByText('The task has already ended, so this can no longer be applied.').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Apply/ }).count(), 0)
  await page.getByRole('button', { name: 'Keep what is: A-1' }).waitFor()

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
})
