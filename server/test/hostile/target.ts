import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { thriftyEnvironment, thriftyFlags } from '../../../bin/thrift.js'
import { openDatabase } from '../../db/db.ts'
import { migrate } from '../../db/migrate.ts'
import { type Process, startProcess } from '../crash.ts'
import { makeDatabase } from '../database.ts'
import { aTask } from '../factories.ts'
import { amountsOf, nights, tellNumbers } from '../proofs.ts'
import { makeOrganisation } from '../server.ts'
import { until } from '../until.ts'

/*
 * A server in its own process, started with the flags users start it with, and good clients that keep working during an
 * attack: was every one of them answered, and how large did the server get? The short form is part of every test run;
 * the nightly run attacks for longer and also checks how long good clients wait (docs/reliability.md). It needs a quiet
 * machine; how long they waited before the attack is recorded beside it, so that a failure can be judged.
 */

export const isLong = nights > 0
/** How long an attack goes on. */
export const attackMs = amountsOf('hostile')['seconds of each attack'] * 1_000

const mostMegabytes = 400
const longestP99Ms = 1_000

const key = 'hostile-suite-key-of-the-first-organisation'

export interface Target {
  url: string
  key: string
  pid: number
  databaseUrl: string
}

const cleanUp = new AsyncDisposableStack()
after(() => cleanUp.disposeAsync())

let target: Promise<Target> | undefined
/** One server for all attacks from this process, with a few hundred tasks in it. */
export const startTarget = () => (target ??= start())

async function start(): Promise<Target> {
  const { url: databaseUrl, drop } = await makeDatabase()
  cleanUp.defer(drop)
  const environment = { ...thriftyEnvironment, WAYBILL_API_KEY: key }
  const started: Process = await startProcess(databaseUrl, environment, thriftyFlags)
  cleanUp.defer(started.kill)
  const target = { url: started.url, key, pid: started.pid, databaseUrl }
  const tasks = Array.from({ length: 300 }, () => aTask({ details: 'x'.repeat(1_000) }))
  assert.equal((await ask(target, 'POST', '/api/v1/tasks/bulkCreate', { tasks })).status, 200)
  return target
}

/** Another organisation on the same server. */
export async function addOrganisation(target: Target): Promise<Target> {
  const role = await migrate(target.databaseUrl, () => {})
  const database = openDatabase({ url: target.databaseUrl, role, connections: 1, onIdleError: () => {} })
  try {
    return { ...target, key: (await makeOrganisation({ url: target.url, database })).key }
  } finally {
    await database.close()
  }
}

const agent = new Agent({ keepAlive: true })

/** One request of a good client, which waits half a minute for the answer. */
export async function ask({ url, key }: Target, method: string, path: string, body?: object) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const sent = body && JSON.stringify(body)
  const headers = { authorization: key, ...(sent && { 'content-type': 'application/json' }) }
  const options = { method, agent, headers, signal: AbortSignal.timeout(30_000) }
  const outgoing = request(url + path, options, async (response) => {
    const text = await response.toArray().then((parts) => Buffer.concat(parts).toString(), reject)
    resolve({ status: response.statusCode as number, text: text as string })
  })
  outgoing.on('error', reject)
  outgoing.end(sent)
  return promise
}

/** What dispatchers and integrations do meanwhile. */
const goodRequests: [method: string, path: string, body?: () => object][] = [
  ['GET', '/api/v1/tasks?limit=20'],
  ['POST', '/api/v1/tasks', () => aTask()],
  ['GET', '/api/v1/drivers'],
  ['GET', '/'],
  ['GET', '/health'],
]

async function workUntil(target: Target, isOver: () => boolean) {
  const durationsMs: number[] = []
  const failures: string[] = []
  const work = async () => {
    for (let turn = 0; !isOver(); turn += 1) {
      const [method, path, body] = goodRequests[turn % goodRequests.length]!
      const begun = performance.now()
      const outcome = await ask(target, method, path, body?.()).then(
        ({ status, text }) => (status === 200 ? undefined : `${status} ${text.slice(0, 200)}`),
        String,
      )
      durationsMs.push(performance.now() - begun)
      if (outcome) failures.push(`${method} ${path}: ${outcome}`)
      await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return { durationsMs: durationsMs.sort((one, other) => one - other), failures }
}

/** In megabytes: now, and the highest so far. Without /proc we have to ask the server, which only knows the current size. */
async function residentOf(target: Target): Promise<{ now: number; most: number }> {
  const file = `/proc/${target.pid}/status`
  if (existsSync(file)) {
    const text = await readFile(file, 'utf8')
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1_024
    return { now: read('VmRSS'), most: read('VmHWM') }
  }
  const { text } = await ask(target, 'GET', '/metrics')
  const now = Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20
  return { now, most: now }
}

const p99Of = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.99)] ?? 0

/**
 * Attacks while good clients work: all of them are answered, and the server stays small and gets small again. `keptMegabytes` is how much
 * larger than before it may stay.
 */
export async function endure(
  t: TestContext,
  target: Target,
  attack: (isOver: () => boolean) => Promise<void>,
  keptMegabytes = 100,
  durationMs = attackMs,
) {
  const before = await residentOf(target)
  const calmUntil = performance.now() + 1_000
  const calm = isLong ? p99Of((await workUntil(target, () => performance.now() > calmUntil)).durationsMs) : 0
  let isOver = false
  const goodClients = workUntil(target, () => isOver)
  const deadline = performance.now() + durationMs
  await attack(() => performance.now() > deadline).finally(() => {
    isOver = true
  })
  const during = await residentOf(target)
  const { durationsMs, failures } = await goodClients
  const begun = performance.now()
  await until('the server to be small again', async () => {
    const { status } = await ask(target, 'GET', '/api/v1/tasks?limit=20')
    return status === 200 && (await residentOf(target)).now < Math.max(250, before.now + keptMegabytes)
  })
  const recoveredMs = performance.now() - begun
  const p99 = p99Of(durationsMs)
  const { now } = await residentOf(target)
  t.diagnostic(
    `${durationsMs.length} good requests, p99 ${p99.toFixed(0)} ms; resident ${before.now.toFixed(0)} MB before, ` +
      `at most ${during.most.toFixed(0)} MB, ${now.toFixed(0)} MB after ${(recoveredMs / 1_000).toFixed(1)} s`,
  )
  tellNumbers(t, 'hostile', {
    attacks: 1,
    'good requests': durationsMs.length,
    failed: failures.length,
    'longest p99 ms': Math.round(p99),
    'longest p99 ms without attack': Math.round(calm),
  })
  assert.deepEqual(failures.slice(0, 5), [], `${failures.length} good requests failed`)
  assert.ok(durationsMs.length > 0)
  assert.ok(during.most <= mostMegabytes, `${during.most.toFixed(0)} MB`)
  if (isLong) {
    assert.ok(p99 <= longestP99Ms, `p99 ${p99.toFixed(0)} ms, ${calm.toFixed(0)} ms before the attack`)
    assert.ok(recoveredMs <= 10_000, `${recoveredMs.toFixed(0)} ms until it was small again`)
  }
}

/** A raw connection that handles nothing by itself. */
export async function openSocket({ url }: Target): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

export const repeat = <Made>(count: number, make: (index: number) => Promise<Made>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
