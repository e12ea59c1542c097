import { randomUUID } from 'node:crypto'
import type { EmbeddedDatabase } from '../server/db/embedded.ts'
import { encodeCursor } from '../server/http/answers/cursor.ts'
import { dropEndedTasks } from '../server/tasks/retention.ts'
import { createStore } from '../server/webhooks/sending/store.ts'
import { fill, openTasks } from './fill.ts'
import type { Request } from './load.ts'
import {
  alternate,
  type Comparison,
  compare,
  keepResults,
  median,
  open,
  printHeader,
  withClient,
  withServer,
} from './measure.ts'
import { startLoad } from './processes.ts'
import { createOne, get } from './requests.ts'
import { type Stage, warmUp, withWaybill } from './stage.ts'
import { addWebhooks } from './webhooks.ts'

/*
 * What gets slower with more data: the same requests to a Waybill with ten thousand tasks and to one with a million, on
 * one PostgreSQL, in turn. `growth fill` only fills (with WAYBILL_BENCH_FOLDER, for later); `growth NAME…` measures
 * only these, `--rounds=N` more often.
 */

const sizes = { 'ten thousand': 10_000, 'a million': 1_000_000 }
type Size = keyof typeof sizes
const usualRounds = 3
const milliseconds = 700
const connections = 4
const onAPage = 100
/** With ten thousand tasks, each of the hundred drivers has about two pages of this size. */
const onADriversPage = 40

export async function run(args: string[]) {
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  const rounds = Number(/--rounds=(\d+)/.exec(args.join(' '))?.[1] ?? usualRounds)
  const settings = { max_connections: '400', max_wal_size: '16GB', checkpoint_timeout: '30min' }
  await withServer(async (server) => {
    printHeader('Growth', rounds)
    const load = startLoad()
    for (const size of Object.keys(sizes) as Size[]) await ensureFilled(server, size, load)
    if (!wanted.includes('fill'))
      await withWaybill(server, databaseOf['ten thousand'], load, (small) =>
        withWaybill(server, databaseOf['a million'], load, async (large) => {
          const isOnlyDropping = wanted.length === 1 && wanted[0] === 'dropping'
          const results = {
            ...(!isOnlyDropping && {
              requests: await measureAll({ 'ten thousand': small, 'a million': large }, wanted, rounds),
            }),
            ...((isOnlyDropping || wanted.length === 0) && { dropping: await measureDropping(large, rounds) }),
          }
          if (args.includes('--keep')) await keepResults('growth', results)
        }),
      )
    await load.stop()
  }, settings)
}

const databaseOf: Record<Size, string> = { 'ten thousand': 'waybill', 'a million': 'waybill_large' }

async function ensureFilled(server: EmbeddedDatabase, size: Size, load: Stage['load']) {
  const name = databaseOf[size]
  await withClient(server.adminUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${name} owner waybill`)
  })
  await withWaybill(server, name, load, async (stage) => {
    const { rows } = await stage.client.query<{ filled: boolean }>('select count(*) > 5000 as filled from tasks')
    if (rows[0]!.filled) return
    const begun = performance.now()
    await warmUp(stage)
    await fill(stage, sizes[size])
    console.log(`${sizes[size]} tasks filled in ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
  })
}

type Stages = Record<Size, Stage>

