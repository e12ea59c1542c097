import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { type EmbeddedDatabase, startEmbedded } from '../db/embedded.ts'
import { createLog } from '../log.ts'
import { startServer } from '../main.ts'
import { prepareFolder } from './cluster.ts'
import { aTask } from './factories.ts'
import { quiet, type Reply, request } from './server.ts'
import { until } from './until.ts'

/* Two real PostgreSQL servers, the second one a streaming replica of the first. */

const key = 'failover-suite-key-of-the-first-organisation'
const quick = { fsync: 'off', autovacuum_naptime: '60s' }
const cleanUp = new AsyncDisposableStack()
after(() => cleanUp.disposeAsync())
let first: EmbeddedDatabase
let second: EmbeddedDatabase

const socketOf = ({ url }: EmbeddedDatabase) => new URL(url).searchParams.get('host') as string

before(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'waybill-failover-'))
  await chmod(parent, 0o755) // if we are root, PostgreSQL runs as another account, which needs access
  cleanUp.defer(() => rm(parent, { recursive: true, force: true }))
  const start = (name: string, settings: Record<string, string>) =>
    startEmbedded({ folder: join(parent, name), log: () => {}, settings })
  for (const name of ['first', 'second']) await prepareFolder(join(parent, name))
  await writeFile(join(parent, 'second/postgres/standby.signal'), '')
  first = await start('first', quick)
  cleanUp.defer(first.stop)
  const primary = `host=${socketOf(first)} port=5432 user=postgres`
  second = await start('second', { ...quick, primary_conninfo: primary })
  cleanUp.defer(second.stop)
})

async function ask(database: EmbeddedDatabase, statement: string) {
  const url = new URL(database.adminUrl)
  url.pathname = '/waybill'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** As after a demotion: the server still answers on open connections but accepts no writes. */
async function setReadOnly(database: EmbeddedDatabase, value: 'on' | 'off') {
  await ask(database, `alter system set default_transaction_read_only = ${value}`)
  await ask(database, 'select pg_reload_conf()')
}

async function serve(t: TestContext, databaseUrl: string) {
  const config = readConfig({ ...quiet, WAYBILL_LOG: 'silent', DATABASE_URL: databaseUrl, WAYBILL_API_KEY: key })
  const { url, stop } = await startServer(config, createLog(config.log))
  t.after(stop)
  return {
    ready: () => request(url, 'GET', '/ready'),
    list: () => request(url, 'GET', '/api/v1/tasks', { key }),
    create: (awb: string) => request(url, 'POST', '/api/v1/tasks', { key, body: aTask({ awb }) }),
  }
}

const isToldToComeBack = ({ status, headers }: Reply) => status === 503 && headers.get('retry-after') === '2'

test('if the database accepts no writes, callers and probes are told, and it is used again later', async (t) => {
  const { ready, list, create } = await serve(t, first.url)
  assert.equal((await create('R-1')).status, 200)

  await setReadOnly(first, 'on')
  const refused = await until('a refusal', async () => {
    const reply = await create(`R-${Math.random()}`)
    return reply.status !== 200 && reply
  })
  assert.ok(isToldToComeBack(refused), refused.text)
  assert.match(refused.body.error.message, /does not accept writes/)
  const probe = await ready()
  assert.ok(isToldToComeBack(probe), probe.text)
  assert.match(probe.body.reason, /does not accept writes/)
  assert.equal((await list()).status, 200, 'what can be read is read')

  await setReadOnly(first, 'off')
  await until('writes', async () => (await create(`R-${Math.random()}`)).status === 200)
  assert.equal((await ready()).status, 200)
})

test('after a failover the server writes to the new primary, and no caller gets an internal error', async (t) => {
  const both = `postgres://waybill@localhost/waybill?host=${socketOf(first)},${socketOf(second)}&sslmode=disable`
  const { ready, create } = await serve(t, both)
  assert.equal((await create('F-1')).status, 200)
  await until('the replica', async () => (await ask(second, `select from tasks where awb = 'F-1'`)).length > 0)

  await setReadOnly(first, 'on')
  await ask(second, 'select pg_promote()')
  const begun = performance.now()
  let refusals = 0
  await until('a write', async () => {
    const reply = await create('F-2')
    if (reply.status === 200) return true
    assert.ok(isToldToComeBack(reply), reply.text)
    refusals += 1
    return false
  })
  t.diagnostic(`writes again after ${Math.round(performance.now() - begun)} ms and ${refusals} answers of 503`)

  // A connection that was in use meanwhile still leads to the old one, and is given up when it says so.
  await until('ready', async () => (await ready()).status === 200)
  const awbs = await ask(second, `select awb from tasks where awb like 'F-%' order by awb`)
  assert.deepEqual(awbs, [{ awb: 'F-1' }, { awb: 'F-2' }])
})
