/* Boundaries and points in whole millionths of a degree, and which of them are near a place. */

export type Box = readonly [west: number, south: number, east: number, north: number]

/** Coordinates in millionths of a degree, as whole numbers. */
export const micro = (degrees: number) => Math.round(degrees * 1e6)

/** Metres between two places, near enough for what is in reach. */
export function metresBetween(a: { lat: number; lng: number }, lat: number, lng: number): number {
  const north = (a.lat - lat) * 0.1113
  const east = (a.lng - lng) * 0.1113 * Math.cos((lat / 1e6) * (Math.PI / 180))
  return Math.hypot(north, east)
}

/** A boundary needs no more than a point every fifty metres, or a thousand in all. */
export function thinned(points: Float64Array): Int32Array {
  const kept: number[] = []
  const step = 450
  for (let at = 0; at < points.length; at += 2) {
    const [lng, lat] = [micro(points[at]!), micro(points[at + 1]!)]
    const isLast = at === points.length - 2
    const [lastLng = Number.NEGATIVE_INFINITY, lastLat = Number.NEGATIVE_INFINITY] = kept.slice(-2)
    if (isLast || Math.abs(lng - lastLng) > step || Math.abs(lat - lastLat) > step) kept.push(lng, lat)
  }
  return Int32Array.from(kept)
}

export function boxOf(rings: readonly Int32Array[]): Box {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const ring of rings)
    for (let at = 0; at < ring.length; at += 2) {
      box[0] = Math.min(box[0], ring[at]!)
      box[1] = Math.min(box[1], ring[at + 1]!)
      box[2] = Math.max(box[2], ring[at]!)
      box[3] = Math.max(box[3], ring[at + 1]!)
    }
  return box
}

export const isInBox = ([west, south, east, north]: Box, lat: number, lng: number) =>
  lng >= west && lng <= east && lat >= south && lat <= north

export function isIn(ring: Int32Array, lat: number, lng: number): boolean {
  let inside = false
  for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
    const [x1, y1, x2, y2] = [ring[before]!, ring[before + 1]!, ring[at]!, ring[at + 1]!]
    if (y1 > lat !== y2 > lat && lng < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) inside = !inside
  }
  return inside
}

/** A tenth of a degree. An area that covers many cells is looked at everywhere. */
const cellSize = 100_000
const mostCells = 2_000

export function gridOf<Area extends { box: Box; size: number }>(areas: readonly Area[]) {
  const bySize = areas.toSorted((a, b) => a.size - b.size)
  const cells = new Map<number, Area[]>()
  const everywhere: Area[] = []
  for (const area of bySize) {
    const [west, south, east, north] = area.box.map((side) => Math.floor(side / cellSize)) as [
      number,
      number,
      number,
      number,
    ]
    if ((east - west + 1) * (north - south + 1) > mostCells) everywhere.push(area)
    else
      for (let x = west; x <= east; x += 1)
        for (let y = south; y <= north; y += 1) {
          const cell = cells.get(y * 10_000 + x)
          if (cell) cell.push(area)
          else cells.set(y * 10_000 + x, [area])
        }
  }
  return {
    /** Those that may be there, the smallest first. */
    at: (lat: number, lng: number): readonly Area[] => {
      const cell = cells.get(Math.floor(lat / cellSize) * 10_000 + Math.floor(lng / cellSize)) ?? []
      return everywhere.length > 0 ? [...cell, ...everywhere] : cell
    },
  }
}

/** Points by cells of a tenth of a degree, which are narrower than high. */
export function pointGrid<Point extends { lat: number; lng: number }>(points: readonly Point[]) {
  const cells = Map.groupBy(points, ({ lat, lng }) => Math.floor(lat / cellSize) * 10_000 + Math.floor(lng / cellSize))
  return {
    near(lat: number, lng: number, reach: number): Point[] {
      const [y, x] = [Math.floor(lat / cellSize), Math.floor(lng / cellSize)]
      const found: Point[] = []
      for (let dy = -reach; dy <= reach; dy += 1)
        for (let dx = -reach - 1; dx <= reach + 1; dx += 1) found.push(...(cells.get((y + dy) * 10_000 + x + dx) ?? []))
      return found
    },
  }
}
