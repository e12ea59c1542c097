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
