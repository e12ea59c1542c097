import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../server/db/db.ts'
import { type EmbeddedDatabase, startEmbedded } from '../server/db/embedded.ts'

/* What measurements share: a durable database of their own, alternating rounds, tables. */

/** A fresh embedded PostgreSQL with the settings of the product, gone afterwards. */
export async function withServer(
  work: (server: EmbeddedDatabase) => Promise<void>,
  settings: Record<string, string> = { max_connections: '400' },
) {
  const folder = await mkdtemp(join(os.tmpdir(), 'waybill-bench-'))
  // Started by root, PostgreSQL runs under another account, and a folder closed to that one would be left for another.
  await chmod(folder, 0o755)
  const server = await startEmbedded({ folder, log: () => {}, settings })
  const leave = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave)
  try {
    await work(server)
  } catch (error) {
    // Said at once: connections that break when the server stops would otherwise have the last word.
    console.error(error)
    process.exitCode = 1
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same server, another database of it. */
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

/** How often `work` gets done in a second by so many at once, after a while that is not counted. */
export async function perSecond(atOnce: number, milliseconds: number, work: () => Promise<unknown>): Promise<number> {
  const warmUp = milliseconds / 4
  const start = performance.now()
  let done = 0
  const repeat = async () => {
    while (performance.now() - start < warmUp + milliseconds) {
      await work()
      if (performance.now() - start > warmUp) done += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, repeat))
  return (done * 1000) / (performance.now() - start - warmUp)
}

/**
 * Measures everything once a round, each round starting with another one: what disturbs the machine disturbs all.
 * A round before the first is not counted: it opens connections and plans statements.
 */
export async function alternate(
  names: readonly string[],
  rounds: number,
  measure: (name: string) => Promise<number>,
  /** No round begins later than this, however few there were: on a busy machine they take long. */
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

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** The value that so large a share of all of them does not exceed. */
export const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

/** Without these a number says nothing. */
export function circumstances() {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  return {
    machine: `${os.cpus().length} × ${os.cpus()[0]?.model} ${os.arch()}, Node ${process.versions.node}, ${os.release()}`,
    commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? ' and uncommitted changes' : ''),
    date: `${new Date().toISOString().slice(0, 16)} UTC`,
    /** Of the last minute, before we begin: others work here too. */
    load: os.loadavg()[0]!.toFixed(1),
  }
}

export function printHeader(title: string, rounds: number) {
  const { machine, commit, date, load } = circumstances()
  console.log(`## ${title}\n\n${machine}\ncommit ${commit}, ${date}, load ${load}, ${rounds} alternating rounds`)
}

/** Results that matter, for docs/performance.md to show. */
export async function keepResults(name: string, results: object) {
  const folder = join(import.meta.dirname, 'results')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ ...circumstances(), ...results }, null, 2)}\n`)
}
