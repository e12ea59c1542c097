import pg from 'pg'
import { DiskFull, isDeadlock, isDiskFull, isOutdated, isReadOnly, isRefused, isUnavailable, Repeat } from './faults.ts'
import { type Connection, openPool, type Pool, release } from './pool.ts'
import { type Sql, sql } from './sql.ts'

/** How to query the database. Query functions take it as their first argument. */
export interface Db {
  many<Row extends object>(query: Sql): Promise<Row[]>
  /** The first row, if there is one. */
  find<Row extends object>(query: Sql): Promise<Row | undefined>
  /** The first row; there must be one. */
  get<Row extends object>(query: Sql): Promise<Row>
  /** How many rows were written. */
  run(query: Sql): Promise<number>
  /**
   * What should be the last statement of a transaction: it is sent together with the commit, so that a lock it takes is
   * not held while we answer. If something follows, it runs before that. If it fails, the transaction fails.
   */
  finish(query: Sql): Promise<void>
  /**
   * Commits everything `work` did with its handle, or nothing. Inside a transaction it is a savepoint that can fail
   * alone. The connection is taken at the first query of `work`, so that nothing `work` waits for before that holds
   * one.
   * `opening` runs first inside the transaction.
   *
   * After a deadlock `work` runs again from the start, so it must change nothing but the database.
   */
  transaction<Result>(work: (db: Db) => Promise<Result>, opening?: (db: Db) => Promise<void>): Promise<Result>
  /**
   * What a partner of the organisation may access. Inside a transaction it is the same transaction: what two organisations
   * share is written in both or in none, each behind its own wall.
   */
  as(organisationId: number): Db
}

export interface Database {
  /** The service itself, which sees every organisation: for signing in, for workers, for the command line. */
  everyone: Db
  /**
   * The same for a worker that repeats a few statements and would rather fail than wait: it has its own connections,
   * plans each statement once, and gives up a connection that is silent for `hastyMs`.
   */
  hasty: Db
  /**
   * What a caller of this organisation may access; row-level security protects the rest even if a query forgets the
   * organisation. The same handle every time.
   */
  of(organisationId: number): Db
  /** Whether the disk is full, or was a moment ago. */
  isFull(): boolean
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  connections: number
  /** Called when an idle connection breaks, which is no request's fault. */
  onIdleError: (error: Error) => void
  role?: string | undefined
  /** Whether there is so little disk space that nothing may be written. */
  isFull?: (() => boolean) | undefined
}

// Ids are 64-bit in the database, but will never come near 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const everyoneId = 0
const patientMs = 16_000
const hastyMs = 3_000
const hastyConnections = 4
/** We cannot see the disk of an external database. After a "disk full" it counts as full for this long. */
const fullForMs = 10_000
/**
 * A queue is empty most of the time. A plan made then reads the whole table, and with ten thousand deliveries in it a
 * claim takes ten seconds. So plans always use an index. They are made once, because planning a claim each time took
 * 2.2 ms, a third of its execution time.
 */
const hastyPlanning = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }

