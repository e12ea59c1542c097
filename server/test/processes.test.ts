import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { triggers } from '../../core/triggers.ts'
import { type Database, openDatabase } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import {
  type Account,
  accountFor,
  countsOf,
  findDamage,
  findDoubles,
  findInversions,
  hurry,
  openArrivals,
  type Process,
  startProcess,
} from './crash.ts'
import { makeEmptyDatabase } from './database.ts'
import { aTask } from './factories.ts'
import { amountsOf, tellNumbers } from './proofs.ts'
import { answer, late, startReceiver } from './receiver.ts'
import { request } from './server.ts'
import { until } from './until.ts'

/*
 * Two real API processes and two real workers that share only a database. The short version kills one of each.
 */

const amounts = amountsOf('processes')
const rounds = amounts['killed pairs']
const key = 'processes-suite-key-of-the-first-organisation'
const organisationId = 1
const roles = ['api', 'api', 'worker', 'worker'] as const
/** So that a test can reach it with few requests. Writers who reach it wait a little. */
const perSecond = 50

const cleanUp = new AsyncDisposableStack()
after(() => cleanUp.disposeAsync())
let databaseUrl: string
let database: Database
let place: Process[]

const start = (role: 'api' | 'worker') =>
  startProcess(databaseUrl, {
    WAYBILL_ROLE: role,
    WAYBILL_API_KEY: key,
    WAYBILL_RATE_LIMIT: String(perSecond),
    WAYBILL_TRUST_PROXY: 'true',
  })

const running = (role: (typeof roles)[number]) => place.filter((one, index) => roles[index] === role && one.isRunning())

/** Replaces processes that an earlier test has ended, until this many are running. */
async function need(role: (typeof roles)[number], count: number): Promise<Process[]> {
  let missing = count - running(role).length
  const mustStart = (one: Process, index: number) => roles[index] === role && !one.isRunning() && missing-- > 0
  const replace = async (one: Process, index: number) => {
    if (mustStart(one, index)) place[index] = await start(role)
  }
  await Promise.all(place.map(replace))
  return running(role)
}

before(async () => {
  const made = await makeEmptyDatabase()
  cleanUp.defer(made.drop)
  databaseUrl = made.url
  place = await Promise.all(roles.map((role) => start(role)))
  cleanUp.defer(async () => {
    await Promise.all(place.map((one) => one.kill()))
  })
  const role = await migrate(databaseUrl, () => {})
  database = openDatabase({ url: databaseUrl, role, connections: 3, onIdleError: () => {} })
  cleanUp.defer(database.close)
})

const ask = <Row extends object>(query: Parameters<Database['everyone']['many']>[0]) =>
  database.everyone.many<Row>(query)

const call = (url: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  request(url, method, `/api/v1${path}`, { key, body, headers })

test('four processes that start at once on an empty database prepare it once', async () => {
  const [counts] = await ask<{ migrations: number; organisations: number; keys: number }>(sql`
    select (select count(*)::int from migrations) as migrations,
      (select count(*)::int from organisations) as organisations, (select count(*)::int from keys) as keys`)
  assert.ok((counts?.migrations ?? 0) >= 6)
  assert.deepEqual([counts?.organisations, counts?.keys], [1, 1])
  for (const [index, { url }] of place.entries()) {
    assert.equal((await request(url, 'GET', '/ready')).status, 200)
    const { status } = await fetch(`${url}/api/v1/company`, { headers: { authorization: key } })
    assert.equal(status, roles[index] === 'api' ? 200 : 404, 'who works in the background does not answer')
  }
})

test('a key revoked at one process works nowhere a second later, and a setting is seen everywhere', async (t) => {
  const [one, other] = (await need('api', 2)) as [Process, Process]
  const { body } = await call(one.url, 'POST', '/keys', { name: 'Short-lived' })
  const { id, secret } = body.key
  const works = async () => (await request(other.url, 'GET', '/api/v1/company', { key: secret })).status !== 401
  assert.ok(await works())
  await call(one.url, 'DELETE', `/keys/${id}`)
  const begun = performance.now()
  await until('the key to stop working', async () => !(await works()))
  const revokedMs = performance.now() - begun

  const settings = { accentColor: '#123456' }
  await call(one.url, 'PUT', '/company', { settings })
  const changedAt = performance.now()
  const isSeen = async () =>
    (await call(other.url, 'GET', '/company')).body.company.settings.accentColor === settings.accentColor
  await until('the setting to be seen', isSeen)
  const seenMs = performance.now() - changedAt
  t.diagnostic(`revoked after ${revokedMs.toFixed(0)} ms, seen after ${seenMs.toFixed(0)} ms`)
})

test('a limit holds for both processes together, and so does the one for wrong keys', async (t) => {
  const limited = await need('api', 2)
  const begun = performance.now()
  let allowed = 0
  let refused = 0
  const insist = async (url: string) => {
    // Without a common limit this many pass at once.
    while (allowed < 3 * perSecond) {
      const { status } = await call(url, 'GET', '/webHooks')
      if (status === 200) allowed += 1
      else refused += 1
      await sleep(40)
    }
  }
  await Promise.all(limited.flatMap(({ url }) => [insist(url), insist(url), insist(url)]))
  const due = perSecond * (1 + (performance.now() - begun) / 1_000)
  const overshoot = limited.length * (perSecond / 10)
  t.diagnostic(`${allowed} allowed, ${refused} refused; due were ${due.toFixed(0)}, and ${overshoot} may come on top`)
  assert.ok(allowed <= due + overshoot, `${allowed} of ${due}`)

  let guesses = 0
  const guess = async (url: string) => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    return (await request(url, 'GET', '/api/v1/webHooks', { key: `wrong key ${guesses} of a stranger`, headers }))
      .status
  }
  while ((await guess(limited[guesses % 2]!.url)) === 401) guesses += 1
  assert.ok(guesses >= 18 && guesses <= 20 + 2 * 2 + 1, `${guesses} wrong keys were looked at`)
})

