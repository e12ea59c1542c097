import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Pool } from 'undici'
import { largestWindow } from '../core/sending-window.ts'
import { triggers } from '../core/triggers.ts'
import { eventBody } from '../server/events/present.ts'
import type { EventRow } from '../server/events/record.ts'
import { aTask } from '../server/test/factories.ts'
import { makeSecret } from '../server/webhooks/sign.ts'
import {
  alternate,
  keepResults,
  onDatabase,
  printHeader,
  printRatios,
  quantile,
  withClient,
  withServer,
} from './measure.ts'
import { processorTimes, type Receiver, startReceiver, startWaybill } from './processes.ts'
import { findDatabase } from './stage.ts'

/*
 * How many webhooks are sent per second, how soon after the commit, and whether dead receivers slow down the others.
 * Waybill, PostgreSQL (durable), the receiver and this load generator share the machine; each is a separate process.
 */

const key = 'a-key-for-measuring-only'
const events = 10_000

interface Stage {
  /** Connected as superuser, to queue deliveries and to read commit times. */
  client: pg.Client
  databaseUrl: string
  organisationId: number
  apiUrl: string
}

export async function run(args: string[]) {
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  const results: Record<string, unknown> = {}
  await withServer(
    async ({ url, adminUrl }) => {
      printHeader('Webhooks', rounds)
      const api = await startWaybill('api', url, key)
      try {
        await withClient(onDatabase(adminUrl, 'waybill'), async (client) => {
          const { rows } = await client.query('select id from organisations')
          const stage: Stage = { client, databaseUrl: url, organisationId: rows[0].id, apiUrl: api.url }
          await makeEvents(stage)
          for (const [name, part] of Object.entries(parts)) {
            if (wanted.length > 0 && !wanted.includes(name)) continue
            await clear(stage)
            results[name] = await part(stage)
          }
        })
      } finally {
        await api.stop()
      }
    },
    // Latency is measured from the commit time recorded by PostgreSQL.
    { track_commit_timestamp: 'on' },
  )
  if (args.includes('--keep')) await keepResults('webhooks', results)
}

const parts = { throughput, latency, isolation }
const rounds = 4
/** No further round of a part begins after this time. */
const mostMs = 35_000

let made = 0
const anInput = () => {
  made += 1
  return aTask({ awb: `AWB-${made}`, details: 'Two boxes', customer: { name: 'Ana', phone: '0712 345 678' } })
}

async function post(pool: Pool, path: string, body: object) {
  const headers = { authorization: key, 'content-type': 'application/json' }
  const answer = await pool.request({ method: 'POST', path: `/api/v1${path}`, headers, body: JSON.stringify(body) })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
}

/** Tasks, each with its creation event, created by the API while no webhook listens. */
async function makeEvents({ apiUrl, client }: Stage) {
  const pool = new Pool(apiUrl, { connections: 1 })
  for (let n = 0; n < events; n += 1_000)
    await post(pool, '/tasks/bulkCreate', { tasks: Array.from({ length: 1_000 }, anInput) })
  await pool.close()
  await client.query('vacuum analyze')
}

/** Creates webhooks for these urls that listen to new tasks. Returns their ids in the order of the urls. */
export async function addWebhooks(
  { client, organisationId }: Pick<Stage, 'client' | 'organisationId'>,
  urls: string[],
): Promise<number[]> {
  const { rows } = await client.query<{ id: string }>(
    `with given as (
       select * from unnest($2::text[]) with ordinality as given (url, number)
     ), made as (
       insert into receivers (organisation_id, url, secret) select $1, url, $3 from given returning id, url
     ), listening as (
       insert into webhooks (organisation_id, receiver_id, trigger_id, verification)
       select $1, made.id, $4, 'reachable' from made
       returning id, receiver_id
     )
     select listening.id from listening
     join made on made.id = listening.receiver_id join given using (url)
     order by number`,
    [organisationId, urls, makeSecret(), triggers.TASK_CREATED.id],
  )
  return rows.map(({ id }) => Number(id))
}

/** Deletes everything of the previous measurement. */
async function clear({ client }: Stage) {
  await client.query('delete from webhooks')
  await client.query('delete from receivers')
  await client.query('truncate attempts')
  await client.query('vacuum analyze')
}

/** Queues the first events for each of these webhooks, as if they had just happened, in one commit. */
const queue = ({ client, organisationId }: Stage, webhookIds: number[], count: number) =>
  client.query(
    `with queued as (
       insert into deliveries (organisation_id, webhook_id, event_id, receiver_id, task_id, sequence)
       select $1, w.id, e.id, w.receiver_id, e.task_id, e.sequence
       from webhooks w, events e
       where w.organisation_id = $1 and w.id = any($2) and e.organisation_id = $1 and e.id <= $3
       order by e.id
     )
     select pg_notify('waybill_events', '0 ')`,
    [organisationId, webhookIds, count],
  )

export async function whenWritten({ client }: Pick<Stage, 'client'>, webhookIds: number[]) {
  for (;;) {
    const { rowCount } = await client.query('select from deliveries where webhook_id = any($1) limit 1', [webhookIds])
    if (rowCount === 0) return
    await sleep(5)
  }
}

