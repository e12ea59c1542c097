import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, open, readFile, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { raw } from '../db/sql.ts'
import { createLog } from '../log.ts'
import { startServer } from '../main.ts'
import { prepareFolder } from './cluster.ts'
import { aTask } from './factories.ts'
import { quiet, request, startServer as startShared } from './server.ts'
import { until } from './until.ts'

/* On a real file system that really is full. */

const key = 'disk-full-suite-key-of-the-first-organisation'

/** A disk of 256 MB, until the test ends. */
async function mountDisk(cleanUp: AsyncDisposableStack) {
  const disk = await mkdtemp(join(tmpdir(), 'waybill-disk-'))
  cleanUp.defer(() => rm(disk, { recursive: true, force: true }))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', disk]).status !== 0) return undefined
  cleanUp.defer(() => void execFileSync('umount', ['--lazy', disk]))
  await chmod(disk, 0o755)
  return disk
}

const cannotMount = 'a small disk can only be mounted by root, and not in every container'

const freeBytes = async (disk: string) => {
  const { bavail, bsize } = await statfs(disk)
  return bavail * bsize
}

/** Fills the disk except for this many bytes. */
async function fill(disk: string, name: string, leave: number) {
  const file = await open(join(disk, name), 'w')
  const block = Buffer.alloc(64 * 1024)
  while ((await freeBytes(disk)) > leave) await file.write(block).catch(() => {})
  await file.close()
}

async function connectAsAdmin(cleanUp: AsyncDisposableStack, config: pg.ClientConfig) {
  const admin = new pg.Client(config)
  admin.on('error', () => {})
  await admin.connect()
  cleanUp.defer(() => admin.end())
  return admin
}

/** Makes PostgreSQL write its log until there is no space for it, past what keeps Waybill from doing so. */
async function panic(admin: pg.Client, folder: string) {
  // Every switch needs another file for the log.
  const fillLog = async () => {
    for (;;) await admin.query('create table panic (); drop table panic; select pg_switch_wal()')
  }
  await assert.rejects(fillLog())
  assert.match(await readFile(join(folder, 'postgres.log'), 'utf8'), /PANIC:.*No space left on device/)
}

test('a full disk is reported as such, loses nothing, and work resumes when there is space', async (t) => {
  await using cleanUp = new AsyncDisposableStack()
  const disk = await mountDisk(cleanUp)
  if (!disk) return t.skip(cannotMount)
  const folder = join(disk, 'data')
  await prepareFolder(folder)
  const config = readConfig({ ...quiet, DATABASE_URL: '', WAYBILL_DATA: folder, WAYBILL_API_KEY: key })
  let said = ''
  const log = createLog('error', { write: (line: string) => (said += line) } as unknown as NodeJS.WriteStream)
  const { url, stop } = await startServer(config, log)
  cleanUp.defer(stop)
  const create = (awb: string) => request(url, 'POST', '/api/v1/tasks', { key, body: aTask({ awb }) })
  const list = () => request(url, 'GET', '/api/v1/tasks', { key })
  const ready = () => request(url, 'GET', '/ready')
  const reserve = join(folder, 'postgres/waybill-reserve')
  const hasReserve = async () => existsSync(reserve) && statSync(reserve).size === 48 * 2 ** 20
  await until('the reserve', hasReserve)
  const [, , , port, socketFolder] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  // Connects now, because on a full disk even that may need space.
  const admin = await connectAsAdmin(cleanUp, { host: socketFolder as string, port: Number(port), user: 'postgres' })
  assert.equal((await create('D-1')).status, 200)

  await fill(disk, 'ballast', 8 * 2 ** 20)
  const refused = await until('a refusal', async () => {
    const reply = await create(`D-${Math.random()}`)
    return reply.status !== 200 && reply
  })
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'DISK_FULL'])
  assert.ok(refused.headers.get('retry-after'))
  const probe = await ready()
  assert.deepEqual([probe.status, probe.body.code], [503, 'DISK_FULL'])
  assert.match(said, /The disk that holds .*\/data is full/)
  assert.equal((await list()).status, 200, 'what is there can be read')

  await fill(disk, 'more ballast', 0)
  await panic(admin, folder)
  const stoppedAt = performance.now()
  await until('the database to recover by its reserve', async () => said.includes('The database is back'))
  await until('an answer', async () => (await list()).status === 200)
  t.diagnostic(`can be read again ${Math.round(performance.now() - stoppedAt)} ms after PostgreSQL stopped`)
  assert.equal(
    (await request(url, 'GET', '/api/v1/tasks/awb/D-1', { key })).status,
    200,
    'what was saved is still there',
  )
  assert.equal(await hasReserve(), false)
  const { body } = await create('D-3')
  assert.equal(body.error?.code, 'DISK_FULL')

  await Promise.all(['ballast', 'more ballast'].map((name) => rm(join(disk, name))))
  await until('a write', async () => (await create(`D-${Math.random()}`)).status === 200)
  assert.equal((await ready()).status, 200)
  assert.equal(await hasReserve(), true)
})

test("a full disk of one's own PostgreSQL is reported as such, and work resumes when there is space", async (t) => {
  await using cleanUp = new AsyncDisposableStack()
  const disk = await mountDisk(cleanUp)
  if (!disk) return t.skip(cannotMount)
  const server = await startShared(t)
  const admin = await connectAsAdmin(cleanUp, { connectionString: process.env['WAYBILL_TEST_ADMIN'] as string })
  const { rows } = await admin.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  const owner = await stat(rows[0]!.folder).catch(() => undefined)
  if (!owner) return t.skip('the PostgreSQL of these tests runs on another machine')
  const folder = join(disk, 'tablespace')
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, owner.uid, owner.gid)
  const move = (tablespace: string) =>
    server.database.everyone.run(raw(`alter table tasks set tablespace ${tablespace}`))
  await admin.query(`create tablespace waybill_full location '${folder}'`)
  cleanUp.defer(async () => {
    await rm(join(disk, 'ballast'), { force: true })
    await move('pg_default')
    await admin.query('drop tablespace waybill_full')
  })
  await admin.query(`grant create on tablespace waybill_full to public`)
  await move('waybill_full')

  await fill(disk, 'ballast', 0)
  const tasks = Array.from({ length: 50 }, () => aTask({ details: randomBytes(4_000).toString('hex') }))
  const refused = await until('a refusal', async () => {
    const reply = await server.post('/tasks/bulkCreate', { tasks })
    return reply.status !== 200 && reply
  })
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'DISK_FULL'])
  assert.ok(refused.headers.get('retry-after'))
  const probe = await request(server.url, 'GET', '/ready')
  assert.deepEqual([probe.status, probe.body.code], [503, 'DISK_FULL'])
  assert.equal((await server.get('/tasks')).status, 200, 'what is there can be read')

  await rm(join(disk, 'ballast'))
  await until('a write', async () => (await server.post('/tasks', aTask())).status === 200)
})
