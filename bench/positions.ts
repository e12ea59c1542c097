import { sql } from '../server/db/sql.ts'
import { columnList, unnest } from '../server/db/table.ts'
import { locations } from '../server/drivers/positions.ts'
import type { Request, Statement } from './load.ts'
import { compare, keepResults, printRatios } from './measure.ts'
import { startLoad, startWaybill } from './processes.ts'
import { call, key, makePhones, type Phone, type Stage, withStage } from './stage.ts'

/*
 * A thousand phones that report where they are, in batches of some minutes, while a worker computes when each of their
 * drivers arrives at five tasks. The limit is the same rows as SQL: one insert a batch into the same table, without the
 * newest position of each driver, which the API keeps too.
 */

const rounds = 3
const phones = 1_000
const connections = 64
/** Positions in a batch: of a phone that is online, and of one that was not for half an hour. */
const sizes = [20, 100]
/** What each phone sends in a round. Long enough that a process that has just started does not count for much. */
const batchesEach = 5
const tasksEach = 5
const historyRows = 2_000_000
/** Every phone every 15 seconds, with fifteen positions. */
const calmly = { everyMs: 15, size: 15 }

export async function run(args: string[]) {
  const results: Record<string, unknown> = {}
  await withStage('Positions', rounds, async (stage) => {
    const made = await makePhones(stage, phones)
    await giveTasks(stage, made)
    await stage.client.query('update users set in_shift = true where is_driver')
    await stage.client.query('vacuum analyze')
    const worker = await startWaybill('worker', stage.databaseUrl, key)
    try {
      await measureAll(stage, made, results)
    } finally {
      await worker.stop()
    }
  })
  if (args.includes('--keep')) await keepResults('positions', results)
}

async function measureAll(stage: Stage, made: Phone[], results: Record<string, unknown>) {
  for (const size of sizes) {
    const title = `POST /driver/locations, ${phones} phones, ${size} positions a batch`
    results[`positions${size}`] = await compare(title, 'positions/s', 'one insert a batch', rounds, {
      'one insert a batch': () => viaSql(stage, made, size),
      waybill: () => viaApi(stage, made, size),
    })
  }
  results['latency'] = await compare('GET /tasks/:taskId, half the time', 'requests/s of one client', 'alone', rounds, {
    alone: () => readTasks(stage),
    'while all phones report every 15 s': () => whileReporting(stage, made, () => readTasks(stage)),
  })
  await measureHistory(stage, made, results)
  const { rows } = await stage.client.query('select count(*)::int as count from tasks where eta_at is not null')
  console.log(`\n${rows[0].count} of ${phones * tasksEach} tasks have an arrival`)
}

/** The same before and after: the second half of the rounds has a long history behind it. */
async function measureHistory(stage: Stage, made: Phone[], results: Record<string, unknown>) {
  const before: number[] = []
  const after: number[] = []
  for (let round = 0; round < rounds; round += 1) before.push(await viaApi(stage, made, 20))
  await stage.client.query(
    `insert into locations (organisation_id, driver_id, occurred_at, lat, lng)
     select $1, d.id, now() - interval '4 hours' - n * interval '1 second', 44.4, 26.1
     from (select id from users where is_driver) d, generate_series(1, $2::int / $3::int) n`,
    [stage.organisationId, historyRows, phones],
  )
  // What loading the rows left for the disk to do is no cost of a long history.
  await stage.client.query('vacuum analyze')
  await stage.client.query('checkpoint')
  for (let round = 0; round < rounds; round += 1) after.push(await viaApi(stage, made, 20))
  const values = { 'short history': before, [`${historyRows.toLocaleString('en')} positions`]: after }
  results['history'] = { title: 'The same with a history', unit: 'positions/s', reference: 'short history', values }
  printRatios('The same with a history', 'positions/s', 'short history', new Map(Object.entries(values)))
}

/** Five tasks for each driver, around the city. */
async function giveTasks(stage: Stage, made: Phone[]) {
  for (let n = 0; n < tasksEach; n += 1) {
    const tasks = made.map(({ driverId }, index) => ({
      userId: driverId,
      address: {
        address: `Stop ${n}`,
        lat: 44.35 + ((index * 7 + n) % 100) / 500,
        lng: 26 + ((index + n * 13) % 90) / 500,
      },
    }))
    await call(stage, 'POST', '/tasks/bulkCreate', JSON.stringify({ tasks }))
  }
}

