import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { request } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { test } from './console.ts'
import { says, sendNow, startDriver, tap } from './driver.ts'

const street = { latitude: 44.4323, longitude: 26.1004, accuracy: 8 }
/** About 110 metres further. */
const corner = { ...street, latitude: 44.4333 }
const goBack = (page: Page) => page.getByRole('link', { name: 'Back to the route' }).click()
const allowed = { permissions: ['geolocation'], geolocation: street }

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

test('the office sees where a driver on duty is, after every move, and nothing of it off duty', async (t) => {
  const { signedIn, server, driver, setDuty } = await startDriver(t)
  await setDuty(false)
  const seen = async (): Promise<number | undefined> =>
    (await server.get('/drivers')).body.users.find(({ id }: Wire) => id === driver.id).position?.lat
  const { page, context } = await signedIn(allowed)
  const reports: string[] = []
  page.on('request', (request) => request.url().endsWith('/driver/locations') && reports.push(request.postData() ?? ''))
  const duty = page.getByRole('switch', { name: 'On duty' })

  await duty.click()
  await until('the first position', async () => (await seen()) === street.latitude)
  await context.setGeolocation(corner)
  await until('the next corner', async () => (await seen()) === corner.latitude)

  await duty.click()
  await page.getByText('Off duty').waitFor()
  await context.setGeolocation({ ...street, latitude: 44.5 })
  await tap(page, 'Start')
  await tap(page, 'Start off duty')
  await until('the office to see the start', async () => (await server.triggers('A-1')).includes('TASK_START'))
  assert.equal(await seen(), corner.latitude)
  assert.doesNotMatch(reports.join(), /44\.5,/, 'it is not even sent')
})

test('positions of a tunnel are sent when it ends, also those of a duty that ended there, and what was done says where', async (t) => {
  const { signedIn, look, wire, setDuty } = await startDriver(t)
  await setDuty(false)
  const { page, context } = await signedIn(allowed)
  const answers: Wire[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('/driver/locations')) answers.push(await response.json())
  })
  const duty = page.getByRole('switch', { name: 'On duty' })
  const kept = (): Promise<number> =>
    page.evaluate(
      () =>
        new Promise((done) => {
          const opening = indexedDB.open('waybill-driver')
          opening.onsuccess = () => {
            const counting = opening.result.transaction('positions').objectStore('positions').count()
            counting.onsuccess = () => {
              opening.result.close()
              done(counting.result)
            }
          }
        }),
    )
  wire.cut()
  await duty.click()
  await until('a position on the phone', async () => (await kept()) > 0)
  const before = await kept()
  await context.setGeolocation(corner)
  await until('the next one', async () => (await kept()) > before)
  await tap(page, 'Start')
  await goBack(page)
  await duty.click()
  await tap(page, 'End duty')
  await duty.click()
  await context.setGeolocation(street)

  wire.mend()
  await sendNow(page)
  await until('all positions sent', async () => (await kept()) === 0)
  assert.deepEqual(
    answers.map(({ leftOut }) => leftOut),
    answers.map(() => []),
    'the first time on duty counts, too',
  )
  assert.ok(answers.reduce((sum, { kept }) => sum + kept, 0) >= 2)
  const places = (await look()).timelines.map(({ lat }: Wire) => lat)
  assert.ok(places.includes(corner.latitude), `the start says where it was: ${places}`)
})

test('the app says what the position is for before the browser asks, and that the office cannot see a driver who refuses', async (t) => {
  const { signedIn, server, driver, setDuty } = await startDriver(t)
  await setDuty(false)
  const { page, context } = await signedIn({ locale: 'ro-RO', geolocation: street, fresh: true })
  assert.equal(await page.getByText('Trimiți biroului poziția ta?').count(), 0, 'not off duty')
  await page.getByRole('switch').click()
  await says(page, 'Trimiți biroului poziția ta?')
  await assertAccessible(page, 'the question about the position')
  // A browser without a window answers no by itself.
  await tap(page, 'Trimite poziția')
  await page.getByText('Biroul nu îți vede poziția').click()
  await says(page, /deschide în browser setările acestei pagini/)
  await assertAccessible(page, 'a position that is not allowed')

  await context.grantPermissions(['geolocation'])
  await says(page, /Biroul îți vede poziția cât ești în tură/)
  await until('the position', async () => {
    const { users } = (await server.get('/drivers')).body
    return users.find(({ id }: Wire) => id === driver.id).position?.lat === street.latitude
  })
})

test('a driver copies the address of the phone for Traccar Client, and it reports positions', async (t) => {
  const { signedIn, server, driver } = await startDriver(t)
  await server.put('/company', { settings: { locationTrackingDistance1: 70 } })
  const { page, context } = await signedIn()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('link', { name: 'Me' }).click()
  await page.getByRole('link', { name: 'Report with a locked screen' }).click()
  await says(page, '70')
  await assertAccessible(page, 'how to report with a locked screen')
  await tap(page, 'Copy the address')
  await says(page, 'Copied')
  await page.getByRole('link', { name: 'Back to “Me”' }).waitFor()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  const { pathname } = new URL(address)
  await until('a position by that address', async () => {
    await request(server.url, 'GET', `${pathname}?lat=44.44&lon=26.11`)
    const { users } = (await server.get('/drivers')).body
    return users.find(({ id }: Wire) => id === driver.id).position?.lat === 44.44
  })
})

test('the screen stays on while a task is in transit, unless the driver does not want that', async (t) => {
  const { takePhone, invite, wire } = await startDriver(t)
  const { page } = await takePhone()
  await page.addInitScript(() => {
    const phone = window as unknown as { isAwake: boolean }
    phone.isAwake = false
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        async request() {
          phone.isAwake = true
          return {
            async release() {
              phone.isAwake = false
            },
          }
        },
      },
    })
  })
  const isAwake = (wanted: boolean) =>
    page.waitForFunction((wanted) => (window as unknown as { isAwake: boolean }).isAwake === wanted, wanted)
  await page.goto(`${wire.url}/driver#${(await invite()).link.split('#')[1]}`)
  const duty = page.getByRole('switch', { name: 'On duty' })
  await tap(page, 'Start')
  await isAwake(true)
  await goBack(page)
  await duty.click()
  await tap(page, 'End duty')
  await isAwake(false)
  await duty.click()
  await isAwake(true)
  await page.getByRole('link', { name: 'Me' }).click()
  await page.getByLabel('Keep the screen on').uncheck()
  await isAwake(false)
})