async function measureAll(stages: Stages, wanted: string[], rounds: number) {
  const results: Record<string, Comparison> = {}
  console.log(`\n| | ${Object.keys(sizes).join(' | ')} | cost | lowest to highest |\n|---|---:|---:|---:|---:|`)
  const requests = { small: await requestsOf(stages['ten thousand']), large: await requestsOf(stages['a million']) }
  for (const title of Object.keys(requests.small)) {
    if (wanted.length > 0 && !wanted.some((word) => title.includes(word))) continue
    const measure = async (size: string) => {
      const { load, work } = stages[size as Size]
      const asked = requests[size === 'a million' ? 'large' : 'small'][title]!
      const { perSecond, statuses } = await load.ask({ connections, milliseconds, of: work(asked) })
      if (Object.keys(statuses).some((status) => status !== '200'))
        throw new Error(`${title}: ${JSON.stringify(statuses)}`)
      return perSecond
    }
    results[title] = print(title, await alternate(Object.keys(sizes), rounds, measure))
  }
  const claims = 'claim of 100 deliveries'
  if (wanted.length === 0 || wanted.some((word) => claims.includes(word)))
    results[claims] = print(
      claims,
      await alternate(Object.keys(sizes), rounds, (size) => claimRate(stages[size as Size])),
    )
  return results
}

function print(title: string, values: Map<string, number[]>): Comparison {
  const [small, large] = [...values.values()] as [number[], number[]]
  const costs = small.map((rate, round) => rate / large[round]!)
  const spread = `${Math.min(...costs).toFixed(2)} to ${Math.max(...costs).toFixed(2)}`
  const numbers = [median(small).toFixed(0), median(large).toFixed(0), median(costs).toFixed(2), spread]
  console.log(`| ${title} | ${numbers.join(' | ')} |`)
  return { title, unit: 'requests/s', reference: 'ten thousand', values: Object.fromEntries(values) }
}

/** The requests by name; many of each, so that they do not all read the same row. */
async function requestsOf({ client }: Stage): Promise<Record<string, Request[]>> {
  const all = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows
  const [range] = await all<{ first: number; last: number; event: number }>(
    `select min(id)::float8 as first, max(id)::float8 as last, (select max(last_event_id)::float8 from event_counters) as event
     from tasks where awb like 'G-%'`,
  )
  const { first, last, event } = range!
  const driverIds = (await all<{ id: string }>('select id from users where is_driver order by id')).map(({ id }) => id)
  const open = await all<{ id: string }>(
    `select id from tasks where status_id in (1, 6) and awb like 'G-%' order by id limit 1000`,
  )
  const [team] = await all<{ id: string }>('select id from teams order by id limit 1')
  const times = Array.from({ length: 50 }, (_, n) => n)
  const page = (afterId: number) => `limit=${onAPage}&cursor=${encodeCursor(Math.floor(afterId))}`
  const between = (from: number, to: number) => from + Math.random() * (to - from)
  const far = () => page(between(last - openTasks - 2_000, last - openTasks - onAPage))
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const driversTasks = (query: string) =>
    driverIds.map((id) => get(`/drivers/${id}/tasks?limit=${onADriversPage}${query}`))
  return {
    'POST /tasks': createOne,
    'GET /tasks, first page': times.map((n) => get(`/tasks?${page(first + n)}`)),
    'GET /tasks, last page': times.map(() => get(`/tasks?${far()}`)),
    'GET /tasks?statusId=1': times.map(() => get(`/tasks?statusId=1&limit=${onAPage}`)),
    'GET /tasks?statusId=6,7': times.map(() => get(`/tasks?statusId=6,7&limit=${onAPage}`)),
    'GET /tasks?statusId=9, last page': times.map(() => get(`/tasks?statusId=9&${far()}`)),
    'GET /tasks?statusId=10': times.map((n) => get(`/tasks?statusId=10&${page(first + n)}`)),
    'GET /tasks?userId': driverIds.map((id) => get(`/tasks?userId=${id}&limit=${onADriversPage}`)),
    'GET /tasks?teamId': times.map(() => get(`/tasks?teamId=${team!.id}&limit=${onAPage}`)),
    'GET /tasks of a day': times.map(() => get(`/tasks?from=${ago(49)}&to=${ago(25)}&limit=${onAPage}`)),
    'GET /tasks since yesterday': times.map(() => get(`/tasks?from=${ago(24)}&limit=${onAPage}`)),
    'GET /tasks?updatedAfter': times.map((n) => get(`/tasks?updatedAfter=${ago(6 + n / 100)}&limit=${onAPage}`)),
    'GET /tasks?awb': times.map((n) => get(`/tasks?awb=G-${n * 150 + 1}`)),
    'GET /tasks/awb/:awb': times.map(() => get(`/tasks/awb/G-${Math.ceil(between(0, last - first))}`)),
    'GET /tasks/:taskId': times.map(() => get(`/tasks/${Math.floor(between(first, last))}`)),
    "a driver's tasks": driversTasks(''),
    "a driver's open tasks": driversTasks('&statusId=6,7'),
    'GET /drivers': [get('/drivers')],
    'assign a task': open.map(({ id }, n) => ({
      method: 'POST',
      path: `/api/v1/drivers/${driverIds[n % driverIds.length]}/tasks/bulkAssign`,
      body: JSON.stringify({ tasks: [Number(id)] }),
    })),
    'GET /events, oldest': times.map((n) => get(`/events?after=${encodeCursor(n * onAPage)}`)),
    'GET /events, newest': times.map((n) => get(`/events?after=${encodeCursor(event - onAPage * (n + 2))}`)),
  }
}

