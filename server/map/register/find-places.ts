import type { Point } from '../../../core/geo.ts'
import type { Db } from '../../db/db.ts'

/** What was found of an address, as the register writes it. */
export interface FoundParts {
  streetName: string | null
  streetNumber: string | null
  postalCode: string | null
  city: string | null
  area: string | null
}

/** A place of the register that fits what somebody has typed so far. */
export interface Suggestion extends Point {
  /** What its coordinates are those of. */
  detail: 'house' | 'interpolated' | 'street' | 'city'
  parts: FoundParts
}

export interface SuggestOptions {
  /** Two letters, such as RO; of several countries only this one is searched. */
  country?: string | undefined
  /** What is near comes first. */
  near?: Point | undefined
  limit: number
}

/**
 * What is used now, the first one being the most trusted: the operator's own places, and those of the current import. None: nothing
 * was imported.
 */
export async function listRegisters(_db: Db): Promise<number[]> {
  return []
}

/** Places that fit a text of which the last word may not be complete, best first. */
export async function findPlaces(
  _db: Db,
  _registers: readonly number[],
  _text: string,
  _options: SuggestOptions,
): Promise<Suggestion[]> {
  return []
}
