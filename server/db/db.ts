import pg from 'pg'
import { DiskFull, isDeadlock, isDiskFull, isOutdated, isReadOnly, isRefused, isUnavailable } from './faults.ts'
import { type Connection, openPool, type Pool, release } from './pool.ts'
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
  /**
   * The same for whoever works all day on a few statements, and would rather fail than wait: it has connections of its
   * own, plans each statement once, and gives a connection up that is silent for `hastyMs`.
   */
  hasty: Db
  /**
   * What a caller of this organisation may touch; row level security holds even if a query forgets to ask. The same handle
   * every time.
   */
  of(organisationId: number): Db
  /** Whether there is no room, or was none a moment ago. */
  isFull(): boolean
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  connections: number
  /** Told when an idle connection breaks, which is no request's fault. */
  onIdleError: (error: Error) => void
  role?: string | undefined
  /** Whether there is so little room that nothing may be written. */
  isFull?: (() => boolean) | undefined
}

// Ids are 64-bit in the database and stay far below 2^53 in any life this program will have.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const everyoneId = 0
const patientMs = 16_000
const hastyMs = 3_000
const hastyConnections = 4
/** Somebody else's disk is not ours to look at. It counts as full for so long after it was. */
const fullForMs = 10_000
/**
 * A queue is empty most of the time. A plan made then reads the whole table, and once ten thousand deliveries are in it a
 * claim takes ten seconds: so plans go by index whatever the table looks like. Made once, because planning a claim anew
 * each time took 2.2 ms, a third of the time of carrying it out.
 */
const hastyPlanning = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off'

export function openDatabase(options: DatabaseOptions): Database {
  const { role, connections, isFull = () => false, ...reach } = options
  const settings = role ? `-c role=${role}` : ''
  const pool = openPool({ ...reach, settings, connections, patienceMs: patientMs })
  const hastySettings = `${settings} ${hastyPlanning}`
  const hastyPool = openPool({ ...reach, settings: hastySettings, connections: hastyConnections, patienceMs: hastyMs })

  /**
   * A connection that works for this organisation. The variable is per session and only set when it changes: set per
   * transaction it made a point read twice as expensive (docs/decisions/0003).
   */
  async function connect(from: Pool, organisationId: number): Promise<Connection> {
    const connection = await from.connect()
    const isReadOnly = isFull()
    if (connection.organisationId === organisationId && connection.isReadOnly === isReadOnly) return connection
    try {
      delete connection.organisationId
      const { rows } = await ask(
        connection,
        sql`
          select set_config('waybill.organisation', ${String(organisationId)}, false), pg_backend_pid() as pid,
            set_config('default_transaction_read_only', ${isReadOnly ? 'on' : null}, false)`,
      )
      connection.organisationId = organisationId
      connection.isReadOnly = isReadOnly
      connection.pid = rows[0].pid
      return connection
    } catch (error) {
      release(connection)
      throw error
    }
  }

  async function askOnce(from: Pool, organisationId: number, query: Sql) {
    const connection = await connect(from, organisationId)
    try {
      return await ask(connection, query)
    } finally {
      release(connection)
    }
  }

  let fullUntil = 0

  async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await repeatIfFaultless(work)
    } catch (error) {
      if (isDiskFull(error) && !options.isFull) fullUntil = performance.now() + fullForMs
      throw isUnavailable(error) && isFull() ? new DiskFull(error) : error
    }
  }

  const handle = (from: Pool, organisationId: number): Db => ({
    ...verbs((query) => attempt(() => askOnce(from, organisationId, query))),
    transaction: (work, opening) => attempt(() => inTransaction(() => connect(from, organisationId), work, opening)),
  })

  const handles = new Map<number, Db>()

  return {
    everyone: handle(pool, everyoneId),
    hasty: handle(hastyPool, everyoneId),
    of(organisationId) {
      const known = handles.get(organisationId) ?? handle(pool, organisationId)
      handles.set(organisationId, known)
      return known
    },
    isFull: () => isFull() || performance.now() < fullUntil,
    async close() {
      await Promise.all([pool.end(), hastyPool.end()])
    },
  }
}

async function inTransaction<Result>(
  connect: () => Promise<Connection>,
  work: (db: Db) => Promise<Result>,
  opening?: (db: Db) => Promise<void>,
): Promise<Result> {
  let connection: Connection | undefined
  let begun: Promise<Connection> | undefined
  const begin = async () => {
    connection = await connect()
    await ask(connection, sql`begin`)
    await opening?.(within(async () => connection as Connection))
    return connection
  }
  try {
    const result = await work(within(() => (begun ??= begin())))
    if (begun) await commit(await begun)
    return result
  } catch (error) {
    if (connection && !connection.broken) await ask(connection, sql`rollback`)
    throw error
  } finally {
    if (connection) release(connection)
  }
}

/** PostgreSQL answers the commit of a transaction in which something failed with a rollback, and calls it no error. */
async function commit(connection: Connection) {
  const { command } = await ask(connection, sql`commit`)
  if (command !== 'COMMIT') throw new Error('A statement in this transaction failed; nothing was committed')
}

/** The handle of a transaction that is open, or will be as soon as it is asked something. */
function within(open: () => Promise<Connection>): Db {
  const db: Db = {
    ...verbs(async (query) => ask(await open(), query)),
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

/**
 * We lock in one order everywhere, so a deadlock is rare; one that happens anyway is no reason to trouble the caller. Nor
 * is a table that got another column while we work, of which there may be several in a row.
 */
async function repeatIfFaultless<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await work()
    } catch (error) {
      const mostRepeats = isDeadlock(error) ? 2 : isOutdated(error) ? 10 : 0
      if (repeats >= mostRepeats) throw error
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
let namesGiven = 0

/** Named statements are parsed and planned once a connection; unnamed ones cost up to 1.9 times as much. */
function nameOf(text: string): string {
  let name = statementNames.get(text)
  if (!name) {
    namesGiven += 1
    name = `s${namesGiven}`
    statementNames.set(text, name)
  }
  return name
}

async function ask(connection: Connection, { text, values, isPlannedAnew }: Sql) {
  const named = isPlannedAnew ? {} : { name: nameOf(text) }
  if (connection.broken) throw connection.broken
  try {
    connection.askedAt = performance.now()
    return await connection.query({ ...named, text, values: values as unknown[] })
  } catch (error) {
    if (connection.isReadOnly && isReadOnly(error)) throw new DiskFull(error)
    if (!isRefused(error)) connection.broken = error as Error
    // Under new names all statements are prepared anew, on every connection, whether or not they are concerned.
    if (isOutdated(error) && statementNames.get(text) === named.name) statementNames.clear()
    throw error
  } finally {
    connection.askedAt = undefined
  }
}
