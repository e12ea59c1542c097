import type { Page } from 'playwright-core'
import type { Language } from '../../core/words/languages.ts'
import type { Word } from '../words/driver.ts'
import { settle } from './screens.ts'
import { driverSayIn } from './words.ts'

/* What drivers and customers see, and how to get there, in any language: for the same uses as the screens of the console. */

export interface OutsideVisit {
  page: Page
  url: string
  language: Language
  /** The secret of a driver's invitation. It signs in once. */
  invite: string
  /** Stops of that driver, whose customers have their pages. */
  stops: Record<'planned' | 'moving' | 'delivered' | 'failed' | 'several', { id: number; uuid: string }>
}

export type OutsideScreen = (visit: OutsideVisit) => Promise<void>
type Say = ReturnType<typeof driverSayIn>
type Step = (page: Page, say: Say) => Promise<unknown>
type Stop = keyof OutsideVisit['stops']

const signedIn = new WeakSet<Page>()

async function signIn({ page, url, invite }: OutsideVisit) {
  if (signedIn.has(page)) return
  await page.goto(`${url}/driver#${invite}`)
  await page.getByRole('switch').waitFor()
  signedIn.add(page)
}

/** A sheet has an entry of the history, which has to be left before another screen is opened. */
async function closeSheet(page: Page, say: Say) {
  const sheet = page.locator('dialog[open]')
  if (!(await sheet.count())) return
  await sheet.getByRole('button', { name: say('close'), exact: true }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.waitForFunction(() => history.state === null)
}

const onPhone =
  (place: string | ((stops: OutsideVisit['stops']) => string), ...steps: Step[]): OutsideScreen =>
  async (visit) => {
    const { page, language, stops } = visit
    const say = driverSayIn(language)
    await signIn(visit)
    await closeSheet(page, say)
    await page.evaluate(
      (next) => {
        location.hash = next
      },
      typeof place === 'string' ? place : place(stops),
    )
    await settle(page)
    for (const step of steps) {
      await step(page, say)
      await settle(page)
    }
  }
const atStop = (stop: Stop, ...steps: Step[]) => onPhone((stops) => `#/task/${stops[stop].id}`, ...steps)
const ending = (way: 'complete' | 'fail', ...steps: Step[]) =>
  onPhone((stops) => `#/task/${stops.moving.id}/${way}`, ...steps)

const tap =
  (word: Word): Step =>
  (page, say) =>
    page
      .getByRole('button', { name: new RegExp(`^${RegExp.escape(say(word))}`) })
      .first()
      .click()
const sheet: Step = (page) => page.locator('dialog[open]').waitFor()
/** A code, as a scanner types it. */
const scan =
  (code: string, until: Word): Step =>
  async (page, say) => {
    await page.getByLabel(say('parcelCode')).fill(code)
    await page.keyboard.press('Enter')
    await page.getByText(say(until)).first().waitFor()
  }
const closeIntro: Step = async (page, say) => {
  const close = page.getByRole('button', { name: say('introClose') })
  if (await close.isVisible()) await close.click()
}

export const driverScreens: Record<string, OutsideScreen> = {
  'driver-sign-in': async ({ page, url, language }) => {
    await page.goto(`${url}/driver`)
    await page.getByLabel(driverSayIn(language)('yourPhone')).waitFor()
  },
  'driver-intro': onPhone('#/'),
  'driver-route': onPhone('#/', closeIntro),
  'driver-find': onPhone('#/', tap('findStop'), (page) => page.getByRole('dialog').locator('input').fill('a')),
  'driver-end-duty': onPhone('#/', (page) => page.getByRole('switch').click(), sheet),
  'driver-load': onPhone('#/load'),
  'driver-load-scan': onPhone('#/load', tap('loadScan'), sheet, scan('PARTNER-2026-0000000099', 'loadIt_unknown')),
  'driver-load-foreign': onPhone('#/load', (page, say) => page.getByText(say('loadOut'), { exact: true }).waitFor()),
  'driver-map': onPhone('#/map'),
  'driver-map-stop': onPhone((stops) => `#/map/${stops.planned.id}`),
  'driver-stop': atStop('planned'),
  'driver-second-stop': atStop('planned', tap('startTask'), sheet),
  'driver-stop-moving': atStop('moving'),
  'driver-navigate': atStop('moving', tap('navigateTo'), sheet),
  'driver-note': atStop('moving', tap('addNote'), sheet),
  'driver-scan': atStop('moving', tap('didScan'), sheet),
  'driver-complete': ending('complete'),
  'driver-photo': ending('complete', tap('takePhoto'), sheet),
  'driver-fail': ending('fail', (page) => page.getByRole('radio').first().click()),
  'driver-parcels': onPhone((stops) => `#/stop/${stops.several.id}`),
  'driver-complete-parcels': onPhone((stops) => `#/stop/${stops.several.id}/complete`),
  'driver-stop-delivered': atStop('delivered'),
  'driver-stop-failed': atStop('failed'),
  'driver-waiting': onPhone('#/waiting'),
  'driver-locked': onPhone('#/locked'),
  'driver-me': onPhone('#/me'),
  'driver-sign-out': onPhone('#/me', tap('signOut'), sheet),
}

const tracked =
  (stop: Stop, ...steps: ((page: Page) => Promise<unknown>)[]): OutsideScreen =>
  async ({ page, url, stops }) => {
    await page.goto(`${url}/t/${stops[stop].uuid}`)
    for (const step of steps) await step(page)
  }

export const trackingScreens: Record<string, OutsideScreen> = {
  'tracking-planned': tracked('planned'),
  tracking: tracked('moving'),
  'tracking-map': tracked('moving', (page) => page.locator('#map button').click()),
  'tracking-delivered': tracked('delivered'),
  'tracking-failed': tracked('failed'),
  'tracking-none': async ({ page, url }) => void (await page.goto(`${url}/t/nothing`)),
}
