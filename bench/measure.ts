import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../server/db/db.ts'
import { type EmbeddedDatabase, startEmbedded } from '../server/db/embedded.ts'

/* What all measurements use: a separate durable database, alternating rounds, tables. */

/**
 * A new embedded PostgreSQL with the settings of the product, deleted afterwards. With WAYBILL_BENCH_FOLDER it is in
 * that folder and stays: a database that took long to fill can be measured again.
 */
export async function withServer(
  work: (server: EmbeddedDatabase) => Promise<void>,
  settings: Record<string, string> = { max_connections: '400' },
) {
  const { WAYBILL_BENCH_FOLDER: kept } = process.env
  const folder = kept ?? (await mkdtemp(join(os.tmpdir(), 'waybill-bench-')))
  const server = await startEmbedded({ folder, log: () => {}, settings })
  const leave = async () => {
    await server.stop()
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leave().then(() => process.exit(1)))
  try {
    await work(server)
  } catch (error) {
    // Printed now, because errors of connections that break when the server stops would hide it.
    console.error(error)
    process.exitCode = 1
  } finally {
    await leave()
  }
}

/** The url of another database on the same server. */
export function onDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const open = (url: string, connections: number, role?: string) =>
  openDatabase({ url, connections, role, onIdleError: () => {} })

export interface Timed {
  perSecond: number
  /** The duration of each counted one. */
  tookMs: number[]
}

/** Repeats `work` with this many workers, after a warm-up that is not counted. `work` gets the worker's number. */
export async function timeAll(
  atOnce: number,
  milliseconds: number,
  work: (place: number) => Promise<unknown>,
): Promise<Timed> {
  const warmUp = milliseconds / 4
  const start = performance.now()
  const tookMs: number[] = []
  const repeat = async (_: unknown, place: number) => {
    for (let now = start; now - start < warmUp + milliseconds; ) {
      await work(place)
      const done = performance.now()
      if (done - start > warmUp) tookMs.push(done - now)
      now = done
    }
  }
  await Promise.all(Array.from({ length: atOnce }, repeat))
  return { perSecond: (tookMs.length * 1000) / (performance.now() - start - warmUp), tookMs }
}

/** How often per second this many workers complete `work`. */
export const perSecond = async (atOnce: number, milliseconds: number, work: () => Promise<unknown>): Promise<number> =>
  (await timeAll(atOnce, milliseconds, work)).perSecond

/**
 * Measures everything once per round, each round starting with another one, so that a disturbance of the machine
 * affects all. A round before the first is not counted: it opens connections and plans statements.
 */
export async function alternate(
  names: readonly string[],
  rounds: number,
  measure: (name: string) => Promise<number>,
  /** No round begins later than this, however few there were: on a busy machine they take longer. */
  mostMs = Number.POSITIVE_INFINITY,
) {
  const latest = performance.now() + mostMs
  const results = new Map<string, number[]>(names.map((name) => [name, []]))
  for (const name of names) await measure(name)
  for (let round = 0; round < rounds && (round === 0 || performance.now() < latest); round += 1) {
    const shift = round % names.length
    for (const name of [...names.slice(shift), ...names.slice(0, shift)]) results.get(name)!.push(await measure(name))
  }
  return results
}

/** Ratios are taken within a round. The one shown is the median of the rounds, with the lowest and the highest. */
export function printRatios(title: string, unit: string, reference: string, results: Map<string, number[]>) {
  const limits = results.get(reference)!
  console.log(`\n### ${title}\n\n| | ${unit} | ratio | lowest to highest |\n|---|---:|---:|---:|`)
  for (const [name, values] of results) {
    const ratios = values.map((value, round) => value / limits[round]!)
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
    console.log(`| ${name} | ${median(values).toFixed(0)} | ${median(ratios).toFixed(2)} | ${spread} |`)
  }
}

/** Numbers of one run, as they are kept. */
export interface Comparison {
  title: string
  unit: string
  /** What the others are compared with, round by round. */
  reference: string
  values: Record<string, number[]>
}

/** Measures these in alternating rounds and prints how they compare. */
export async function compare(
  title: string,
  unit: string,
  reference: string,
  rounds: number,
  ways: Record<string, () => Promise<number>>,
): Promise<Comparison> {
  const results = await alternate(Object.keys(ways), rounds, (name) => ways[name]!())
  printRatios(title, unit, reference, results)
  return { title, unit, reference, values: Object.fromEntries(results) }
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** The value that this share of all values does not exceed. */
export const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

const source = ['--', ':!bench/results', ':!docs']

export type Circumstances = ReturnType<typeof lookAround>
let known: Circumstances | undefined

/** The machine and version a result belongs to, read once at the start. */
export const circumstances = (): Circumstances => (known ??= lookAround())

function lookAround() {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  return {
    machine: `${os.cpus().length} × ${os.cpus()[0]?.model} ${os.arch()}, Node ${process.versions.node}, ${os.release()}`,
    // Uncommitted results, and the page made from them, do not count as a changed version.
    commit:
      git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', ...source) ? ' and uncommitted changes' : ''),
    date: `${new Date().toISOString().slice(0, 16)} UTC`,
    /** The load before we begin: other programs may be running. */
    load: os.loadavg()[0]!.toFixed(1),
  }
}

export function printHeader(title: string, rounds: number) {
  const { machine, commit, date, load } = circumstances()
  console.log(`## ${title}\n\n${machine}\ncommit ${commit}, ${date}, load ${load}, ${rounds} alternating rounds`)
}

const folder = join(import.meta.dirname, 'results')

/** The saved results of one bench: each part with the machine and version it was measured on. */
export type Kept = Record<string, Circumstances & { results: unknown }>

export const readKept = (name: string): Kept => {
  const file = join(folder, `${name}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Saves results for docs/performance.md. Parts that were not measured this time stay as they are. */
export async function keepResults(name: string, results: object) {
  await mkdir(folder, { recursive: true })
  const kept = readKept(name)
  for (const [part, found] of Object.entries(results)) kept[part] = { ...circumstances(), results: found }
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(kept, rounded, 2)}\n`)
}

/** More than four digits would be noise. */
const rounded = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
