import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../server/db/db.ts'
import { migrate } from '../../server/db/migrate.ts'
import { sql } from '../../server/db/sql.ts'
import { cleanUpOf } from '../../server/test/clean-up.ts'
import { startProcess } from '../../server/test/crash.ts'
import { makeDatabase } from '../../server/test/database.ts'
import { amountsOf, seedOr, tellNumbers } from '../../server/test/proofs.ts'
import { seededRandom } from '../../server/test/random.ts'
import { makeOrganisation } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { test } from './console.ts'
import { driverOf, says, sendNow, takePhoto, tap } from './driver.ts'

/*
 * A shift as it is on the road, by seed: at every step the network may be gone, or lose answers, or be back; the app is
 * closed and opened again; the server is killed and started again. In the end every stop has happened once.
 */

const random = seededRandom(seedOr(20_261_117))
const { stops } = amountsOf('whole shift')

test('a whole shift with lost networks, a closed app and a killed server has every stop once', async (t) => {
  const cleanUp = cleanUpOf(t)
  const { url: databaseUrl, drop } = await makeDatabase()
  cleanUp.defer(drop)
  const role = await migrate(databaseUrl, () => {})
  const database = openDatabase({ url: databaseUrl, role, connections: 2, onIdleError: () => {} })
  cleanUp.defer(database.close)
  const environment = { WAYBILL_GEOCODER: 'off', WAYBILL_MAP_STYLE: 'none' }
  let running = await startProcess(databaseUrl, environment)
  cleanUp.defer(() => running.kill())
  const { url } = running
  const server = await makeOrganisation({ url, database })
  const awbs = Array.from({ length: stops }, (_, at) => `S-${at + 1}`)
  const { signedIn, look, wire, setDuty } = await driverOf(t, server, awbs)
  await setDuty(false)
  const phone = await signedIn()
  let { page } = phone
  const happened = { 'lost networks': 0, 'lost answers': 0, 'closed apps': 0, 'killed servers': 0 }

  const mishaps: (() => Promise<void>)[] = [
    async () => {
      happened['lost networks'] += 1
      wire.cut()
    },
    async () => {
      happened['lost answers'] += 1
      wire.mend()
      wire.loseAnswers()
    },
    async () => {
      happened['killed servers'] += 1
      await running.kill()
      running = await startProcess(databaseUrl, { ...environment, PORT: new URL(url).port })
    },
    async () => {
      happened['closed apps'] += 1
      const place = new URL(page.url()).hash
      page = await phone.reopen()
      await page.getByRole('switch').first().waitFor()
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
    },
    async () => wire.mend(),
    async () => wire.mend(),
  ]
  /** Each of them once, then by chance. */
  const queue = mishaps.slice(0, 4)
  const letSomethingHappen = async () => {
    const next = queue.shift() ?? mishaps[Math.floor(random() * mishaps.length)]
    await next?.()
  }

  await page.getByRole('switch', { name: 'On duty' }).click()
  let photos = 0
  for (const awb of awbs) {
    await page.evaluate(`location.hash = '#/'`)
    await says(page, `${awbs.indexOf(awb)} of ${stops}`)
    await tap(page, 'Start')
    await says(page, 'I have arrived')
    await letSomethingHappen()
    await tap(page, 'I have arrived')
    await tap(page, 'Complete')
    const count = 1 + Math.floor(random() * 2)
    for (let number = 0; number < count; number += 1) await takePhoto(page)
    photos += count
    await letSomethingHappen()
    await finish(page)
    await says(page, `${awbs.indexOf(awb) + 1} of ${stops}`)
  }
  wire.mend()
  await sendNow(page)

  for (const awb of awbs) {
    await until(`${awb} to be there`, async () => (await look(awb)).statusId === 9)
    const triggers = await server.triggers(awb)
    for (const name of ['TASK_START', 'TASK_COMPLETE'])
      assert.equal(triggers.filter((one) => one === name).length, 1, `${name} of ${awb}`)
  }
  const notes = async () => (await Promise.all(awbs.map((awb) => look(awb)))).flatMap((task) => task.notes)
  await until('every picture', async () => (await notes()).every(({ image }) => image !== null))
  assert.equal((await notes()).length, photos, 'each photo once')
  const stored = await database.everyone.many<{ type: string }>(
    sql`select op_id from ops where organisation_id = ${server.organisationId}`,
  )
  assert.equal(stored.length, 1 + stops * 3 + photos, 'each step once')
  tellNumbers(t, 'whole shift', { stops, ops: stored.length, photos, ...happened })
})

/** The step that cannot be taken back. */
const finish = (page: Page) => tap(page, 'Complete')
