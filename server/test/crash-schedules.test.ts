import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { addDays } from '../../core/day-range.ts'
import { type Sql, sql } from '../db/sql.ts'
import { cleanUpOf } from './clean-up.ts'
import { startProcess } from './crash.ts'
import { makeDatabase } from './database.ts'
import { aTask } from './factories.ts'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'
import { patienceMs, until } from './until.ts'

/*
 * Whenever a process is killed while it makes the tasks of regular work, each day has its task in the end, and one. Each round kills it
 * once where it would hurt most, after the tasks were written and before it is noted which days they are for, and once at any moment.
 */

const rounds = amountsOf('crash-schedules').rounds
const random = seededRandom(seedOr(20_261_119))
const key = 'crash-suite-key-of-the-first-organisation'
const [daysOfEach, atOnce] = [10, 4]
/** Tomorrow or the day after in any zone: a midnight during the test changes nothing. */
const first = addDays(new Date().toISOString().slice(0, 10), 2)

async function makeSchedules(url: string, round: string) {
  for (let at = 0; at < atOnce; at += 1) {
    const name = `${round}${at}`
    const repeats = { every: 'day' }
    const rule = { repeats, from: first, until: addDays(first, daysOfEach - 1), daysAhead: 30 }
    const response = await fetch(`${url}/api/v1/schedules`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify({ name, task: aTask(), awbPrefix: name, ...rule }),
      signal: AbortSignal.timeout(patienceMs),
    })
    assert.ok(response.ok, await response.text())
  }
}

test('a process killed while it makes the tasks of regular work leaves no day without its task, and none with two', async (t) => {
  const cleanUp = cleanUpOf(t)
  const WAYBILL_DATA = await mkdtemp(join(tmpdir(), 'waybill-crash-schedules-'))
  cleanUp.defer(() => rm(WAYBILL_DATA, { recursive: true, force: true }))
  const { url: databaseUrl, drop } = await makeDatabase()
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options: '-c waybill.organisation=0' })
  // Its end does not wait until the database has said goodbye, and that is dropped then.
  pool.on('error', () => {})
  cleanUp.defer(() => pool.end().then(drop))
  const ask = async ({ text, values }: Sql) => (await pool.query(text, values as unknown[])).rows
  const start = () => startProcess(databaseUrl, { WAYBILL_API_KEY: key, WAYBILL_DATA, WAYBILL_GEOCODER: 'off' })
  let server = await start()
  cleanUp.defer(() => server.kill())
  const restart = async () => {
    await server.kill()
    assert.deepEqual(await ask(halfMade), [], 'a task and its day are there together, or neither')
    server = await start()
  }
  const made = async () => (await ask(sql`select count(*)::int as count from schedule_days`))[0].count as number
  let inTheMiddle = 0

  for (let round = 0; round < rounds; round += 1) {
    const before = await made()
    const held = await pool.connect()
    try {
      // Days can be read and not be written.
      await held.query('begin; lock table schedule_days in share mode')
      await makeSchedules(server.url, `HELD${round}-`)
      await until(
        'the tasks of a schedule to be written, and its days to wait',
        async () => (await ask(waiting)).length > 0,
      )
      await server.kill()
    } finally {
      await held.query('rollback')
      held.release()
    }
    await until('what the dead process has begun to be undone', async () => (await ask(waiting)).length === 0)
    assert.equal(await made(), before)
    await restart()

    await makeSchedules(server.url, `ANY${round}-`)
    await pause(random() * 1_500)
    await server.kill()
    const left = (round + 1) * 2 * atOnce * daysOfEach - (await made())
    if (left > 0 && left < 2 * atOnce * daysOfEach) inTheMiddle += 1
    await restart()
    await until('everything to be made', async () => (await made()) >= (round + 1) * 2 * atOnce * daysOfEach)
  }

  assert.deepEqual(await ask(halfMade), [])
  const wanted = Array.from({ length: daysOfEach }, (_, at) => addDays(first, at))
  const schedules = await ask(sql`
    select s.name, array_agg(d.day order by d.day) as days, array_agg(t.awb order by d.day) as awbs,
      count(e.id)::int as told
    from schedules s
    join schedule_days d on d.organisation_id = s.organisation_id and d.schedule_id = s.id
    join tasks t on t.organisation_id = d.organisation_id and t.id = d.task_id
    join events e on e.organisation_id = t.organisation_id and e.task_id = t.id and e.trigger_id = 4
    group by s.name`)
  assert.equal(schedules.length, rounds * 2 * atOnce)
  for (const { name, days, awbs, told } of schedules) {
    assert.deepEqual(days, wanted, name)
    assert.deepEqual(
      awbs,
      wanted.map((day) => `${name}-${day.replaceAll('-', '')}`),
      'no number was added because a task was there already',
    )
    assert.equal(told, daysOfEach, 'each task was told once')
  }
  const [{ count }] = await ask(sql`select count(*)::int as count from tasks where schedule_id is not null`)
  assert.equal(count, rounds * 2 * atOnce * daysOfEach)
  tellNumbers(t, 'crash-schedules', { deaths: 2 * rounds, 'in the middle': rounds + inTheMiddle, tasks: count })
})

/** Who waits to write days. */
const waiting = sql`
  select l.pid from pg_locks l
  where l.relation = 'schedule_days'::regclass and not l.granted`

/** Tasks without their day, and days without their task. */
const halfMade = sql`
  select t.id as task_id, d.day
  from (select * from tasks where schedule_id is not null) t
  full join schedule_days d on d.organisation_id = t.organisation_id and d.task_id = t.id
  where t.id is null or d.task_id is null`