const queued = 2_000

/** A worker's claim with two thousand waiting deliveries; each claim is released at once. */
async function claimRate(stage: Stage): Promise<number> {
  const { client, organisationId, databaseUrl } = stage
  await client.query('delete from deliveries')
  await client.query('delete from webhooks')
  await client.query('delete from receivers')
  const [webhookId] = await addWebhooks(stage, ['http://127.0.0.1:9/claims'])
  await client.query(
    `insert into deliveries (organisation_id, webhook_id, event_id, receiver_id, task_id, sequence)
     select $1, w.id, e.id, w.receiver_id, e.task_id, e.sequence
     from webhooks w, (select * from events where organisation_id = $1 order by id desc limit ${queued}) e
     where w.id = $2`,
    [organisationId, webhookId],
  )
  await client.query('analyze deliveries')
  const database = open(databaseUrl, 1)
  const store = createStore(database.everyone)
  const begun = performance.now()
  let claims = 0
  for (; performance.now() - begun < milliseconds; claims += 1) {
    const claimed = await store.claim(randomUUID(), 100, new Map(), [])
    if (claimed.length === 0) throw new Error('There was nothing to claim')
    await store.release(claimed)
  }
  const rate = (claims * 1_000) / (performance.now() - begun)
  await database.close()
  await client.query('delete from webhooks')
  return rate
}

/** Whether creating gets slower while the oldest tasks are deleted, as by the worker but without its pauses. */
async function measureDropping({ load, work, organisationId, databaseUrl, client }: Stage, rounds: number) {
  const { rows } = await client.query<{ before: Date }>(
    `select min(updated_at) + (max(updated_at) - min(updated_at)) / 3 as before from tasks where awb like 'G-%'`,
  )
  const database = open(databaseUrl, 1)
  const db = database.of(organisationId)
  const droppedPerSecond: number[] = []
  const create = async () => (await load.ask({ connections: 16, milliseconds: 3_000, of: work(createOne) })).perSecond
  const createWhileDropping = async () => {
    const begun = performance.now()
    let [dropped, isOver] = [0, false]
    const dropping = (async () => {
      while (!isOver) dropped += await dropEndedTasks(db, organisationId, rows[0]!.before, 200)
    })()
    const rate = await create()
    isOver = true
    await dropping
    droppedPerSecond.push((dropped * 1_000) / (performance.now() - begun))
    return rate
  }
  const compared = await compare('POST /tasks with a million tasks', 'tasks/s', 'without', rounds, {
    without: create,
    'old ones being dropped': createWhileDropping,
  })
  await database.close()
  console.log(`\n${median(droppedPerSecond).toFixed(0)} tasks dropped a second`)
  return { ...compared, droppedPerSecond }
}
