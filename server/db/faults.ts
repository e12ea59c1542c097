import pg from 'pg'

/* What can go wrong between us and the database, grouped by what to do about it. */

const codeOf = (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : '')

/** PostgreSQL refused one statement; it had no effect, and the connection is fine. */
export const isRefused = (error: unknown) =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && !isUnavailable(error)

/** Serialization failure or deadlock: rolled back through no fault of the statement. */
export const isDeadlock = (error: unknown) => /^40(001|P01)$/.test(codeOf(error))

/** Thrown by work that has learned what it must lock first: the transaction begins anew. */
export class Repeat extends Error {}

/** A migration changed the columns of a prepared `select *`. */
export const isOutdated = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** This server does not accept writes: it was the primary before a failover, or is set to read-only. */
export const isReadOnly = (error: unknown) => codeOf(error) === '25006'

/** There is no space for what we want to write. */
export class DiskFull extends Error {
  constructor(cause?: unknown) {
    super('The disk of the database is full', { cause })
  }
}

export const isDiskFull = (error: unknown) => error instanceof DiskFull || codeOf(error) === '53100'

/** The certificate of the database is not one we may trust, or not any more. */
export const isUntrusted = (error: unknown) =>
  error instanceof Error &&
  /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(String((error as { code?: unknown }).code))

/** The database cannot be reached or does not accept writes: it is stopping, starting, full, replaced or gone. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof pg.DatabaseError) return /^(57P0|53|08|25P03|25006)/.test(code)
  return (
    isDiskFull(error) ||
    isUntrusted(error) ||
    /^E(CONN|PIPE|HOST|NOENT|NOTFOUND|AI_AGAIN|TIMEDOUT)/.test(code) ||
    /connection|not queryable|timeout expired|read timeout/i.test(error.message)
  )
}

/** No connection was free in time, or a statement or its lock took too long. It may work later. */
export function isOverloaded(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(57014|55P03)$/.test(error.code ?? '') || isDeadlock(error)
  return error instanceof Error && /timeout exceeded when trying to connect/.test(error.message)
}

/** The name of the unique index or constraint that a write violated, if it did. */
export function violatedUnique(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError && error.code === '23505') return error.constraint
  return undefined
}
