import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { codeOf, openInstallation } from './embedded-files.ts'
import { connectionUrl, keepLogSmall, reachServer, type Server, stopServer } from './embedded-server.ts'

export interface EmbeddedDatabase {
  /** As an ordinary role, to which row level security applies. */
  url: string
  /** As superuser, for tests and maintenance. */
  adminUrl: string
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Waybill's data folder. The database is one of the things in it. */
  folder: string
  log: (sentence: string) => void
  /** PostgreSQL settings that replace ours. */
  settings?: Record<string, string>
}

/** Starts the PostgreSQL of a data folder, or adopts the one that outlived a Waybill that was killed. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { server, folder } = await openServer(options)
  await lockFolder(server.connection, folder)
  return keep(server, folder)
}

/** For a short visit: the PostgreSQL that a Waybill runs at the moment, or else one that is started for the visit. */
export async function visitEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (!existsSync(join(options.folder, 'postgres')))
    throw new Error(`No database in ${options.folder} yet: start the server once, or set WAYBILL_DATA`)
  const { server, folder } = await openServer(options)
  if (await tryLock(server.connection)) return keep(server, folder)
  await server.connection.end()
  return { ...urlsOf(server), stop: async () => {} }
}

async function openServer({ folder, log, settings = {} }: EmbeddedOptions) {
  if (process.platform === 'win32') {
    throw new Error('Waybill has no embedded PostgreSQL for Windows: set DATABASE_URL to your own server')
  }
  const { fsync = 'on' } = settings
  const installation = await openInstallation(folder, log, { durable: fsync !== 'off' }).catch((error) => {
    if (!codeOf(error)) throw error
    throw new Error(`The data folder ${folder} cannot be used: ${error.message}`, { cause: error })
  })
  return { server: await reachServer(installation, settings), folder: installation.folder }
}

/** The server is ours, with the lock on its folder, until we stop it. */
async function keep(server: Server, folder: string): Promise<EmbeddedDatabase> {
  const trimming = keepLogSmall(folder)
  let stopped: Promise<void> | undefined
  const stop = () => {
    clearInterval(trimming)
    stopped ??= stopServer(server)
    return stopped
  }
  try {
    await ensureDatabase(server.connection)
  } catch (error) {
    await stop()
    throw error
  }
  return { ...urlsOf(server), stop }
}

const urlsOf = (server: Server) => ({
  url: connectionUrl(server, 'waybill', 'waybill'),
  adminUrl: connectionUrl(server, 'postgres', 'postgres'),
})

/**
 * One Waybill per data folder: this connection keeps a lock that ends with our process however it ends. The one of a
 * process killed just now takes PostgreSQL a moment to notice, hence the patience.
 */
async function lockFolder(connection: Client, folder: string): Promise<void> {
  const patientUntil = Date.now() + 500
  while (!(await tryLock(connection))) {
    if (Date.now() < patientUntil) {
      await sleep(20)
      continue
    }
    const holder = await findHolder(connection)
    await connection.end()
    throw new Error(
      `Another Waybill${holder ? ` (process ${holder})` : ''} is already using the data folder ${folder}: ` +
        'stop it, or set WAYBILL_DATA to another folder',
    )
  }
}

const lockKey = 1_463_900_514

async function tryLock(connection: Client): Promise<boolean> {
  const { rows } = await connection.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [lockKey])
  return rows[0]!.locked
}

async function findHolder(connection: Client): Promise<string | undefined> {
  const { rows } = await connection.query<{ process: string }>(
    `select split_part(application_name, ' ', 2) as process
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [lockKey],
  )
  return rows[0]?.process
}

async function ensureDatabase(connection: Client): Promise<void> {
  const role = await connection.query(`select from pg_roles where rolname = 'waybill'`)
  if (!role.rowCount) await connection.query('create role waybill login')
  const database = await connection.query(`select from pg_database where datname = 'waybill'`)
  if (!database.rowCount) await connection.query('create database waybill owner waybill')
}
