/** What was found of an address, from the house itself to only its city; or where it is, as was learned from earlier corrections. */
export const precisionDetails = ['house', 'interpolated', 'street', 'city', 'learned'] as const
export type PrecisionDetail = (typeof precisionDetails)[number]

/** `exact`: the house itself; `approximate`: between its neighbours, its street, its part of town, or only its city. */
export type Precision = 'exact' | 'approximate'

export const precisionOf = (detail: PrecisionDetail): Precision =>
  detail === 'house' || detail === 'learned' ? 'exact' : 'approximate'
