import type { Point } from '../../map/point.ts'

export interface Cell {
  z: number
  x: number
  y: number
}

interface Tiles {
  minZoom: number
  maxZoom: number
  bounds: readonly [west: number, south: number, east: number, north: number]
}

/** A city has some forty tiles of the last zoom, with 50 kB each. */
const mostCells = 400

/**
 * The tiles around the stops of a day, the most useful first: those of a stop in every zoom, in the order of the route, then
 * those around them. A screen shows two by two tiles of the last zoom at most, so a stop has them with one more on each side.
 */
export function cellsAround(points: readonly Point[], { minZoom, maxZoom, bounds }: Tiles): Cell[] {
  const [west, south, east, north] = bounds
  const inside = points.filter(([lng, lat]) => lng >= west && lng <= east && lat >= south && lat <= north)
  const cells = new Map<string, Cell>()
  const add = (z: number, x: number, y: number) => {
    const side = 2 ** z
    if (x >= 0 && y >= 0 && x < side && y < side && cells.size < mostCells) cells.set(`${z}/${x}/${y}`, { z, x, y })
  }
  for (const point of inside)
    for (let z = minZoom; z <= maxZoom; z++) {
      const { x, y } = cellOf(point, z)
      add(z, x, y)
    }
  for (const point of inside)
    for (let z = maxZoom; z >= minZoom; z--) {
      const { x, y } = cellOf(point, z)
      for (const right of [-1, 0, 1]) for (const down of [-1, 0, 1]) add(z, x + right, y + down)
    }
  return [...cells.values()]
}

function cellOf([lng, lat]: Point, z: number): Cell {
  const side = 2 ** z
  const sine = Math.sin((lat * Math.PI) / 180)
  const down = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return { z, x: Math.floor((lng / 360 + 0.5) * side), y: Math.floor(down * side) }
}
