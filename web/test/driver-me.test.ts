import assert from 'node:assert/strict'
import { photo } from '../../server/test/pictures.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { test } from './console.ts'
import { says, startDriver, tap } from './driver.ts'

test('the introduction is shown until a driver has closed it, and on no other phone of theirs', async (t) => {
  const { signedIn, server, driver, wire } = await startDriver(t)
  const { page, reopen } = await signedIn({ readsIntro: false })
  await says(page, 'Welcome, Vlad Ene')
  await assertAccessible(page, 'the introduction')
  wire.cut()
  await tap(page, 'Got it')
  await page.getByText('Welcome, Vlad Ene').waitFor({ state: 'detached' })
  wire.mend()
  const again = await reopen()
  await says(again, 'Next stop')
  assert.equal(await again.getByText('Welcome, Vlad Ene').count(), 0)
  await until('the server to know', async () => {
    const { users } = (await server.get('/drivers')).body
    return users.find(({ id }: { id: number }) => id === driver.id).hasDismissedIntroModal
  })
  const other = await signedIn({ readsIntro: false })
  await says(other.page, 'Next stop')
  assert.equal(await other.page.getByText('Welcome, Vlad Ene').count(), 0)
})

test('a driver adds a picture of themselves, if the organisation allows it', async (t) => {
  const { signedIn, server, driver, wire } = await startDriver(t)
  const { page } = await signedIn()
  await page.getByRole('link', { name: 'Me' }).click()
  const choose = page.getByLabel('Change my picture')
  const picture = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(photo) }
  wire.cut()
  await choose.setInputFiles(picture)
  await says(page, /cannot be reached/)
  wire.mend()
  await choose.setInputFiles(picture)
  await page.locator('header img').waitFor()
  await assertAccessible(page, 'the screen about oneself')
  const { users } = (await server.get('/drivers')).body
  assert.match(users.find(({ id }: { id: number }) => id === driver.id).avatar, /^\/files\//)

  await server.put('/company', { settings: { allowDriverAddProfilePicture: false } })
  await choose.waitFor({ state: 'detached' })
})

test('the app for navigation is asked for once, kept on the phone, and changed under "Me"', async (t) => {
  const { signedIn, tasks } = await startDriver(t)
  const { page, context } = await signedIn()
  await context.route('https://waze.com/**', (route) => route.abort())
  const navigate = (role: 'button' | 'link') => page.getByRole(role, { name: 'Navigate', exact: true })
  const openStop = () => page.evaluate(`location.hash = '#/task/${tasks[0].id}'`)
  await openStop()
  await navigate('button').click()
  const apps = page.getByRole('dialog').getByRole('link')
  assert.deepEqual(await apps.allTextContents(), ['Google Maps', 'Waze', 'Another app'], 'not those of an iPhone')
  await apps.getByText('Waze').click()
  assert.match((await navigate('link').getAttribute('href')) ?? '', /^https:\/\/waze\.com\//)

  await page.getByRole('link', { name: 'Back to the route' }).click()
  await page.getByRole('link', { name: 'Me' }).click()
  const kept = page.getByLabel('Navigation app')
  assert.equal(await kept.inputValue(), 'Waze')
  await kept.selectOption('Ask each time')
  await openStop()
  await navigate('button').waitFor()
})

test('the question before signing out is in view, and a day that is done does not say that nothing was assigned', async (t) => {
  const { signedIn, server } = await startDriver(t)
  const { page } = await signedIn({ viewport: { width: 320, height: 568 } })
  await server.put('/tasks/awb/A-1/forceComplete', { success: true })
  await says(page, 'All stops done')
  await says(page, 'New tasks appear here by themselves.')
  assert.equal(await page.getByText(/not assigned anything/).count(), 0)
  await page.getByRole('link', { name: 'Me' }).click()
  await tap(page, 'Sign out')
  const box = await page.getByRole('dialog', { name: 'Sign out?' }).boundingBox()
  assert.ok(box && box.y >= 0 && box.y + box.height <= 568, JSON.stringify(box))
})

test('what the office counts of the cash shows by itself, and so does that it closed the day', async (t) => {
  const { signedIn, server, driver } = await startDriver(t)
  const { page } = await signedIn()
  await page.evaluate(`location.hash = '#/me'`)
  const summary = page.getByRole('region', { name: 'Your day' })
  const row = (name: string, amount: number) =>
    summary
      .locator('dl > div')
      .filter({ hasText: name })
      .filter({ hasText: new RegExp(`\\b${amount}$`) })
      .waitFor()
  await row('To hand in', 0)
  await server.post('/cash/handIns', { userId: driver.id, amount: 30 })
  await row('Handed in today', 30)
  const { day } = (await server.get(`/cash?userId=${driver.id}`)).body.days[0]
  await server.post('/cash/closeOuts', { userId: driver.id, day, counted: 5, note: 'Of last week' })
  await row('Handed in today', 35)
  await row('To hand in', 0)
  await says(page, /^The office closed the day at/)
  await says(page, /35 was too much$/)
})
