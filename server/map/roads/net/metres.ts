import { unitsPerDegree } from '../../extract/block.ts'

const metresPerUnit = (6_371_000 * Math.PI) / 180 / unitsPerDegree

/** Between neighbours of a course, in ten-millionths of a degree: there the earth is flat. */
export function metresBetween(lat: number, lng: number, otherLat: number, otherLng: number): number {
  const north = (otherLat - lat) * metresPerUnit
  const east = (otherLng - lng) * metresPerUnit * Math.cos((((lat + otherLat) / 2 / unitsPerDegree) * Math.PI) / 180)
  return Math.hypot(north, east)
}
