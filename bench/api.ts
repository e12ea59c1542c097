import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeCursor } from '../server/http/answers/cursor.ts'
import { listTaskIds } from '../server/tasks/list/queries.ts'
import { listAllEvents, listWithTimelines } from '../server/tasks/read/timeline.ts'
import { viewTasks } from '../server/tasks/read/view.ts'
import { capture } from './capture.ts'
import type { HttpWork, Statement } from './load.ts'
import { compare, keepResults, median } from './measure.ts'
import { hasPgbench, pgbench } from './pgbench.ts'
import { readMemory, startReceiver, startWaybill } from './processes.ts'
import { insertLike, readSample } from './raw.ts'
import { createMany, createOne, get } from './requests.ts'
import { call, key, makeDrivers, type Stage, warmUp, withStage, workOf } from './stage.ts'
import { addWebhooks, whenWritten } from './webhooks.ts'

/*
 * How fast the API answers, compared with the same rows and the same statements without it. Waybill, PostgreSQL (durable) and
 * the load generator share the machine; each is a separate process.
 */

const rounds = 4
const milliseconds = 2_000
const writers = 64
const readers = 16

const parts = { create, webhook, processes, overload, bulk, assign, page, awb, start }

export async function run(args: string[]) {
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  const results: Record<string, unknown> = {}
  await withStage('API', rounds, async (stage) => {
    await warmUp(stage)
    for (const [name, part] of Object.entries(parts))
      if (wanted.length === 0 || wanted.includes(name)) results[name] = await part(stage)
  })
  if (args.includes('--keep')) await keepResults('api', results)
}

const viaApi = async ({ load }: Stage, of: HttpWork, connections: number) =>
  (await load.ask({ connections, milliseconds, of })).perSecond

const viaSql = async ({ load, databaseUrl, organisationId }: Stage, reads: Statement[][], connections: number) =>
  (await load.ask({ connections, milliseconds, of: { databaseUrl, organisationId, reads } })).perSecond

/** By pgbench, if there is one. */
const viaPgbench = ({ databaseUrl, organisationId }: Stage, scripts: Statement[][], connections: number) =>
  hasPgbench ? { pgbench: () => pgbench({ databaseUrl, organisationId, connections, milliseconds, scripts }) } : {}

async function create(stage: Stage) {
  const sample = await readSample(stage.client, stage.organisationId)
  return compare(`POST /tasks, ${writers} connections`, 'tasks/s', 'one row a transaction', rounds, {
    'one row a transaction': () => viaSql(stage, [[insertLike(sample, 1)]], writers),
    ...viaPgbench(stage, [[insertLike(sample, 1)]], writers),
    'without the order of events': () => viaSql(stage, [[insertLike(sample, 1, false)]], writers),
    waybill: () => viaApi(stage, stage.work(createOne), writers),
  })
}

/** Deliveries are sent during the round; the next round waits for the rest. */
async function webhook(stage: Stage) {
  const receiver = await startReceiver(1)
  const worker = await startWaybill('worker', stage.databaseUrl, key)
  const webhookIds = await addWebhooks(stage, [`http://127.0.0.1:${receiver.ports[0]}/one`])
  const measure = async (isEnabled: boolean) => {
    await stage.client.query('update webhooks set is_enabled = $1', [isEnabled])
    const rate = await viaApi(stage, stage.work(createOne), writers)
    await whenWritten(stage, webhookIds)
    return rate
  }
  const result = await compare('POST /tasks with one webhook', 'tasks/s', 'without', rounds, {
    without: () => measure(false),
    'with a webhook': () => measure(true),
  })
  await stage.client.query('delete from webhooks')
  await worker.stop()
  await receiver.stop()
  return result
}

async function processes(stage: Stage) {
  const second = await startWaybill('api', stage.databaseUrl, key)
  const result = await compare('POST /tasks, two processes on one database', 'tasks/s', 'one process', rounds, {
    'one process': () => viaApi(stage, stage.work(createOne), writers),
    'two processes': () => viaApi(stage, workOf(stage.api.url, second.url)(createOne), writers),
  })
  await second.stop()
  return result
}

/** Ten times as many callers as at the peak, each sending the next request without a pause. */
async function overload(stage: Stage) {
  const refusalsMs: number[] = []
  const megabytes: number[] = []
  const statuses: Record<number, number> = {}
  const goodput = async (connections: number) => {
    const asked = await stage.load.ask({ connections, milliseconds, of: stage.work(createOne) })
    for (const [status, count] of Object.entries(asked.statuses))
      statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count
    if (asked.refusalP99Ms !== null) refusalsMs.push(asked.refusalP99Ms)
    megabytes.push((await readMemory(stage.api)).megabytes)
    const all = Object.values(asked.statuses).reduce((sum, count) => sum + count, 0)
    return (asked.perSecond * (asked.statuses[200] ?? 0)) / all
  }
  const compared = await compare(`POST /tasks, ${writers * 10} connections`, 'tasks/s', 'at the peak', rounds, {
    'at the peak': () => goodput(writers),
    'ten times as many': () => goodput(writers * 10),
  })
  const found = { statuses, refusalP99Ms: refusalsMs.length > 0 ? median(refusalsMs) : null, megabytes }
  console.log(`\n${JSON.stringify(found)}`)
  return { ...compared, ...found }
}

