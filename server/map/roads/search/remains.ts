import { type Graph, weightOf } from './graph.ts'

/** An arc of the graph itself, not one that stands for a way over another vertex. */
export const ofGraph = 2 ** 32 - 1

/** The arcs at one end of each vertex. Every vertex has a piece of the arrays, which moves to their end when it gets too small. */
export interface Arcs {
  start: Uint32Array
  count: Uint32Array
  room: Uint32Array
  /** The vertex at the other end. */
  other: Uint32Array
  weight: Float64Array
  /** The vertex it leads over. */
  via: Uint32Array
  used: number
}

/** What is left of a graph while one vertex after the other is taken out of it: no arc twice, none to where it began. */
export interface Remains {
  /** The arcs that leave a vertex, and those that arrive; each is in both. */
  out: Arcs
  in: Arcs
}

export function copyGraph({ first, head, ms, dm }: Graph): Remains {
  const size = first.length - 1
  const arriving = new Uint32Array(size)
  for (const vertex of head) arriving[vertex]! += 1
  const leaving = new Uint32Array(size)
  for (let vertex = 0; vertex < size; vertex += 1) leaving[vertex] = first[vertex + 1]! - first[vertex]!
  const remains = { out: makeArcs(leaving), in: makeArcs(arriving) }
  for (let tail = 0; tail < size; tail += 1)
    for (let arc = first[tail]!; arc < first[tail + 1]!; arc += 1)
      addArc(remains, tail, head[arc]!, weightOf(ms[arc]!, dm[arc]!), ofGraph)
  return remains
}

function makeArcs(room: Uint32Array): Arcs {
  const size = room.length
  const start = new Uint32Array(size)
  let used = 0
  for (let vertex = 0; vertex < size; vertex += 1) {
    start[vertex] = used
    used += room[vertex]!
  }
  const places = Math.ceil(used * 1.5) + 16
  return {
    start,
    count: new Uint32Array(size),
    room,
    other: new Uint32Array(places),
    weight: new Float64Array(places),
    via: new Uint32Array(places),
    used,
  }
}

/** Adds it, or makes the one between these two better. */
export function addArc({ out, in: into }: Remains, tail: number, head: number, weight: number, via: number) {
  if (tail === head) return
  const leaving = findArc(out, tail, head)
  if (leaving < 0) {
    append(out, tail, head, weight, via)
    append(into, head, tail, weight, via)
  } else if (weight < out.weight[leaving]!) {
    const arriving = findArc(into, head, tail)
    out.weight[leaving] = weight
    into.weight[arriving] = weight
    out.via[leaving] = via
    into.via[arriving] = via
  }
}

/** Takes a vertex out. Its own arcs stay as they are: all of them lead to vertices that were taken out later. */
export function takeOut({ out, in: into }: Remains, vertex: number) {
  for (let at = out.start[vertex]!, end = at + out.count[vertex]!; at < end; at += 1) drop(into, out.other[at]!, vertex)
  for (let at = into.start[vertex]!, end = at + into.count[vertex]!; at < end; at += 1)
    drop(out, into.other[at]!, vertex)
}

function findArc({ start, count, other }: Arcs, vertex: number, wanted: number): number {
  for (let at = start[vertex]!, end = at + count[vertex]!; at < end; at += 1) if (other[at] === wanted) return at
  return -1
}

function append(arcs: Arcs, vertex: number, other: number, weight: number, via: number) {
  if (arcs.count[vertex] === arcs.room[vertex]) enlarge(arcs, vertex)
  const at = arcs.start[vertex]! + arcs.count[vertex]!
  arcs.other[at] = other
  arcs.weight[at] = weight
  arcs.via[at] = via
  arcs.count[vertex]! += 1
}

function drop(arcs: Arcs, vertex: number, other: number) {
  const at = findArc(arcs, vertex, other)
  arcs.count[vertex]! -= 1
  const last = arcs.start[vertex]! + arcs.count[vertex]!
  arcs.other[at] = arcs.other[last]!
  arcs.weight[at] = arcs.weight[last]!
  arcs.via[at] = arcs.via[last]!
}

function enlarge(arcs: Arcs, vertex: number) {
  const room = Math.max(4, 2 * arcs.room[vertex]!)
  if (arcs.used + room > arcs.other.length) makeRoom(arcs, Math.max(arcs.used + room, 2 * arcs.other.length))
  const [start, end] = [arcs.start[vertex]!, arcs.start[vertex]! + arcs.count[vertex]!]
  arcs.other.copyWithin(arcs.used, start, end)
  arcs.weight.copyWithin(arcs.used, start, end)
  arcs.via.copyWithin(arcs.used, start, end)
  arcs.start[vertex] = arcs.used
  arcs.room[vertex] = room
  arcs.used += room
}

function makeRoom(arcs: Arcs, places: number) {
  const { other, weight, via } = arcs
  arcs.other = new Uint32Array(places)
  arcs.weight = new Float64Array(places)
  arcs.via = new Uint32Array(places)
  arcs.other.set(other)
  arcs.weight.set(weight)
  arcs.via.set(via)
}
