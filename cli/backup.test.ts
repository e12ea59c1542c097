import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { writeArchive } from '../server/backup/archive.ts'
import { readConfig } from '../server/config.ts'
import { locks } from '../server/db/locks.ts'
import { createLog } from '../server/log.ts'
import { startServer } from '../server/main.ts'
import { cleanUpOf } from '../server/test/clean-up.ts'
import { prepareFolder } from '../server/test/cluster.ts'
import { makeDatabase, makeEmptyDatabase } from '../server/test/database.ts'
import { aTask } from '../server/test/factories.ts'
import { photo } from '../server/test/pictures.ts'
import { quiet, request } from '../server/test/server.ts'
import { until } from '../server/test/until.ts'
import { openBar } from './progress.ts'
import { runHere as run } from './test/run-here.ts'

const program = join(import.meta.dirname, 'waybill.ts')

function environmentWith(given: Record<string, string>) {
  const { WAYBILL_API_KEY: _, ...clean } = process.env
  return { ...clean, DATABASE_URL: '', PORT: '0', ...given }
}

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-cli-test-'))
  // Where PostgreSQL cannot enter, because it does not run as root, its database is put elsewhere and would stay.
  await chmod(folder, 0o755)
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function makeUrl(t: TestContext, make = makeEmptyDatabase) {
  const { url, drop } = await make()
  cleanUpOf(t).defer(drop)
  return url
}

async function ask(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const tablesOf = async (url: string) =>
  (await ask(url, "select relname from pg_class where relnamespace = 'public'::regnamespace")).length

async function serve(t: TestContext, environment: Record<string, string>) {
  const config = readConfig({ ...quiet, ...environment })
  const server = await startServer(config, createLog(config.log, process.stderr))
  cleanUpOf(t).defer(server.stop)
  return server
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal)
    await once(child, 'exit')
  }
  return child.exitCode
}

test('from the embedded database of a running server to another PostgreSQL, and back into an embedded one', async (t) => {
  const folder = await makeFolder(t)
  const [file, back] = [join(folder, 'one.tar'), join(folder, 'two.tar')]
  const first = { WAYBILL_DATA: join(folder, 'first') }
  await prepareFolder(first.WAYBILL_DATA)
  const server = await serve(t, first)
  const key = server.firstKey as string
  const create = (url: string, awb: string) => request(url, 'POST', '/api/v1/tasks', { key, body: aTask({ awb }) })
  assert.equal((await create(server.url, 'A-1')).status, 200)
  const headers = { 'content-type': 'image/jpeg' }
  const { file: picture } = (await request(server.url, 'POST', '/api/v1/files', { key, raw: photo, headers })).body

  const made = await run(first, 'backup', file)
  assert.deepEqual([made.code, made.err], [0, ''])
  assert.match(made.out, /^Wrote \S+one\.tar \(\d+ kB\) in [\d.]+ s: \d+ rows of \d+ tables and 2 files, made 20.*\.$/m)
  const busy = await run(first, 'restore', file, '--replace')
  assert.match(busy.err, /^Another Waybill \(process \d+\) is already using the data folder .*: stop it, .*\.\n$/)
  assert.equal((await create(server.url, 'A-2')).status, 200, 'the server worked on')
  await server.stop()

  const external = { DATABASE_URL: await makeUrl(t), WAYBILL_DATA: join(folder, 'second') }
  const moved = await run(external, 'restore', file)
  assert.deepEqual([moved.code, moved.err], [0, ''])
  assert.match(moved.out, /^Restored in [\d.]+ s: \d+ rows of/)
  const second = await serve(t, external)
  assert.equal(second.firstKey, undefined, 'it is no first start')
  assert.equal((await create(second.url, 'A-1')).body.error.code, 'AWB_TAKEN')
  assert.equal((await create(second.url, 'A-3')).status, 200)
  assert.equal((await run(external, 'backup', back)).code, 0)
  const served = await run(external, 'restore', file, '--replace')
  assert.deepEqual([served.code, served.err], [1, 'A server is using this database: stop it first.\n'])
  await second.stop()

  const home = { WAYBILL_DATA: join(folder, 'third') }
  assert.equal((await run(home, 'restore', back)).code, 0)
  const third = await serve(t, home)
  const awbs = await request(third.url, 'GET', '/api/v1/tasks/awb/A-3', { key })
  assert.equal(awbs.status, 200, awbs.text)
  assert.equal((await create(third.url, 'A-4')).status, 200)
  const shown = await request(third.url, 'GET', picture.path, { key })
  assert.deepEqual([shown.status, shown.bytes.length], [200, picture.bytes], 'the picture went all the way')
})

