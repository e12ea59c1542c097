import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { clientFor, cut } from './connect.ts'
import { isReadOnly } from './faults.ts'
import { watchForSilence } from './silence.ts'

export interface Connection extends pg.PoolClient {
  /** The organisation currently set in the session variable behind row-level security. */
  organisationId?: number
  /** Why this connection must not be used again. */
  broken?: Error
  pid?: number
  /** Whether it is set to refuse writes, because the disk is full. */
  isReadOnly?: boolean
  /** When the pending statement was sent. */
  askedAt?: number | undefined
}

export interface Pool {
  connect(): Promise<Connection>
  end(): Promise<void>
}

export interface PoolOptions {
  url: string
  connections: number
  /** A connection that is silent for this long is given up; a statement may take a second less. */
  patienceMs: number
  /** For PostgreSQL's command line. */
  settings: string
  /** Called when an idle connection breaks, which is no request's fault. */
  onIdleError: (error: Error) => void
}

/** By this name the server recognises the connections of this process. */
const name = `waybill work ${randomBytes(4).toString('hex')}`

export function openPool({ url, connections, patienceMs, settings, onIdleError }: PoolOptions): Pool {
  const Client = clientFor(url)
  const pool = new pg.Pool({
    Client,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: name,
    // A statement is sent when it is asked, and not when the one before it is answered: the last one with its commit.
    pipeline: true,
    // The server gives up first, so that the statement does not continue without us. That does not help if the server
    // has gone silent.
    statement_timeout: patienceMs - 1_000,
    query_timeout: patienceMs,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
    options: settings,
  })
  // pg says that a pool has ended before its connections have; if the database stops meanwhile, they complain.
  let isEnding = false
  pool.on('error', (error) => isEnding || onIdleError(error))
  // A connection can also break between two statements of a transaction, when no query is pending.
  const all = new Set<Connection>()
  pool.on('connect', (connection: Connection) => {
    all.add(connection)
    connection.on('error', (error) => {
      connection.broken = error
    })
  })
  pool.on('remove', (connection: Connection) => all.delete(connection))

  /** What broke one connection broke the idle ones too; otherwise we would find out one request at a time. */
  function giveUp(broken: Error, silent: Connection[] = []) {
    const given = [...all].filter((connection) => silent.includes(connection) || !connection.askedAt)
    for (const connection of given) {
      connection.broken ??= broken
      all.delete(connection)
    }
    return given
  }

  pool.on('release', (_, { broken }: Connection) => {
    if (broken && isReadOnly(broken)) giveUp(broken)
  })

  const watch = watchForSilence({
    url,
    name,
    connections: all,
    giveUp(silent) {
      const given = giveUp(new Error('The database connection has gone silent'), silent)
      for (const connection of silent) cut(connection)
      return given
    },
  })

  return {
    async connect() {
      for (let hostsLeft = Client.hosts; ; ) {
        const connection: Connection | undefined = await pool.connect().catch((error) => {
          hostsLeft -= 1
          if (hostsLeft === 0 || isExhausted(error)) throw error
          return undefined
        })
        if (connection && !connection.broken) return connection
        if (connection) release(connection)
      }
    },
    end() {
      isEnding = true
      watch.stop()
      return pool.end()
    },
  }
}

/** All connections are in use: another host would not help. */
const isExhausted = (error: Error) => /timeout exceeded when trying to connect/.test(error.message)

export const release = (connection: Connection) => connection.release(connection.broken)