const bulkSize = 1_000

async function bulk(stage: Stage) {
  const sample = await readSample(stage.client, stage.organisationId)
  const raw = insertLike(sample, bulkSize)
  return compare(`bulkCreate of ${bulkSize}`, 'tasks/s', 'insert from unnest', rounds, {
    'insert from unnest': async () => bulkSize * (await viaSql(stage, [[raw]], 1)),
    waybill: async () => bulkSize * (await viaApi(stage, stage.work([createMany(bulkSize)]), 1)),
  })
}

/** Assigns unassigned tasks, all of them in one request. */
async function assign(stage: Stage) {
  const [driverId] = await makeDrivers(stage, 1)
  const tookMs: number[] = []
  for (let n = 0; n < 12; n += 1) {
    const body = createMany(bulkSize).body!.replaceAll('{next}', `assign-${n}`)
    const { results } = await call(stage, 'POST', '/tasks/bulkCreate', body)
    const tasks = results.map(({ data }: { data: { id: number } }) => data.id)
    const begun = performance.now()
    await call(stage, 'POST', `/drivers/${driverId}/tasks/bulkAssign`, JSON.stringify({ tasks }))
    if (n > 1) tookMs.push(performance.now() - begun)
  }
  console.log(`\n### Assigning ${bulkSize} tasks in one call\n\n${tookMs.map((ms) => ms.toFixed(0)).join(', ')} ms`)
  return { tookMs }
}

const pages = 40

/** Creates tasks through the API, so that there is something to read. */
async function readTasks(stage: Stage, count: number) {
  const read = async () =>
    (
      await stage.client.query<{ id: string; awb: string }>(
        `select id, awb from tasks where awb not like 'R-%' order by id limit ${count}`,
      )
    ).rows.map(({ id, awb }) => ({ id: Number(id), awb }))
  for (let n = 0; (await read()).length < count; n += 1)
    await call(stage, 'POST', '/tasks/bulkCreate', createMany(bulkSize).body!.replaceAll('{next}', `read-${n}`))
  await stage.client.query('vacuum analyze')
  return read()
}

async function page(stage: Stage) {
  const { organisationId } = stage
  const ids = (await readTasks(stage, pages * 100)).map(({ id }) => id)
  const starts = Array.from({ length: pages - 1 }, (_, n) => n * 100)
  const reads = await Promise.all(
    starts.map((start) =>
      capture(async (db) => {
        await listTaskIds(db, organisationId, {}, { id: ids[start]! - 1, isNewestFirst: false }, 101)
        await viewTasks(db, organisationId, ids.slice(start, start + 100))
        await listAllEvents(db, organisationId, ids.slice(start, start + 100))
      }),
    ),
  )
  const requests = starts.map((start) => get(`/tasks?limit=100&cursor=${encodeCursor(ids[start]! - 1)}`))
  return compareReads(stage, 'GET /tasks, a page of 100', 'pages/s', requests, reads)
}

async function awb(stage: Stage) {
  const { organisationId } = stage
  const rows = await readTasks(stage, 400)
  const reads = await Promise.all(
    rows.slice(0, 50).map(({ awb }) =>
      capture(async (db) => {
        await listWithTimelines(db, organisationId, 'awb', [awb])
      }),
    ),
  )
  const requests = rows.map(({ awb }) => get(`/tasks/awb/${awb}`))
  return compareReads(stage, 'GET /tasks/awb/:awb', 'tasks/s', requests, reads)
}

const compareReads = (
  stage: Stage,
  title: string,
  unit: string,
  requests: ReturnType<typeof get>[],
  reads: Statement[][],
) =>
  compare(`${title}, ${readers} connections`, unit, 'the same SQL', rounds, {
    'the same SQL': () => viaSql(stage, reads, readers),
    ...viaPgbench(stage, reads, readers),
    waybill: () => viaApi(stage, stage.work(requests), readers),
  })

/** With its own data folder and PostgreSQL. */
const compiled = join(import.meta.dirname, '../node_modules/.cache/waybill')

async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-start-'))
  // The very first start has no database and no compiled code.
  await rm(compiled, { recursive: true, force: true })
  const seconds: number[] = []
  for (let n = 0; n < 6; n += 1) {
    const begun = performance.now()
    const waybill = await startWaybill('all', '', key, { WAYBILL_DATA: folder })
    seconds.push((performance.now() - begun) / 1_000)
    await waybill.stop()
  }
  await rm(folder, { recursive: true })
  const [first, ...warm] = seconds
  console.log(
    `\n### Start to ready\n\nfirst ${first!.toFixed(1)} s, then ${warm.map((s) => s.toFixed(2)).join(', ')} s`,
  )
  return { first, warm }
}
