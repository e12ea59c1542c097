import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { makeDriver, makeTeam, signIn } from '../../server/test/factories.ts'
import { request } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'

/* Tomorrow is planned today: by the shifts of that day, for a team, and without who is away. */

const zone = 'Europe/Bucharest'
const tomorrow = () => Temporal.Now.plainDateISO(zone).add({ days: 1 })
/** Places along a road to the east, one for each kilometre. */
const at = (km: number) => ({ address: `Km ${km}`, lat: 44.43, lng: 26.1 + km / 79.6 })

/** A team whose hub is at kilometre 0, and drivers in it by name. */
async function aTeam(t: TestContext, drivers: Record<string, object>) {
  const server = await startConsole(t)
  const { hub } = (await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body
  const { id: teamId, name: team } = await makeTeam(server, { hubId: hub.id })
  const ids: Record<string, { id: number; phone: string }> = {}
  for (const [name, fields] of Object.entries(drivers))
    ids[name] = await makeDriver(server, { name, teams: [teamId], ...fields })
  return { server, team, ids }
}

test('tomorrow is planned for a team, previewed, applied and undone', async (t) => {
  const day = tomorrow()
  const shiftTimes = [{ day: day.dayOfWeek, start: '09:00', end: '17:00' }]
  const { server, team, ids } = await aTeam(t, {
    'Vlad Marin': { shiftTimes },
    'Ana Ilie': { shiftTimes: [{ day: day.add({ days: 1 }).dayOfWeek, start: '09:00', end: '17:00' }] },
    'Radu Ene': { startShiftTime: '08:00', endShiftTime: '16:00' },
  })
  await server.post(`/drivers/${ids['Radu Ene']?.id}/absences`, { from: day.toString(), reason: 'Holiday' })
  const window = { completeAfter: `${day} 08:00`, completeBefore: `${day} 18:00` }
  const userId = ids['Vlad Marin']?.id
  for (const [awb, km] of [
    ['C', 9],
    ['A', 1],
  ] as const)
    await server.post('/tasks', { awb, address: at(km), userId, ...window })
  await server.post('/tasks', { awb: 'WAITS', address: at(5), ...window })
  await server.post('/tasks', { awb: 'OF-TODAY', address: at(5), userId })
  const routeOf = async (awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.route

  const page = await server.open(`/?view=timeline&day=${day}`)
  const pane = page.getByRole('complementary', { name: 'Drivers' })
  await pane.getByText('1 working').waitFor()
  await pane.getByText('09:00–17:00').waitFor()
  await pane.getByRole('button', { name: 'Not working' }).click()
  await pane.getByRole('listitem').filter({ hasText: 'Ana Ilie' }).getByText('Day off').waitFor()
  await pane.getByRole('listitem').filter({ hasText: 'Radu Ene' }).getByText('Absent').waitFor()

  await page.getByRole('button', { name: 'Plan…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('row', { name: /WAITS.*Vlad Marin/ }).waitFor()
  assert.equal(await dialog.getByLabel('Include drivers off duty').count(), 0)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 task assigned').waitFor()
  await until('the route of tomorrow', async () => (await routeOf('C'))?.position === 3)

  await server.put(`/drivers/${userId}/tasks/order`, {
    day: day.toString(),
    tasks: (await server.get(`/drivers/${userId}/tasks`)).body.tasks.map(({ id }: { id: number }) => id).reverse(),
  })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Optimise routes…' }).click()
  await dialog.getByLabel('Drivers').selectOption({ label: team })
  await dialog.getByRole('row', { name: /Vlad Marin 3/ }).waitFor()
  await dialog.getByRole('row', { name: /All routes 3/ }).waitFor()
  await assertDialogAccessible(page, 'the preview of all routes')
  assert.equal((await routeOf('C')).position, 1, 'looking changes nothing')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 route optimised').waitFor()
  assert.equal((await routeOf('C')).position, 3)
  assert.equal(await routeOf('OF-TODAY'), null, 'today is left alone')

  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('Undone').first().waitFor()
  assert.equal((await routeOf('C')).position, 1, 'the order of before, with its plan')
})

test('a driver falls ill: the office keeps or takes what is in transit, notes the absence and plans the rest', async (t) => {
  const { server, ids } = await aTeam(t, { 'Vlad Marin': {}, 'Ana Ilie': {} })
  const vlad = ids['Vlad Marin'] as { id: number; phone: string }
  for (const { id } of Object.values(ids)) await server.put(`/drivers/${id}/duty`, { inShift: true })
  const { task } = (await server.post('/tasks', { awb: 'STARTED', address: at(1), userId: vlad.id })).body
  await request(server.url, 'POST', `/api/v1/driver/tasks/${task.id}/start`, { key: await signIn(server, vlad) })
  await server.post('/tasks', { awb: 'REST', address: at(2), userId: vlad.id })
  // Ana delivered it without a network, after it had been given to Vlad.
  const ana = ids['Ana Ilie'] as { id: number; phone: string }
  const { task: lost } = (await server.post('/tasks', { awb: 'LOST', address: at(3), userId: ana.id })).body
  await server.put(`/containers/drivers/${vlad.id}`, { tasks: ['LOST'] })
  const deviceTime = new Date().toISOString()
  const ops = [{ opId: randomUUID(), type: 'complete', taskId: lost.id, occurredAt: deviceTime }]
  const key = await signIn(server, ana)
  await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops } })
  const page = await server.open('/?view=table')

  await page.getByRole('button', { name: 'Actions for Vlad Marin' }).click()
  await page.getByRole('button', { name: 'Driver unavailable…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Vlad Marin is unavailable' })
  await dialog.getByText('1 task becomes unassigned').waitFor()
  await dialog.getByText('1 task with an open conflict stays until it is settled: LOST').waitFor()
  const confirm = dialog.getByRole('button', { name: 'Unassign and switch off duty' })
  assert.ok(await confirm.isDisabled(), 'until somebody has decided about what is in transit')
  await dialog.getByLabel('The driver finishes it').check()
  await dialog.getByLabel('Reason (optional)').fill('Ill')
  await assertDialogAccessible(page, 'the question about a driver')
  await confirm.click()
  await page.getByText('Vlad Marin is off duty · 1 task unassigned · 1 task with an open conflict stays').waitFor()

  const plan = page.getByRole('dialog', { name: 'Assign tasks to the best drivers' })
  await plan.getByRole('row', { name: /REST.*Ana Ilie/ }).waitFor()
  await plan.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 task assigned').waitFor()
  assert.equal((await server.get('/tasks/awb/REST')).body.task.user.name, 'Ana Ilie')
  assert.equal((await server.get('/tasks/awb/STARTED')).body.task.statusId, 7)
  assert.equal((await server.get('/tasks/awb/LOST')).body.task.userId, vlad.id)
  const { absences } = (await server.get(`/drivers/${vlad.id}/absences`)).body
  assert.deepEqual([absences.length, absences[0].reason], [1, 'Ill'])
})

test('it was somebody else who fell ill: everything is taken back', async (t) => {
  const { server, ids } = await aTeam(t, { 'Vlad Marin': {} })
  const { id } = ids['Vlad Marin'] as { id: number }
  await server.put(`/drivers/${id}/duty`, { inShift: true })
  for (const [awb, km] of [
    ['B', 2],
    ['A', 1],
  ] as const)
    await server.post('/tasks', { awb, address: at(km), userId: id })
  await server.post(`/drivers/${id}/tasks/optimizeTodayTasks`, {})
  const before = (await server.get('/tasks/awb/B')).body.task.route
  const page = await server.open('/?view=table')

  await page.getByRole('button', { name: 'Actions for Vlad Marin' }).click()
  await page.getByRole('button', { name: 'Driver unavailable…' }).click()
  await page.getByRole('button', { name: 'Unassign and switch off duty' }).click()
  const plan = page.getByRole('dialog', { name: 'Assign tasks to the best drivers' })
  await plan.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await server.get('/tasks/awb/B')).body.task.statusId, 1)

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').first().waitFor()
  const { task } = (await server.get('/tasks/awb/B')).body
  assert.deepEqual([task.userId, task.route.position], [id, before.position])
  assert.deepEqual((await server.get(`/drivers/${id}/absences`)).body.absences, [])
  const [driver] = (await server.get('/drivers')).body.users
  assert.equal(driver.inShift, true)
})

