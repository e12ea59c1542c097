import type { Point } from '../../../core/geo.ts'
import type { Db } from '../../db/db.ts'
import { type Found, type FoundParts, suggest } from './search/search.ts'

export { listRegisters } from './queries.ts'
export type { FoundParts }

/** A place of the register that fits what somebody has typed so far. */
export type Suggestion = Found

export interface SuggestOptions {
  /** Two letters, such as RO; of several countries only this one is searched. */
  country?: string | undefined
  /** What is near comes first. */
  near?: Point | undefined
  limit: number
}

/** Places that fit a text of which the last word may not be complete, best first. */
export async function findPlaces(
  db: Db,
  registers: readonly number[],
  text: string,
  options: SuggestOptions,
): Promise<Suggestion[]> {
  const found: (Suggestion & { score: number })[] = []
  for (const id of registers) found.push(...(await suggest(db, id, text, options)))
  const shown = new Set<string>()
  return found
    .sort((a, b) => b.score - a.score)
    .filter(({ parts: { streetName, streetNumber, city } }) => {
      const key = [streetName, streetNumber, city].join('\n').toLowerCase()
      return !shown.has(key) && shown.add(key)
    })
    .slice(0, options.limit)
    .map(({ score: _, ...suggestion }) => suggestion)
}
