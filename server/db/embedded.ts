import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { codeOf, type Installation, openInstallation } from './embedded-files.ts'
import { giveReserve, watchRoom } from './embedded-room.ts'
import { connectionUrl, keepLogSmall, reachServer, type Server, stopServer } from './embedded-server.ts'
import { FolderTaken, watchServer } from './embedded-watch.ts'
import { locks } from './locks.ts'

export interface EmbeddedDatabase {
  /** As an ordinary role, to which row-level security applies. */
  url: string
  /** As superuser, for tests and maintenance. */
  adminUrl: string
  /** Whether its disk has so little space that nothing may be written. Known only for a watched server. */
  isFull(): boolean
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Waybill's data folder, which contains the database. */
  folder: string
  /** The folder of other programs than those of our package. */
  programs?: string | undefined
  log: (sentence: string) => void
  /** For problems an operator should look into. */
  warn?: (sentence: string) => void
  /** PostgreSQL settings that replace ours. */
  settings?: Record<string, string>
  /** If given, the server is watched and restarted when it dies. Called when that fails. */
  onLost?: (error: Error) => void
}

/** Starts the PostgreSQL of a data folder, or adopts one that survived a killed Waybill. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { server, installation } = await openServer(options)
  await lockFolder(server.connection, installation.folder)
  return keep(server, installation, options)
}

/** For a short visit: uses the PostgreSQL of a running Waybill, or starts one for the visit. */
export async function visitEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (!existsSync(join(options.folder, 'postgres')))
    throw new Error(`No database in ${options.folder} yet: start the server once, or set WAYBILL_DATA`)
  const { server, installation } = await openServer(options)
  if (await tryLock(server.connection)) return keep(server, installation, options)
  await server.connection.end()
  return { ...urlsOf(server), isFull: () => false, stop: async () => {} }
}

async function openServer({ folder, programs, log, settings = {} }: EmbeddedOptions) {
  if (process.platform === 'win32') {
    throw new Error('Waybill has no embedded PostgreSQL for Windows: set DATABASE_URL to your own server')
  }
  const { fsync = 'on' } = settings
  const installation = await openInstallation(folder, log, { durable: fsync !== 'off', programs }).catch((error) => {
    if (!codeOf(error)) throw error
    throw new Error(`The data folder ${folder} cannot be used: ${error.message}`, { cause: error })
  })
  const server = await reachServer(installation, { settings }).catch(async (error) => {
    if (!(await giveReserve(installation.cluster))) throw error
    return reachServer(installation, { settings })
  })
  return { server, installation }
}

/** The server and the lock on its folder are ours until we stop it. */
async function keep(server: Server, installation: Installation, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { log, warn = log, settings = {}, onLost } = options
  const { folder, cluster } = installation
  const trimming = keepLogSmall(folder)
  const watched = onLost && watchServer(server, { installation, settings, takeLock: requireLock, warn, onLost })
  const room = onLost && (await watchRoom({ folder, cluster, warn }))
  let stopped: Promise<void> | undefined
  const stop = () => {
    clearInterval(trimming)
    stopped ??= stopAll()
    return stopped
  }
  const stopAll = async () => {
    await room?.stop()
    await (watched ? watched.stop() : stopServer(server))
  }
  try {
    await ensureDatabase(server.connection)
  } catch (error) {
    await stop()
    throw error
  }
  return { ...urlsOf(server), isFull: room?.isFull ?? (() => false), stop }
}

const urlsOf = (server: Server) => ({
  url: connectionUrl(server, 'waybill', 'waybill'),
  adminUrl: connectionUrl(server, 'postgres', 'postgres'),
})

/**
 * One Waybill per data folder: this connection holds a lock that ends with our process, however it ends. PostgreSQL
 * needs a moment to notice that a process was killed, so we retry for a while.
 */
async function lockFolder(connection: Client, folder: string): Promise<void> {
  const patientUntil = performance.now() + 500
  while (performance.now() < patientUntil) {
    if (await tryLock(connection)) return
    await sleep(20)
  }
  await requireLock(connection, folder)
}

async function requireLock(connection: Client, folder: string): Promise<void> {
  if (await tryLock(connection)) return
  const holder = await findHolder(connection)
  await connection.end()
  throw new FolderTaken(
    `Another Waybill${holder ? ` (process ${holder})` : ''} is already using the data folder ${folder}: ` +
      'stop it, or set WAYBILL_DATA to another folder',
  )
}

async function tryLock(connection: Client): Promise<boolean> {
  const { rows } = await connection.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    locks.dataFolder,
  ])
  return rows[0]!.locked
}

async function findHolder(connection: Client): Promise<string | undefined> {
  const { rows } = await connection.query<{ process: string }>(
    `select split_part(application_name, ' ', 2) as process
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [locks.dataFolder],
  )
  return rows[0]?.process
}

async function ensureDatabase(connection: Client): Promise<void> {
  const role = await connection.query(`select from pg_roles where rolname = 'waybill'`)
  if (!role.rowCount) await connection.query('create role waybill login')
  const database = await connection.query(`select from pg_database where datname = 'waybill'`)
  if (!database.rowCount) await connection.query('create database waybill owner waybill')
}