test('the page of drivers has hours by weekday and absences', async (t) => {
  const { server, ids } = await aTeam(t, { 'Vlad Marin': { startShiftTime: '08:00', endShiftTime: '16:00' } })
  const page = await server.open('/drivers')

  await page.getByRole('button', { name: 'More: Vlad Marin' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Working hours').selectOption('By day of the week')
  await dialog.getByLabel('Friday', { exact: true }).uncheck()
  await dialog.getByLabel('Saturday', { exact: true }).check()
  await dialog.getByLabel('Saturday: start').fill('09:00')
  await dialog.getByLabel('Saturday: end').fill('13:00')
  await assertDialogAccessible(page, 'hours by weekday')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Mon–Thu 08:00–16:00, Sat 09:00–13:00' }).waitFor()

  await page.getByRole('button', { name: 'Absences: Vlad Marin' }).click()
  await dialog.getByText('No absences').waitFor()
  await dialog.getByLabel('Reason (optional)').fill('Holiday')
  await dialog.getByRole('button', { name: 'Add absence' }).click()
  await dialog.getByText('Holiday').waitFor()
  await assertDialogAccessible(page, 'absences')
  const listed = async () => (await server.get(`/drivers/${ids['Vlad Marin']?.id}/absences`)).body.absences
  assert.equal((await listed()).length, 1)
  await dialog.getByRole('button', { name: /Delete the absence/ }).click()
  await dialog.getByText('No absences').waitFor()
  assert.deepEqual(await listed(), [])
})
