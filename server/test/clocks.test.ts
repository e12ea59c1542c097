import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { triggers } from '../../core/triggers.ts'
import { sql } from '../db/sql.ts'
import { startProcess } from './crash.ts'
import { aTask } from './factories.ts'
import { answer, startReceiver } from './receiver.ts'
import { startServer } from './server.ts'
import { until } from './until.ts'

/* Workers on machines with a wrong clock: real processes that get another time of day. */

const hourMs = 3_600_000

/** Loaded by the process before anything else. */
const shift = (ms: number) => `
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given) { given.length ? super(...given) : super(Real.now() + ${ms}) }
    static now() { return Real.now() + ${ms} }
  }`

async function startShifted(t: TestContext, databaseUrl: string, ms: number) {
  const worker = await startProcess(databaseUrl, {
    WAYBILL_ROLE: 'worker',
    WAYBILL_GEOCODER: 'off',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift(ms))}`,
  })
  t.after(() => worker.kill())
  return worker
}

for (const [name, ms] of [
  ['an hour behind', -hourMs],
  ['an hour ahead', hourMs],
] as const)
  test(`a worker whose clock is ${name} retries at the right time and disables nothing too early`, async (t) => {
    const { config, database, post, organisationId } = await startServer(t, { WAYBILL_ROLE: 'api' })
    const db = database.everyone
    const receiver = await startReceiver(t)
    const { body } = await post('/webHooks', { url: receiver.url, trigger: triggers.TASK_CREATED.id })
    await db.run(sql`
      update webhooks set consecutive_failures = 400, failing_since = now() - interval '10 minutes'
      where id = ${body.webHook.id}`)
    receiver.requests.length = 0
    receiver.always(answer(500))
    const { before } = await db.get<{ before: Date }>(sql`select now() as before`)
    await post('/tasks', aTask())

    const worker = await startShifted(t, config.databaseUrl as string, ms)
    const find = () =>
      db.find<{ due_at: Date; is_enabled: boolean; attempted_at: Date; now: Date }>(sql`
        select d.due_at, w.is_enabled, a.attempted_at, now() from deliveries d
        join webhooks w on w.organisation_id = d.organisation_id and w.id = d.webhook_id
        join attempts a on a.organisation_id = d.organisation_id and a.webhook_id = d.webhook_id
        where d.organisation_id = ${organisationId} and d.attempts = 1`)
    const after = await until(() => `the first attempt. The worker said:\n${worker.said()}`, find)
    await worker.stop()

    assert.equal(after.is_enabled, true, 'it has failed for ten minutes, not for an hour')
    const isBetween = (time: Date, least: number, most: number) =>
      time.getTime() >= before.getTime() + least && time.getTime() <= after.now.getTime() + most
    assert.ok(isBetween(after.due_at, 4_000, 6_000), `due at ${after.due_at.toISOString()}`)
    assert.ok(isBetween(after.attempted_at, -1_000, 1_000), `attempted at ${after.attempted_at.toISOString()}`)
    const signedAt = new Date(1_000 * Number(receiver.requests[0]?.headers['webhook-timestamp']))
    assert.ok(isBetween(signedAt, -2_000, 1_000), `signed at ${signedAt.toISOString()}`)
  })
