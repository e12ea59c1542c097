import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openArchive } from '../backup/archive.ts'
import { checkContents } from '../backup/contents.ts'
import { restore } from '../backup/restore.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { startServer as startService } from '../main.ts'
import { cleanUpOf } from '../test/clean-up.ts'
import { findDamage } from '../test/crash.ts'
import { makeDatabase, makeEmptyDatabase } from '../test/database.ts'
import { aTask, makeDriver } from '../test/factories.ts'
import { amountsOf, tellNumbers } from '../test/proofs.ts'
import { startReceiver } from '../test/receiver.ts'
import { request, startServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { type Database, openDatabase } from './db.ts'
import { dumpSchema } from './dump.ts'
import { connectAsOwner, migrate } from './migrate.ts'
import { sql } from './sql.ts'

const silent = () => {}

async function open(t: TestContext, url: string): Promise<Database> {
  const role = await migrate(url, silent)
  const database = openDatabase({ url, role, connections: 2, onIdleError: silent })
  cleanUpOf(t).defer(database.close)
  return database
}

async function makeUrl(t: TestContext, make = makeEmptyDatabase) {
  const { url, drop } = await make()
  cleanUpOf(t).defer(drop)
  return url
}

/** A folder with our migrations and some invented later ones. */
async function makeFolder(t: TestContext, coming: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-migrate-test-'))
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  await cp(new URL('migrations/', import.meta.url), folder, { recursive: true })
  for (const [name, text] of Object.entries(coming)) await writeFile(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

/*
 * `first-schema.tar` is a backup of a small service as it was when there was only the first migration: six tasks, one of
 * them deleted, events, webhooks, attempts, and three deliveries that had failed once.
 */
test('the data of the first version works with this version', async (t) => {
  const url = await makeUrl(t)
  const path = join(import.meta.dirname, '../test/first-schema.tar')
  const archive = await openArchive(path)
  cleanUpOf(t).defer(() => archive.close())
  const contents = await checkContents(archive, path, silent)
  assert.deepEqual(
    contents.head.migrations.map(({ name }) => name),
    ['0001_first_slice.sql'],
  )
  const { signal } = new AbortController()
  await restore({
    databaseUrl: url,
    dataFolder: '/nonexistent',
    contents,
    replace: false,
    signal,
    onProgress: silent,
    log: silent,
  })

  const { everyone: db } = await open(t, url)
  const fresh = await open(t, await makeUrl(t, makeDatabase))
  assert.equal(await dumpSchema(db), await dumpSchema(fresh.everyone), 'the schema is that of a new database')
  assert.deepEqual(await db.many(findDamage(1)), [])
  const counts = await db.get(sql`
    select (select count(*) from tasks)::int as tasks, (select count(*) from events)::int as events,
      (select count(*) from attempts)::int as attempts, (select count(*) from deliveries)::int as deliveries`)
  assert.deepEqual(counts, { tasks: 6, events: 15, attempts: 9, deliveries: 3 })

  const receiver = await startReceiver(t)
  const config = readConfig({ PORT: '0', WAYBILL_LOG: 'error', DATABASE_URL: url })
  const server = await startService(config, createLog(config.log, process.stderr))
  cleanUpOf(t).defer(server.stop)
  const call = (method: string, place: string, body?: unknown) =>
    request(server.url, method, `/api/v1${place}`, { key: 'key-of-the-first-schema', body })
  const { body } = await call('GET', '/tasks/awb/FIRST-1')
  assert.deepEqual([body.task?.details, body.task?.customer?.phone], ['Task 1\n\tof „ăîșț” \\ 🚚', '+40712345678'])
  assert.equal((await call('GET', '/tasks/awb/FIRST-6')).status, 404, 'what was deleted stays deleted')
  await call('POST', '/webHooks', { url: receiver.url, trigger: 5 })
  assert.equal((await call('PUT', '/tasks/awb/FIRST-1', { details: 'Later' })).status, 200)
  assert.equal((await call('POST', '/tasks', aTask({ awb: 'LAST' }))).status, 200)
  const told = (await receiver.next()).body as { awb: string; sequence: number }
  assert.deepEqual([told.awb, told.sequence], ['FIRST-1', 2])
  assert.deepEqual(await db.many(findDamage(1)), [])
})

test('what was paid before payments were listed becomes a payment', async (t) => {
  const url = await makeUrl(t)
  const before = await makeFolder(t, {})
  for (const name of await readdir(before)) if (name >= '0024') await rm(new URL(name, before))
  await migrate(url, silent, before)
  const owner = await connectAsOwner(url, 'a test')
  await owner.query(`
    insert into organisations (name, country, timezone, currency) values ('Old', 'RO', 'Europe/Bucharest', 'RON');
    insert into users (organisation_id, name, is_admin) values (1, 'Ana', true);
    insert into tasks (organisation_id, awb, uuid, status_id, details, total_price, left_to_be_paid, collect_payment,
      payment_type_id, priority, pickup_task, custom_fields, send_notifications, last_sequence)
    select 1, awb, awb, 1, '', price, left_, collects, 1, 0, false, '[]', true, 0
    from (values ('PART', 120, 70, true), ('OPEN', 120, 120, true), ('PAID', 120, 0, true), ('FREE', null, null, false))
      as given (awb, price, left_, collects)`)
  await owner.end()

  const { everyone: db } = await open(t, url)
  const lines = await db.many(sql`
    select t.awb, p.amount, p.method, p.user_id from payments p join tasks t on t.id = p.task_id order by t.id`)
  assert.deepEqual(lines, [
    { awb: 'PART', amount: 50, method: 'other', user_id: 1 },
    { awb: 'PAID', amount: 120, method: 'other', user_id: 1 },
  ])
})

test('several processes that start at once migrate the database once', async (t) => {
  const url = await makeUrl(t)
  const said: string[] = []
  await Promise.all(Array.from({ length: 4 }, () => migrate(url, (sentence) => said.push(sentence))))
  const prepared = said.filter((sentence) => sentence.startsWith('Preparing'))
  assert.ok(prepared.length >= 5)
  assert.deepEqual(prepared, [...new Set(prepared)])
})

test('clients do not notice a migration under load', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  const url = server.config.databaseUrl as string
  const driver = await makeDriver(server)
  for (const trigger of [3, 4, 5, 7]) await server.post('/webHooks', { url: receiver.url, trigger })
  const tables = [
    'tasks',
    'users',
    'organisations',
    'keys',
    'events',
    'webhooks',
    'receivers',
    'deliveries',
    'customers',
  ]
  const folder = await makeFolder(t, {
    ...Object.fromEntries(
      tables.map((table, index) => [
        `9${100 + index}_${table}.sql`,
        `alter table ${table} add column later${index} text`,
      ]),
    ),
    '9200_index.sql': 'create index tasks_later on tasks (organisation_id, later0) where later0 is not null',
    '9201_table.sql': 'create table later (organisation_id bigint not null references organisations, id bigint)',
    '9202_default.sql': 'alter table tasks add column later_default integer not null default 7',
    '9203_drop.sql': 'alter table tasks drop column later0; alter table users drop column later1',
  })

  let isStopping = false
  const failures: string[] = []
  const waits: number[] = []
  const expect = async (call: Promise<{ status: number; text: string }>) => {
    const begun = performance.now()
    const { status, text } = await call
    waits.push(performance.now() - begun)
    if (status !== 200) failures.push(`${status} ${text}`)
  }
  const work = async (name: number) => {
    for (let number = 0; !isStopping; number += 1) {
      const awb = `L-${name}-${number}`
      await expect(server.post('/tasks', aTask({ awb, customer: { name: 'Ana', phone: '0712345678' } })))
      await expect(server.put(`/tasks/awb/${awb}`, { details: 'Edited' }))
      await expect(server.put(`/containers/drivers/${driver.id}`, { tasks: [awb] }))
      await expect(server.get(`/tasks/awb/${awb}`))
      await expect(server.get('/tasks?limit=5'))
      await expect(server.get('/drivers'))
      await expect(server.get('/webHooks'))
      await expect(server.get('/company'))
      await expect(server.put(`/tasks/awb/${awb}/forceComplete`, { success: true }))
    }
  }
  const amounts = amountsOf('migrations')
  const workers = Array.from({ length: amounts.clients }, (_, name) => work(name))
  await receiver.waitFor(20)

  // During a long read the first migration does not get its lock, and must not make requests queue behind it.
  const reader = await connectAsOwner(url, 'a long report')
  await reader.query('begin')
  await reader.query('select count(*) from tasks')
  const said: string[] = []
  const migrated = migrate(url, (sentence) => said.push(sentence), folder)
  await until('the lock to be refused', () => said.some((sentence) => sentence.includes('could not get its lock')))
  await reader.query('commit')
  await reader.end()
  await migrated
  const answered = waits.length
  await until('requests after the migration', () => waits.length > answered + amounts['requests after it'])
  isStopping = true
  await Promise.all(workers)

  assert.deepEqual(failures, [])
  assert.match(said[1] as string, /^9100_tasks\.sql could not get its lock within 500 ms; trying again in 0\.2 s$/)
  assert.equal(said.filter((sentence) => sentence.startsWith('Preparing')).length, tables.length + 4)
  waits.sort((one, other) => one - other)
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => Math.round(waits[Math.ceil(waits.length * part) - 1] as number))
  tellNumbers(t, 'migrations', { clients: amounts.clients, requests: waits.length })
  t.diagnostic(
    `${waits.length} requests, none failed; p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms; ${said.length} lines`,
  )
  const waiting = () =>
    server.database.everyone.get<{ count: number }>(sql`
      select count(*)::int as count from deliveries where organisation_id = ${server.organisationId}`)
  await until('webhooks to be delivered through it all', async () => (await waiting()).count === 0)
  assert.deepEqual(await server.database.everyone.many(findDamage(server.organisationId)), [])
  await assert.rejects(
    migrate(url, silent),
    /created by a newer Waybill \(it has 9100_tasks\.sql, .*\); start that version/,
  )
})
