export interface Point {
  lat: number
  lng: number
}

const earthRadiusMetres = 6_371_000
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The great-circle distance. */
export function distanceMetres(from: Point, to: Point): number {
  const dLat = radians(to.lat - from.lat)
  const dLng = radians(to.lng - from.lng)
  const a = Math.sin(dLat / 2) ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(dLng / 2) ** 2
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(a)))
}

/** A vaguer position is no better than what an address says: nothing is moved there. */
export const doorMetres = 50

/** Whether a position is exact enough to say where a door is. Who does not say how exact it is vouches for it. */
export const showsDoor = (accuracyMetres: number | null | undefined) => (accuracyMetres ?? 0) <= doorMetres

/** How much traffic there is; `travel.ts` has its effect on travel times. */
const traffics = ['none', 'optimistic', 'best_guess', 'pessimistic'] as const
export type Traffic = (typeof traffics)[number]

const otherNames = new Map<string, Traffic>([
  ['light', 'optimistic'],
  ['normal', 'best_guess'],
  ['heavy', 'pessimistic'],
])

/** Reads a client's name for the traffic, in any letter case; an unknown one counts as `best_guess`. */
export function readTraffic(text: string | null | undefined): Traffic {
  const name = text?.trim().toLowerCase() ?? ''
  return traffics.find((traffic) => traffic === name) ?? otherNames.get(name) ?? 'best_guess'
}
