import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Sql, sql } from '../db/sql.ts'
import { cleanUpOf } from './clean-up.ts'
import { startDurable, startGate, startProcess } from './crash.ts'
import { makeDatabase } from './database.ts'
import { aTask } from './factories.ts'
import { startMailServer } from './mail-server.ts'
import { amountsOf, nights, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'
import { answer, type Behaviour, late, reset, startReceiver } from './receiver.ts'
import { patienceMs, until } from './until.ts'

/*
 * Whatever is killed, and however the providers of SMS and email behave, they get at most one message for each cause; and
 * the log says of every cause what became of it. A provider that takes a message and then answers badly counts as one that
 * got it.
 */

const rounds = amountsOf('crash-messages').deaths
const seed = seedOr(1)
const tasksInARound = 8
/** The long form has two processes, which take over from each other, and a database that is killed, too. */
const isLong = nights > 0
const key = 'crash-suite-key-of-the-first-organisation'

/** One of its own takes longer to create than everything else in the short form. */
async function startDatabase() {
  if (!isLong) {
    const { url, drop } = await makeDatabase()
    const pool = new pg.Pool({ connectionString: url, max: 1, options: '-c waybill.organisation=0' })
    // Its end does not wait until the database has said goodbye, and that is dropped then.
    pool.on('error', () => {})
    return {
      url,
      ask: async ({ text, values }: Sql) => (await pool.query(text, values as unknown[])).rows,
      // Others use it, too.
      die: async () => {},
      stop: () => pool.end().then(drop),
    }
  }
  const durable = await startDurable()
  const gate = await startGate(durable)
  return {
    url: gate.url,
    ask: durable.ask,
    async die() {
      durable.kill()
      await durable.startAgain()
    },
    stop: () => gate.close().then(durable.stop),
  }
}

async function call(url: string, method: string, path: string, body?: object, token = key) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: token, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  })
  assert.ok(response.ok, `${method} ${path} answered ${response.status}`)
  // biome-ignore lint/suspicious/noExplicitAny: the shapes are checked elsewhere
  return (await response.json()) as any
}

/** Every other one has only an email address. */
const aCustomer = (number: number) => ({
  name: 'Customer',
  ...(number % 2 === 0
    ? { phone: `07301${String(number).padStart(5, '0')}` }
    : { email: `customer-${number}@example.org` }),
})

const deaths = ['all of it', 'the servers', 'the database'] as const

/** Taken, but the answer comes after the time-out, or never. */
const tooLate: Behaviour = late(2_500, answer(200))
const slow: Behaviour = late(400, answer(200))