/** Creates tasks, one after the other, until stopped; acknowledged ones are in `made`. */
function startWriter(name: string, create: (awb: string) => Promise<void>) {
  const made: string[] = []
  let isStopping = false
  const writing = (async () => {
    for (let count = 1; !isStopping; count += 1) {
      const awb = `${name}-${count}`
      await create(awb)
      made.push(awb)
      // Enough that something is always under way; more would only slow down the processes that are starting.
      await sleep(amounts['ms between writes'])
    }
  })()
  writing.catch(() => {})
  return {
    made,
    async stop() {
      isStopping = true
      await writing
      return made
    },
  }
}

/** Waits until every writer has created some more tasks. */
async function untilWritten(writers: readonly { made: string[] }[], more = 3) {
  const goals = writers.map(({ made }) => made.length + more)
  await until('the writers to go on', () => writers.every(({ made }, index) => made.length >= goals[index]!))
}

test('whichever process is killed under load, nothing is lost, doubled or out of order', async (t) => {
  const [api] = (await need('api', 2)) as [Process]
  const receiver = await startReceiver()
  t.after(receiver.close)
  const { body } = await call(api.url, 'POST', '/webHooks', {
    url: receiver.url,
    trigger: triggers.TASK_CREATED.id,
  })
  const { id, secret } = body.webHook
  const edited = await call(api.url, 'POST', '/webHooks', {
    url: receiver.url,
    trigger: triggers.TASK_UPDATED.id,
  })
  const [{ bornAfter } = { bornAfter: 0 }] = await ask<{ bornAfter: number }>(sql`
    select last_event_id as "bornAfter" from event_counters where organisation_id = ${organisationId}`)
  const arrivals = openArrivals(() => [secret])
  const complaints: string[] = []
  receiver.always((received, response) => {
    receiver.requests.length = 0
    try {
      arrivals.accepts(arrivals.add(received))
    } catch (error) {
      complaints.push(String(error))
    }
    answer(200)(received, response)
  })

  let repeated = 0
  const insist = async (method: string, path: string, body: object, idempotencyKey: string) => {
    for (let attempts = 0; attempts < 500; attempts += 1) {
      const url = place[Math.floor(Math.random() * 2)]!.url
      const reply = await call(url, method, path, body, { 'idempotency-key': idempotencyKey }).catch((error) => {
        if (!/^(ECONN|EPIPE$|UND_ERR_SOCKET$)/.test(error.code)) throw error
      })
      if (reply?.status === 200) return
      const isWait = !reply || [429, 503].includes(reply.status) || reply.body.error.code === 'IDEMPOTENCY_IN_PROGRESS'
      if (!isWait) throw new Error(`${reply.status} ${reply.text}`)
      repeated += 1
      await sleep(20)
    }
    throw new Error('No answer ever came')
  }
  const writers = ['ann', 'bob', 'cleo'].map((name) =>
    startWriter(name, async (awb) => {
      await insist('POST', '/tasks', aTask({ awb }), `create ${awb}`)
      await insist('PUT', `/tasks/awb/${awb}`, { details: awb }, `edit ${awb}`)
    }),
  )
  for (let round = 0; round < rounds; round += 1) {
    const victim = round % 2
    await Promise.all([need('api', 2), need('worker', 2)])
    await untilWritten(writers)
    await place[victim]!.kill()
    await untilWritten(writers, 1)
    await place[2 + victim]!.kill()
    await untilWritten(writers, 1)
  }
  const made = (await Promise.all(writers.map((writer) => writer.stop()))).flat()

  const isAllSent = async () => {
    await ask(hurry)
    return (await ask(sql`select from deliveries`)).length === 0
  }
  await until('everything to be sent', isAllSent, 150)
  assert.deepEqual(complaints, [])
  assert.deepEqual(await ask(findDamage(organisationId)), [])
  assert.deepEqual(await ask(findDoubles(organisationId)), [])
  const rows = await ask<{ awb: string }>(sql`select awb from tasks where organisation_id = ${organisationId}`)
  assert.deepEqual(rows.map(({ awb }) => awb).sort(), made.toSorted(), 'what was answered is there, and nothing else')
  const subscriptions = [
    { id, path: '/hook', trigger: triggers.TASK_CREATED.id, bornAfter },
    { id: edited.body.webHook.id, path: '/hook', trigger: triggers.TASK_UPDATED.id, bornAfter },
  ]
  assert.equal(countsOf(await ask<Account>(accountFor(organisationId, subscriptions))).delivered, made.length * 2)
  assert.equal(arrivals.all().length, made.length * 2, 'the receiver has all of it')
  assert.deepEqual(findInversions(arrivals.all()), [])
  tellNumbers(t, 'processes', { deaths: rounds * 2, tasks: made.length, 'requests repeated': repeated })
  for (const webhook of [body, edited.body])
    await call(running('api')[0]!.url, 'DELETE', `/webHooks/${webhook.webHook.id}`)
})

