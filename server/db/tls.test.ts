import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { prepareFolder } from '../test/cluster.ts'
import { localhost } from '../test/push-service.ts'
import { type Identity, identity as stranger } from '../test/receiver.ts'
import { until } from '../test/until.ts'
import { connectTo } from './connect.ts'
import { openDatabase } from './db.ts'
import { openInstallation } from './embedded-files.ts'
import { isUnavailable } from './faults.ts'
import { sql } from './sql.ts'
import { reach } from './tls.ts'

/* A real PostgreSQL that accepts only encrypted connections. Its certificate is for localhost and 127.0.0.1. */

const cleanUp = new AsyncDisposableStack()
after(() => cleanUp.disposeAsync())
let folder: string
let cluster: string
let port: number

/** Only TLS; one role needs a certificate of its own. */
const access = `
hostssl all guarded 127.0.0.1/32 trust clientcert=verify-ca
hostssl all all 127.0.0.1/32 trust
`

/** For the account PostgreSQL runs as, which wants its key to itself. */
async function give(name: string, content: string) {
  const { uid, gid } = await stat(cluster)
  await writeFile(join(cluster, name), content)
  await chown(join(cluster, name), uid, gid)
  await chmod(join(cluster, name), 0o600)
}

async function identifyAs({ cert, key }: Identity) {
  await give('server.crt', cert)
  await give('server.key', key)
}

const file = (name: string) => join(folder, name)
const urlWith = (parameters: string, user = 'waybill') => `postgres://${user}@127.0.0.1:${port}/waybill?${parameters}`

async function isEncrypted(url: string): Promise<boolean> {
  const client = await connectTo(url, {})
  const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
  await client.end()
  return rows[0].ssl
}

const findFreePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-tls-'))
  await chmod(folder, 0o755) // if we are root, PostgreSQL runs as another account, which needs access
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  await prepareFolder(folder)
  const installation = await openInstallation(folder, () => {}, { durable: false })
  cluster = installation.cluster
  port = await findFreePort()
  await give('pg_hba.conf', access)
  await give('clients.crt', localhost.cert)
  await identifyAs(localhost)
  for (const [name, { cert, key }] of Object.entries({ localhost, stranger })) {
    await writeFile(file(`${name}.crt`), cert)
    await writeFile(file(`${name}.key`), key)
  }
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    ssl: 'on',
    ssl_ca_file: 'clients.crt',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program = join(installation.programs, 'postgres')
  const server = spawn(program, ['-D', cluster, ...flags], { ...installation.spawnOptions, stdio: 'ignore' })
  const kill = () => server.kill('SIGINT')
  process.on('exit', kill)
  cleanUp.defer(async () => {
    process.off('exit', kill)
    if (kill()) await once(server, 'exit')
  })
  await until('PostgreSQL', () => isEncrypted(urlWith('sslmode=require')).catch(() => false))
  const admin = await connectTo(urlWith('sslmode=require', 'postgres'), {})
  await admin.query('create role guarded login')
  await admin.end()
})

const isNotAccepted = (error: unknown) => {
  assert.match(String(error), /its certificate is not accepted/)
  return isUnavailable(error)
}

test('each sslmode encrypts, and trusts whom libpq would trust', async (t) => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  t.after(() => process.off('warning', note))

  assert.ok(await isEncrypted(urlWith('sslmode=require')), 'require needs no certificate')
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    assert.ok(await isEncrypted(urlWith(`sslmode=${mode}&sslrootcert=${file('localhost.crt')}`)), mode)
    await assert.rejects(isEncrypted(urlWith(`sslmode=${mode}&sslrootcert=${file('stranger.crt')}`)), isNotAccepted)
  }
  await assert.rejects(isEncrypted(urlWith('sslmode=verify-full')), isNotAccepted)
  await assert.rejects(isEncrypted(urlWith('sslmode=disable')), /no encryption/)
  assert.deepEqual(warnings, [])

  const url = urlWith(`sslmode=verify-full&sslrootcert=${file('localhost.crt')}`)
  const { everyone, close } = openDatabase({ url, connections: 1, onIdleError: () => {} })
  t.after(close)
  assert.deepEqual(await everyone.get(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`), { ssl: true })
})

test('a certificate for another name is refused only by verify-full', async (t) => {
  const reload = async (identity: Identity) => {
    await identifyAs(identity)
    const admin = await connectTo(urlWith('sslmode=require', 'postgres'), {})
    await admin.query('select pg_reload_conf()')
    await admin.end()
    const { cert } = identity
    await writeFile(file('expected.crt'), cert)
    const url = urlWith(`sslmode=verify-ca&sslrootcert=${file('expected.crt')}`)
    await until('the certificate', () => isEncrypted(url).catch(() => false))
  }
  await reload(stranger)
  t.after(() => reload(localhost))
  const root = `sslrootcert=${file('stranger.crt')}`
  assert.ok(await isEncrypted(urlWith(`sslmode=verify-ca&${root}`)))
  assert.ok(await isEncrypted(urlWith(`sslmode=require&${root}`)))
  await assert.rejects(isEncrypted(urlWith(`sslmode=verify-full&${root}`)), isNotAccepted)
})

test('a client certificate is shown to a server that asks for one', async () => {
  const own = `sslcert=${file('localhost.crt')}&sslkey=${file('localhost.key')}`
  assert.ok(await isEncrypted(urlWith(`sslmode=require&${own}`, 'guarded')))
  await assert.rejects(isEncrypted(urlWith('sslmode=require', 'guarded')), /valid client certificate/)
})

test('what cannot be kept is refused with a sentence, and a socket needs no encryption', (t) => {
  const refusals: [parameters: string, says: RegExp][] = [
    ['sslmode=prefer', /must have sslmode disable, require, verify-ca, verify-full: prefer may go without encryption/],
    ['sslmode=allow', /allow may go without encryption unnoticed/],
    ['sslmode=verify-ca', /must have sslrootcert for sslmode verify-ca/],
    ['sslmode=verify-full&sslcrl=/x', /has sslcrl, which Waybill does not know/],
    ['sslmode=verify-full&sslrootcert=/nowhere/root.crt', /names a file that cannot be read: \/nowhere\/root\.crt/],
  ]
  for (const [parameters, says] of refusals) assert.throws(() => reach(`postgres://db/x?${parameters}`), says)

  const here = 'postgres://me@localhost/x?host=%2Ftmp%2Fa'
  assert.deepEqual(reach(`${here}&sslmode=verify-full`), { connectionString: here, ssl: false })
  assert.deepEqual(reach('postgres://%2Ftmp/x?sslmode=require').ssl, false)
  assert.deepEqual(reach('postgres://db/x'), { connectionString: 'postgres://db/x', ssl: false })
  assert.equal((reach('postgres://db/x?ssl=true').ssl as { rejectUnauthorized: boolean }).rejectUnauthorized, true)

  process.env['PGSSLMODE'] = 'verify-full'
  t.after(() => delete process.env['PGSSLMODE'])
  assert.notEqual(reach('postgres://db/x').ssl, false, 'what the url leaves out comes from the environment')
  assert.equal(reach('postgres://db/x?sslmode=disable').ssl, false)
})