test('a provider gets at most one message for each cause, whatever dies', async (t) => {
  const cleanUp = cleanUpOf(t)
  // The order in which messages arrive must not decide who dies.
  const [chooseMood, chooseDeath] = [seededRandom(seed), seededRandom(seed + 1)]
  const folder = await mkdtemp(join(tmpdir(), 'waybill-crash-messages-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const provider = await startReceiver(t)
  const moods: Behaviour[] = [answer(200), answer(200), slow, slow, tooLate, reset, answer(503), answer(400)]
  /** What was certainly refused does not count as a message. */
  const taken: string[] = []
  provider.always((request, response) => {
    const mood = moods[Math.floor(chooseMood() * moods.length)] as Behaviour
    if (mood !== moods[6] && mood !== moods[7]) taken.push((request.body as { id: string }).id)
    mood(request, response)
  })
  let areMailsTaken = false
  /** In all kinds of ways the server answers, does not answer or hangs up after it has the mail; or refuses it. */
  const mail = await startMailServer(t, (line, socket, text) => {
    if (line !== '.') return undefined
    const mood = areMailsTaken ? 0 : Math.floor(chooseMood() * 8)
    if (mood === 6) return '451 later'
    if (mood === 7) return '554 no'
    taken.push(/^Message-ID: <(.*)@/m.exec(text)?.[1] as string)
    if (mood < 2) return '250 queued'
    if (mood === 5) socket.destroy()
    if (mood < 4) setTimeout(() => socket.destroyed || socket.write('250 queued\r\n'), 400).unref()
    return ''
  })
  const template = join(folder, 'sms.json')
  const gateway = { url: `http://127.0.0.1:${provider.port}/sms`, body: { to: '{to}', text: '{text}', id: '{id}' } }
  await writeFile(template, JSON.stringify({ ...gateway, timeoutSeconds: 1 }))

  const database = await startDatabase()
  cleanUp.defer(database.stop)
  const environment = {
    WAYBILL_API_KEY: key,
    WAYBILL_DATA: folder,
    WAYBILL_GEOCODER: 'off',
    WAYBILL_SMTP_URL: `smtp://127.0.0.1:${mail.port}?timeout=1`,
    WAYBILL_SMTP_FROM: 'curier@example.org',
  }
  const start = () => startProcess(database.url, { ...environment, WAYBILL_SMS: `gateway:${template}` })
  const startAll = () => Promise.all(Array.from({ length: isLong ? 2 : 1 }, start))
  let servers = await startAll()
  cleanUp.defer(async () => void (await Promise.all(servers.map((server) => server.kill()))))
  const url = () => (servers[0] as (typeof servers)[number]).url

  const settings = { messageOnItsWay: true, messageQuietFrom: '00:00', messageQuietUntil: '00:00' }
  await call(url(), 'PUT', '/company', { settings })
  const { team } = await call(url(), 'POST', '/teams', { name: 'North' })
  const driver = { name: 'Ana', phone: '0712345678', teams: [team.id] }
  const { user } = await call(url(), 'POST', '/drivers', driver)
  const { code } = await call(url(), 'POST', `/drivers/${user.id}/invite`)
  const { token } = await call(url(), 'POST', '/driver/login', { phone: driver.phone, code })

  let caused = 0
  for (let round = 0; round < rounds; round += 1) {
    const tasks = Array.from({ length: tasksInARound }, (_, index) => ({
      customer: aCustomer(round * tasksInARound + index),
    }))
    for (const given of tasks) {
      const { task } = await call(url(), 'POST', '/tasks', aTask({ ...given, userId: user.id }))
      await call(url(), 'POST', `/driver/tasks/${task.id}/start`, {}, token)
      caused += 1
    }
    // In the middle of sending.
    await pause(Math.floor(chooseDeath() * 600))
    const death = isLong ? deaths[round % deaths.length] : 'the servers'
    if (death !== 'the database') await Promise.all(servers.map((server) => server.kill()))
    if (death !== 'the servers') await database.die()
    if (death !== 'the database') servers = await startAll()
    await until('the server to be ready', async () => (await fetch(`${url()}/ready`)).ok)
  }

  const rows = async () =>
    (await database.ask(sql`select id::text, state from messages`)) as { id: string; state: string }[]
  // What was refused is tried again soon instead of in minutes.
  const hurry = () => database.ask(sql`update messages set due_at = now() where state = 'waiting' and claim is null`)
  const ended = await until(
    'every message to have an outcome',
    async () => {
      await hurry()
      const all = await rows()
      return all.length === caused && all.every(({ state }) => state !== 'waiting' && state !== 'sending') && all
    },
    300,
  )

  const counts = new Map<string, number>()
  for (const id of taken) counts.set(id, (counts.get(id) ?? 0) + 1)
  const twice = [...counts].filter(([, count]) => count > 1)
  assert.deepEqual(twice, [], `seed ${seed}`)
  const idOf = (id: string) => `waybill-1-${id}`
  for (const { id, state } of ended) {
    assert.ok(['sent', 'unknown', 'failed'].includes(state), state)
    // What is told as sent was taken; what is told as failed was not.
    if (state === 'sent') assert.ok(counts.has(idOf(id)), `${id} is told as sent`)
    if (state === 'failed') assert.ok(!counts.has(idOf(id)), `${id} is told as failed`)
  }
  const { messages } = await call(url(), 'GET', '/messages?state=unknown')
  assert.equal(messages.length, ended.filter(({ state }) => state === 'unknown').length)

  // Only a person sends such a message again.
  provider.always((request, response) => {
    taken.push((request.body as { id: string }).id)
    response.end()
  })
  areMailsTaken = true
  const before = taken.length
  for (const { id } of messages) await call(url(), 'POST', `/messages/${id}/retry`)
  await until(
    'the unknown ones to be sent',
    async () => (await rows()).every(({ state }) => state !== 'unknown' && state !== 'waiting' && state !== 'sending'),
    300,
  )
  assert.equal(taken.length - before, messages.length)
  tellNumbers(t, 'crash-messages', {
    deaths: rounds,
    messages: caused,
    'taken by providers': counts.size,
    'sent again by hand': messages.length,
  })
})
