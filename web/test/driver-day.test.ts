import assert from 'node:assert/strict'
import { until } from '../../server/test/until.ts'
import { test } from './console.ts'
import { letGo, says, sendNow, startDriver, tap } from './driver.ts'

test('a driver signs in by the link, goes on duty, starts, arrives and completes, and the office sees it', async (t) => {
  const { signedIn, look, server, driver, setDuty } = await startDriver(t)
  await setDuty(false)
  const { page } = await signedIn({ isNew: true })
  assert.match(page.url(), /\/driver(#\/)?$/, 'the secret does not stay in the address')
  await says(page, 'All sent')

  await page.getByRole('switch', { name: 'On duty' }).click()
  await tap(page, 'Start')
  await tap(page, 'I have arrived')
  await tap(page, 'Complete')
  await tap(page, 'Complete')
  await says(page, 'All stops done')
  await letGo(page)
  await says(page, '1 of 1')
  await until('the office to see it', async () => (await look()).statusId === 9)
  await says(page, 'All sent')
  const task = await look()
  assert.ok(task.startedAt && task.arrivalTime && task.completedAt)
  const { users } = (await server.get('/drivers')).body
  assert.equal(users.find(({ id }: { id: number }) => id === driver.id).inShift, true)
})

test('a driver signs in with phone and code, and a wrong code says so', async (t) => {
  const { takePhone, wire, invite, driver } = await startDriver(t)
  const { page } = await takePhone({ locale: 'ro-RO' })
  const { code } = await invite()
  await page.goto(`${wire.url}/driver`)
  await page.getByLabel('Numărul tău de telefon').fill(driver.phone)
  await page.getByLabel('Cod').fill(code === '000000' ? '111111' : '000000')
  await tap(page, 'Conectare')
  await says(page, /Telefon sau cod greșit/)
  await page.getByLabel('Cod').fill(code)
  await tap(page, 'Conectare')
  await says(page, 'Următoarea oprire')
})

test('what a driver does without a network waits on the phone, survives a closed app, and is sent once', async (t) => {
  const { signedIn, look, wire, server } = await startDriver(t)
  const phone = await signedIn()
  wire.cut()
  await tap(phone.page, 'Start')
  await says(phone.page, '1 not sent yet')
  await tap(phone.page, 'I have arrived')
  await tap(phone.page, 'Complete')
  await tap(phone.page, 'Complete')
  await says(phone.page, '3 not sent yet')
  await says(phone.page, /waits to be sent/)
  assert.equal((await look()).statusId, 6)

  const page = await phone.reopen()
  await says(page, '3 not sent yet')
  await says(page, /waits to be sent/)
  wire.mend()
  await sendNow(page)
  assert.equal((await look()).statusId, 9)
  assert.deepEqual(await server.triggers('A-1'), [
    'TASK_CREATED',
    'TASK_ASSIGNED',
    'TASK_START',
    'TASK_UPDATED',
    'TASK_COMPLETE',
  ])
})

test('an answer that is not from our server takes nothing from the phone', async (t) => {
  const { signedIn, look } = await startDriver(t)
  const { page, context } = await signedIn({ complains: /^Failed to load resource/ })
  const strange = { contentType: 'text/html', body: '<h1>Welcome to the free wifi of the station</h1>' }
  let status = 200
  await context.route('**/api/v1/driver/**', (route) => route.fulfill({ ...strange, status }))
  await tap(page, 'Start')
  await page.getByText(/1 not sent yet/).click()
  for (status of [200, 401, 403, 404, 413]) {
    const answered = page.waitForResponse(
      (response) => response.url().endsWith('/sync') && response.status() === status,
    )
    await tap(page, 'Send now')
    await answered
  }
  await says(page, /1 not sent yet/)
  await context.unrouteAll()
  await sendNow(page)
  assert.equal((await look()).statusId, 7)
})