test('stopped workers finish running deliveries and leave the rest to others', async (t) => {
  const [api] = (await need('api', 1)) as [Process]
  const workers = await need('worker', 1)
  const receiver = await startReceiver()
  t.after(receiver.close)
  receiver.always(late(700, answer(200)))
  await call(api.url, 'POST', '/webHooks', { url: receiver.url, trigger: triggers.TASK_CREATED.id })
  const tasks = Array.from({ length: 20 }, (_, number) => aTask({ awb: `LATE-${number}` }))
  await call(api.url, 'POST', '/tasks/bulkCreate', { tasks })
  await receiver.waitFor(2)
  for (const code of await Promise.all(workers.map((worker) => worker.stop()))) assert.equal(code, 0)
  const left = await ask<{ claim: string | null; attempts: number }>(sql`select claim, attempts from deliveries`)
  assert.ok(left.length > 0 && left.length <= 18, `${left.length} are left`)
  assert.ok(left.every(({ claim, attempts }) => claim === null && attempts === 0))

  receiver.always(answer(200))
  await need('worker', 1)
  await until('the rest to be sent', async () => (await ask(sql`select from deliveries`)).length === 0)
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
  assert.deepEqual([ids.length, new Set(ids).size], [20, 20], 'each of them once')
})

test('an API process stopped under load finishes its requests, and callers need at most a retry', async (t) => {
  await need('api', 2)
  let retried = 0
  const create = (home: number) => async (awb: string) => {
    for (let attempts = 0; attempts < 500; attempts += 1) {
      const url = place[(home + attempts) % 2]!.url
      const reply = await call(url, 'POST', '/tasks', aTask({ awb })).catch((error) => {
        // An idle connection may close just as a request is sent on it. Had the request been begun, the next try would
        // be answered AWB_TAKEN.
        const neverBegun = ['ECONNREFUSED', 'UND_ERR_SOCKET']
        if (!neverBegun.includes(error.code)) throw new Error(`${awb}: ${error}`)
      })
      if (reply?.status === 200) return
      if (reply && ![429, 503].includes(reply.status)) throw new Error(`${reply.status} ${reply.text}`)
      retried += 1
      await sleep(10)
    }
    throw new Error('No answer ever came')
  }
  const writers = Array.from({ length: amounts['writers while one stops'] }, (_, number) =>
    startWriter(`stop-${number}`, create(number % 2)),
  )
  const tookMs: number[] = []
  for (let index = 0; index < amounts['stopped processes']; index += 1) {
    await need('api', 2)
    await untilWritten(writers)
    const begun = performance.now()
    assert.equal(await place[index]!.stop(), 0)
    tookMs.push(Math.round(performance.now() - begun))
    await untilWritten(writers, 1)
  }
  const made = (await Promise.all(writers.map((writer) => writer.stop()))).flat()
  const [stored] = await ask<{ count: number }>(sql`
    select count(*)::int as count from tasks where organisation_id = ${organisationId} and awb like 'stop-%'`)
  assert.equal(stored?.count, made.length)
  t.diagnostic(`stopped within ${tookMs.join(', ')} ms`)
  tellNumbers(t, 'processes', { stops: tookMs.length, 'tasks meanwhile': made.length, retries: retried })
})