test('a backup says where the pictures are if they are not in it', async (t) => {
  const file = join(await makeFolder(t), 'one.tar')
  const bucket = { WAYBILL_FILES: 's3://pictures/ours', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  const { out } = await run({ DATABASE_URL: await makeUrl(t, makeDatabase), ...bucket }, 'backup', file)
  const says = /The pictures are not in it: they stay in s3:\/\/pictures\/ours\/\./
  assert.match(out, says)
  assert.match((await run({}, 'backup', '--verify', file)).out, says)
})

test('a damaged or foreign file is refused in one sentence, and nothing is changed', async (t) => {
  const folder = await makeFolder(t)
  const source = await makeUrl(t, makeDatabase)
  const environment = { DATABASE_URL: source, WAYBILL_DATA: folder }
  await run(environment, 'organisations', 'create', 'Curier')
  const file = join(folder, 'good.tar')
  assert.equal((await run(environment, 'backup', file)).code, 0)
  const good = await run({}, 'backup', '--verify', file)
  assert.match(good.out, /good\.tar is complete \([\d.]+ s\): [1-9]\d* rows of \d+ tables and 0 files/)
  const whole = await readFile(file)

  const flipped = Buffer.from(whole)
  flipped[whole.indexOf('Curier') > 0 ? whole.indexOf('Curier') : 2_000]! ^= 1
  const later = Buffer.from(whole.toString('latin1').replace('"format": 1', '"format": 2'), 'latin1')
  await ask(source, "insert into migrations (name, checksum) values ('9999_future.sql', 'x')")
  const future = await run(environment, 'backup', join(folder, 'future.tar'))
  assert.equal(future.code, 0, future.err)
  const other = await open(join(folder, 'other.tar'), 'wx')
  const archive = writeArchive(other, new Date())
  await archive.add('readme.txt', Buffer.from('Hello'))
  await archive.finish()
  await other.close()

  const cases: [name: string, body: Buffer, says: RegExp][] = [
    ['cut.tar', whole.subarray(0, whole.length - 3_000), /^\S+cut\.tar ends too early: it was cut off\.$/],
    ['flipped.tar', flipped, /^\S+flipped\.tar was changed after it was written: .*\.$/],
    ['text.tar', Buffer.from('Hello'.repeat(1_000)), /^\S+text\.tar is not a Waybill backup\.$/],
    ['empty.tar', Buffer.alloc(0), /^\S+empty\.tar ends too early: it was cut off\.$/],
    ['other.tar', await readFile(join(folder, 'other.tar')), /^\S+other\.tar is not a Waybill backup\.$/],
    ['later.tar', later, /^\S+later\.tar was written by a newer Waybill \(.*\): use that version\.$/],
  ]
  const target = { DATABASE_URL: await makeUrl(t) }
  for (const [name, body, says] of cases) {
    const path = join(folder, name)
    await writeFile(path, body)
    for (const said of [await run({}, 'backup', '--verify', path), await run(target, 'restore', path)]) {
      assert.deepEqual([said.code, said.out], [1, ''], name)
      assert.match(said.err.trimEnd(), says)
    }
  }
  const newer = await run(target, 'restore', join(folder, 'future.tar'))
  assert.match(newer.err, /^This backup was made by a newer Waybill \(\S+, with 9999_future\.sql\): restore it with /)
  const missing = await run(target, 'restore', join(folder, 'nowhere.tar'))
  assert.deepEqual([missing.code, missing.err], [1, `No such file or folder: ${folder}/nowhere.tar.\n`])
  assert.equal(await tablesOf(target.DATABASE_URL), 0)

  const full = { DATABASE_URL: source }
  const refused = await run(full, 'restore', file)
  assert.deepEqual(
    [refused.code, refused.err],
    [1, 'This database is not empty: restore into an empty one, or use --replace to overwrite it.\n'],
  )
})

test('a backup that cannot be written leaves no file, and no other file is lost', async (t) => {
  const folder = await makeFolder(t)
  const environment = { DATABASE_URL: await makeUrl(t, makeDatabase) }
  const kept = join(folder, 'kept.tar')
  await writeFile(kept, 'precious')
  await writeFile(join(folder, 'file'), '')
  await mkdir(join(folder, 'closed'), { mode: 0o500 })
  const cases: [path: string, says: RegExp][] = [
    [kept, /^\S+kept\.tar already exists: choose another name, or move it away\.$/],
    [folder, / already exists: /],
    [join(folder, 'nowhere/x.tar'), /^No such file or folder: \S+nowhere\.$/],
    [join(folder, 'file/x.tar'), / is not a folder\.$/],
    ['/proc/x.tar', /^(No such file or folder|Permission denied): .*\.$/],
  ]
  if (process.getuid?.() !== 0) cases.push([join(folder, 'closed/x.tar'), /^Permission denied: .*\.$/])
  for (const [path, says] of cases) {
    const said = await run(environment, 'backup', path)
    assert.deepEqual([said.code, said.out], [1, ''], path)
    assert.match(said.err.trimEnd(), says)
  }
  assert.equal(await readFile(kept, 'utf8'), 'precious')

  const tooLarge = await new Promise<{ code: unknown; err: string }>((resolve) => {
    const command = `ulimit -f 8 && exec "${process.execPath}" "${program}" backup "${folder}/large.tar"`
    const child = execFile('sh', ['-c', command], { env: environmentWith(environment) }, (_error, _out, err) =>
      resolve({ code: child.exitCode, err }),
    )
  })
  assert.deepEqual(tooLarge, { code: 1, err: `${folder} does not allow files this large; nothing was written.\n` })
  const nothing = await run({ DATABASE_URL: await makeUrl(t) }, 'backup', join(folder, 'nothing.tar'))
  assert.match(nothing.err, /^This database has no Waybill data yet, so there is nothing to back up\.$/m)
  assert.deepEqual((await readdir(folder)).sort(), ['closed', 'file', 'kept.tar'])
})

test('Ctrl-C leaves nothing half-done', async (t) => {
  const folder = await makeFolder(t)
  const url = await makeUrl(t, makeDatabase)
  const file = join(folder, 'good.tar')
  await run({ DATABASE_URL: url }, 'backup', file)
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  cleanUpOf(t).defer(() => holder.end())
  await holder.query('select pg_advisory_lock($1)', [locks.schema])

  for (const args of [
    ['backup', join(folder, 'stopped.tar')],
    ['restore', file],
  ]) {
    const child = spawn(process.execPath, [program, ...args], { env: environmentWith({ DATABASE_URL: url }) })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    await until(
      () => `it to wait: ${said}`,
      () => child.exitCode !== null || said.includes('Waiting for'),
    )
    assert.equal(await end(child, 'SIGINT'), 1)
    assert.match(said, /^Waiting for .*\.\nStopped; nothing was changed\.\n$/)
  }
  assert.deepEqual(await readdir(folder), ['good.tar'])
})

test('a terminal shows a progress bar, which disappears at the end', (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  let shown = ''
  const terminal = { isTTY: true, columns: 80, write: (text: string) => (shown += text) }
  const bar = openBar('Backing up', terminal as unknown as NodeJS.WriteStream)
  bar.show({ doing: 'tasks', part: 0.5, rows: 12_345 })
  now += 99
  bar.show({ doing: 'users', part: 0.6, rows: 12_346 })
  assert.equal(
    shown,
    '\r\u001b[KBacking up  ████████████░░░░░░░░░░░░  50 %  12,345 rows  tasks',
    'one in a tenth of a second',
  )
  bar.clear()
  assert.ok(shown.endsWith('\r\u001b[K'))

  shown = ''
  const pipe = openBar('Backing up', { ...terminal, isTTY: false } as unknown as NodeJS.WriteStream)
  pipe.show({ doing: 'tasks', part: 0.5, rows: 12_345 })
  pipe.clear()
  assert.equal(shown, '')
})
