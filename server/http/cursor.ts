import { Refusal } from '../../contract/errors.ts'
import type { PageQuery } from '../../contract/schema.ts'

/** A cursor is opaque to clients, so its meaning can change. */
export const encodeCursor = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Undefined if it is none of ours. */
export function readCursor<Place>(cursor: string, isPlace: (value: unknown) => value is Place): Place | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return isPlace(place) ? place : undefined
  } catch {
    return undefined
  }
}

/** The place a page begins at. A cursor that is none of ours is refused. */
export function decodeCursor<Place>(
  cursor: string | undefined,
  first: Place,
  isPlace: (value: unknown) => value is Place,
  field = 'cursor',
): Place {
  if (cursor === undefined) return first
  const place = readCursor(cursor, isPlace)
  if (place !== undefined) return place
  const message = `${field} is not valid; use the nextCursor of a previous page`
  throw new Refusal('VALIDATION_FAILED', { field, message })
}

/** A page of at most `limit`, and the cursor after it if one more was found. */
export function pageOf<Row>(rows: Row[], limit: number, placeOf: (row: Row) => unknown) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, ...(rows.length > limit && last !== undefined && { nextCursor: encodeCursor(placeOf(last)) }) }
}

export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Without a limit, everything. */
export const everything = 1_000_000

/** The same, the latest first: `list` returns what comes before an id. */
export async function pageByIdDown<Row extends { id: number }>(
  { cursor, limit = everything }: PageQuery,
  list: (beforeId: number, limit: number) => Promise<Row[]>,
) {
  return pageOf(await list(decodeCursor(cursor, Number.MAX_SAFE_INTEGER, isId), limit + 1), limit, ({ id }) => id)
}

/** A page of a list ordered by id. `list` returns what comes after an id, up to a limit. */
export async function pageById<Row extends { id: number }>(
  { cursor, limit = everything }: PageQuery,
  list: (afterId: number, limit: number) => Promise<Row[]>,
) {
  return pageOf(await list(decodeCursor(cursor, 0, isId), limit + 1), limit, ({ id }) => id)
}
