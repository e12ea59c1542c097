/*
 * Coordinates of the tiles: web mercator in whole numbers, the world 2^30 wide (3.7 cm at the equator), x to the east and y to
 * the south. A path is a flat list of x, y and the first zoom that needs the point.
 */
import { lastZoom } from './layers.ts'
import { distanceSquared } from './simplify.ts'

export const worldSize = 2 ** 30

export type Path = number[]
export const stride = 3

export const toX = (lng: number): number => Math.round((lng / 360 + 0.5) * worldSize)

export function toY(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180)
  const y = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI
  return Math.round(Math.min(1, Math.max(0, y)) * worldSize)
}

export const toLng = (x: number): number => (x / worldSize - 0.5) * 360

export const toLat = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / worldSize))) * 180) / Math.PI

/** A tile of the last zoom is enlarged sixteen times, so it is finer than the others. */
export const extentAt = (zoom: number): number => (zoom === lastZoom ? 8192 : 4096)

/** How wide a unit of a tile is. */
export const unitAt = (zoom: number): number => worldSize / 2 ** zoom / extentAt(zoom)

/**
 * How far a line may run beside the real one: a quarter of a pixel on the screen, and at the last zoom 15 cm, which is less than a
 * pixel when enlarged to zoom 18.
 */
const tolerances = Array.from({ length: lastZoom + 1 }, (_, zoom) => unitAt(zoom) * (zoom === lastZoom ? 0.5 : 2))
const squared = tolerances.map((tolerance) => tolerance * tolerance)

/** The first zoom at which a point this far from the simpler line is needed; past the last one if at none. */
function zoomFor(distanceSquared: number): number {
  for (let zoom = 0; zoom <= lastZoom; zoom++) if (distanceSquared > (squared[zoom] as number)) return zoom
  return lastZoom + 1
}

/**
 * The points as a path, those left out that no zoom needs. Each is judged once, on the whole line (Douglas-Peucker), so that
 * neighbouring tiles keep the same points. Undefined if there is no point.
 */
export function toPath(lngLats: ArrayLike<number>): Path | undefined {
  const points = projected(lngLats)
  const count = points.length / 2
  if (count === 0) return undefined
  const zooms = new Uint8Array(count).fill(lastZoom + 1)
  zooms[0] = 0
  zooms[count - 1] = 0
  const open: number[] = [0, count - 1, 0]
  while (open.length > 0) {
    const above = open.pop() as number
    const last = open.pop() as number
    const first = open.pop() as number
    let farthest = 0
    let at = 0
    for (let index = first + 1; index < last; index++) {
      const distance = distanceSquared(points, index, first, last)
      if (distance > farthest) {
        farthest = distance
        at = index
      }
    }
    if (at === 0) continue
    // Nothing appears before what it hangs on.
    const zoom = Math.max(above, zoomFor(farthest))
    if (zoom > lastZoom) continue
    zooms[at] = zoom
    open.push(first, at, zoom, at, last, zoom)
  }
  const path: Path = []
  for (let index = 0; index < count; index++) {
    const zoom = zooms[index] as number
    if (zoom <= lastZoom) path.push(points[2 * index] as number, points[2 * index + 1] as number, zoom)
  }
  return path
}

/** Without repetitions. What crosses the date line goes on beyond the edge of the world, rather than all the way back. */
function projected(lngLats: ArrayLike<number>): number[] {
  const points: number[] = []
  let lastX = Number.NaN
  let lastY = Number.NaN
  for (let at = 0; at + 1 < lngLats.length; at += 2) {
    const lng = lngLats[at] as number
    let x = toX(lng)
    const y = toY(lngLats[at + 1] as number)
    if (x - lastX > worldSize / 2) x -= worldSize
    else if (lastX - x > worldSize / 2) x += worldSize
    if (x === lastX && y === lastY) continue
    points.push(x, y)
    lastX = x
    lastY = y
  }
  return points
}

export const isClosed = (path: Path): boolean =>
  path.length > stride && path[0] === path[path.length - stride] && path[1] === path[path.length - stride + 1]

/** Of a closed path, positive if it runs clockwise on the screen. */
export function signedArea(ring: Path): number {
  let area = 0
  const x = ring[0] as number
  const y = ring[1] as number
  for (let at = 0; at + stride < ring.length; at += stride) {
    const fromX = (ring[at] as number) - x
    const fromY = (ring[at + 1] as number) - y
    area += fromX * ((ring[at + stride + 1] as number) - y) - ((ring[at + stride] as number) - x) * fromY
  }
  return area / 2
}

/** A point inside an area, for its name: in the middle of the widest stretch at half its height, and not in a hole. */
export function pointInside(rings: readonly Path[]): [x: number, y: number] {
  const [hull] = rings as [Path]
  let top = Number.POSITIVE_INFINITY
  let bottom = Number.NEGATIVE_INFINITY
  for (let at = 1; at < hull.length; at += stride) {
    top = Math.min(top, hull[at] as number)
    bottom = Math.max(bottom, hull[at] as number)
  }
  // Between whole numbers, so that no corner lies on it.
  const y = Math.floor((top + bottom) / 2) + 0.5
  const crossings = rings.flatMap((ring) => crossingsAt(ring, y)).toSorted((one, other) => one - other)
  let widest = -1
  let x = hull[0] as number
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const width = (crossings[at + 1] as number) - (crossings[at] as number)
    if (width > widest) {
      widest = width
      x = ((crossings[at] as number) + (crossings[at + 1] as number)) / 2
    }
  }
  return [Math.round(x), Math.floor(y)]
}

export const contains = (ring: Path, x: number, y: number): boolean =>
  crossingsAt(ring, y).filter((crossing) => crossing > x).length % 2 === 1

/** Where a ring crosses a height. */
function crossingsAt(ring: Path, y: number): number[] {
  const crossings: number[] = []
  for (let at = 0; at + stride < ring.length; at += stride) {
    const fromY = ring[at + 1] as number
    const toY = ring[at + stride + 1] as number
    if (fromY > y === toY > y) continue
    const fromX = ring[at] as number
    crossings.push(fromX + (((ring[at + stride] as number) - fromX) * (y - fromY)) / (toY - fromY))
  }
  return crossings
}
