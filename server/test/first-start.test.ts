import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { locks } from '../db/locks.ts'
import { createLog } from '../log.ts'
import { startServer } from '../main.ts'
import { makeDatabase } from './database.ts'
import { quiet, request } from './server.ts'
import { until } from './until.ts'

const key = 'the-first-key-of-a-script'

async function findFreePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  await once(probe.close(), 'close')
  return String(port)
}

/** A database without an organisation. */
async function makeBlank(t: TestContext) {
  const { url, drop } = await makeDatabase()
  const cleanUp = new AsyncDisposableStack()
  cleanUp.defer(drop)
  t.after(() => cleanUp.disposeAsync())
  return { url, cleanUp }
}

type Blank = Awaited<ReturnType<typeof makeBlank>>

/** Begins to start a server; its address answers before it has started. */
async function begin({ url: DATABASE_URL, cleanUp }: Blank, role: string) {
  const PORT = await findFreePort()
  const config = readConfig({ ...quiet, DATABASE_URL, PORT, WAYBILL_ROLE: role, WAYBILL_API_KEY: key })
  const starting = startServer(config, createLog(config.log, process.stderr))
  starting.catch(() => {})
  cleanUp.defer(async () => (await starting).stop())
  const url = `http://127.0.0.1:${PORT}`
  return { url, starting, ask: () => request(url, 'GET', '/ready').catch(() => undefined) }
}

const untilAnswered = ({ ask }: Awaited<ReturnType<typeof begin>>) => until('an answer of /ready', ask)

test('the first yes of /ready is followed by a request with the first key, start for start', async (t) => {
  for (let start = 1; start <= 4; start += 1) {
    const blank = await makeBlank(t)
    const { url, ask } = await begin(blank, 'api')
    let ready: Awaited<ReturnType<typeof ask>>
    // At once after an answer, so that nothing has time to happen between the two.
    while (ready?.status !== 200) ready = (await ask()) ?? (await until('it to listen', ask))
    assert.equal((await request(url, 'GET', '/api/v1/company', { key })).status, 200, `start ${start}`)
  }
})

test('no process is ready before the first organisation exists, whoever makes it', async (t) => {
  const blank = await makeBlank(t)
  const holder = new pg.Client({ connectionString: blank.url })
  await holder.connect()
  blank.cleanUp.defer(() => holder.end())
  await holder.query('select pg_advisory_lock($1)', [locks.firstStart])

  const started = await Promise.all(['api', 'api', 'worker'].map((role) => begin(blank, role)))
  for (const process of started) {
    const { status, headers, body } = await untilAnswered(process)
    assert.deepEqual([status, headers.get('retry-after'), body.code], [503, '2', 'OVERLOADED'])
    assert.match(body.reason, /no organisation yet/)
  }

  await holder.query('select pg_advisory_unlock($1)', [locks.firstStart])
  for (const { ask } of started) await until('it to be ready', async () => (await ask())?.status === 200)
  const [one, other] = started
  for (const process of [one, other])
    assert.equal((await request(process?.url as string, 'GET', '/api/v1/company', { key })).status, 200)
})