export function openDatabase(options: DatabaseOptions): Database {
  const { role, connections, isFull = () => false, ...reach } = options
  const settings = role ? { role } : {}
  const pool = openPool({ ...reach, settings, connections, patienceMs: patientMs })
  const hastySettings = { ...settings, ...hastyPlanning }
  const hastyPool = openPool({ ...reach, settings: hastySettings, connections: hastyConnections, patienceMs: hastyMs })

  /**
   * A connection for this organisation. The variable is per session and only set when it changes: setting it per
   * transaction made a point read twice as expensive (docs/decisions/0003).
   */
  async function connect(from: Pool, organisationId: number): Promise<Connection> {
    const connection = await from.connect()
    const isReadOnly = isFull()
    if (connection.organisationId === organisationId && connection.isReadOnly === isReadOnly) return connection
    try {
      delete connection.organisationId
      await set(connection, from.settings)
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

  /** Nothing else is asked before: the role is what row-level security applies to. */
  async function set(connection: Connection, settings: Record<string, string>) {
    if (connection.isSet) return
    const [names, values] = [Object.keys(settings), Object.values(settings)]
    await ask(
      connection,
      sql`select set_config(name, value, false) from unnest(${names}::text[], ${values}::text[]) as given (name, value)`,
    )
    connection.isSet = true
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
    finish: async (query) => void (await attempt(() => askOnce(from, organisationId, query))),
    transaction: (work, opening) => attempt(() => inTransaction(() => connect(from, organisationId), work, opening)),
    as: (partnerId) => handle(from, requireOne(partnerId)),
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
    await opening?.(within(async () => connection as Connection, {}))
    return connection
  }
  const state: Open = {}
  try {
    const result = await work(within(() => (begun ??= begin()), state))
    if (begun) await commit(await begun, state.last)
    return result
  } catch (error) {
    if (connection && !connection.broken) await ask(connection, sql`rollback`)
    throw error
  } finally {
    if (connection) release(connection)
  }
}

/** What a transaction remembers. */
interface Open {
  /** What waits to be sent with the commit. */
  last?: (() => Promise<pg.QueryResult>) | undefined
  /** Whose statements are sent now, if not those of the organisation that began it. */
  organisationId?: number | undefined
}

/** Row-level security lets nobody see everyone by being their partner. */
function requireOne(organisationId: number): number {
  if (organisationId === everyoneId) throw new Error('Everyone is nobody’s partner')
  return organisationId
}

/** If a statement failed, PostgreSQL answers the commit with a rollback, not with an error. */
async function commit(connection: Connection, last: Open['last']) {
  const finished = last?.()
  finished?.catch(() => {})
  const committed = ask(connection, sql`commit`)
  committed.catch(() => {})
  await finished
  if ((await committed).command !== 'COMMIT')
    throw new Error('A statement in this transaction failed; nothing was committed')
}

/** The handle of a transaction that is open, or will be with its first query; as a partner, or as who began it. */
function within(open: () => Promise<Connection>, state: Open, partnerId?: number): Db {
  /** Until the transaction ends. Sent at once, without waiting: the statement that follows is the next to arrive. */
  const askAs = (connection: Connection, query: Sql) => {
    const organisationId = partnerId ?? connection.organisationId
    const isOther = organisationId !== (state.organisationId ?? connection.organisationId)
    state.organisationId = organisationId
    const switched =
      isOther && ask(connection, sql`select set_config('waybill.organisation', ${String(organisationId)}, true)`)
    const asked = ask(connection, query)
    asked.catch(() => {})
    return switched ? switched.then(() => asked) : asked
  }
  const takeLast = () => {
    const { last } = state
    state.last = undefined
    return last
  }
  const askInOrder = async (query: Sql) => {
    const connection = await open()
    await takeLast()?.()
    return askAs(connection, query)
  }
  const db: Db = {
    ...verbs(askInOrder),
    async finish(query) {
      const connection = await open()
      const last = takeLast()
      state.last = () => askAs(connection, query)
      await last?.()
    },
    async transaction(work) {
      const connection = await open()
      await askInOrder(sql`savepoint part`)
      const { organisationId } = state
      try {
        const result = await work(db)
        await askInOrder(sql`release part`)
        return result
      } catch (error) {
        state.last = undefined
        if (!connection.broken) await ask(connection, sql`rollback to part`)
        if (!connection.broken) await ask(connection, sql`release part`)
        state.organisationId = organisationId
        throw error
      }
    },
    as: (partnerId) => within(open, state, requireOne(partnerId)),
  }
  return db
}

/**
 * We lock in the same order everywhere, so a deadlock is rare; if one happens, the caller should not notice. The same
 * goes for a table that gets a column while we work, perhaps several in a row.
 */
async function repeatIfFaultless<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await work()
    } catch (error) {
      const mostRepeats = isDeadlock(error) ? 2 : error instanceof Repeat || isOutdated(error) ? 10 : 0
      if (repeats >= mostRepeats) throw error
    }
  }
}

const verbs = (ask: (query: Sql) => Promise<pg.QueryResult>): Omit<Db, 'transaction' | 'finish' | 'as'> => ({
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

/** Named statements are parsed and planned once per connection; unnamed ones cost up to 1.9 times as much. */
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
    const result = await connection.query({ ...named, text, values: values as unknown[] })
    connection.heardAt = performance.now()
    return result
  } catch (error) {
    if (connection.isReadOnly && isReadOnly(error)) throw new DiskFull(error)
    if (!isRefused(error)) connection.broken = error as Error
    // New names make every connection prepare all statements again, affected or not.
    if (isOutdated(error) && statementNames.get(text) === named.name) statementNames.clear()
    throw error
  } finally {
    connection.askedAt = undefined
  }
}
