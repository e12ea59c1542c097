import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { languageCodes } from '../../core/words/languages.ts'
import { sql } from '../../server/db/sql.ts'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { addPerson } from '../../server/test/people.ts'
import { amountsOf, tellNumbers } from '../../server/test/proofs.ts'
import { test } from './console.ts'
import { aPhone } from './driver.ts'
import { aFullOffice } from './full-office.ts'
import { sizeName, windowSizes } from './misplaced.ts'
import { driverScreens, trackingScreens } from './outside-screens.ts'
import { consoleScreens, firstScreens, misplacedOn, shopScreens, showIn } from './screens.ts'

const amounts = amountsOf('screens')
const sizes = windowSizes.slice(0, amounts.sizes)
const sizesOutside = windowSizes.slice(0, amounts['sizes outside the office'])

type Office = Awaited<ReturnType<typeof aFullOffice>>

/** Opens each screen and shows it in each size. What is misplaced is told at the end, all at once. */
function startLooking() {
  let looks = 0
  const lookAt = async <Visit extends { page: Page; language: string }>(
    screens: Record<string, (visit: Visit) => Promise<void>>,
    visit: Visit,
    sizesOfThese = sizes,
  ) => {
    const { page, language } = visit
    const found: string[] = []
    for (const [name, open] of Object.entries(screens)) {
      try {
        await open(visit)
      } catch (error) {
        found.push(`${name} (${language}) cannot be opened: ${error}`)
        continue
      }
      for (const size of sizesOfThese) {
        await showIn(page, size)
        looks += 1
        for (const one of await misplacedOn(page)) found.push(`${name} (${language}, ${sizeName(size)}): ${one}`)
      }
    }
    assert.deepEqual(found, [])
  }
  return { lookAt, count: () => looks }
}

/** An organisation in its first hour, and its admin. */
async function inItsFirstHour({ server }: Office) {
  const other = await server.another()
  await other.put('/company', { firstSteps: 'open' })
  await other.post('/hubs', { name: 'Depozit', lat: 44.43, lng: 26.02 })
  await makeDriver(other)
  await other.post('/tasks', aTask())
  return addPerson(other, 'admin')
}

/** A shop that gives parcels to the office, its admin, and a parcel; and another one that only asked. */
async function withShops({ server }: Office) {
  const [shop, other] = [await server.another(), await server.another()]
  await shop.put('/company', { name: 'Librăria și Papetăria Foișorul de Foc SRL', settings: { shopConsole: true } })
  await other.put('/company', { name: 'Florăria Iris' })
  await server.put('/company', { name: 'Curieratul Rapid București-Ilfov' })
  for (const { organisationId } of [shop, { organisationId: 987_654_321 }])
    await server.post('/partners', { companyId: organisationId })
  for (const one of [shop, other]) await one.post('/partners', { companyId: server.organisationId })
  const ids: number[] = []
  for (const awb of ['FOISOR-2026-000000001', 'FOISOR-2026-000000002', 'FOISOR-2026-000000003'])
    ids.push((await shop.post('/tasks', aTask({ awb, totalPrice: 99_999 }))).body.task.id)
  const [taskId] = ids
  await shop.put('/tasks/bulkDelegate', { tasks: ids.slice(0, 2), companyId: server.organisationId })
  return { taskId: taskId as number, admin: await addPerson(shop, 'admin') }
}

/** What the app of a driver needs who has never opened it, and the pages of their customers. */
async function outsideOf({ server, driverId, stops }: Office) {
  await server.database.everyone.run(sql`update users set has_dismissed_intro = false where id = ${driverId}`)
  const { link } = (await server.post(`/drivers/${driverId}/invite`)).body as { link: string }
  return { url: server.url, invite: link.split('#')[1] as string, stops }
}

test('every screen fits every window in every language', async (t) => {
  const office = await aFullOffice(t)
  const { server, taskId, awb, driverId } = office
  const admin = await inItsFirstHour(office)
  const shop = await withShops(office)
  const { lookAt, count } = startLooking()
  const inEvery = async (what: string, look: (t: TestContext, language: (typeof languageCodes)[number]) => unknown) => {
    for (const language of languageCodes)
      await t.test(`${what} in ${language}`, async (t) => void (await look(t, language)))
  }

  await inEvery('nothing of the console is outside the window or under something else', async (_t, language) => {
    const page = await server.open('about:blank', { locale: language })
    await lookAt(consoleScreens, { page, url: server.url, language, taskId, awb, driverId })
  })
  await inEvery('nor next to the first steps', async (_t, language) => {
    const page = await server.open('about:blank', { locale: language, as: admin.cookie })
    await lookAt(firstScreens, { page, url: server.url, language, taskId, awb, driverId })
  })
  await inEvery('nor in the console of a shop', async (_t, language) => {
    const page = await server.open('about:blank', { locale: language, as: shop.admin.cookie })
    await lookAt(shopScreens, { page, url: server.url, language, taskId: shop.taskId, awb, driverId })
  })
  await inEvery('nor in the app of a driver', async (t, language) => {
    const { page } = await aPhone(t, server.url, { locale: language })
    await lookAt(driverScreens, { page, language, ...(await outsideOf(office)) }, sizesOutside)
  })
  await inEvery('nor on the pages of customers', async (_t, language) => {
    const page = await server.open('about:blank', { locale: language, as: 'nobody=1' })
    await lookAt(trackingScreens, { page, language, ...(await outsideOf(office)) }, sizesOutside)
  })
  const all = { ...consoleScreens, ...firstScreens, ...shopScreens, ...driverScreens, ...trackingScreens }
  tellNumbers(t, 'screens', { screens: Object.keys(all).length, sizes: sizes.length, looks: count() })
})
