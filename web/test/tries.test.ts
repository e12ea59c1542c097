import assert from 'node:assert/strict'
import { sql } from '../../server/db/sql.ts'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { screenSayIn } from './words.ts'

const say = screenSayIn('en')

test('the office tries a failed task again, goes from one try to the other, and corrects how one ended', async (t) => {
  const console = await startConsole(t)
  const driver = await makeDriver(console, { name: 'Dan Pop' })
  for (const awb of ['A-1', 'A-2']) {
    await console.post('/tasks', aTask({ awb, userId: driver.id }))
    await console.put(`/tasks/awb/${awb}/forceComplete`, { success: false, failureReason: 'Nobody at home' })
  }
  const taskOf = async (awb: string) => (await console.get(`/tasks/awb/${awb}`)).body.task
  const page = await console.open(`/?task=${(await taskOf('A-1')).id}`)
  const panel = page.locator('[data-panel]')
  const choose = async (word: 'tryAgain' | 'correctEnd') => {
    await panel.getByRole('button', { name: say('more') }).click()
    await page.getByRole('menuitem', { name: say(word) }).click()
  }

  await choose('tryAgain')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('tryDriver')).selectOption({ label: 'Dan Pop' })
  await assertDialogAccessible(page, 'trying again')
  await dialog.getByRole('button', { name: say('tryAgain') }).click()
  await page.getByText(say('triedAgain', { n: 1 })).waitFor()
  const next = await taskOf('A-1-2')
  assert.equal(next.userId, driver.id)

  await panel.getByRole('link', { name: 'A-1-2' }).click()
  await panel.getByRole('heading', { name: 'A-1-2' }).waitFor()
  await panel.getByRole('link', { name: 'A-1', exact: true }).waitFor()
  await assertAccessible(page, 'the second try')

  await panel.getByRole('link', { name: 'A-1', exact: true }).click()
  await console.put('/tasks/awb/A-1-2/forceComplete', { success: false })
  await panel.getByRole('heading', { name: 'A-1', exact: true }).waitFor()
  await choose('correctEnd')
  await dialog.getByLabel(say('correctReason')).fill('The neighbour had it')
  await assertDialogAccessible(page, 'correcting')
  await dialog.getByRole('button', { name: say('markAsSucceeded') }).click()
  await page.getByText(say('corrected', { awb: 'A-1' })).waitFor()
  await panel.getByText('The neighbour had it').waitFor()
  await until('it succeeded', async () => (await taskOf('A-1')).statusId === 9)
})

test('many tries and returns are undone with one click, except those with which something has happened since', async (t) => {
  const console = await startConsole(t)
  const driver = await makeDriver(console, { name: 'Dan Pop' })
  const { hub } = (await console.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })).body
  assert.ok(hub.id)
  for (const awb of ['A-1', 'A-2', 'A-3']) {
    await console.post('/tasks', aTask({ awb, userId: driver.id }))
    await console.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
  }
  const nextOf = async (awb: string) => (await console.get(`/tasks/awb/${awb}`)).body.task
  const page = await console.open('/?view=table')
  const dialog = page.getByRole('dialog')
  const selectAll = async () => {
    await page.getByText('A-3', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: say('selectAll') }).check()
  }
  const undo = page.getByRole('button', { name: say('undo') })

  await selectAll()
  await page.getByRole('button', { name: say('tryAgain') }).click()
  await dialog.getByRole('button', { name: say('tryAgain') }).click()
  await page.getByText(say('triedAgain', { n: 3 })).waitFor()
  await console.put('/tasks/awb/A-2-2', { details: 'Ring twice' })
  await undo.first().click()
  await page.getByText(say('triesUndone', { n: 2 })).waitFor()
  await page.getByText(say('triesStay', { n: 1, awbs: 'A-2-2' })).waitFor()
  assert.equal((await nextOf('A-2')).reattemptedAs.awb, 'A-2-2')
  for (const awb of ['A-1', 'A-3']) assert.equal((await nextOf(awb)).reattemptedAs, null)
})

test('all parcels brought back at once wait for a decision again after undo, except one that somebody has changed since', async (t) => {
  const console = await startConsole(t, 'dispatcher')
  await console.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })
  await console.put('/company', { settings: { mostAttempts: 1 } })
  const driver = await makeDriver(console, { name: 'Dan Pop' })
  const awbs = ['A-1', 'A-2', 'A-3']
  for (const awb of awbs) {
    await console.post('/tasks', aTask({ awb, userId: driver.id }))
    await console.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
  }
  const returnOf = async (awb: string) => (await console.get(`/tasks/awb/${awb}`)).body.task.returnedAs?.awb ?? null
  const toDecide = async () =>
    (await console.get('/tasks?toDecide=true')).body.tasks.map(({ awb }: { awb: string }) => awb)
  const page = await console.open('/to-decide')
  const row = (awb: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: awb, exact: true }) })
  for (const awb of awbs) await row(awb).waitFor()

  await page.getByRole('button', { name: say('bringAllBack') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('bringBack') })
    .click()
  await page.getByText(say('broughtBack', { n: 3 })).waitFor()
  await page.getByRole('heading', { name: say('noToDecide') }).waitFor()
  assert.deepEqual(await Promise.all(awbs.map(returnOf)), ['A-1-R', 'A-2-R', 'A-3-R'])
  await console.post('/tasks/bulkUnassign', { tasks: ['A-2-R'] })
  await page
    .getByRole('button', { name: say('undo') })
    .first()
    .click()
  await page.getByText(say('triesUndone', { n: 2 })).waitFor()
  await page.getByText(say('triesStay', { n: 1, awbs: 'A-2-R' })).waitFor()

  for (const awb of ['A-1', 'A-3']) await row(awb).waitFor()
  assert.equal(await row('A-2').count(), 0)
  assert.deepEqual(await toDecide(), ['A-1', 'A-3'])
  assert.deepEqual(await Promise.all(awbs.map(returnOf)), [null, 'A-2-R', null])
  assert.deepEqual(
    await Promise.all(awbs.map(async (awb) => (await console.get(`/tasks/awb/${awb}-R`)).status)),
    [404, 200, 404],
  )
})

