import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { encodeCursor } from '../server/http/answers/cursor.ts'
import type { Request } from './load.ts'
import { alternate, type Comparison, keepResults, median, onDatabase, withClient } from './measure.ts'
import { read, requireAlike } from './peers-alike.ts'
import { processorTimes, type Running, startService } from './processes.ts'
import { createMany, createOne, get } from './requests.ts'
import { call, key, type Stage, withStage } from './stage.ts'

/*
 * Waybill beside what a team would write: Express and Sequelize on the same PostgreSQL, once by a team that knows what costs
 * time (peers/lean.js), once as most write it (peers/typical.js). They keep and answer a whole task as Waybill does, with its
 * driver, team, notes, dependencies and companies, and record an event with the task as it was, in the same transaction.
 *
 * peers-alike.ts refuses services whose answers differ.
 *
 * What they do not do, and Waybill does: keep events in an order without gaps, and queue them for webhooks; words to search
 * by; row-level security; keys that make a repeated request safe; phones as numbers of a country; places looked up for
 * addresses; partners who see the same task in their own way; tell open consoles that something changed; metrics. They lack
 * the columns that only such work needs, and most indexes of its lists.
 */

const usualRounds = 4
const milliseconds = 3_000
const writers = 64
const readers = 16
const bulkSize = 1_000
const pages = 40
/** For the pages, and so that the customers are known. */
const filled = pages * 100

const folder = join(import.meta.dirname, 'peers')
const peerNames = ['lean', 'typical'] as const

interface Service {
  api: Running
  /** On its database. */
  client: pg.Client
  cursorOf(id: number): string
}
type Services = Record<string, Service>

interface Asked {
  perSecond: number
  requests: number
}
type Ask = (name: string) => Promise<Asked>

export async function run(args: string[]) {
  const rounds = Number(/--rounds=(\d+)/.exec(args.join(' '))?.[1] ?? usualRounds)
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  install()
  const results: Record<string, unknown> = {}
  await withStage('Beside Express and Sequelize', rounds, (stage) =>
    withPeers(stage, async (services) => {
      const { waybill, ...peers } = await mapServices(services, async ({ api }) => api)
      await requireAlike(waybill!, peers)
      await fill(services)
      for (const [name, part] of Object.entries(parts))
        if (wanted.length === 0 || wanted.includes(name)) results[name] = await part(stage, services, rounds)
    }),
  )
  if (args.includes('--keep')) await keepResults('peers', results)
}

/** They are no dependencies of ours, so only who wants this measurement fetches them. */
function install() {
  const done = join(folder, 'node_modules/.package-lock.json')
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const isThere = ([name, version]: [string, unknown]) =>
    JSON.parse(readFileSync(done, 'utf8')).packages[`node_modules/${name}`]?.version === version
  if (existsSync(done) && Object.entries(dependencies).every(isThere)) return
  console.log('Installing Express and Sequelize into bench/peers, for this measurement only.')
  try {
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1']
    execFileSync('npm', ['ci', ...quiet], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    console.error('npm could not fetch the packages of bench/peers: this measurement needs the npm registry once.')
    process.exit(1)
  }
}

async function withPeers(stage: Stage, work: (services: Services) => Promise<void>) {
  const { api, client } = stage
  const services: Services = { waybill: { api, client, cursorOf: (id) => encodeCursor(id) } }
  const { company } = await read(api, '/company')
  const start = async ([name, ...others]: readonly string[]): Promise<void> => {
    if (!name) return work(services)
    await client.query(`create database ${name} owner ${new URL(stage.databaseUrl).username}`)
    const databaseUrl = onDatabase(stage.databaseUrl, name)
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      API_KEY: key,
      SETTINGS: JSON.stringify(company.settings),
    }
    const peer = await startService(name, [join(folder, `${name}.js`)], env)
    try {
      await withClient(databaseUrl, (client) => {
        services[name] = { api: peer, client, cursorOf: String }
        return start(others)
      })
    } finally {
      await peer.stop()
    }
  }
  await start(peerNames)
}

async function mapServices<Result>(services: Services, work: (service: Service) => Promise<Result>) {
  const results: Record<string, Result> = {}
  for (const [name, service] of Object.entries(services)) results[name] = await work(service)
  return results
}

const fill = (services: Services) =>
  mapServices(services, async ({ api, client }) => {
    for (let n = 0; n < filled / bulkSize; n += 1)
      await call({ api }, 'POST', '/tasks/bulkCreate', createMany(bulkSize).body!.replaceAll('{next}', `read-${n}`))
    await client.query('vacuum analyze')
  })

