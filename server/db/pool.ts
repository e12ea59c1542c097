import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { clientFor, cut } from './connect.ts'
import { isReadOnly } from './faults.ts'
import { hostsOf } from './hosts.ts'
import { watchForSilence } from './silence.ts'

export interface Connection extends pg.PoolClient {
  /** The organisation currently set in the session variable behind row-level security. */
  organisationId?: number
  /** Why this connection must not be used again. */
  broken?: Error
  pid?: number
  /** The number of its host. */
  place?: number
  /** Whether it has the settings of its pool. */
  isSet?: boolean
  /** Whether it is set to refuse writes, because the disk is full. */
  isReadOnly?: boolean
  /** When the pending statement was sent. */
  askedAt?: number | undefined
  /** When it was opened, and when it last answered. */
  openedAt?: number
  heardAt?: number
}

export interface Pool {
  /** What PostgreSQL must be told on each connection before it is used. */
  settings: Record<string, string>
  connect(): Promise<Connection>
  end(): Promise<void>
}

export interface PoolOptions {
  url: string
  connections: number
  /** A connection that is silent for this long is given up; a statement may take a second less. */
  patienceMs: number
  /** Of PostgreSQL, on these connections. */
  settings: Record<string, string>
  /** Called when an idle connection breaks, which is no request's fault. */
  onIdleError: (error: Error) => void
}

/** By this name the server recognises the connections of this process. */
const name = `waybill work ${randomBytes(4).toString('hex')}`

export function openPool({ url, connections, patienceMs, settings, onIdleError }: PoolOptions): Pool {
  const hosts = hostsOf(url)
  const pool = new pg.Pool({
    Client: clientFor(url),
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: name,
    // A statement is sent when it is asked, and not when the one before it is answered: the last one with its commit.
    pipeline: true,
    query_timeout: patienceMs,
  })
  // pg says that a pool has ended before its connections have; if the database stops meanwhile, they complain.
  let isEnding = false
  pool.on('error', (error) => isEnding || onIdleError(error))
  // A connection can also break between two statements of a transaction, when no query is pending.
  const all = new Set<Connection>()
  pool.on('connect', (connection: Connection) => {
    all.add(connection)
    connection.openedAt = performance.now()
    connection.heardAt = connection.openedAt
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

  /** A new connection can lead to a host that is no longer the best; the second leads to one that just answered. */
  const connectOrSearch = (): Promise<Connection> =>
    (pool.connect() as Promise<Connection>).catch(async (error) => {
      if (isExhausted(error)) throw error
      await hosts.search(error)
      return pool.connect() as Promise<Connection>
    })

  return {
    settings: {
      // Not as start-up parameters, which a pooler may refuse. The server gives up first, so that the statement does not
      // continue without us. That does not help if the server has gone silent.
      statement_timeout: `${patienceMs - 1_000}`,
      lock_timeout: '5000',
      idle_in_transaction_session_timeout: '30000',
      ...settings,
    },
    async connect() {
      while (true) {
        const connection = await connectOrSearch()
        if (connection.place !== hosts.choose()) connection.broken ??= new Error('Another database host is used now')
        if (!connection.broken) return connection
        cut(connection)
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

/** All connections are in use: another host would not help. */
const isExhausted = (error: Error) => /timeout exceeded when trying to connect/.test(error.message)

export const release = (connection: Connection) => connection.release(connection.broken)