test('an undo deletes no try that somebody changes at the last moment, and is not kept from it by the service', async (t) => {
  const console = await startConsole(t)
  const driver = await makeDriver(console)
  for (const awb of ['A-1', 'A-2', 'A-3']) {
    await console.post('/tasks', aTask({ awb, userId: driver.id, address: { address: 'Strada Lungă 1' } }))
    await console.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
  }
  const page = await console.open('/?view=table')
  // After each look and before each delete: an edit, an address that is found, one that is found again and again.
  const deletes: Record<string, number> = { 'A-1-2': 0, 'A-2-2': 0, 'A-3-2': 0 }
  const change = async (awb: string, body: object) =>
    assert.equal((await console.put(`/tasks/awb/${awb}`, body)).status, 200)
  const isFound = (awb: string) =>
    console.database.everyone.run(sql`
      with changed as (update tasks set updated_at = now() where awb = ${awb} returning organisation_id, id)
      update addresses a set lat = ${44.4 + deletes[awb]! / 1_000}, lng = 26.1, precision_detail = 'street'
      from changed c where a.organisation_id = c.organisation_id and a.task_id = c.id`)
  const inBetween: Record<string, () => unknown> = {
    'A-1-2': () => change('A-1-2', { details: 'Ring twice' }),
    'A-2-2': () => deletes['A-2-2'] === 1 && isFound('A-2-2'),
    'A-3-2': () => isFound('A-3-2'),
  }
  await page.route(/\/api\/v1\/tasks\/awb\//, async (route) => {
    const awb = new URL(route.request().url()).pathname.split('/').at(-1) as string
    if (route.request().method() === 'DELETE') {
      deletes[awb]! += 1
      await inBetween[awb]?.()
    }
    await route.continue()
  })

  await page.getByText('A-3', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: say('selectAll') }).check()
  await page.getByRole('button', { name: say('tryAgain') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('tryAgain') })
    .click()
  await page.getByText(say('triedAgain', { n: 3 })).waitFor()
  await page
    .getByRole('button', { name: say('undo') })
    .first()
    .click()
  await page.getByText(say('triesUndone', { n: 1 })).waitFor()
  await page.getByText(say('triesStay', { n: 2, awbs: 'A-1-2, A-3-2' })).waitFor()

  assert.deepEqual(deletes, { 'A-1-2': 1, 'A-2-2': 2, 'A-3-2': 5 })
  assert.equal((await console.get('/tasks/awb/A-1-2')).body.task.details, 'Ring twice')
  assert.equal((await console.get('/tasks/awb/A-2-2')).status, 404)
  assert.equal((await console.get('/tasks/awb/A-3-2')).status, 200)
})

test('an undo that does not get through says which new tasks are still there', async (t) => {
  const console = await startConsole(t)
  const driver = await makeDriver(console)
  for (const awb of ['A-1', 'A-2']) {
    await console.post('/tasks', aTask({ awb, userId: driver.id }))
    await console.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
  }
  const page = await console.open('/?view=table')
  const error = { code: 'RATE_LIMITED', message: 'Too many requests' }
  await page.route('**/api/v1/tasks/awb/A-2-2*', (route) =>
    route.fulfill({ status: 429, json: { success: false, error }, headers: { 'retry-after': '1' } }),
  )
  await page.getByText('A-2', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: say('selectAll') }).check()
  await page.getByRole('button', { name: say('tryAgain') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('tryAgain') })
    .click()
  await page.getByText(say('triedAgain', { n: 2 })).waitFor()
  await page
    .getByRole('button', { name: say('undo') })
    .first()
    .click()
  await page.getByText(say('triesUndone', { n: 1 })).waitFor()
  await page.getByText(say('triesLeft', { n: 1, awbs: 'A-2-2' })).waitFor()
  assert.equal((await console.get('/tasks/awb/A-2-2')).status, 200)
})

test('the recipient of a failed delivery chooses another day on a phone', async (t) => {
  const console = await startConsole(t)
  await console.put('/company', {
    settings: { recipientReattemptDays: 3, recipientReattemptWindows: '09:00-13:00', recipientSafePlace: true },
  })
  const driver = await makeDriver(console)
  const { uuid } = (await console.post('/tasks', aTask({ awb: 'A-1', userId: driver.id }))).body.task
  await console.put('/tasks/awb/A-1/forceComplete', { success: false })
  const page = await console.open(`/t/${uuid}`, { viewport: { width: 390, height: 844 } })
  await page.locator('#again select[name=day]').selectOption({ index: 1 })
  await page.locator('#again textarea').fill('In the shed')
  await assertAccessible(page, 'choosing another day')
  await page.locator('#again button').click()
  await page.locator('#again a').waitFor()
  await assertAccessible(page, 'it will be tried again')
  const { task } = (await console.get('/tasks/awb/A-1-2')).body
  assert.match(task.customerNotes, /In the shed/)
})
