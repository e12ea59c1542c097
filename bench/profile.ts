import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Request } from './load.ts'
import { processorTimes } from './processes.ts'
import { createMany, createOne, get } from './requests.ts'
import { call, makeDrivers, type Stage, withStage } from './stage.ts'

/*
 * Where the time of one request goes: the statements PostgreSQL ran, with planning, and what our process computed
 * meanwhile.
 */

const kinds: Record<string, (stage: Stage) => Promise<Request[]>> = {
  create: async () => createOne,
  bulk: async () => [createMany(1_000)],
  awb: async (stage) => (await makeTasks(stage, 1_000)).map(({ awb }) => get(`/tasks/awb/${awb}`)),
  page: async (stage) => {
    await makeTasks(stage, 4_000)
    return [get('/tasks?limit=100')]
  },
  // From one driver to another, so that there is always something to do.
  assign: async (stage) => {
    const body = JSON.stringify({ tasks: (await makeTasks(stage, 1_000)).map(({ id }) => id) })
    const path = (driverId: number) => `/api/v1/drivers/${driverId}/tasks/bulkAssign`
    return (await makeDrivers(stage, 20)).map((id) => ({ method: 'POST', path: path(id), body }))
  },
}

async function makeTasks(stage: Stage, count: number): Promise<{ id: number; awb: string }[]> {
  const tasks: { id: number; awb: string }[] = []
  for (let n = 0; tasks.length < count; n += 1) {
    const { results } = await call(
      stage,
      'POST',
      '/tasks/bulkCreate',
      createMany(1_000).body!.replaceAll('{next}', `profile-${n}`),
    )
    tasks.push(...results.map(({ data }: { data: { id: number; awb: string } }) => data))
  }
  await stage.client.query('vacuum analyze')
  return tasks
}

const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  'pg_stat_statements.track': 'all',
  max_connections: '400',
}

export async function run(args: string[]) {
  const [kind = 'create', wanted] = args
  const requestsOf = kinds[kind]
  if (!requestsOf) throw new Error(`Say of what: ${Object.keys(kinds).join(', ')}`)
  const connections = Number(wanted ?? (kind === 'create' ? 64 : ['assign', 'bulk'].includes(kind) ? 1 : 16))
  const folder = await mkdtemp(join(tmpdir(), 'waybill-profile-'))
  process.env['WAYBILL_BENCH_PROFILE'] = folder
  let perSecond = 0
  let requests = 0
  await withStage(
    `Profile of ${kind}`,
    1,
    async (stage) => {
      const { load, client, work } = stage
      await client.query('create extension pg_stat_statements')
      const of = work(await requestsOf(stage))
      const ask = (milliseconds: number) => load.ask({ connections, milliseconds, of })
      await ask(3_000)
      await client.query('select pg_stat_statements_reset()')
      const before = processorTimes(stage)
      const outcome = await ask(8_000)
      const after = processorTimes(stage)
      perSecond = outcome.perSecond
      requests = outcome.statuses[200] ?? 0
      console.log(
        `\n${perSecond.toFixed(0)} requests/s by ${connections} connections, p50 ${outcome.p50Ms.toFixed(1)} ms\n`,
      )
      const each = (name: 'node' | 'postgres') => ((after[name] - before[name]) / requests).toFixed(2)
      console.log(`Processor time of a request: node ${each('node')} ms, PostgreSQL ${each('postgres')} ms\n`)
      const { rows } = await client.query(
        `select calls, plans, total_plan_time as planning, total_exec_time as executing, wal_bytes::float8 as wal,
           regexp_replace(query, '\\s+', ' ', 'g') as query
         from pg_stat_statements order by total_plan_time + total_exec_time desc limit 25`,
      )
      console.log(
        '| per request: calls | plans | planning ms | executing ms | WAL bytes | statement |\n|---:|---:|---:|---:|---:|---|',
      )
      for (const { calls, plans, planning, executing, wal, query } of rows) {
        const shares = [calls / requests, plans / requests].map((share) => share.toFixed(2))
        const times = [planning / requests, executing / requests].map((ms) => ms.toFixed(3))
        const text = query.trim().slice(0, 100).replaceAll('|', '\\|')
        console.log(`| ${[...shares, ...times, (wal / requests).toFixed(0), text].join(' | ')} |`)
      }
    },
    settings,
  )
  for (const file of await readdir(folder)) await printProfile(join(folder, file))
  await rm(folder, { recursive: true })
}

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

/** The busy time by file, and by our own functions including what they call. */
async function printProfile(file: string) {
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(await readFile(file, 'utf8'))
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const files = new Map<string, number>()
  const functions = new Map<string, number>()
  let total = 0
  for (const [index, id] of samples.entries()) {
    const { functionName, url } = frames.get(id)!
    if (functionName === '(idle)') continue
    const tookMs = timeDeltas[index]! / 1_000
    total += tookMs
    add(files, placeOf(url) || functionName, tookMs)
    const stack = new Set<string>()
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName, url, lineNumber } = frames.get(at)!
      if (functionName && /^(server|contract|core|pg|fastify)\//.test(placeOf(url)))
        stack.add(`${functionName} ${placeOf(url)}:${lineNumber + 1}`)
    }
    for (const name of stack) add(functions, name, tookMs)
  }
  const titles = { 'file, itself': files, 'function, with all it calls': functions }
  for (const [title, times] of Object.entries(titles)) {
    console.log(`\n| of ${(total / 1_000).toFixed(1)} s not idle, start included | ${title} |\n|---:|---|`)
    for (const [name, ms] of [...times].sort((one, other) => other[1] - one[1]).slice(0, 40))
      console.log(`| ${((ms * 100) / total).toFixed(1)} % | ${name} |`)
  }
}

const add = (times: Map<string, number>, name: string, ms: number) => times.set(name, (times.get(name) ?? 0) + ms)

/** The path of a file within the checkout or within its package. */
const placeOf = (url: string) =>
  url.replace(/^.*\/node_modules\//, '').replace(/^file:\/\/.*?\/(?=(server|contract|core|cli)\/)/, '')