/** What a page asks for again and again, by one client. */
async function readTasks(stage: Stage): Promise<number> {
  const { rows } = await stage.client.query<{ id: string }>('select id from tasks order by id limit 100')
  const requests = rows.map(({ id }): Request => ({ method: 'GET', path: `/api/v1/tasks/${id}` }))
  const load = startLoad()
  try {
    const { p50Ms } = await load.ask({ connections: 1, milliseconds: 3_000, of: stage.work(requests) })
    return 1_000 / p50Ms
  } finally {
    await load.stop()
  }
}

/** Phones report in turn, as many at a time as makes all of them in their interval. */
async function whileReporting(stage: Stage, made: Phone[], work: () => Promise<number>): Promise<number> {
  let turn = 0
  const sent = new Set<Promise<unknown>>()
  const timer = setInterval(() => {
    const { token } = made[turn++ % made.length] as Phone
    const body = bodyOf(calmly.size)
    const headers = { authorization: token, 'content-type': 'application/json' }
    const one = fetch(`${stage.api.url}/api/v1/driver/locations`, { method: 'POST', headers, body })
      .then((answer) => answer.text())
      .finally(() => sent.delete(one))
    sent.add(one)
  }, calmly.everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await Promise.all(sent)
  }
}

let driven = 0
const begun = Date.now() - 3_600_000

/** What every phone sends next. Ten positions a second, so that all rounds fit into the hour before. */
const nextBatch = (size: number) =>
  Array.from({ length: size }, () => {
    driven += 1
    return { lat: 44.4 + driven / 100_000, lng: 26.1, at: new Date(begun + driven * 100) }
  })

/** One list of work for each connection. */
const dealt = <Work>(all: Work[]): Work[][] =>
  Array.from({ length: connections }, (_, place) => all.filter((__, index) => index % connections === place))

const bodyOf = (size: number) =>
  JSON.stringify({
    locations: nextBatch(size).map(({ lat, lng, at }) => ({
      lat,
      lng,
      occurredAt: at.toISOString(),
      accuracyMetres: 8,
      speedMetresPerSecond: 11,
      heading: 90,
      battery: 71,
    })),
  })

async function viaApi(stage: Stage, made: Phone[], size: number): Promise<number> {
  const path = '/api/v1/driver/locations'
  const requests = Array.from({ length: batchesEach }, () => bodyOf(size)).flatMap((body) =>
    made.map(({ token }): Request => ({ method: 'POST', path, body, key: token })),
  )
  const lists = dealt(requests).map((part) => ({ key: '', requests: part }))
  return requireKept(stage, size, async () => {
    const { perSecond, statuses } = await stage.load.work({ url: stage.api.url, lists })
    if (statuses[200] !== requests.length) throw new Error(`Answers: ${JSON.stringify(statuses)}`)
    return perSecond * size
  })
}

const columns = Object.keys(locations.columns) as (keyof typeof locations.columns)[]

async function viaSql(stage: Stage, made: Phone[], size: number): Promise<number> {
  const { databaseUrl, organisationId } = stage
  const statements = Array.from({ length: batchesEach }, () => nextBatch(size)).flatMap((batch) =>
    made.map(({ driverId }): Statement => {
      const rows = batch.map(({ lat, lng, at }) => ({
        organisation_id: organisationId,
        driver_id: driverId,
        occurred_at: at,
        lat,
        lng,
        accuracy_metres: 8,
        speed_metres_per_second: 11,
        heading: 90,
        battery: 71,
      }))
      const { text, values } = sql`
        insert into locations (${columnList(columns)}) select * from ${unnest(locations, columns, rows)}`
      return { text, values }
    }),
  )
  return requireKept(stage, size, async () => {
    const { perSecond } = await stage.load.work({ databaseUrl, organisationId, lists: dealt(statements) })
    return perSecond * size
  })
}

/** A number counts only if everything was kept. */
async function requireKept({ client }: Stage, size: number, work: () => Promise<number>): Promise<number> {
  const count = async () => (await client.query('select count(*)::int as kept from locations')).rows[0].kept as number
  const before = await count()
  const perSecond = await work()
  const kept = (await count()) - before
  if (kept !== phones * batchesEach * size) throw new Error(`Only ${kept} positions were kept`)
  return perSecond
}
