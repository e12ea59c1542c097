import { Refusal } from '../../../contract/errors.ts'
import { pageBytes } from '../../../contract/limits.ts'
import type { PageQuery } from '../../../contract/schema.ts'

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

/**
 * A page of a list whose items can be large: read and made `atOnce` at a time, up to the item that exceeds the size of a
 * page. At least one, so that a reader always gets on. `list` returns the rows after a place, `make` what is sent of them.
 */
export async function pageInSlices<Row, Item>(
  first: number,
  limit: number,
  atOnce: number,
  list: (place: number, limit: number) => Promise<Row[]>,
  placeOf: (row: Row) => number,
  make: (rows: Row[]) => Item[] | Promise<Item[]>,
): Promise<{ page: Item[]; nextCursor?: string }> {
  const page: Item[] = []
  let bytes = 0
  for (let place = first; ; ) {
    const wanted = Math.min(atOnce, limit - page.length)
    const found = await list(place, wanted + 1)
    const rows = found.slice(0, wanted)
    for (const [index, item] of (await make(rows)).entries()) {
      page.push(item)
      place = placeOf(rows[index] as Row)
      bytes += JSON.stringify(item).length
      const hasMore = index + 1 < found.length
      if (hasMore && (bytes >= pageBytes || page.length === limit)) return { page, nextCursor: encodeCursor(place) }
    }
    if (found.length <= wanted) return { page }
  }
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
