import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { createLog } from '../log.ts'
import { startServer as startService } from '../main.ts'
import { cleanUpOf } from '../test/clean-up.ts'
import { type Account, accountFor, countsOf, findDamage, hurry, type Subscription } from '../test/crash.ts'
import { makeDatabase, makeEmptyDatabase } from '../test/database.ts'
import { aTask, makeDriver } from '../test/factories.ts'
import { anOffice, toFiles } from '../test/messages.ts'
import { amountsOf, tellNumbers } from '../test/proofs.ts'
import { startReceiver } from '../test/receiver.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { openArchive } from './archive.ts'
import { type BackupOptions, backUp } from './backup.ts'
import { checkContents, type Manifest } from './contents.ts'
import { type RestoreOptions, restore } from './restore.ts'

const silent = () => {}
const withoutWorkers = { ...toFiles, WAYBILL_ROLE: 'api' }
const unstopped = new AbortController().signal

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-backup-test-'))
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const write = (path: string, databaseUrl: string, given: Partial<BackupOptions> = {}) =>
  backUp({
    path,
    databaseUrl,
    dataFolder: '/nonexistent',
    version: 'test',
    signal: unstopped,
    onProgress: silent,
    log: silent,
    ...given,
  })

async function bringBack(path: string, databaseUrl: string, given: Partial<RestoreOptions> = {}) {
  const archive = await openArchive(path)
  try {
    const contents = await checkContents(archive, path, silent)
    await restore({
      databaseUrl,
      dataFolder: '/nonexistent',
      contents,
      replace: false,
      signal: unstopped,
      onProgress: silent,
      log: silent,
      ...given,
    })
  } finally {
    await archive.close()
  }
}

async function makeTarget(t: TestContext, make = makeEmptyDatabase) {
  const { url, drop } = await make()
  cleanUpOf(t).defer(drop)
  return url
}

async function ask<Row extends object>(url: string, { text, values }: Sql): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'test' })
  await client.connect()
  try {
    await client.query("set waybill.organisation = '0'")
    return (await client.query<Row>(text, values as unknown[])).rows
  } finally {
    await client.end()
  }
}

/** The audit log says that it was restored, which it did not say before. */
const added = `where kind <> 'backup.restored'`

/** What every table holds, told without any of our code: a digest of all rows, in an order of their own. */
async function digest(url: string): Promise<Record<string, string>> {
  const tables = await ask<{ name: string }>(
    url,
    sql`select relname::text as name from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'migrations' order by 1`,
  )
  const looks = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(row::text, ',' order by row::text)), '')
         as digest from ${name} row ${name.startsWith('audit_log') ? added : ''}`,
  )
  const digests = await ask<{ name: string; digest: string }>(url, sql`${raw(looks.join(' union all '))}`)
  return Object.fromEntries(digests.map(({ name, digest }) => [name, digest]))
}

const unaudited = ({ tables, sequences, ...rest }: Manifest) => ({
  ...rest,
  tables: tables.filter(({ name }) => name !== 'audit_log'),
  sequences: sequences.filter(({ name }) => name !== 'audit_log_id_seq'),
})

/** The schema as pg_dump would see it, but for what differs from one place to the next. */
const shape = (url: string) =>
  ask(
    url,
    sql`select c.relname::text as name, c.relkind::text as kind, c.relrowsecurity as walled, c.relforcerowsecurity as forced,
       array(select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = c.oid order by 1) as constraints,
       array(select i.indexrelid::regclass || ' ' || pg_get_indexdef(i.indexrelid) from pg_index i
         where i.indrelid = c.oid order by 1) as indexes,
       pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  )

/** Writes to the API as busy dispatchers do, until told to stop. Every answer must be a good one. */
function startWriters(server: TestServer, driverId: number, count: number) {
  let isStopping = false
  let requests = 0
  const good = async (call: Promise<{ status: number; text: string }>) => {
    const { status, text } = await call
    requests += 1
    assert.equal(status, 200, text)
  }
  const write = async (name: number) => {
    for (let number = 0; !isStopping; number += 1) {
      const awb = `W-${name}-${number}`
      await good(
        server.post('/tasks', aTask({ awb, details: 'tab\t, line\n, back\\slash, \u0001, „ăîș” 🚚, \\N, \\.' })),
      )
      await good(server.put(`/containers/drivers/${driverId}`, { tasks: [awb] }))
      if (number % 2) await good(server.put(`/tasks/awb/${awb}/forceComplete`, { success: true }))
      if (number % 4 === 0) await good(server.delete(`/tasks/awb/${awb}`))
    }
  }
  const writers = Array.from({ length: count }, (_, name) => write(name))
  return {
    requests: () => requests,
    async stop() {
      isStopping = true
      await Promise.all(writers)
    },
  }
}

async function subscribe(server: TestServer, url: string): Promise<Subscription[]> {
  const made: Subscription[] = []
  for (const trigger of [2, 3, 4, 5, 6, 7]) {
    const { status, body } = await server.post('/webHooks', { url, trigger })
    assert.equal(status, 200, JSON.stringify(body))
    made.push({ id: body.webHook.id, path: '/hook', trigger, bornAfter: 0 })
  }
  return made
}

