import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { test } from './console.ts'
import { says, startDriver, tap } from './driver.ts'

test('the link of another driver asks who works, sends what waits first, and the route says whose it is', async (t) => {
  const { signedIn, server, wire, driver, look } = await startDriver(t)
  const mihai = await makeDriver(server, { name: 'Mihai Dobre' })
  await server.post('/tasks', aTask({ awb: 'B-1', userId: mihai.id }))
  const { page } = await signedIn()
  await says(page, 'Vlad Ene')
  const openLink = async (page: Page, id: number) => {
    const { link } = (await server.post(`/drivers/${id}/invite`)).body
    await page.evaluate(`location.hash = '#${link.split('#')[1]}'`)
    await says(page, 'Who is working now?')
  }

  // Nothing happens by itself, and nothing is lost by saying no.
  await openLink(page, mihai.id)
  await says(page, /Vlad Ene is signed in on this phone. The link you opened is for Mihai Dobre./)
  await assertAccessible(page, 'who works')
  await tap(page, 'Continue as Vlad Ene')
  await says(page, 'A-1')
  await openLink(page, driver.id)
  await says(page, /The link you opened is yours/)
  assert.equal(await page.getByRole('button', { name: /^Switch/ }).count(), 0)
  await tap(page, 'Continue as Vlad Ene')

  wire.cut()
  await tap(page, 'Start')
  await says(page, '1 not sent yet')
  await openLink(page, mihai.id)
  await says(page, /1 entry of Vlad Ene is not sent yet/)
  await tap(page, 'Try again')
  wire.mend()
  // It may be sent by itself before it can be tapped again.
  const [again, change] = ['Try again', 'Switch to Mihai Dobre'].map((name) => page.getByRole('button', { name })) as [
    Locator,
    Locator,
  ]
  await until('all to be sent', async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => {})
    return change.isVisible()
  })
  await change.click()
  await says(page, 'B-1')
  await says(page, 'Mihai Dobre')
  assert.equal((await look()).statusId, 7, 'what Vlad did was sent first')
  await until('the device of Vlad to be signed out', async () => {
    const { devices } = (await server.get(`/drivers/${driver.id}/devices`)).body
    return devices.length === 0
  })
})

test('a link that was opened without a connection signs in as soon as there is one', async (t) => {
  const { takePhone, invite, wire } = await startDriver(t)
  const { page } = await takePhone()
  await page.goto(`${wire.url}/driver`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const { link } = await invite()
  wire.cut()
  await page.evaluate(`location.hash = '#${link.split('#')[1]}'`)
  await says(page, 'The server does not answer. You will be signed in as soon as it does.')
  await assertAccessible(page, 'a link without a connection')
  // As a new version of the app does.
  await page.reload()
  await says(page, 'The server does not answer. You will be signed in as soon as it does.')
  wire.mend()
  await page.getByRole('switch').waitFor()
})

test('a link that the server took, and whose answer was lost, signs in all the same', async (t) => {
  const { takePhone, invite, wire } = await startDriver(t)
  const { page } = await takePhone()
  await page.goto(`${wire.url}/driver`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const { link } = await invite()
  wire.loseAnswers()
  await page.evaluate(`location.hash = '#${link.split('#')[1]}'`)
  await says(page, 'The server does not answer. You will be signed in as soon as it does.')
  wire.mend()
  await page.getByRole('switch').waitFor()
})

test('who was to work on a phone does after the app was loaded again, although the answer to that was lost', async (t) => {
  const { signedIn, server, wire } = await startDriver(t)
  const mihai = await makeDriver(server, { name: 'Mihai Dobre' })
  const { page } = await signedIn()
  const { link } = (await server.post(`/drivers/${mihai.id}/invite`)).body as unknown as { link: string }
  await page.evaluate(`location.hash = '#${link.split('#')[1]}'`)
  await says(page, /The link you opened is for Mihai Dobre/)
  wire.loseAnswers()
  await tap(page, 'Switch to Mihai Dobre')
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
  await page.reload()
  wire.mend()
  const again = page.getByRole('button', { name: 'Try again' })
  await until('Mihai to be signed in', async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => {})
    return (await page.getByText('Mihai Dobre').count()) > 0 && page.getByRole('switch').isVisible()
  })
})

test('the code of a link whose answer was lost signs in too, after the app was closed', async (t) => {
  const { takePhone, invite, wire, driver } = await startDriver(t)
  const { page, reopen } = await takePhone()
  await page.goto(`${wire.url}/driver`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const { link, code } = await invite()
  wire.loseAnswers()
  await page.evaluate(`location.hash = '#${link.split('#')[1]}'`)
  await says(page, 'The server does not answer. You will be signed in as soon as it does.')
  await page.close()
  wire.mend()
  const again = await reopen()
  await again.getByLabel('Your phone number').fill(driver.phone)
  await again.getByLabel('Code').fill(code)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await again.getByRole('switch').waitFor()
})