const parts = {
  create: (stage: Stage, services: Services, rounds: number) => {
    const create = () => createOne
    return compareAll(`POST /tasks, ${writers} connections`, stage, services, rounds, byAll(create, writers))
  },
  awb: (stage: Stage, services: Services, rounds: number) => {
    const requests = Array.from({ length: 400 }, (_, n) => get(`/tasks/awb/read-${n % 4}-${n * 2}`))
    const read = () => requests
    return compareAll(`GET /tasks/awb/:awb, ${readers} connections`, stage, services, rounds, byAll(read, readers))
  },
  page: async (stage: Stage, services: Services, rounds: number) => {
    const pagesOf = await mapServices(services, async ({ client, cursorOf }) => {
      const { rows } = await client.query<{ id: string }>("select id from tasks where awb like 'read-%' order by id")
      const starts = Array.from({ length: pages - 1 }, (_, n) => Number(rows[n * 100]!.id) - 1)
      return starts.map((start) => get(`/tasks?limit=100&cursor=${cursorOf(start)}`))
    })
    const read = (name: string) => pagesOf[name]!
    const title = `GET /tasks, a page of 100, ${readers} connections`
    return compareAll(title, stage, services, rounds, byAll(read, readers))
  },
  bulk: (stage: Stage, services: Services, rounds: number) =>
    compareAll(`POST /tasks/bulkCreate of ${bulkSize}, 1 connection`, stage, services, rounds, oneByOne),
}

type Way = (stage: Stage, services: Services) => Ask

const byAll =
  (requestsOf: (name: string) => Request[], connections: number): Way =>
  ({ load }, services) =>
  async (name) => {
    const of = { urls: [services[name]!.api.url], key, requests: requestsOf(name) }
    const { perSecond, statuses } = await load.ask({ connections, milliseconds, of })
    return { perSecond, requests: countGood(name, statuses) }
  }

/** A set may take as long as a round, so a round is so many sets, the same for every round of a service. */
function oneByOne({ load }: Stage, services: Services): Ask {
  const counts: Record<string, number> = {}
  let made = 0
  return async (name) => {
    const bodies = Array.from({ length: counts[name] ?? 2 }, () => createMany(bulkSize))
    const requests = bodies.map((one) => ({ ...one, body: one.body!.replaceAll('{next}', `set-${++made}`) }))
    const { perSecond, statuses } = await load.work({ url: services[name]!.api.url, lists: [{ key, requests }] })
    counts[name] ??= Math.max(2, Math.ceil((perSecond * milliseconds) / 1_000))
    return { perSecond, requests: countGood(name, statuses) }
  }
}

function countGood(name: string, { 200: good = 0, ...others }: Record<number, number>): number {
  if (Object.keys(others).length > 0) throw new Error(`${name} answered with ${JSON.stringify(others)}`)
  return good
}

/** Of a request: of Node and of PostgreSQL. */
type Spent = Record<'node' | 'postgres', number>

async function compareAll(title: string, stage: Stage, services: Services, rounds: number, way: Way) {
  const askOne = way(stage, services)
  const spent = Object.fromEntries(Object.keys(services).map((name): [string, Spent[]] => [name, []]))
  const values = await alternate(Object.keys(services), rounds, async (name) => {
    const of = { api: services[name]!.api, databasePid: stage.databasePid }
    const before = processorTimes(of)
    const { perSecond, requests } = await askOne(name)
    const after = processorTimes(of)
    const each = (kind: keyof Spent) => (after[kind] - before[kind]) / requests
    spent[name]!.push({ node: each('node'), postgres: each('postgres') })
    return perSecond
  })
  // The first is the round that is not counted.
  const timesOf = (name: string, kind: keyof Spent) => median(spent[name]!.slice(1).map((one) => one[kind]))
  const processorMs = Object.fromEntries(
    Object.keys(services).map((name) => [name, { node: timesOf(name, 'node'), postgres: timesOf(name, 'postgres') }]),
  )
  const found = { title, unit: 'requests/s', reference: 'waybill', values: Object.fromEntries(values), processorMs }
  printBeside(found)
  return found
}

/** How many times as many requests ours answers, taken within a round: the median of the rounds, lowest to highest. */
function printBeside({ title, unit, values, processorMs }: Comparison & { processorMs: Record<string, Spent> }) {
  const ours = values['waybill']!
  const head = `| | ${unit} | ours to it | lowest to highest | node ms a request | PostgreSQL ms a request |`
  console.log(`\n### ${title}\n\n${head}\n|---|---:|---:|---:|---:|---:|`)
  for (const [name, rates] of Object.entries(values)) {
    const ratios = rates.map((rate, round) => ours[round]! / rate)
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
    const { node, postgres } = processorMs[name]!
    const cells = [median(rates).toFixed(median(rates) < 10 ? 2 : 0), median(ratios).toFixed(2), spread]
    console.log(`| ${[name, ...cells, node.toFixed(2), postgres.toFixed(2)].join(' | ')} |`)
  }
}