test('a backup made under load is one consistent moment, and can be restored elsewhere', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const folder = await makeFolder(t)
  const driver = await makeDriver(server)
  const subscriptions = await subscribe(server, receiver.url)
  const writers = startWriters(server, driver.id, amountsOf('backup').writers)
  await receiver.waitFor(50)

  const requestsBefore = writers.requests()
  const path = join(folder, 'one.tar')
  const { manifest } = await write(path, server.config.databaseUrl as string)
  const meanwhile = writers.requests() - requestsBefore
  await until('tasks that are not in the backup', () => writers.requests() > requestsBefore + meanwhile + 24)
  await writers.stop()
  t.diagnostic(`${meanwhile} requests were answered during the backup`)
  assert.ok(meanwhile > 0, 'nobody waited for the backup to end')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(folder), ['one.tar'])

  const target = await makeTarget(t)
  await bringBack(path, target)
  const again = await write(join(folder, 'two.tar'), target)
  assert.deepEqual(unaudited(again.manifest), unaudited(manifest), 'every table, partition and sequence is what it was')
  const rowsOf = (name: string, { tables }: Manifest) => tables.find((table) => table.name === name)?.rows ?? 0
  const told = rowsOf('audit_log', again.manifest) - rowsOf('audit_log', manifest)
  assert.equal(told, rowsOf('organisations', manifest), 'but for a line in the audit log of every organisation')
  const tasks = manifest.tables.find(({ name }) => name === 'tasks')?.rows ?? 0
  const [{ now } = { now: 0 }] = await server.database.everyone.many<{ now: number }>(
    sql`select count(*)::int as now from tasks`,
  )
  assert.ok(tasks > 0 && tasks < now, `${tasks} tasks then, ${now} now`)

  const config = readConfig({ PORT: '0', WAYBILL_LOG: 'error', DATABASE_URL: target })
  const restored = await startService(config, createLog(config.log, process.stderr))
  cleanUpOf(t).defer(restored.stop)
  assert.equal(restored.firstKey, undefined)
  const call = (method: string, place: string, body?: unknown) =>
    request(restored.url, method, `/api/v1${place}`, { key: server.key, body })

  const { organisationId } = server
  const damage = findDamage(organisationId)
  assert.deepEqual(await ask(target, damage), [])

  const before = receiver.requests.length
  const created = await call('POST', '/tasks', aTask({ awb: 'AFTER' }))
  assert.equal(created.status, 200, created.text)
  assert.equal((await call('POST', '/tasks', aTask({ awb: 'W-0-1' }))).body.error?.code, 'AWB_TAKEN')
  const account = accountFor(organisationId, subscriptions)
  const audit = async () => countsOf(await ask<Account>(target, account))
  await until('everything to be delivered', async () => {
    await ask(target, hurry)
    return (await audit()).scheduled === 0
  })
  const came = receiver.requests.slice(before).map(({ body }) => body as { awb: string })
  assert.ok(
    came.some(({ awb }) => awb === 'AFTER'),
    'webhooks are delivered from the new place',
  )
  assert.deepEqual(await ask(target, damage), [])
})

test('an idle database is restored byte for byte, into an empty database or over an old one', async (t) => {
  const server = await startServer(t, withoutWorkers)
  const source = server.config.databaseUrl as string
  const driver = await makeDriver(server)
  const writers = startWriters(server, driver.id, 2)
  await until('tasks in every state', () => writers.requests() > 30)
  await writers.stop()
  const path = join(await makeFolder(t), 'backup.tar')
  // That a key was used is noted a moment later: what counts is a backup around which nothing moved.
  let tables: Record<string, string>
  do {
    tables = await digest(source)
    await rm(path, { force: true })
    await write(path, source)
  } while (!isDeepStrictEqual(await digest(source), tables))
  assert.match(tables['tasks'] as string, /^[1-9]/)
  const replaced = amountsOf('backup')['databases replaced']
  for (const [index, make] of [makeEmptyDatabase, makeDatabase].entries()) {
    const target = await makeTarget(t, make)
    await bringBack(path, target)
    assert.deepEqual(await digest(target), tables)
    assert.deepEqual(await shape(target), await shape(source))
    if (index >= replaced) continue

    await ask(target, sql`delete from addresses`)
    await assert.rejects(bringBack(path, target), /^Error: This database is not empty: .*--replace/)
    await bringBack(path, target, { replace: true })
    assert.deepEqual(await digest(target), tables)
    tellNumbers(t, 'backup', { 'databases replaced': 1 })
  }
})

