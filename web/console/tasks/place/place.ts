import type { Answer } from '../../../../contract/operations.ts'
import type { Point } from '../../../../core/geo.ts'
import type { Word } from '../../../words/console.ts'

export type Place = Answer<'suggestPlaces'>['places'][number]

/** A point on the map, and whether it is more than near. */
export interface Pin extends Point {
  isRough: boolean
}

/** As it stands in the field of coordinates. */
export const written = ({ lat, lng }: Point) => `${lat}, ${lng}`

/** Seven digits are a centimetre. */
const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
export const rounded = ({ lat, lng }: Point): Point => ({ lat: round(lat), lng: round(lng) })

export const pinOf = ({ lat, lng, precision }: Place): Pin => ({ lat, lng, isRough: precision !== 'exact' })

/** What a suggestion says besides its address. */
export function tellPlace({ source, precisionDetail }: Place): Word | undefined {
  if (source === 'history') return 'knownPlace'
  if (precisionDetail === 'interpolated') return 'betweenHouses'
  if (precisionDetail === 'street') return 'streetOnly'
  return precisionDetail === 'city' ? 'cityOnly' : undefined
}

const inside = /\b(?:bl|bloc|sc|scara|et|etaj|ap|apt|apartament|interfon)\b\.?\s*[\p{L}\d]{1,6}/giu

/** What was typed about the inside of a house, which no register knows: "bl. 3, sc. B, ap. 9". */
export const insideOf = (typed: string): string => (typed.match(inside) ?? []).join(', ')
