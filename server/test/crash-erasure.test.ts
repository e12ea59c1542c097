import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../db/sql.ts'
import { cleanUpOf } from './clean-up.ts'
import { type Durable, startDurable, startGate, startProcess } from './crash.ts'
import { aTask } from './factories.ts'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'
import { patienceMs, until } from './until.ts'

/* Erasing goes on after every death, and no task is ever half erased, by time or by request. */

const key = 'crash-suite-key-of-the-first-organisation'
const deaths = amountsOf('crash-erasure').deaths
/** Who dies, in turn. */
const dying = [['server'], ['database', 'server'], ['database']] as const

async function call(url: string, method: string, path: string, body?: object) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`)
  return JSON.parse(text)
}

/** Tasks of which something is erased and something is not. */
const findHalf = (database: Durable) =>
  database.ask<{ id: number }>(sql`
    select t.id from tasks t
    join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
    where (t.erased_at is null) is distinct from (a.address <> '')
      or (t.erased_at is null) is distinct from (t.details <> '')
      or exists (
        select from events e
        where e.organisation_id = t.organisation_id and e.task_id = t.id
          and (e.task ~ 'Kanarek') is distinct from (case when e.task is not null then t.erased_at is null end))
      or exists (
        select from notes n
        where n.organisation_id = t.organisation_id and n.task_id = t.id
          and (n.note is null) is distinct from (t.erased_at is not null))`)

/** Tasks of the customer who asked. */
const findAsked = (database: Durable) =>
  database.ask(sql`
    select t.id from tasks t
    join customers c on c.organisation_id = t.organisation_id and c.id = t.customer_id
    where t.erased_at is null and c.phone = '+40712345678'`)

const countLeft = async (database: Durable) =>
  (
    await database.ask<{ count: number }>(
      sql`select count(*)::int as count from tasks where erased_at is null and status_id >= 9`,
    )
  )[0]?.count

test('erasing survives the death of everything: it goes on, nothing is half done, nothing done twice', async (t) => {
  const cleanUp = cleanUpOf(t)
  const WAYBILL_DATA = await mkdtemp(join(tmpdir(), 'waybill-crash-erasure-'))
  cleanUp.defer(() => rm(WAYBILL_DATA, { recursive: true, force: true }))
  const database = await startDurable()
  cleanUp.defer(database.stop)
  const gate = await startGate(database)
  cleanUp.defer(gate.close)
  const start = () => startProcess(gate.url, { WAYBILL_API_KEY: key, WAYBILL_DATA, WAYBILL_GEOCODER: 'off' })
  let server = await start()
  cleanUp.defer(() => server.kill())
  const random = seededRandom(seedOr(20_261_117))

  // One half is erased by time, the other by the request of a customer.
  const count = 100 + deaths * 50
  const phoneOf = (at: number) => (at % 2 === 0 ? '0712345678' : `07230${String(at).padStart(5, '0')}`)
  for (let at = 0; at < count; at += 50) {
    const tasks = Array.from({ length: 50 }, (_, index) =>
      aTask({
        awb: `E-${at + index}`,
        details: 'Kanarekdetails',
        customer: { name: 'Kanarekname', phone: phoneOf(at + index) },
      }),
    )
    await call(server.url, 'POST', '/tasks/bulkCreate', { tasks })
  }
  for (let at = 0; at < count; at += 1)
    await call(server.url, 'POST', `/tasks/awb/E-${at}/notes`, { note: 'Kanareknote' })
  await database.ask(sql`update tasks set status_id = 9, completed_at = now()`)
  assert.deepEqual(await findHalf(database), [])

  const ask = () => call(server.url, 'POST', '/erasures', { phone: '0712345678' }).catch(() => {})
  let asking = ask()
  for (let death = 0; death < deaths; death += 1) {
    await sleep(random() * 900)
    const victims = dying[death % dying.length] as readonly string[]
    if (victims.includes('database')) database.kill()
    if (victims.includes('server')) await server.kill()
    await asking
    if (victims.includes('database')) await database.startAgain()
    assert.deepEqual(await findHalf(database), [], `after death ${death + 1}`)
    if (victims.includes('server')) server = await start()
    await until('the server to be ready', () => fetch(`${server.url}/ready`).then(({ ok }) => ok))
    asking = ask()
  }
  await asking
  // What was asked for before the last death goes on without being asked for again.
  await until('the request to be done', async () => (await findAsked(database)).length === 0)

  await call(server.url, 'PUT', '/company', { settings: { hoursToSaveCustomerDataAfterDone: 1 } })
  await database.ask(sql`update tasks set completed_at = now() - interval '2 hours' where erased_at is null`)
  for (let death = 0; death < deaths; death += 1) {
    await server.kill()
    server = await start()
    await sleep(random() * 900)
    assert.deepEqual(await findHalf(database), [], `by time, after death ${death + 1}`)
  }
  await server.kill()
  server = await start()
  await until('everything to be erased', async () => (await countLeft(database)) === 0)
  assert.deepEqual(await findHalf(database), [])

  const receipts = await database.ask<{ id: number; task_id: number }>(sql`
    select e.id, task_id::int from erasures e, jsonb_array_elements_text(task_ids) as task_id`)
  assert.deepEqual(
    receipts.map(({ task_id }) => task_id).sort((one, other) => one - other),
    (await database.ask<{ id: string }>(sql`select id from tasks order by id`)).map(({ id }) => Number(id)),
    'every task is in one receipt',
  )
  const told = await database.ask(sql`
    select task_id from events where remark = '{"erased":true}' group by task_id having count(*) <> 1`)
  assert.deepEqual(told, [])
  const unfinished = await database.ask(sql`select id from erasures where finished_at is null`)
  assert.deepEqual(unfinished, [])
  await until('all receipts to be filed', async () => {
    const lines = (await readFile(join(WAYBILL_DATA, 'receipts.jsonl'), 'utf8').catch(() => '')).split('\n')
    const filed = new Set(lines.filter(Boolean).map((line) => JSON.parse(line).receipt))
    const known = await database.ask<{ receipt: string }>(sql`select receipt from erasures`)
    return known.every(({ receipt }) => filed.has(receipt))
  })
  tellNumbers(t, 'crash-erasure', { deaths: 2 * deaths, 'erased tasks': count })
})
