import { Refusal } from '../../contract/errors.ts'

/** A cursor is opaque outside: what it stands for may change without anybody noticing. */
export const encodeCursor = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')

export function decodeCursor<Place>(
  cursor: string | undefined,
  first: Place,
  isPlace: (value: unknown) => value is Place,
): Place {
  if (cursor === undefined) return first
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (isPlace(place)) return place
  } catch {
    // Not even JSON: told below.
  }
  throw new Refusal('VALIDATION_FAILED', {
    field: 'cursor',
    message: 'cursor is not valid; use the nextCursor of a previous page',
  })
}

/** A page of at most `limit`, and the cursor after it if one more was found. */
export function pageOf<Row>(rows: Row[], limit: number, placeOf: (row: Row) => unknown) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, ...(rows.length > limit && last !== undefined && { nextCursor: encodeCursor(placeOf(last)) }) }
}

export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
