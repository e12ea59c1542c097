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

/** Roads are about a third longer than the straight line. */
const detour = 1.35

/** Metres a second through a town, by how much traffic there is. */
const speeds = {
  none: 12,
  optimistic: 10,
  best_guess: 8,
  pessimistic: 6,
} as const
export type Traffic = keyof typeof speeds

const otherNames = new Map<string, Traffic>([
  ['light', 'optimistic'],
  ['normal', 'best_guess'],
  ['heavy', 'pessimistic'],
])

/** What a client calls the traffic, in any letter case; what we do not know counts as our best guess. */
export function readTraffic(text: string | null | undefined): Traffic {
  const name = text?.trim().toLowerCase() ?? ''
  if (Object.hasOwn(speeds, name)) return name as Traffic
  return otherNames.get(name) ?? 'best_guess'
}

/** An estimate of the way by road. */
export function estimateTravel(from: Point, to: Point, traffic: Traffic): { metres: number; seconds: number } {
  const metres = Math.round(distanceMetres(from, to) * detour)
  return { metres, seconds: Math.round(metres / speeds[traffic]) }
}
