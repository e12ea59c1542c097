import { distanceMetres, type Point } from '../../core/geo.ts'
import { estimateTravelTable, transportOf } from '../../core/travel.ts'

/** A route through the city, block by block. */
export interface Journey {
  corners: Point[]
  /** How long it takes in real time, not in demo time. */
  seconds: number
}

export interface Position extends Point {
  /** Degrees from north, clockwise. */
  heading: number
}

const blockMetres = 700

export function planJourney(from: Point, to: Point, transportationId: number | null): Journey {
  const { seconds } = estimateTravelTable([from, to], 'best_guess', transportOf(transportationId))
  const blocks = Math.min(12, Math.max(1, Math.round(distanceMetres(from, to) / blockMetres)))
  const corners = [from]
  for (let block = 1; block <= blocks; block += 1) {
    const part = block / blocks
    const next = { lat: from.lat + (to.lat - from.lat) * part, lng: from.lng + (to.lng - from.lng) * part }
    const last = corners.at(-1) as Point
    corners.push(block % 2 === 0 ? { lat: next.lat, lng: last.lng } : { lat: last.lat, lng: next.lng }, next)
  }
  return { corners, seconds: seconds[1] as number }
}

/** The position after this fraction of the route, from 0 to 1. */
export function whereOn({ corners }: Journey, part: number): Position {
  const legs = corners.slice(1).map((to, index) => ({ from: corners[index] as Point, to }))
  const lengths = legs.map(({ from, to }) => distanceMetres(from, to))
  let left = Math.min(1, Math.max(0, part)) * lengths.reduce((sum, length) => sum + length, 0)
  let heading = 0
  for (const [index, { from, to }] of legs.entries()) {
    const length = lengths[index] as number
    if (length === 0) continue
    heading = headingOf(from, to)
    if (left <= length) {
      const done = left / length
      return { lat: from.lat + (to.lat - from.lat) * done, lng: from.lng + (to.lng - from.lng) * done, heading }
    }
    left -= length
  }
  return { ...(corners.at(-1) as Point), heading }
}

function headingOf(from: Point, to: Point): number {
  const east = (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180)
  const degrees = (Math.atan2(east, to.lat - from.lat) * 180) / Math.PI
  return Math.round(degrees + 360) % 360
}
