import pg from 'pg'
import { watchForSilence } from './silence.ts'

export interface Connection extends pg.PoolClient {
  /** The organisation the session variable behind row level security names at the moment. */
  organisationId?: number
  /** Why this connection is not to be used again. */
  broken?: Error
  pid?: number
  /** When the statement was sent whose answer has not come yet. */
  askedAt?: number | undefined
}

export interface Pool {
  connect(): Promise<Connection>
  end(): Promise<void>
}

export interface PoolOptions {
  url: string
  connections: number
  /** A statement may take a second less than this; a connection that says nothing for so long is given up. */
  patienceMs: number
  /** For PostgreSQL's command line. */
  settings: string
  /** Told when an idle connection breaks, which is no request's fault. */
  onIdleError: (error: Error) => void
}

export function openPool({ url, connections, patienceMs, settings, onIdleError }: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'waybill',
    // The server gives up first, so that nothing of the statement goes on behind our back. That cannot help if the server
    // is not heard any more.
    statement_timeout: patienceMs - 1_000,
    query_timeout: patienceMs,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
    options: settings,
  })
  // pg says that a pool has ended before its connections have; if the database stops meanwhile, they complain.
  let isEnding = false
  pool.on('error', (error) => isEnding || onIdleError(error))
  // A connection can also break between two statements of a transaction, when nobody waits for an answer of it.
  const all = new Set<Connection>()
  pool.on('connect', (connection: Connection) => {
    all.add(connection)
    connection.on('error', (error) => {
      connection.broken = error
    })
  })
  pool.on('remove', (connection: Connection) => all.delete(connection))

  // Whatever befell these befell the idle ones too, which would otherwise be found out one request at a time.
  const watch = watchForSilence(url, all, (silent) => {
    const broken = new Error('The database connection is not heard any more')
    for (const connection of all) {
      const isSilent = silent.includes(connection)
      if (!isSilent && connection.askedAt) continue
      connection.broken ??= broken
      all.delete(connection)
      if (isSilent) connection.end().catch(() => {})
    }
  })

  return {
    async connect() {
      for (;;) {
        const connection: Connection = await pool.connect()
        if (!connection.broken) return connection
        release(connection)
      }
    },
    end() {
      isEnding = true
      watch.stop()
      return pool.end()
    },
  }
}

export const release = (connection: Connection) => connection.release(connection.broken)