test('files travel along, and replace those of the place they come to only when all is well', async (t) => {
  const server = await startServer(t, withoutWorkers)
  const [from, to] = [await makeFolder(t), await makeFolder(t)]
  const path = join(from, 'backup.tar')
  const long = `${'long'.repeat(24)}/${'name'.repeat(20)}.webp`
  const small = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`small/${at}.jpg`, `${at}`]))
  const files = { ...small, [long]: 'long', 'deep/er/b.png': 'x'.repeat(3_000_000), empty: '' }
  for (const [name, body] of Object.entries(files)) {
    await mkdir(join(from, 'files', name, '..'), { recursive: true })
    await writeFile(join(from, 'files', name), body)
  }
  const { manifest } = await write(path, server.config.databaseUrl as string, { dataFolder: from })
  assert.equal(manifest.files.length, Object.keys(files).length)

  const target = await makeTarget(t)
  await mkdir(join(to, 'files'))
  await writeFile(join(to, 'files/old'), 'old')
  await assert.rejects(bringBack(path, target, { dataFolder: to }), /files is not empty/)
  await ask(target, sql`create table stranger ()`)
  await assert.rejects(bringBack(path, target, { dataFolder: to, replace: true }), /the table "stranger"/)
  assert.deepEqual(await readdir(to, { recursive: true }), ['files', 'files/old'])

  await ask(target, sql`drop table stranger`)
  await bringBack(path, target, { dataFolder: to, replace: true })
  assert.deepEqual(await readdir(to), ['files'])
  for (const [name, body] of Object.entries(files))
    assert.equal(await readFile(join(to, 'files', name), 'utf8'), body, name)
  await assert.rejects(stat(join(to, 'files/old')))
})

test('a restore that fails halfway, or is stopped, leaves the database unchanged', async (t) => {
  const server = await startServer(t, withoutWorkers)
  const source = server.config.databaseUrl as string
  await server.post('/tasks', aTask())
  const path = join(await makeFolder(t), 'backup.tar')
  await write(path, source)
  const target = await makeTarget(t, makeDatabase)
  await ask(
    target,
    sql`insert into organisations (name, country, timezone, currency) values ('Old', 'RO', 'UTC', 'RON')`,
  )
  const [tables, schema] = [await digest(target), await shape(target)]

  const places = ['tasks', 'create index', 'alter table', 'addresses', 'webhooks']
  for (const table of places.slice(0, amountsOf('backup')['places to fail'])) {
    const stop = new AbortController()
    const onProgress = ({ doing }: { doing: string }) => {
      if (doing.startsWith(table)) stop.abort(new Error('Stopped'))
    }
    await assert.rejects(bringBack(path, target, { replace: true, signal: stop.signal, onProgress }), /Stopped/, table)
    assert.deepEqual([await digest(target), await shape(target)], [tables, schema], `stopped at ${table}`)
    tellNumbers(t, 'backup', { 'restores stopped': 1 })
  }
  const stop = new AbortController()
  const onProgress = ({ doing }: { doing: string }) => doing === 'tasks' && stop.abort(new Error('Stopped'))
  const other = `${path}.other`
  await assert.rejects(write(other, source, { signal: stop.signal, onProgress }), /Stopped/)
  assert.deepEqual(await readdir(join(path, '..')), ['backup.tar'])
})

test('a restored backup sends no message that waited, and says what became of each', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true }, withoutWorkers)
  const source = office.server.config.databaseUrl as string
  for (const awb of ['WAITS', 'ON-THE-WIRE', 'SENT']) await office.act('start', await office.create({ awb }))
  const become = (awb: string, state: string) =>
    ask(
      source,
      sql`update messages set state = ${state}, attempts = 1, claim = gen_random_uuid()
        where task_id = (select id from tasks where awb = ${awb})`,
    )
  await become('ON-THE-WIRE', 'sending')
  await become('SENT', 'sent')
  const path = join(await makeFolder(t), 'backup.tar')
  await write(path, source)

  const target = await makeTarget(t)
  const said: string[] = []
  await bringBack(path, target, { log: (sentence) => said.push(sentence) })
  assert.deepEqual(
    said.filter((one) => one.startsWith('Messages')),
    ['Messages to customers: 1 that waited dropped, 1 may have been sent'],
  )
  const config = readConfig({ ...toFiles, PORT: '0', WAYBILL_LOG: 'error', DATABASE_URL: target })
  const restored = await startService(config, createLog(config.log, process.stderr))
  cleanUpOf(t).defer(restored.stop)
  const { body } = await request(restored.url, 'GET', '/api/v1/messages', { key: office.server.key })
  const results = body.messages.map((one: Record<string, unknown>) => [
    one['awb'],
    one['state'],
    one['reason'],
    one['error'],
    one['canRetry'],
  ])
  assert.deepEqual(results, [
    ['SENT', 'sent', null, null, false],
    ['ON-THE-WIRE', 'unknown', null, 'It was being sent when the backup was made that was restored', true],
    ['WAITS', 'dropped', 'restored', null, true],
  ])
  assert.deepEqual(await office.received(), [])
})

test('a restore is refused while a server is running', async (t) => {
  const server = await startServer(t)
  const path = join(await makeFolder(t), 'backup.tar')
  await write(path, server.config.databaseUrl as string)
  await assert.rejects(
    bringBack(path, server.config.databaseUrl as string, { replace: true }),
    /^Error: A server is using this database: stop it first$/,
  )
})
