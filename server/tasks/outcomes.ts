import { presentRefusal, Refusal } from '../../contract/errors.ts'

/* The items of a set as they came in, and what became of each. */

export const isRead = <Reference>(item: Reference | Refusal): item is Reference => !(item instanceof Refusal)

/** An item that could not be read is identified by its original value. */
export const textOf = (item: string | Refusal) => (item instanceof Refusal ? scalarOf(item.given).slice(0, 100) : item)
export const numberOf = (item: number | Refusal) => {
  if (!(item instanceof Refusal)) return item
  const number = Number(scalarOf(item.given))
  return Number.isSafeInteger(number) ? number : 0
}
export const awbIn = (given: unknown) =>
  typeof given === 'object' && given !== null && 'awb' in given ? scalarOf(given.awb).slice(0, 100) : ''
/** Other values have no short form; the position in the list is used instead. */
const scalarOf = (given: unknown) => (typeof given === 'string' || typeof given === 'number' ? String(given) : '')

/** The outcome of one item; no entry in `results` is success. */
export function outcomeOf<Reference>(item: Reference | Refusal, results: Map<Reference, Refusal | undefined>) {
  const refusal = item instanceof Refusal ? item : results.get(item)
  return refusal ? { success: false, error: presentRefusal(refusal) } : { success: true }
}
