import { climb } from './climb.ts'
import { noWay, orNoWay, type Seed } from './graph.ts'
import { downOf, type Hierarchy, upOf } from './hierarchy.ts'
import type { Workspace } from './workspace.ts'

/** At each vertex, from where which end can be reached, and with what: those of vertex v are first[v] … first[v + 1] - 1. */
export interface Buckets {
  first: Uint32Array
  end: Uint32Array
  weight: Float64Array
}

/** From all starts to all ends: a climb for each, and where they meet, a look at what was left there. Row by row. */
export function findTable(
  hierarchy: Hierarchy,
  workspace: Workspace,
  from: readonly (readonly Seed[])[],
  to: readonly (readonly Seed[])[],
): Float64Array {
  return meetBuckets(hierarchy, workspace, from, fillBuckets(hierarchy, workspace, to), to.length)
}

export function fillBuckets(hierarchy: Hierarchy, workspace: Workspace, to: readonly (readonly Seed[])[]): Buckets {
  const { backwards, settled } = workspace
  const [up, down] = [upOf(hierarchy), downOf(hierarchy)]
  const found = createFound(to.length * 256)
  const first = new Uint32Array(hierarchy.rank.length + 1)
  for (const [end, seeds] of to.entries()) {
    const count = climb(backwards, down, up, hierarchy.rank, seeds, settled)
    found.makeRoom(count)
    for (let at = 0; at < count; at += 1) {
      const vertex = settled[at]!
      first[vertex + 1]! += 1
      found.add(vertex, end, backwards.weight[vertex]!)
    }
  }
  for (let vertex = 0; vertex < hierarchy.rank.length; vertex += 1) first[vertex + 1]! += first[vertex]!
  return found.sort(first)
}

function createFound(expected: number) {
  let vertices = new Uint32Array(expected)
  let ends = new Uint32Array(expected)
  let weights = new Float64Array(expected)
  let count = 0
  return {
    makeRoom(more: number) {
      if (count + more <= vertices.length) return
      const room = Math.max(count + more, 2 * vertices.length)
      const [oldVertices, oldEnds, oldWeights] = [vertices, ends, weights]
      vertices = new Uint32Array(room)
      ends = new Uint32Array(room)
      weights = new Float64Array(room)
      vertices.set(oldVertices)
      ends.set(oldEnds)
      weights.set(oldWeights)
    },
    add(vertex: number, end: number, weight: number) {
      vertices[count] = vertex
      ends[count] = end
      weights[count] = weight
      count += 1
    },
    /** By vertex, and of one vertex by end. */
    sort(first: Uint32Array): Buckets {
      const next = first.slice()
      const buckets = { first, end: new Uint32Array(count), weight: new Float64Array(count) }
      for (let at = 0; at < count; at += 1) {
        const place = next[vertices[at]!]!
        next[vertices[at]!] = place + 1
        buckets.end[place] = ends[at]!
        buckets.weight[place] = weights[at]!
      }
      return buckets
    },
  }
}

export function meetBuckets(
  hierarchy: Hierarchy,
  { forwards, settled }: Workspace,
  from: readonly (readonly Seed[])[],
  { first, end, weight }: Buckets,
  ends: number,
): Float64Array {
  const [up, down] = [upOf(hierarchy), downOf(hierarchy)]
  const table = new Float64Array(from.length * ends).fill(noWay)
  for (const [start, seeds] of from.entries()) {
    const row = start * ends
    const count = climb(forwards, up, down, hierarchy.rank, seeds, settled)
    for (let met = 0; met < count; met += 1) {
      const vertex = settled[met]!
      const so = forwards.weight[vertex]!
      for (let at = first[vertex]!, last = first[vertex + 1]!; at < last; at += 1) {
        const place = row + end[at]!
        const by = so + weight[at]!
        if (by < table[place]!) table[place] = by
      }
    }
  }
  for (let place = 0; place < table.length; place += 1) table[place] = orNoWay(table[place]!)
  return table
}
