import type { TestContext } from 'node:test'
import { type Browser, type BrowserContext, devices, type Page } from 'playwright-core'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { photo } from '../../server/test/pictures.ts'
import { startServer, type TestServer } from '../../server/test/server.ts'
import { sharedBrowser, watchForTrouble } from './console.ts'
import { type ContextOptions, takeContext } from './contexts.ts'
import { startWire } from './wire.ts'

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

export interface Phone {
  page: Page
  context: BrowserContext
  /** Another page of the same phone, as after the app was closed. */
  reopen: () => Promise<Page>
}

interface PhoneOptions extends ContextOptions {
  /** One that never had the app; others may have it from an earlier test, and so need not install it. */
  isNew?: boolean
  /** One with a camera, for example. */
  browser?: Browser
  complains?: RegExp
}

type Server = Omit<TestServer, 'another' | 'config' | 'database' | 'makeRound'>

/** A phone for the driver's app of a server. */
export async function aPhone(t: TestContext, url: string, options: PhoneOptions = {}): Promise<Phone> {
  const { isNew = false, complains, browser = await sharedBrowser(), permissions, geolocation, ...context } = options
  const opened = await takeContext(t, browser, {
    viewport: { width: 360, height: 640 },
    locale: 'en-GB',
    hasTouch: true,
    serviceWorkers: 'allow',
    userAgent: devices['Pixel 7'].userAgent,
    keepsApps: !isNew,
    ...context,
  })
  // Not as options: what is set later can be taken back, so that the context is used again.
  if (permissions) await opened.grantPermissions(permissions)
  if (geolocation) await opened.setGeolocation(geolocation)
  let page: Page
  const openPage = async () => {
    page = await opened.newPage()
    watchForTrouble(t, page, complains)
    return page
  }
  return {
    page: await openPage(),
    context: opened,
    async reopen() {
      await page.close()
      await openPage()
      await page.goto(`${url}/driver`)
      return page
    },
  }
}

/** A driver with tasks, and phones whose network can be cut. */
export async function startDriver(
  t: TestContext,
  awbs: string[] = ['A-1'],
  given: (awb: string) => object = () => ({}),
  environment: Record<string, string> = {},
) {
  // The same server as in the tests of the console, which run in the same process.
  return driverOf(t, await startServer(t, { WAYBILL_MAP_STYLE: 'none', ...environment }), awbs, given)
}

/** The same, of a given server. */
export async function driverOf<S extends Server>(
  t: TestContext,
  server: S,
  awbs: string[],
  given: (awb: string) => object = () => ({}),
) {
  const driver = await makeDriver(server, { name: 'Vlad Ene', startShiftTime: '08:00', endShiftTime: '17:00' })
  const tasks: Wire[] = []
  // Each at a door of its own, or they would be one stop.
  for (const [index, awb] of awbs.entries()) {
    const { address } = aTask()
    const own = { ...address, lat: address.lat + index / 1000 }
    tasks.push((await server.post('/tasks', aTask({ awb, userId: driver.id, address: own, ...given(awb) }))).body.task)
  }
  // A driver who is off duty is asked before a start.
  const setDuty = (inShift: boolean) => server.put(`/drivers/${driver.id}/duty`, { inShift })
  await setDuty(true)
  const wire = await startWire(t, server.url)
  const invite = async (): Promise<{ code: string; link: string }> =>
    (await server.post(`/drivers/${driver.id}/invite`)).body

  const takePhone = (options?: PhoneOptions) => aPhone(t, wire.url, options)

  return {
    server,
    driver,
    tasks,
    wire,
    invite,
    setDuty,
    takePhone,
    /** A phone on which the driver has opened the link of the invitation. */
    async signedIn({ readsIntro = true, ...options }: PhoneOptions & { readsIntro?: boolean } = {}): Promise<Phone> {
      const phone = await takePhone(options)
      const { link } = await invite()
      await phone.page.goto(`${wire.url}/driver#${link.split('#')[1]}`)
      await phone.page.getByRole('switch').waitFor()
      const intro = phone.page.getByRole('button', { name: /^(Got it|Am înțeles)$/ })
      if (readsIntro && (await intro.isVisible())) await intro.click()
      // Until then only a part of the app is on the phone.
      await phone.page.evaluate('navigator.serviceWorker.ready.then(() => true)')
      return phone
    },
    look: async (awb = 'A-1'): Promise<Wire> => (await server.get(`/tasks/awb/${awb}`)).body.task,
  }
}

/** Not before the button takes a tap: right after another one it does not. */
export const tap = (page: Page, name: string | RegExp) => page.getByRole('button', { name, disabled: false }).click()
export const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

const aPhoto = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(photo) }

/** Gives a photo of the phone's own camera to a page that lets one be taken. */
export async function givePhoto(page: Page, given: typeof aPhoto | string = aPhoto) {
  const gallery = page.locator('label', { hasText: /^From gallery$/ })
  if (await gallery.isVisible()) return gallery.locator('input').setInputFiles(given)
  await tap(page, /^(Take a photo|Another)$/)
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(given)
}

/** The same, and waits until the phone has it. */
export async function takePhoto(page: Page, given: typeof aPhoto | string = aPhoto) {
  const before = await page.getByRole('img', { name: /^Photo \d/ }).count()
  await givePhoto(page, given)
  await page.getByRole('img', { name: `Photo ${before + 1}` }).waitFor()
}

/** What was ended a moment ago goes out at once, as when the app is left. */
export const letGo = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('pagehide'))`)

/** The network is back, as the phone itself notices it. */
export async function sendNow(page: Page) {
  await letGo(page)
  await page.evaluate(`location.hash = '#/waiting'`)
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await says(page, 'All sent')
}
