import { unitsPerDegree } from './block.ts'
import type { OsmArea } from './elements.ts'
import type { KeptWay } from './kept-ways.ts'

/*
 * Areas are put together from ways that share their ends: into rings, and rings into polygons with holes. Which ring is a hole
 * follows from which lies in which; the roles say the same, but are often missing or wrong.
 */

/** Latitude and longitude in ten-millionths of a degree, one after the other; the last point is the first. */
type Ring = Int32Array

/** More rings than this are somebody's mistake, and comparing all with all would take hours. */
const mostRings = 20_000

/** What the ways enclose. Those that do not close, because the extract ends there or something is missing, are left out. */
export function putTogether(ways: readonly KeptWay[]): OsmArea['polygons'] {
  const rings = joinRings(ways).filter((ring) => ring.length >= 8 && areaOf(ring) !== 0)
  return nest(rings.slice(0, mostRings))
}

export function joinRings(ways: readonly KeptWay[]): Ring[] {
  const rings = ways.filter(isClosed).map(({ points }) => points)
  const open = ways.filter((way) => !isClosed(way) && way.points.length >= 4)
  const at = new Map<number, Set<KeptWay>>()
  for (const way of open)
    for (const end of [way.firstNodeId, way.lastNodeId]) at.getOrInsertComputed(end, () => new Set()).add(way)
  const take = (node: number): KeptWay | undefined => {
    const [way] = at.get(node) ?? []
    for (const end of way ? [way.firstNodeId, way.lastNodeId] : []) at.get(end)?.delete(way as KeptWay)
    return way
  }
  for (const { firstNodeId } of open) {
    // The way so far, as the nodes where ways meet and what lies between. Where it meets itself, a ring is complete.
    const nodes = [firstNodeId]
    const lines: Int32Array[] = []
    for (;;) {
      const last = nodes.at(-1) as number
      const way = take(last)
      // A dead end: what led here belongs to no ring.
      if (!way && lines.pop() === undefined) break
      if (!way) {
        nodes.pop()
        continue
      }
      const isForward = way.firstNodeId === last
      const next = isForward ? way.lastNodeId : way.firstNodeId
      lines.push(isForward ? way.points : reversed(way.points))
      const before = nodes.indexOf(next)
      if (before < 0) nodes.push(next)
      else {
        rings.push(concatenated(lines.splice(before)))
        nodes.length = before + 1
      }
    }
  }
  return rings
}

const isClosed = ({ firstNodeId, lastNodeId, points }: KeptWay) => firstNodeId === lastNodeId && points.length >= 8

function reversed(points: Int32Array): Int32Array {
  const result = new Int32Array(points.length)
  for (let at = 0; at < points.length; at += 2) {
    result[points.length - 2 - at] = points[at] as number
    result[points.length - 1 - at] = points[at + 1] as number
  }
  return result
}

/** Lines that follow each other; each begins where the one before ends. */
function concatenated(lines: readonly Int32Array[]): Int32Array {
  const length = lines.reduce((sum, line) => sum + line.length - 2, 2)
  const result = new Int32Array(length)
  let at = 0
  for (const line of lines) {
    result.set(line, at)
    at += line.length - 2
  }
  return result
}

/** Twice the area; positive if it goes anticlockwise. */
function areaOf(ring: Ring): number {
  const [lat0, lng0] = [ring[0] as number, ring[1] as number]
  let sum = 0
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [lat, lng] = [(ring[at] as number) - lat0, (ring[at + 1] as number) - lng0]
    const [nextLat, nextLng] = [(ring[at + 2] as number) - lat0, (ring[at + 3] as number) - lng0]
    sum += lng * nextLat - nextLng * lat
  }
  return sum
}

interface Placed {
  ring: Ring
  south: number
  west: number
  north: number
  east: number
  area: number
}

function place(ring: Ring): Placed {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < ring.length; at += 2) {
    const [lat, lng] = [ring[at] as number, ring[at + 1] as number]
    if (lat < south) south = lat
    if (lat > north) north = lat
    if (lng < west) west = lng
    if (lng > east) east = lng
  }
  return { ring, south, west, north, east, area: Math.abs(areaOf(ring)) }
}

/** A ring that lies in one other is a hole of it, one that lies in two is an island in the hole, and so on. */
function nest(rings: readonly Ring[]): OsmArea['polygons'] {
  const placed = rings.map(place).sort((one, other) => other.area - one.area)
  const depths: number[] = []
  const found: { outer: Float64Array; inner: Float64Array[] }[] = []
  const polygons = new Map<number, (typeof found)[number]>()
  for (const [index, inner] of placed.entries()) {
    // The smallest that it lies in is the last one found.
    let around = -1
    for (let other = 0; other < index; other += 1) if (contains(placed[other] as Placed, inner)) around = other
    const depth = around < 0 ? 0 : (depths[around] as number) + 1
    depths.push(depth)
    if (depth % 2 === 1) {
      polygons.get(around)?.inner.push(inDegrees(inner.ring, 'clockwise'))
      continue
    }
    const polygon = { outer: inDegrees(inner.ring, 'anticlockwise'), inner: [] }
    polygons.set(index, polygon)
    found.push(polygon)
  }
  return found
}

function contains(outer: Placed, inner: Placed): boolean {
  if (inner.south < outer.south || inner.north > outer.north) return false
  if (inner.west < outer.west || inner.east > outer.east) return false
  // Rings may touch: a corner on the other's edge says nothing, nor does one in the middle of an edge that both have.
  const { ring } = inner
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const side = sideOf(outer.ring, ring[at] as number, ring[at + 1] as number)
    if (side !== 0) return side > 0
  }
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const lat = ((ring[at] as number) + (ring[at + 2] as number)) / 2
    const side = sideOf(outer.ring, lat, ((ring[at + 1] as number) + (ring[at + 3] as number)) / 2)
    if (side !== 0) return side > 0
  }
  // The same ring twice.
  return true
}

/** 1 inside, -1 outside, 0 on the edge. */
function sideOf(ring: Ring, lat: number, lng: number): -1 | 0 | 1 {
  let isInside = false
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [latA, lngA] = [ring[at] as number, ring[at + 1] as number]
    const [latB, lngB] = [ring[at + 2] as number, ring[at + 3] as number]
    const cross = (lngB - lngA) * (lat - latA) - (latB - latA) * (lng - lngA)
    if (
      cross === 0 &&
      lat >= Math.min(latA, latB) &&
      lat <= Math.max(latA, latB) &&
      lng >= Math.min(lngA, lngB) &&
      lng <= Math.max(lngA, lngB)
    )
      return 0
    if (latA > lat !== latB > lat && cross > 0 === latB > latA) isInside = !isInside
  }
  return isInside ? 1 : -1
}

/** Pairs of longitude and latitude. */
function inDegrees(ring: Ring, direction: 'clockwise' | 'anticlockwise'): Float64Array {
  const isReversed = areaOf(ring) > 0 !== (direction === 'anticlockwise')
  const source = isReversed ? reversed(ring) : ring
  const result = new Float64Array(source.length)
  for (let at = 0; at < source.length; at += 2) {
    result[at] = (source[at + 1] as number) / unitsPerDegree
    result[at + 1] = (source[at] as number) / unitsPerDegree
  }
  return result
}
