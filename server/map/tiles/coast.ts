import type { OsmWay } from '../extract/elements.ts'
import { cutLine } from './clip.ts'
import { type Box, boxOf } from './shapes.ts'
import { contains, isClosed, type Path, signedArea, stride, toPath } from './world.ts'

/*
 * Where the sea is. OpenStreetMap has no areas of it, only coastlines, with the water on their right. Within the rectangle of an extract
 * they are put together from their ways and closed along its edge. A coast that ends inside, because the extract was cut out along a
 * border, goes on straight to the nearest edge: the sea may be wrong there, abroad.
 */

export interface Coast {
  add(way: OsmWay): void
  /** Around all of it; undefined if the extract has no coast. */
  box(): Box | undefined
  /** Areas of the sea inside of the box, each as an outer ring and its islands. */
  seas(box: Box): Path[][]
}

interface Stretch {
  first: number
  last: number
  path: Path
}

export function createCoast(): Coast {
  const stretches: Stretch[] = []
  return {
    add({ tags, nodeIds, points }) {
      const path = tags['natural'] === 'coastline' ? toPath(points) : undefined
      if (path && path.length >= 2 * stride)
        stretches.push({ first: nodeIds[0] as number, last: nodeIds.at(-1) as number, path })
    },
    box: () => (stretches.length === 0 ? undefined : boxOf(stretches.map(({ path }) => path))),
    seas: (box) => seasOf(putTogether(stretches), box),
  }
}

/** A coast is drawn in one direction, so each stretch begins where another ends. */
function putTogether(stretches: readonly Stretch[]): Path[] {
  const byFirst = new Map(stretches.map((stretch) => [stretch.first, stretch]))
  const ends = new Set(stretches.map(({ last }) => last))
  const free = new Set(stretches)
  const follow = (start: Stretch): Path => {
    const path = [...start.path]
    free.delete(start)
    for (let next = byFirst.get(start.last); next && free.has(next); next = byFirst.get(next.last)) {
      free.delete(next)
      for (const value of next.path.slice(stride)) path.push(value)
    }
    return path
  }
  // First those that nothing leads to; what is left then are circles.
  const open = stretches.filter(({ first }) => !ends.has(first)).map(follow)
  const closed = stretches
    .filter((stretch) => free.has(stretch))
    .flatMap((stretch) => (free.has(stretch) ? [follow(stretch)] : []))
  return [...open, ...closed]
}

function seasOf(coasts: readonly Path[], box: Box): Path[][] {
  const rings: Path[] = []
  const across: Path[] = []
  for (const coast of coasts)
    for (const part of within(coast, box)) {
      const reached = isClosed(part) ? part : toTheEdge(part, box)
      if (isClosed(reached)) rings.push(reached)
      else across.push(reached)
    }
  const islands = rings.filter((ring) => signedArea(ring) < 0)
  const inland = rings.filter((ring) => signedArea(ring) > 0)
  const outer = [...closedAlong(across, box), ...inland]
  if (outer.length === 0 && islands.length > 0) outer.push(cornersOf(box))
  return outer.map((ring) => [
    ring,
    ...islands.filter((island) => contains(ring, island[0] as number, island[1] as number)),
  ])
}

function within(coast: Path, { left, top, right, bottom }: Box): Path[] {
  const parts = cutLine(coast, 0, left, right).flatMap((part) => cutLine(part, 1, top, bottom))
  const [first] = parts
  const last = parts.at(-1)
  // A circle that was cut begins and ends in the middle of one of its parts.
  if (
    isClosed(coast) &&
    first &&
    last &&
    first !== last &&
    first[0] === last.at(-stride) &&
    first[1] === last.at(1 - stride)
  )
    return [...parts.slice(1, -1), [...last, ...first.slice(stride)]]
  return parts
}

/** Ends inside of the box are led to its edge, or to each other if that is nearer. */
function toTheEdge(part: Path, box: Box): Path {
  const [x, y] = part as [number, number, number]
  const [endX, endY] = part.slice(-stride) as [number, number, number]
  const begin = nearestEdge(x, y, box)
  const end = nearestEdge(endX, endY, box)
  const gap = Math.hypot(x - endX, y - endY)
  if (gap < Math.hypot(begin[0] - x, begin[1] - y) && gap < Math.hypot(end[0] - endX, end[1] - endY))
    return [...part, x, y, 0]
  return [...begin, 0, ...part, ...end, 0]
}

function nearestEdge(x: number, y: number, { left, top, right, bottom }: Box): [number, number] {
  const edges: [number, number][] = [
    [left, y],
    [right, y],
    [x, top],
    [x, bottom],
  ]
  const distance = ([toX, toY]: [number, number]) => Math.abs(toX - x) + Math.abs(toY - y)
  return edges.reduce((best, edge) => (distance(edge) < distance(best) ? edge : best))
}

/** The water is on the right: from where a coast leaves the box, its edge is followed clockwise to where the next one enters. */
function closedAlong(coasts: readonly Path[], box: Box): Path[] {
  const free = new Set(coasts)
  const entries = coasts.map((coast) => ({ coast, at: along(coast[0] as number, coast[1] as number, box) }))
  const rings: Path[] = []
  for (const first of coasts) {
    if (!free.has(first)) continue
    const ring: Path = []
    for (let coast = first; ; ) {
      free.delete(coast)
      for (const value of coast) ring.push(value)
      const left = along(coast.at(-stride) as number, coast.at(1 - stride) as number, box)
      const ahead = (at: number) => (at - left + 4) % 4
      const candidates = entries.filter((entry) => entry.coast === first || free.has(entry.coast))
      const next = candidates.reduce((best, entry) => (ahead(entry.at) < ahead(best.at) ? entry : best))
      for (const [corner, x, y] of corners(box, left)) if (ahead(corner) < ahead(next.at)) ring.push(x, y, 0)
      if (next.coast === first) break
      coast = next.coast
    }
    ring.push(ring[0] as number, ring[1] as number, 0)
    rings.push(ring)
  }
  return rings
}

/** How far around the box a place on its edge is, clockwise from the upper left, a side being 1. */
function along(x: number, y: number, { left, top, right, bottom }: Box): number {
  if (y === top) return (x - left) / (right - left)
  if (x === right) return 1 + (y - top) / (bottom - top)
  if (y === bottom) return 2 + (right - x) / (right - left)
  return (3 + (bottom - y) / (bottom - top)) % 4
}

/** Clockwise, from the one that follows a place on the edge. */
function corners({ left, top, right, bottom }: Box, from: number): [at: number, x: number, y: number][] {
  const all: [number, number, number][] = [
    [0, left, top],
    [1, right, top],
    [2, right, bottom],
    [3, left, bottom],
  ]
  const next = Math.floor(from) + 1
  return [0, 1, 2, 3].map((step) => all[(next + step) % 4] as [number, number, number])
}

/** The box as a ring. */
export function cornersOf({ left, top, right, bottom }: Box): Path {
  const corners = [left, top, right, top, right, bottom, left, bottom, left, top]
  return corners.flatMap((value, index) => (index % 2 === 0 ? value : [value, 0]))
}