/** How many per second arrive and are recorded as delivered. */
async function sendAll(stage: Stage, receiver: Receiver, webhookIds: number[], count: number): Promise<number> {
  const { arrived } = await receiver.expect(count * webhookIds.length)
  await queue(stage, webhookIds, count)
  const start = performance.now()
  await arrived
  await whenWritten(stage, webhookIds)
  return (count * webhookIds.length * 1000) / (performance.now() - start)
}

async function throughput(stage: Stage) {
  const receiver = await startReceiver(1)
  const webhookIds = await addWebhooks(stage, [`http://127.0.0.1:${receiver.ports[0]}/one`])
  const bodies = await readBodies(stage)
  const worker = await startWaybill('worker', stage.databaseUrl, key)
  const ways = {
    'bare undici': () => sendBare(receiver, bodies),
    waybill: () => sendAll(stage, receiver, webhookIds, events),
  }
  const processes = { api: worker, databasePid: await findDatabase(stage.client) }
  const before = processorTimes(processes)
  const names = Object.keys(ways) as (keyof typeof ways)[]
  const results = await alternate(names, rounds, (name) => ways[name as keyof typeof ways](), mostMs)
  const after = processorTimes(processes)
  await worker.stop()
  await receiver.stop()

  const { rows } = await stage.client.query(`select count(*) as logged from attempts where outcome = 'delivered'`)
  const sent = events * (results.get('waybill')!.length + 1)
  if (Number(rows[0].logged) !== sent) throw new Error(`Only ${rows[0].logged} of ${sent} attempts were logged`)
  const title = `${events} deliveries of ${Buffer.byteLength(bodies[0]!)} bytes to one url, signed, logged`
  printRatios(title, 'deliveries/s', 'bare undici', results)
  const [node, kernel, postgres] = (['node', 'kernel', 'postgres'] as const).map((name) =>
    ((after[name] - before[name]) / sent).toFixed(2),
  )
  console.log(
    `\nprocessor time of a delivery: the sender ${node} ms, ${kernel} of it the kernel's; PostgreSQL ${postgres} ms`,
  )
  return Object.fromEntries(results)
}

/** The bodies Waybill would send. */
async function readBodies({ client, organisationId }: Stage): Promise<string[]> {
  const { rows } = await client.query<EventRow>(
    'select * from events where organisation_id = $1 order by id limit $2',
    [organisationId, events],
  )
  return rows.map(({ task, ...event }) => eventBody(event, task!))
}

/** The limit: the same bodies, as many at once as Waybill sends to one url, neither signed nor recorded. */
async function sendBare(receiver: Receiver, bodies: string[]): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${receiver.ports[0]}`, { connections: largestWindow })
  const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_0_0_0' }
  const waiting = bodies.values()
  const { arrived } = await receiver.expect(bodies.length)
  const start = performance.now()
  const sendOn = async () => {
    for (const body of waiting) {
      const answer = await pool.request({ method: 'POST', path: '/one', headers, body })
      await answer.body.text()
    }
  }
  await Promise.all([arrived, ...Array.from({ length: largestWindow }, sendOn)])
  const rate = (bodies.length * 1000) / (performance.now() - start)
  await pool.close()
  return rate
}

const layouts = ['one process', 'api and worker'] as const
const loads = [
  { perSecond: 200, perCall: 1, made: 'POST /tasks' },
  // With one task per request, creating at this rate would leave two cores no time to deliver.
  { perSecond: 1_000, perCall: 10, made: 'bulkCreate of 10' },
]
const latencySeconds = 5

async function latency(stage: Stage) {
  const receiver = await startReceiver(1)
  await addWebhooks(stage, [`http://127.0.0.1:${receiver.ports[0]}/one`])
  const results = []
  console.log('\n### Commit → receiver, tasks made by the API\n')
  console.log('| events/s | made by | | reached | p50 ms | p99 ms | max ms |\n|---:|---|---|---:|---:|---:|---:|')
  for (const layout of layouts) {
    const waybill = await startWaybill(layout === 'one process' ? 'all' : 'worker', stage.databaseUrl, key)
    const apiUrl = layout === 'one process' ? waybill.url : stage.apiUrl
    for (const load of loads) {
      await createAtRate(apiUrl, { ...load, seconds: 1.5 })
      await sleep(500)
      await receiver.forget()
      const { rows } = await stage.client.query('select max(id) as last from events')
      const reached = await createAtRate(apiUrl, { ...load, seconds: latencySeconds })
      await sleep(500)
      const late = await readLatencies(stage, receiver, Number(rows[0].last))
      if (late.length === 0) continue
      const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(late, share)) as [number, number, number]
      results.push({ layout, ...load, reached, p50, p99, most })
      const numbers = [reached.toFixed(0), ...[p50, p99, most].map((ms) => ms.toFixed(1))].join(' | ')
      console.log(`| ${load.perSecond} | ${load.made} | ${layout} | ${numbers} |`)
    }
    await waybill.stop()
  }
  await receiver.stop()
  return results
}

