import assert from 'node:assert/strict'
import pg from 'pg'
import { readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/db.ts'
import { migrate } from '../../server/db/migrate.ts'
import { sql } from '../../server/db/sql.ts'
import { createLog } from '../../server/log.ts'
import { startServer } from '../../server/main.ts'
import { cleanUpOf } from '../../server/test/clean-up.ts'
import { startProcess } from '../../server/test/crash.ts'
import { makeDatabase } from '../../server/test/database.ts'
import { amountsOf, tellNumbers } from '../../server/test/proofs.ts'
import { makeOrganisation, quiet } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { test } from './console.ts'
import { driverOf, says, sendNow, takePhoto, tap } from './driver.ts'

test('a server killed after it stored a step and before it answered has every step once in the end', async (t) => {
  const cleanUp = cleanUpOf(t)
  const { url: databaseUrl, drop } = await makeDatabase()
  cleanUp.defer(drop)
  const role = await migrate(databaseUrl, () => {})
  const database = openDatabase({ url: databaseUrl, role, connections: 2, onIdleError: () => {} })
  cleanUp.defer(database.close)
  const environment = { WAYBILL_GEOCODER: 'off', WAYBILL_MAP_STYLE: 'none' }
  const running = await startProcess(databaseUrl, environment)
  cleanUp.defer(running.kill)
  const { url } = running
  const server = await makeOrganisation({ url, database })
  const { kills } = amountsOf('phone and killed server')
  const awbs = Array.from({ length: kills }, (_, at) => `A-${at + 1}`)
  const { signedIn, look, setDuty } = await driverOf(t, server, awbs)
  await setDuty(false)
  const { page } = await signedIn()
  let answers = 0
  page.on('response', (response) => {
    const isSync = response.url().endsWith('/driver/sync')
    if (isSync && response.request().postDataJSON().ops.length > 0) answers += 1
  })
  const stored = async () => {
    const ops = await database.everyone.many(
      sql`select op_id from ops where organisation_id = ${server.organisationId}`,
    )
    return ops.length
  }

  await page.getByRole('switch', { name: 'On duty' }).click()
  /** The server reads the reasons last, before it answers: while nobody can read them, it stores and does not answer. */
  const killWhile = async (before: number, doSomething: () => Promise<void>, kill: () => Promise<unknown>) => {
    // The line may still say so of what was sent before the last tap.
    await until('everything so far to be stored', async () => (await stored()) === before)
    await says(page, 'All sent')
    const answered = answers
    const blocking = new pg.Client({ connectionString: databaseUrl })
    await blocking.connect()
    try {
      await blocking.query('begin; lock table reasons in access exclusive mode')
      await doSomething()
      await until('the step to be stored', async () => (await stored()) > before)
      await kill()
      assert.equal(answers, answered, 'the phone has heard nothing')
    } finally {
      await blocking.end()
    }
  }
  await tap(page, 'Start')
  await killWhile(2, () => tap(page, 'I have arrived'), running.kill)
  // The shift goes on without a server.
  await tap(page, 'Complete')
  await takePhoto(page)
  await tap(page, 'Complete')
  await says(page, '4 not sent yet')
  // Later ones by real programs again, which can be killed; the last one runs in this process, which has loaded it already.
  if (kills > 1) {
    const second = await startProcess(databaseUrl, { ...environment, PORT: new URL(url).port })
    cleanUp.defer(second.kill)
    await sendNow(page)
    await page.evaluate(`location.hash = '#/'`)
    await killWhile(5, () => tap(page, 'Start'), second.kill)
  }
  const config = readConfig({
    ...process.env,
    ...quiet,
    ...environment,
    DATABASE_URL: databaseUrl,
    PORT: new URL(url).port,
  })
  const next = await startServer(config, createLog(config.log, process.stderr))
  cleanUp.defer(next.stop)
  await sendNow(page)

  const first = await look('A-1')
  assert.equal(first.statusId, 9)
  assert.deepEqual(
    first.notes.map(({ type, image }: { type: number; image: string | null }) => [type, image !== null]),
    [[2, true]],
  )
  // Arrived, the photo, and its picture, which comes after the steps.
  const happened = ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_START', 'TASK_UPDATED', 'TASK_UPDATED', 'TASK_COMPLETE']
  assert.deepEqual(await server.triggers('A-1'), [...happened, 'TASK_UPDATED'])
  // On duty, start, arrive, photo, complete; and the start of the next.
  assert.equal(await stored(), 5 + kills - 1)
  if (kills > 1) assert.deepEqual(await server.triggers('A-2'), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_START'])
  tellNumbers(t, 'phone and killed server', { kills, ops: await stored() })
})
