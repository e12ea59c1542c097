import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
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

/** A host in front of a database, or of none, that can vanish: packets get lost, and nobody is told. */
async function startHost(t: TestContext, database?: EmbeddedDatabase) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-host-'))
  const sockets = new Set<Socket>()
  let isGone = !database
  const host = createServer((near) => {
    sockets.add(near.on('error', () => {}))
    if (isGone || !database) return
    const far = connect(`${socketOf(database)}/.s.PGSQL.5432`)
    sockets.add(far.on('error', () => {}))
    near.on('data', (chunk) => isGone || far.write(chunk))
    far.on('data', (chunk) => isGone || near.write(chunk))
    near.on('close', () => far.destroy())
    far.on('close', () => isGone || near.destroy())
  })
  await once(host.listen(join(folder, '.s.PGSQL.5432')), 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    host.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    folder,
    vanish() {
      isGone = true
    },
    comeBack() {
      isGone = false
    },
  }
}

const urlOf = (folders: string[]) => `postgres://waybill@localhost/waybill?host=${folders}&sslmode=disable`

const isToldToComeBack = ({ status, headers }: Reply) => status === 503 && headers.get('retry-after') === '2'

const hosts: [what: string, list: (t: TestContext) => Promise<string[]>][] = [
  ['the database', async () => [socketOf(first)]],
  ['the primary of several hosts', async () => [socketOf(second), socketOf(first)]],
  ['the primary, beside a host that is gone,', async (t) => [socketOf(first), (await startHost(t)).folder]],
]
for (const [what, list] of hosts)
  test(`if ${what} accepts no writes, callers and probes are told, and it is used again later`, async (t) => {
    await showReads(t, urlOf(await list(t)))
  })

async function showReads(t: TestContext, databaseUrl: string) {
  const { ready, list, create } = await serve(t, databaseUrl)
  assert.equal((await create(`R-${Math.random()}`)).status, 200)

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
}

test('if the primary is gone, a standby answers what can be read, until there is one that writes', async (t) => {
  const host = await startHost(t, first)
  const { ready, list, create } = await serve(t, urlOf([host.folder, socketOf(second)]))
  const { id } = (await create('G-1')).body.task
  await until('the replica', async () => (await ask(second, `select from tasks where awb = 'G-1'`)).length > 0)

  host.vanish()
  const begun = performance.now()
  await until('a read', async () => {
    const reply = await list()
    assert.ok(reply.status === 200 || isToldToComeBack(reply), reply.text)
    return reply.status === 200 && reply.body.tasks.some((task: { id: number }) => task.id === id)
  })
  t.diagnostic(`reads after ${Math.round(performance.now() - begun)} ms`)
  const refused = await create('G-2')
  assert.ok(isToldToComeBack(refused), refused.text)
  assert.match(refused.body.error.message, /does not accept writes/)
  assert.match((await ready()).body.reason, /does not accept writes/)
  assert.equal((await list()).status, 200)

  host.comeBack()
  await until('writes', async () => (await create('G-2')).status === 200)
  assert.deepEqual(await ask(first, `select count(*)::int as count from tasks where awb = 'G-2'`), [{ count: 1 }])
})

test('after a failover the server writes to the new primary, and no caller gets an internal error', async (t) => {
  const { ready, create } = await serve(t, urlOf([socketOf(first), socketOf(second)]))
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
