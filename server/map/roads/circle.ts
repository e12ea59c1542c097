import { distanceMetres, type Point } from '../../../core/geo.ts'

/** Where roads are wanted, if not in all of the extract. */
export interface Circle extends Point {
  metres: number
}

const mostKilometres = 1_000

/** "45.75,21.23,60" is what lies within 60 km of a place; undefined if that is not what it says. */
export function readCircle(text: string): Circle | undefined {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [lat, lng, kilometres] = numbers as [number, number, number]
  const isCircle =
    numbers.length === 3 &&
    Math.abs(lat) <= 90 &&
    Math.abs(lng) <= 180 &&
    kilometres > 0 &&
    kilometres <= mostKilometres
  return isCircle ? { lat, lng, metres: kilometres * 1_000 } : undefined
}

/** Whether a road (longitude and latitude of each point, one after the other) comes into it: then it is wanted whole. */
export function reaches(circle: Circle, points: Float64Array): boolean {
  for (let at = 0; at < points.length; at += 2)
    if (distanceMetres(circle, { lng: points[at] as number, lat: points[at + 1] as number }) <= circle.metres)
      return true
  return false
}
