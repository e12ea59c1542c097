import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { type Language, languageCodes } from '../../core/words/languages.ts'
import { sql } from '../../server/db/sql.ts'
import { aTask, makeDriver, signIn } from '../../server/test/factories.ts'
import { addPerson } from '../../server/test/people.ts'
import { amountsOf, tellNumbers } from '../../server/test/proofs.ts'
import { request } from '../../server/test/server.ts'
import { test } from './console.ts'
import { aPhone } from './driver.ts'
import { aFullOffice } from './full-office.ts'
import { sizeName, windowSizes } from './misplaced.ts'
import { driverScreens, trackingScreens } from './outside-screens.ts'
import { consoleScreens, firstScreens, misplacedOn, shopScreens, showIn } from './screens.ts'

const amounts = amountsOf('screens')

type Office = Awaited<ReturnType<typeof aFullOffice>>

/** In the gate languages share the smallest windows: what one sees narrow, the other sees low. */
function sizesFor(screen: number, language: Language) {
  const first = (screen + languageCodes.indexOf(language)) % languageCodes.length
  return [...windowSizes.slice(first), ...windowSizes.slice(0, first)].slice(0, amounts.sizes)
}

/** Opens each screen and shows it in its sizes. What is misplaced is told at the end, all at once. */
async function lookAt<Visit extends { page: Page; language: Language }>(
  t: TestContext,
  screens: Record<string, (visit: Visit) => Promise<void>>,
  visit: Visit,
) {
  const { page, language } = visit
  const found: string[] = []
  let looks = 0
  for (const [index, [name, open]] of Object.entries(screens).entries()) {
    try {
      await open(visit)
    } catch (error) {
      found.push(`${name} (${language}) cannot be opened: ${error}`)
      continue
    }
    for (const size of sizesFor(index, language)) {
      await showIn(page, size)
      looks += 1
      for (const one of await misplacedOn(page)) found.push(`${name} (${language}, ${sizeName(size)}): ${one}`)
    }
  }
  assert.deepEqual(found, [])
  tellNumbers(t, 'screens', { 'screens opened': Object.keys(screens).length, looks })
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

/** An office with a shop that gives parcels to it, the shop's admin and a parcel; and another one that only asked. */
async function anOfficeWithShops(t: TestContext) {
  const office = await aFullOffice(t)
  const { server } = office
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
  return { ...office, shop: { taskId: taskId as number, admin: await addPerson(shop, 'admin') } }
}

/** Three parcels of different customers for one door, where the driver is. */
async function aStopOfSeveral(server: Office['server'], userId: number) {
  const address = { address: 'Bulevardul Decebal 1, București', addressSecondLine: 'Recepție', lat: 44.42, lng: 26.13 }
  const tasks = ['Ecaterina Dumitrescu-Brătianu', 'Mihaela-Alexandra Constantinescu', 'Dan Rusu'].map((name, at) => ({
    ...aTask({ awb: `PARTNER-2026-000000020${at}`, userId, totalPrice: 99_999, collectPayment: true }),
    address,
    customer: { name, phone: `072200011${at}` },
  }))
  const { results } = (await server.post('/tasks/bulkCreate', { tasks })).body
  const made: { id: number; uuid: string; awb: string }[] = results.map(({ data }: { data: object }) => data)
  const { users } = (await server.get('/drivers')).body
  const key = await signIn(
    server,
    users.find(({ id }: { id: number }) => id === userId),
  )
  for (const verb of ['start', 'arrive'])
    for (const { id } of made)
      await request(server.url, 'POST', `/api/v1/driver/tasks/${id}/${verb}`, { key, body: {} })
  return made[0] as (typeof made)[number]
}

/** What the app of a driver needs who has never opened it, and the pages of their customers. */
async function outsideOf({ server, driverId, stops }: Office) {
  await server.database.everyone.run(sql`update users set has_dismissed_intro = false where id = ${driverId}`)
  const several = await aStopOfSeveral(server, driverId)
  await server.post('/scans', { code: several.awb, at: 'vehicle', userId: driverId })
  const { link } = (await server.post(`/drivers/${driverId}/invite`)).body as { link: string }
  return { url: server.url, invite: link.split('#')[1] as string, stops: { ...stops, several } }
}

for (const language of languageCodes) {
  test(`every screen of the console fits every window in ${language}`, async (t) => {
    const { server, taskId, awb, driverId } = await anOfficeWithShops(t)
    const page = await server.open('about:blank', { locale: language })
    await lookAt(t, consoleScreens, { page, url: server.url, language, taskId, awb, driverId })
  })

  test(`so do the first steps in ${language}`, async (t) => {
    const office = await aFullOffice(t)
    const { server, taskId, awb, driverId } = office
    const page = await server.open('about:blank', { locale: language, as: (await inItsFirstHour(office)).cookie })
    await lookAt(t, firstScreens, { page, url: server.url, language, taskId, awb, driverId })
  })

  test(`so does the console of a shop in ${language}`, async (t) => {
    const { server, awb, driverId, shop } = await anOfficeWithShops(t)
    const page = await server.open('about:blank', { locale: language, as: shop.admin.cookie })
    await lookAt(t, shopScreens, { page, url: server.url, language, taskId: shop.taskId, awb, driverId })
  })

  test(`so does the app of a driver in ${language}`, async (t) => {
    const office = await aFullOffice(t)
    const { page } = await aPhone(t, office.server.url, { locale: language })
    await lookAt(t, driverScreens, { page, language, ...(await outsideOf(office)) })
  })

  test(`so do the pages of customers in ${language}`, async (t) => {
    const office = await aFullOffice(t)
    const page = await office.server.open('about:blank', { locale: language, as: 'nobody=1' })
    await lookAt(t, trackingScreens, { page, language, ...(await outsideOf(office)) })
  })
}
