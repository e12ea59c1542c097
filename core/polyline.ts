import type { Point } from './geo.ts'

/*
 * A line of points as a short text, as OSRM, Valhalla and Google write it ("encoded polyline"): each point as its difference
 * from the one before, in units of 0.00001 degrees (about a metre).
 */

const unitsPerDegree = 1e5
const bitsOfSign = 5
const more = 1 << bitsOfSign
const firstSign = 63

export function encodePolyline(points: readonly Point[]): string {
  let [lat, lng] = [0, 0]
  let line = ''
  for (const point of points) {
    const [nextLat, nextLng] = [Math.round(point.lat * unitsPerDegree), Math.round(point.lng * unitsPerDegree)]
    line += encodeNumber(nextLat - lat) + encodeNumber(nextLng - lng)
    lat = nextLat
    lng = nextLng
  }
  return line
}

/** Never throws: what is no such text ends where it stops making sense. */
export function decodePolyline(line: string): Point[] {
  const points: Point[] = []
  let [lat, lng] = [0, 0]
  let at = 0

  const readNumber = (): number | undefined => {
    let value = 0
    for (let shift = 0; at < line.length && shift <= 30; shift += bitsOfSign) {
      const sign = line.charCodeAt(at) - firstSign
      at += 1
      if (sign < 0 || sign >= 2 * more) return undefined
      value |= (sign & (more - 1)) << shift
      if (sign < more) return (value >>> 1) ^ -(value & 1)
    }
    return undefined
  }

  while (at < line.length) {
    const [down, across] = [readNumber(), readNumber()]
    if (down === undefined || across === undefined) break
    lat += down
    lng += across
    points.push({ lat: lat / unitsPerDegree, lng: lng / unitsPerDegree })
  }
  return points
}

/** The sign of the number goes into its last bit, then five bits at a time, the lowest first. */
function encodeNumber(value: number): string {
  let left = (value << 1) ^ (value >> 31)
  let text = ''
  for (; left >= more; left >>>= bitsOfSign) text += String.fromCharCode((more | (left & (more - 1))) + firstSign)
  return text + String.fromCharCode(left + firstSign)
}