interface Load {
  perSecond: number
  perCall: number
  seconds: number
}

/** Sends requests on schedule, even if earlier ones are not answered yet. Returns the rate that was reached. */
async function createAtRate(apiUrl: string, { perSecond, perCall, seconds }: Load): Promise<number> {
  const pool = new Pool(apiUrl, { connections: 64 })
  const calls: Promise<void>[] = []
  const start = performance.now()
  while (calls.length < (perSecond / perCall) * seconds) {
    const dueMs = (calls.length * perCall * 1000) / perSecond
    const earlyMs = dueMs - (performance.now() - start)
    if (earlyMs > 0) await sleep(earlyMs)
    const tasks = Array.from({ length: perCall }, anInput)
    calls.push(perCall === 1 ? post(pool, '/tasks', tasks[0]!) : post(pool, '/tasks/bulkCreate', { tasks }))
  }
  await Promise.all(calls)
  const reached = (calls.length * perCall * 1000) / (performance.now() - start)
  await pool.close()
  return reached
}

async function readLatencies({ client }: Stage, receiver: Receiver, after: number): Promise<number[]> {
  const { rows } = await client.query<{ id: string; at: number }>(
    `select id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at from events where id > $1`,
    [after],
  )
  const arrivedAt = new Map((await receiver.arrivals()).map(([eventId, , at]) => [eventId, at]))
  const missing = rows.filter(({ id }) => !arrivedAt.has(Number(id))).length
  if (missing > 0) console.log(`(${missing} of ${rows.length} had not arrived half a second after the last commit)`)
  return rows.flatMap(({ id, at }) => (arrivedAt.has(Number(id)) ? [arrivedAt.get(Number(id))! - at] : []))
}

const healthy = 900
const holes = 100
const stuckEach = 1_000
const eventsEach = 8
const trickle = { perSecond: 200, seconds: 4 }

/**
 * Each of the 1,000 receivers is a separate origin (a port), as in reality. Every measurement has its own worker:
 * otherwise attempts that hang for ten seconds would affect the next one.
 */
async function isolation(stage: Stage) {
  const receiver = await startReceiver(healthy + holes)
  const urls = receiver.ports.map((port, n) => `http://127.0.0.1:${port}/${n < healthy ? 'well' : 'hole'}`)
  const webhookIds = await addWebhooks(stage, urls)
  const wellIds = webhookIds.slice(0, healthy)
  const waits = new Map<string, number[]>()

  const measure = async (name: string) => {
    if (name === 'with black holes') await queue(stage, webhookIds.slice(healthy), stuckEach)
    const worker = await startWaybill('worker', stage.databaseUrl, key)
    await sleep(500)
    const rate = await sendAll(stage, receiver, wellIds, eventsEach)
    const wait = await trickleTo(stage, receiver, wellIds)
    waits.set(name, [...(waits.get(name) ?? []), quantile(wait, 0.99)])
    await worker.stop()
    await stage.client.query('delete from deliveries')
    return rate
  }
  const names = ['without', 'with black holes']
  const rates = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) rates.get(name)!.push(await measure(name))
  await receiver.stop()

  const circumstance = `${holes} black holes with ${holes * stuckEach} stuck deliveries`
  printRatios(`${healthy} healthy receivers, ${circumstance}: a backlog`, 'deliveries/s', 'without', rates)
  const title = `The same, ${trickle.perSecond} deliveries/s`
  printRatios(title, 'p99 ms', 'without', waits)
  return { rates: Object.fromEntries(rates), p99Ms: Object.fromEntries(waits) }
}

/** Queues one delivery at a time by SQL, for one receiver after another. Returns how long each took. */
async function trickleTo(stage: Stage, receiver: Receiver, webhookIds: number[]): Promise<number[]> {
  const count = trickle.perSecond * trickle.seconds
  const { arrived } = await receiver.expect(count)
  const queuedAt = new Map<number, number>()
  const start = performance.now()
  for (let n = 0; n < count; n += 1) {
    const earlyMs = (n * 1000) / trickle.perSecond - (performance.now() - start)
    if (earlyMs > 0) await sleep(earlyMs)
    const webhookId = webhookIds[n % webhookIds.length]!
    queuedAt.set(n, performance.timeOrigin + performance.now())
    await stage.client.query({
      name: 'trickle',
      text: `
        with queued as (
          insert into deliveries (organisation_id, webhook_id, event_id, receiver_id, task_id, sequence)
          select $1, w.id, e.id, w.receiver_id, e.task_id, e.sequence
          from webhooks w, events e
          where w.organisation_id = $1 and w.id = $2 and e.organisation_id = $1 and e.id = $3
        )
        select pg_notify('waybill_events', '0 ')`,
      values: [stage.organisationId, webhookId, stuckEach + n + 1],
    })
  }
  await arrived
  await whenWritten(stage, webhookIds)
  return (await receiver.arrivals()).map(([eventId, , at]) => at - queuedAt.get(eventId - stuckEach - 1)!)
}
