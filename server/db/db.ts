import pg from 'pg'
import { type Sql, sql } from './sql.ts'

/** The ways to ask the database something. Queries take it as their first argument. */
export interface Db {
  many<Row extends object>(query: Sql): Promise<Row[]>
  /** The first row, if there is one. */
  find<Row extends object>(query: Sql): Promise<Row | undefined>
  /** The first row; there must be one. */
  get<Row extends object>(query: Sql): Promise<Row>
  /** How many rows were written. */
  run(query: Sql): Promise<number>
  /**
   * Commits what `work` did with the handle it is given, or nothing of it. Inside a transaction it is a part of that one,
   * and can fail for itself. The connection is taken when `work` first asks something: what `work` waits for before that
   * keeps no connection waiting. `opening` is what must come first inside.
   *
   * After a deadlock `work` runs again from the beginning, so it changes nothing but the database.
   */
  transaction<Result>(work: (db: Db) => Promise<Result>, opening?: (db: Db) => Promise<void>): Promise<Result>
}

export interface Database {
  /** The service itself, which sees every organisation: for signing in, for workers, for the command line. */
  everyone: Db
  /** The same, for whoever would rather fail than wait: a connection that went silent is given up after `hastyMs`. */
  hasty: Db
  /** What a caller of this organisation may touch; row level security holds even if a query forgets to ask. */
  of(organisationId: number): Db
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  connections: number
  /** Told when an idle connection breaks, which is no request's fault. */
  onIdleError: (error: Error) => void
  role?: string | undefined
}

// Ids are 64-bit in the database and stay far below 2^53 in any life this program will have.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

interface Connection extends pg.PoolClient {
  /** The organisation the session variable behind row level security names at the moment. */
  organisationId?: number
  /** Why this connection is not to be used again. */
  broken?: Error
}

const everyoneId = 0
const hastyMs = 3_000

export function openDatabase({ url, connections, onIdleError, role }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'waybill',
    statement_timeout: 15_000,
    // The server's time-out cannot help if the server is not heard any more.
    query_timeout: 16_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
    ...(role && { options: `-c role=${role}` }),
  })
  pool.on('error', onIdleError)
  // A connection can also break between two statements of a transaction, when nobody waits for an answer of it.
  pool.on('connect', (connection: Connection) => {
    connection.on('error', (error) => {
      connection.broken = error
    })
  })

  /**
   * A connection that works for this organisation. The variable is per session and only set when it changes: set per
   * transaction it made a point read twice as expensive (docs/decisions/0003).
   */
  async function connect(organisationId: number): Promise<Connection> {
    const connection: Connection = await pool.connect()
    if (connection.organisationId === organisationId) return connection
    try {
      delete connection.organisationId
      await ask(connection, sql`select set_config('waybill.organisation', ${String(organisationId)}, false)`)
      connection.organisationId = organisationId
      return connection
    } catch (error) {
      release(connection)
      throw error
    }
  }

  async function askOnce(organisationId: number, query: Sql, timeoutMs?: number) {
    const connection = await connect(organisationId)
    try {
      return await ask(connection, query, timeoutMs)
    } finally {
      release(connection)
    }
  }

  const handle = (organisationId: number, timeoutMs?: number): Db => ({
    ...verbs((query) => askOnce(organisationId, query, timeoutMs)),
    transaction: (work, opening) =>
      repeatAfterDeadlock(() => inTransaction(() => connect(organisationId), work, opening, timeoutMs)),
  })

  return {
    everyone: handle(everyoneId),
    hasty: handle(everyoneId, hastyMs),
    of: (organisationId) => handle(organisationId),
    close: () => pool.end(),
  }
}

const release = (connection: Connection) => connection.release(connection.broken)

