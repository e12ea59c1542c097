import assert from 'node:assert/strict'
import { test } from './console.ts'
import { says, startDriver, tap } from './driver.ts'
import { misfitsOf } from './fits.ts'

const long = { width: 360, height: 640 }

test('a new order of the office is marked until the driver has read it', async (t) => {
  const { signedIn, server, driver, tasks } = await startDriver(t, ['A-1', 'A-2', 'A-3'])
  const phone = await signedIn()
  await says(phone.page, 'Next stop')
  assert.equal(await phone.page.getByText(/changed the order/).count(), 0)
  const [first, second, third] = tasks.map(({ id }) => id)
  await server.put(`/drivers/${driver.id}/tasks/order`, { tasks: [second, first, third] })
  await says(phone.page, /^The office changed the order \d\d:\d\d$/)
  await phone.page.getByRole('region', { name: 'Next stop' }).getByText('A-2').waitFor()
  assert.deepEqual(await misfitsOf(phone.page, 'the route in another order'), [])

  const page = await phone.reopen()
  await says(page, /^The office changed the order/)
  await tap(page, 'OK')
  await page.getByText(/changed the order/).waitFor({ state: 'detached' })
})

for (const viewport of [long, { width: 412, height: 915 }])
  test(`a note of the office moves nothing of the open stop, at ${viewport.height} px, and is shown when tapped`, async (t) => {
    const { signedIn, server, tasks } = await startDriver(t)
    const { page } = await signedIn({ viewport })
    await page.evaluate(`location.hash = '#/task/${tasks[0].id}'`)
    const watched = [page.getByRole('button', { name: /^Photo/ }), page.getByRole('button', { name: 'Start' })]
    await watched[0]?.waitFor()
    const places = () => Promise.all(watched.map((one) => one.boundingBox()))
    const before = await places()
    await server.post('/tasks/awb/A-1/notes', { note: 'The bell is broken.\nCall before you ring.' })
    const line = page.getByRole('button', { name: 'The office changed this stop' })
    await line.waitFor()
    assert.deepEqual(await places(), before)
    assert.equal(await page.getByText('The bell is broken.').count(), 0)
    assert.deepEqual(await misfitsOf(page, 'a stop the office changed'), [])
    await line.click()
    await says(page, 'The bell is broken.')
    await line.waitFor({ state: 'detached' })

    // The other screens of the stop lead back to it.
    await page.evaluate(`location.hash = '#/task/${tasks[0].id}/fail'`)
    await server.post('/tasks/awb/A-1/notes', { note: 'They are at home now.' })
    await page.getByRole('link', { name: 'The office changed this stop' }).click()
    await says(page, 'They are at home now.')
  })

test('who comes back from a stop finds the route scrolled as it was', async (t) => {
  const awbs = Array.from({ length: 12 }, (_, at) => `A-${at + 1}`)
  const { signedIn, tasks, server } = await startDriver(t, awbs, (awb) => ({ customer: { name: awb } }))
  const { page } = await signedIn()
  const main = page.getByRole('main')
  await page.getByText('A-9').last().scrollIntoViewIfNeeded()
  const left = await main.evaluate((one) => one.scrollTop)
  assert.ok(left > 100, `${left}`)
  await page.evaluate(`location.hash = '#/task/${tasks[8].id}'`)
  await says(page, 'At the door')
  await server.put('/tasks/awb/A-9/forceComplete', { success: true })
  await page.getByText('Succeeded').waitFor()
  await page.getByRole('link', { name: 'Back to the route' }).click()
  await page.getByRole('switch').waitFor()
  assert.equal(await main.evaluate((one) => one.scrollTop), left)
})
