import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makePng } from '../../server/test/pictures.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible, assertAccessibleIn, assertColours } from './axe.ts'
import { test } from './console.ts'
import { says, startDriver, takePhoto, tap } from './driver.ts'
import { driverSayIn as sayIn } from './words.ts'

const go = (page: Page, screen: string) => page.evaluate(`location.hash = '#/${screen}'`)

/** A route with everything a stop can have, each at a door of its own, or they would be one stop. */
const aRoute = (awb: string) => ({
  address: {
    address: `Bulevardul Iuliu Maniu 23${awb.at(-1)}, București`,
    addressSecondLine: 'Bl. 14, ap. 23',
    lat: 44.4 + Number(awb.at(-1)) / 1000,
    lng: 26,
  },
  customer: { name: `Mihaela ${awb}`, phone: '0712345678' },
  totalPrice: 158,
  details: 'Fragile',
  quantity: 2,
  completeBefore: new Date(Date.now() - 20 * 60_000).toISOString(),
})

const sizes = [
  { width: 360, height: 640 },
  { width: 412, height: 915 },
]

/** What a thumb can tap and is smaller than 48 px. */
const tooSmall = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('a, button, input:not(.sr-only), select, label:has(input.sr-only)')]
    .map((one) => [one.closest('label')?.textContent || one.textContent || one.name, (one.closest('label') ?? one).getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 1 && (height < 48 || width < 48))
    .map(([text, { width, height }]) => text + ' ' + Math.round(width) + ' × ' + Math.round(height))`)

test('every screen is readable for everyone and has no button too small for a thumb, in both sizes and languages, light and dark', async (t) => {
  const { signedIn, server, tasks, wire, look } = await startDriver(t, ['A-1', 'A-2'], aRoute)
  const fields = [
    { field_key: 'who', label: 'Received by', type: 'text', required: true },
    { field_key: 'where', label: 'Where', type: 'choice', choices: ['Door', 'Neighbour', 'Locker', 'Desk'] },
    { field_key: 'ok', label: 'Undamaged', type: 'check', required: true },
    { field_key: 'seal', label: 'Seal', type: 'photo', at: 'fail' },
  ]
  await server.post('/forms', { name: 'Door', isDefault: true, fields })
  await server.post('/reasons', { code: 'nobody', label: 'Nobody answers', photoRequired: true })
  await server.post('/tasks/awb/A-1/notes', { note: 'Ring twice' })
  const { page } = await signedIn()
  assert.deepEqual(await tooSmall(page), [], 'the route before the first start')
  await go(page, `task/${tasks[0].id}`)
  await says(page, 'Ring twice')
  assert.deepEqual(await tooSmall(page), [], 'a stop before its start')
  await tap(page, 'Start')
  await tap(page, 'I have arrived')
  await until('the arrival to be sent', async () => (await look()).arrivalTime !== null)
  wire.cut()
  await go(page, '')
  await page.getByRole('switch').click()
  await tap(page, 'End duty')
  await says(page, /not sent yet/)

  for (const language of ['en', 'ro'] as const) {
    const say = sayIn(language)
    const check = async (what: string) => {
      // Each screen in each language is light in one size and dark in the other. Other rules than those for colours run
      // in one of them: light, so that they see both sizes and both languages. The first size is the one it has.
      for (const size of sizes.reverse()) {
        await page.setViewportSize(size)
        const theme = (size.width === 360) === (language === 'en') ? 'light' : 'dark'
        const name = `${what} at ${size.width} × ${size.height} in ${language}`
        await (theme === 'light' ? assertAccessibleIn : assertColours)(theme, page, name)
        const wide = await page.evaluate('document.documentElement.scrollWidth')
        assert.ok((wide as number) <= size.width, `${name} is wider than the screen`)
        assert.deepEqual(await tooSmall(page), [], `${name} has buttons of at least 48 px`)
      }
    }
    await go(page, 'me')
    await page.locator('select').first().selectOption(language)
    await page.getByRole('button', { name: say('signOut') }).waitFor()
    await check('the account')
    await go(page, '')
    await page.getByRole('button', { name: say('openStop') }).waitFor()
    await check('the route')
    await go(page, 'map')
    await page.getByText(say('mapCannot')).waitFor()
    await check('the map where none can be drawn')
    await go(page, `task/${tasks[0].id}`)
    await page.getByRole('button', { name: say('takePayment') }).waitFor()
    await check('a stop')
    await page.getByRole('button', { name: say('navigateTo'), exact: true }).click()
    await check('navigation')
    await page.keyboard.press('Escape')
    await go(page, `task/${tasks[0].id}/complete`)
    await page.getByRole('button', { name: say('completeTask'), exact: true }).waitFor()
    await check('completing')
    await go(page, `task/${tasks[0].id}/fail`)
    await page.getByText('Nobody answers').click()
    await check('failing')
    await go(page, 'waiting')
    await page.getByRole('button', { name: say('sendNow') }).waitFor()
    await check('what waits')
  }
})

test('the first visit loads at most 200 kB, and opening again without a network needs no request', async (t) => {
  const { signedIn, wire } = await startDriver(t)
  const phone = await signedIn({ isNew: true, locale: 'ro-RO' })
  await phone.page.evaluate('document.fonts.ready')
  const parts = (await phone.page.evaluate(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
       .filter(({ name }) => !name.includes('/api/'))
       .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`,
  )) as [string, number][]
  const packed = parts.reduce((sum, [, bytes]) => sum + bytes, 0)
  t.diagnostic(`${packed} bytes`)
  assert.ok(packed > 50_000 && packed <= 200_000, JSON.stringify(parts))

  wire.cut()
  const page = await phone.reopen()
  await says(page, 'Următoarea oprire')
  await page.evaluate('document.fonts.ready')
  const fetched = await page.evaluate(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
       .filter(({ name, transferSize }) => transferSize > 0 && !name.includes('/api/')).map(({ name }) => name)`,
  )
  assert.deepEqual(fetched, [])
})

test('lists, photos and colours follow the settings, and what they do not allow has no button', async (t) => {
  const { signedIn, server, tasks } = await startDriver(t, ['A-1', 'A-2'], aRoute)
  await server.put('/company', {
    settings: {
      orderListViewDataLine1: 'awb',
      orderListViewDataLine2: 'details',
      orderListViewDataLine3: '',
      imageOption: 'both',
      accentColor: '#ffd400',
      autoDeletePhotosFromApp: true,
      uploadPhotosOnWifi: true,
    },
  })
  const { page } = await signedIn()
  const row = page.getByRole('listitem').filter({ hasText: 'A-2' })
  assert.match((await row.textContent()) ?? '', /^2A-2.*Fragile.*20 min late/, 'the mark joins the lines')
  const next = (await page.getByRole('region', { name: 'Next stop' }).textContent()) ?? ''
  assert.match(next, /Windowuntil \d\d:\d\d.*20 min late/, 'a late stop keeps its window')
  // White text on yellow would be too faint.
  const colour = `getComputedStyle([...document.querySelectorAll('button')].find((one) => one.textContent === 'Start')).color`
  assert.equal(await page.evaluate(colour), 'rgb(16, 24, 40)')

  await tap(page, 'Start')
  await says(page, 'I have arrived')
  await go(page, `task/${tasks[0].id}/complete`)
  await page.getByText('From gallery').waitFor()
  await page.getByRole('button', { name: 'Take a photo' }).waitFor()

  // Photos are scaled to what the server keeps. On mobile data they wait; a phone that cannot tell sends them.
  await page.evaluate(`Object.defineProperty(navigator.connection, 'type', { value: 'cellular', configurable: true })`)
  await takePhoto(page, { name: 'wide.png', mimeType: 'image/png', buffer: Buffer.from(makePng(3_000, 30)) })
  await page.getByText(/2 not sent yet/).waitFor()
  const size = await page.locator('img[alt="Photo 1"]').evaluate(async (shown) => {
    const picture = shown as HTMLImageElement
    await picture.decode()
    return [picture.naturalWidth, picture.naturalHeight]
  })
  assert.deepEqual(size, [2_048, 20])
  await go(page, 'waiting')
  await says(page, 'Photos wait for Wi-Fi, as your organisation has set.')
  await page.evaluate(`Object.defineProperty(navigator.connection, 'type', { value: undefined })`)
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await says(page, 'All sent')
  // Sent, and deleted from the phone.
  await go(page, `task/${tasks[0].id}/complete`)
  await says(page, '1 photo')
  await page.getByRole('img', { name: 'Photo 1' }).waitFor({ state: 'detached' })

  await go(page, `task/${tasks[1].id}`)
  await says(page, 'Mihaela A-2')
  const offered = ['Call', 'Message', 'Fail', 'Add note', 'Scan', 'Photo', 'Signature', 'Payment']
  const shown = async () => {
    const texts = await page.getByRole('main').locator('a, button').allTextContents()
    const foot = await page.getByRole('contentinfo').locator('a, button').allTextContents()
    return offered.filter((one) => [...texts, ...foot].some((text) => text.startsWith(one)))
  }
  assert.deepEqual(await shown(), offered)
  await server.put('/company', {
    settings: {
      allowDriverToCallTheCustomer: false,
      allowDriverToCancelTask: false,
      allowDriverToTakeNotesOnSite: false,
      allowDriverToScanOnSite: false,
      allowDriverToTakePicturesOnSite: false,
      allowDriverToTakeSignaturesOnSite: false,
      allowDriverToTakePaymentsOnSite: false,
    },
  })
  await until('the buttons to go', async () => (await shown()).length === 0)
})

test('an iPhone explains installing first, and uses neither link nor code up', async (t) => {
  const { takePhone, invite, wire, driver } = await startDriver(t)
  const { link, code } = await invite()
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1'
  const { page } = await takePhone({ userAgent })
  await page.goto(`${wire.url}/driver#${link.split('#')[1]}`)
  await says(page, 'First put the app on your home screen')
  await assertAccessible(page, 'installing')

  // Opened from there, where it has a memory of its own.
  await page.evaluate('sessionStorage.clear()')
  await page.addInitScript(`Object.defineProperty(navigator, 'standalone', { value: true })`)
  await page.goto(`${wire.url}/driver`)
  await page.getByLabel('Your phone number').fill(driver.phone)
  await page.getByLabel('Code').fill(code)
  await assertAccessible(page, 'signing in')
  await tap(page, 'Sign in')
  await says(page, 'Next stop')
})

test('without https the page says what to do', async (t) => {
  const { takePhone, wire } = await startDriver(t)
  const { page } = await takePhone()
  await page.addInitScript(`Object.defineProperty(window, 'isSecureContext', { value: false })`)
  await page.goto(`${wire.url}/driver`)
  await says(page, /Ask your office for a link that begins with https/)
})