async function inTransaction<Result>(
  connect: () => Promise<Connection>,
  work: (db: Db) => Promise<Result>,
  opening?: (db: Db) => Promise<void>,
  timeoutMs?: number,
): Promise<Result> {
  let connection: Connection | undefined
  let begun: Promise<Connection> | undefined
  const begin = async () => {
    connection = await connect()
    await ask(connection, sql`begin`, timeoutMs)
    await opening?.(within(async () => connection as Connection, timeoutMs))
    return connection
  }
  try {
    const result = await work(within(() => (begun ??= begin()), timeoutMs))
    if (begun) await commit(await begun, timeoutMs)
    return result
  } catch (error) {
    if (connection && !connection.broken) await ask(connection, sql`rollback`)
    throw error
  } finally {
    if (connection) release(connection)
  }
}

/** PostgreSQL answers the commit of a transaction in which something failed with a rollback, and calls it no error. */
async function commit(connection: Connection, timeoutMs?: number) {
  const { command } = await ask(connection, sql`commit`, timeoutMs)
  if (command !== 'COMMIT') throw new Error('A statement of this transaction had failed; nothing was committed')
}

/** The handle of a transaction that is open, or will be as soon as it is asked something. */
function within(open: () => Promise<Connection>, timeoutMs?: number): Db {
  const db: Db = {
    ...verbs(async (query) => ask(await open(), query, timeoutMs)),
    async transaction(work) {
      const connection = await open()
      await ask(connection, sql`savepoint part`)
      try {
        const result = await work(db)
        await ask(connection, sql`release part`)
        return result
      } catch (error) {
        if (!connection.broken) await ask(connection, sql`rollback to part`)
        if (!connection.broken) await ask(connection, sql`release part`)
        throw error
      }
    },
  }
  return db
}

/** We lock in one order everywhere, so a deadlock is rare; one that happens anyway is no reason to trouble the caller. */
async function repeatAfterDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || repeats === 2) throw error
    }
  }
}

const verbs = (ask: (query: Sql) => Promise<pg.QueryResult>): Omit<Db, 'transaction'> => ({
  many: async <Row>(query: Sql) => (await ask(query)).rows as Row[],
  find: async <Row>(query: Sql) => (await ask(query)).rows[0] as Row | undefined,
  get: async <Row>(query: Sql) => {
    const { rows } = await ask(query)
    if (rows.length === 0) throw new Error(`Expected a row from: ${query.text}`)
    return rows[0] as Row
  },
  run: async (query) => (await ask(query)).rowCount ?? 0,
})

const statementNames = new Map<string, string>()

/** Named statements are parsed and planned once a connection; unnamed ones cost up to 1.9 times as much. */
function nameOf(text: string): string {
  let name = statementNames.get(text)
  if (!name) {
    name = `s${statementNames.size + 1}`
    statementNames.set(text, name)
  }
  return name
}

async function ask(connection: Connection, { text, values, isPlannedAnew }: Sql, timeoutMs?: number) {
  try {
    const name = isPlannedAnew ? {} : { name: nameOf(text) }
    const config = { ...name, text, values: values as unknown[], ...(timeoutMs && { query_timeout: timeoutMs }) }
    return await connection.query(config)
  } catch (error) {
    if (!isRefusedStatement(error)) connection.broken = error as Error
    throw error
  }
}

/** PostgreSQL refused one statement; the connection itself is fine. */
const isRefusedStatement = (error: unknown) => error instanceof pg.DatabaseError && error.severity === 'ERROR'

/** Serialization failure or deadlock: rolled back through no fault of the statement. */
const isDeadlock = (error: unknown) => error instanceof pg.DatabaseError && /^40(001|P01)$/.test(error.code ?? '')

/** The database could not be asked at all: it is stopping, starting, full or gone. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof pg.DatabaseError) return /^(57P0|53|08|25P03)/.test(code)
  return (
    /^E(CONN|PIPE|HOST|NOENT|TIMEDOUT)/.test(code) ||
    /connection|not queryable|timeout expired|read timeout/i.test(error.message)
  )
}

/** There was no connection to be had in time, or a statement or its lock took too long. Later it may work. */
export function isOverloaded(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(57014|55P03)$/.test(error.code ?? '') || isDeadlock(error)
  return error instanceof Error && /timeout exceeded when trying to connect/.test(error.message)
}

/** The name of the unique index or constraint that a write ran into, if that is what went wrong. */
export function violatedUnique(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError && error.code === '23505') return error.constraint
  return undefined
}
