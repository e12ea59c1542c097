import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, readlink, realpath, rm, rmdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { connectTo } from './connect.ts'
import { codeOf, giveTo, type Installation, lastLines } from './embedded-files.ts'

/** A server we are connected to: started by us, or found running. */
export interface Server {
  connection: Client
  pid: number
  socketFolder: string
  isRunning(): Promise<boolean>
}

/** What the lock file in a cluster says about the server that wrote it, which may be gone. */
interface Postmaster {
  pid: number
  /** Empty while it does not listen yet. */
  socketFolder: string
  isReady: boolean
}

type Settings = Record<string, string>

interface ReachOptions {
  settings: Settings
  /** Where the server must listen if it has to be started; a new folder if there is none yet. */
  socketFolder?: string
  /** Ends the wait for a server that is still starting. */
  giveUp?: AbortSignal
}

const port = 5432

const ourSettings: Settings = {
  listen_addresses: '',
  port: `${port}`,
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_compression: 'on',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  // Our statements are short: compiling one costs more than running it.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A new database grows fast, and plans made for empty tables are bad.
  autovacuum_naptime: '1s',
  // The sender of a refused statement gets the error. In the log it would only bury what concerns the server.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

export function connectionUrl({ socketFolder }: { socketFolder: string }, user: string, database: string): string {
  // Everything is explicit, because `pg` takes what a URL leaves out from the environment (PGPORT, PGSSLMODE).
  const socket = new URLSearchParams({ host: socketFolder, sslmode: 'disable' })
  return `postgres://${user}@localhost:${port}/${database}?${socket}`
}

/** Connects to the server of this cluster, starting it if it is not running. */
export async function reachServer(installation: Installation, options: ReachOptions): Promise<Server> {
  const { cluster } = installation
  const patientUntil = performance.now() + 5_000

  while (true) {
    options.giveUp?.throwIfAborted()
    const found = await findPostmaster(cluster)
    const connection = await connect(found)
    if (found && connection instanceof Client) {
      const isRunning = async () => signal(found.pid, 0) && (await findPostmaster(cluster))?.pid === found.pid
      return { ...found, connection, isRunning }
    }

    if (connection === 'nobody there') {
      const outcome = await startServer(installation, options, found)
      if ('connection' in outcome) return outcome
      // Another start was faster, a stop is not finished, or children of a killed server have not noticed yet.
      const isPassing = /lock file .* (already exists|is empty)|still in use/.test(outcome.report)
      if (!isPassing || performance.now() > patientUntil) {
        const log = logFile(installation.folder)
        throw new Error(`PostgreSQL did not start. Its log, ${log}, ends with:\n${lastLines(outcome.report)}`)
      }
    }
    await sleep(10)
  }
}

/** Clients are disconnected, commits are kept. The lock on the folder ends with the server, not before. */
export async function stopServer(server: Server): Promise<void> {
  const fast = 'SIGINT'
  // Skips the last checkpoint; the next start then replays the write-ahead log.
  const immediate = 'SIGQUIT'
  const patientUntil = performance.now() + 5_000
  let sent: NodeJS.Signals | undefined

  while (await server.isRunning()) {
    const due = performance.now() < patientUntil ? fast : immediate
    if (sent !== due) signal(server.pid, due)
    sent = due
    await sleep(5)
  }
  await server.connection.end().catch(() => {})
  await removeSocketFolder(server.socketFolder)
}

/** PostgreSQL appends, so its log can be truncated while it runs: it continues at the new end. */
export function keepLogSmall(folder: string): NodeJS.Timeout {
  const trim = async () => {
    const { size } = await stat(logFile(folder))
    if (size > 10_000_000) await truncate(logFile(folder))
  }
  const tryToTrim = () => trim().catch(() => {})
  tryToTrim()
  return setInterval(tryToTrim, 3_600_000).unref()
}

const logFile = (folder: string) => join(folder, 'postgres.log')

async function startServer(
  installation: Installation,
  { settings, socketFolder: known, giveUp }: ReachOptions,
  stale: Postmaster | undefined,
): Promise<Server | { report: string }> {
  if (stale) await removeSocketFolder(stale.socketFolder)
  const socketFolder = await makeSocketFolder(installation.spawnOptions, known)
  const log = await open(logFile(installation.folder), 'a', 0o600)
  const { size: reportStart } = await log.stat()
  try {
    const flags = { ...ourSettings, unix_socket_directories: socketFolder, ...settings }
    const child = spawnPostgres(installation, flags, log.fd, stale)
    child.on('error', (error) => appendFileSync(logFile(installation.folder), `${error.message}\n`))

    while (!hasEnded(child)) {
      await sleep(5)
      if (giveUp?.aborted) child.kill('SIGINT')
      const postmaster = await findPostmaster(installation.cluster)
      const connection = postmaster?.isReady && postmaster.pid === child.pid ? await connect(postmaster) : undefined
      if (connection instanceof Client) {
        return { connection, pid: child.pid!, socketFolder, isRunning: async () => !hasEnded(child) }
      }
    }
    await removeSocketFolder(socketFolder)
    return { report: (await readFile(logFile(installation.folder))).subarray(reportStart).toString() }
  } finally {
    await log.close()
  }
}

function spawnPostgres(
  { cluster, programs, spawnOptions }: Installation,
  flags: Settings,
  log: number,
  stale: Postmaster | undefined,
): ChildProcess {
  const args = Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // PostgreSQL does not start while the pid in an old lock file is in use, by whatever process. This is how pg_ctl
  // tells it which one to ignore. It still looks for remains of the old server, so a mistake here does no harm.
  const env = stale ? { ...spawnOptions.env, PG_GRANDPARENT_PID: `${stale.pid}` } : spawnOptions.env
  const child = spawn(join(programs, 'postgres'), ['-D', cluster, ...args], {
    ...spawnOptions,
    env,
    // In a separate session, so that Ctrl-C on our terminal reaches us and not the database.
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  return child
}

/**
 * Not in the data folder, because a socket's path is limited to 107 bytes, and not in TMPDIR, which the account may not
 * be able to enter. A new one for each Waybill, so that nobody can be there first; the lock file says which one a
 * surviving server uses. A restarted server gets the same folder, because everything that connects knows its path.
 */
async function makeSocketFolder(account: Installation['spawnOptions'], known?: string): Promise<string> {
  if (known) await removeSocketFolder(known)
  if (known) await mkdir(known, { mode: 0o700 })
  const folder = known ?? (await mkdtemp('/tmp/waybill-'))
  await giveTo(account, folder)
  return folder
}

async function removeSocketFolder(folder: string): Promise<void> {
  if (!folder) return
  const socket = join(folder, `.s.PGSQL.${port}`)
  for (const file of [socket, `${socket}.lock`]) await rm(file, { force: true })
  await rmdir(folder).catch(() => {})
}

async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  try {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
    const [pid, , , , socketFolder = '', , , state = ''] = lines
    // Just created, or left by a start that was killed at that moment. PostgreSQL says which.
    if (!pid) return undefined
    return { pid: Number(pid), socketFolder, isReady: /^(ready|standby)/.test(state) }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The process of the server of a cluster, if it runs. Where that can be seen, another process with its old pid does not count. */
export async function findRunning(cluster: string): Promise<number | undefined> {
  const found = await findPostmaster(cluster)
  if (!found || !signal(found.pid, 0)) return undefined
  const worksIn = await readlink(`/proc/${found.pid}/cwd`).catch(() => undefined)
  return worksIn === undefined || worksIn === (await realpath(cluster)) ? found.pid : undefined
}

async function connect(postmaster: Postmaster | undefined): Promise<Client | 'not ready' | 'nobody there'> {
  if (!postmaster || !signal(postmaster.pid, 0)) return 'nobody there'
  if (!postmaster.socketFolder) return 'not ready'

  try {
    const url = connectionUrl(postmaster, 'postgres', 'postgres')
    return await connectTo(url, { application_name: `waybill ${process.pid}` })
  } catch (error) {
    const startingOrStopping = ['57P03', 'ECONNRESET', 'EPIPE', 'EAGAIN', '']
    if (startingOrStopping.includes(codeOf(error))) return 'not ready'
    if (['ECONNREFUSED', 'ENOENT'].includes(codeOf(error))) return 'nobody there'
    throw error
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Whether there is such a process; signal 0 only checks. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
