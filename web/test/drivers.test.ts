import assert from 'node:assert/strict'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { driverOf, says, tap } from './driver.ts'

test('an admin deactivates a driver: the app says so and keeps their work, and nobody can assign to them', async (t) => {
  const console = await startConsole(t)
  const { signedIn, driver, wire, look } = await driverOf(t, console, ['A-1', 'A-2'])
  await console.post('/tasks/bulkUnassign', { tasks: ['A-2'] })
  const phone = await signedIn()
  wire.cut()
  await tap(phone.page, 'Start')
  await says(phone.page, 'I have arrived')

  const page = await console.open('/drivers')
  const active = page.getByRole('switch', { name: 'Active: Vlad Ene' })
  await active.click()
  const asked = page.getByRole('dialog', { name: 'Deactivate Vlad Ene?' })
  await asked.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('Vlad Ene is no longer active').waitFor()
  await page.getByRole('row').filter({ hasText: 'Vlad Ene' }).getByText('Not active').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Invite: Vlad Ene' }).isDisabled(), true)
  await assertAccessible(page, 'a driver who is not active')

  wire.mend()
  await says(phone.page, 'You may not sign in at the moment')
  await says(phone.page, /1 entry on this phone is not sent yet/)
  assert.equal((await look()).statusId, 6, 'what was not sent is not there')

  await page.goto(`${console.url}/?view=table`)
  await page.getByTitle('Open A-2', { exact: true }).click()
  await page.getByRole('button', { name: 'Choose a driver' }).click()
  await page.getByText('No drivers found').waitFor()

  await page.goto(`${console.url}/drivers`)
  await active.click()
  await page.getByText('Vlad Ene is active again').waitFor()
  const { code } = (await console.post(`/drivers/${driver.id}/invite`)).body
  await phone.page.getByLabel('Your phone number').fill(driver.phone)
  await phone.page.getByLabel('Code').fill(code)
  await tap(phone.page, 'Sign in')
  await until('what waited to arrive', async () => (await look()).statusId === 7)
})

test('an admin sets the opening hours, and drivers without a shift have them on another day', async (t) => {
  const console = await startConsole(t)
  await driverOf(t, console, [])
  await console.put(`/drivers/${(await console.get('/drivers')).body.users[0].id}`, {
    startShiftTime: null,
    endShiftTime: null,
  })
  const page = await console.open('/settings')
  const hours = page.getByRole('group', { name: 'Opening hours' })
  await hours.getByLabel('Wednesday', { exact: true }).check()
  await hours.getByLabel('Wednesday: start').fill('07:30')
  await hours.getByLabel('Wednesday: end').fill('15:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  const { shiftTimes } = (await console.get('/company')).body.company
  assert.deepEqual(shiftTimes, [{ day: 3, start: '07:30', end: '15:00' }])

  await page.goto(`${console.url}/drivers`)
  await page.getByRole('row').filter({ hasText: 'Vlad Ene' }).getByText('Wed 07:30–15:00').waitFor()
  const row = page.locator('[data-driver]')
  await page.goto(`${console.url}/?view=table&day=2030-01-02`)
  await row.getByText('07:30–15:00').waitFor()
  await page.goto(`${console.url}/?view=table&day=2030-01-03`)
  await page.getByRole('button', { name: 'Not working' }).click()
  await row.getByText('Day off').waitFor()
})
