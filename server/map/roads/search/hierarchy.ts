import { type Arcs, ofGraph, type Remains } from './remains.ts'

/*
 * A graph whose vertices have an order, and so many additional arcs that every best way first climbs and then descends in it. So a
 * search only has to climb, from both ends, and sees some hundred vertices of a city. Vertices have new numbers: 0 is the top.
 */
export interface Hierarchy {
  /** The new number of each vertex of the graph, and the old one of each here. */
  rank: Uint32Array
  vertex: Uint32Array
  /** Arcs that climb: where those of a vertex begin, where they lead, and over which vertex; `ofGraph` if over none. */
  upFirst: Uint32Array
  upHead: Uint32Array
  upWeight: Float64Array
  upVia: Uint32Array
  /** Arcs that descend, by their lower end; the head is the upper one, where they begin. */
  downFirst: Uint32Array
  downHead: Uint32Array
  downWeight: Float64Array
  downVia: Uint32Array
}

export interface Rows {
  first: Uint32Array
  head: Uint32Array
  weight: Float64Array
  via: Uint32Array
}

export const upOf = ({ upFirst, upHead, upWeight, upVia }: Hierarchy): Rows => ({
  first: upFirst,
  head: upHead,
  weight: upWeight,
  via: upVia,
})

export const downOf = ({ downFirst, downHead, downWeight, downVia }: Hierarchy): Rows => ({
  first: downFirst,
  head: downHead,
  weight: downWeight,
  via: downVia,
})

/** `order` has the vertices as they were taken out: the last is the top. */
export function toHierarchy({ out, in: into }: Remains, order: Uint32Array): Hierarchy {
  const vertex = order.toReversed()
  const rank = new Uint32Array(order.length)
  for (const [number, one] of vertex.entries()) rank[one] = number
  const up = toRows(out, vertex, rank)
  const down = toRows(into, vertex, rank)
  return {
    rank,
    vertex,
    upFirst: up.first,
    upHead: up.head,
    upWeight: up.weight,
    upVia: up.via,
    downFirst: down.first,
    downHead: down.head,
    downWeight: down.weight,
    downVia: down.via,
  }
}

function toRows({ start, count, other, weight, via }: Arcs, vertex: Uint32Array, rank: Uint32Array): Rows {
  const size = vertex.length
  const first = new Uint32Array(size + 1)
  for (let number = 0; number < size; number += 1) first[number + 1] = first[number]! + count[vertex[number]!]!
  const arcs = first[size]!
  const rows = { first, head: new Uint32Array(arcs), weight: new Float64Array(arcs), via: new Uint32Array(arcs) }
  for (let number = 0; number < size; number += 1) {
    const begin = start[vertex[number]!]!
    const its = Array.from({ length: count[vertex[number]!]! }, (_, index) => begin + index)
    its.sort((a, b) => rank[other[a]!]! - rank[other[b]!]!)
    for (const [index, arc] of its.entries()) {
      const to = first[number]! + index
      rows.head[to] = rank[other[arc]!]!
      rows.weight[to] = weight[arc]!
      rows.via[to] = via[arc] === ofGraph ? ofGraph : rank[via[arc]!]!
    }
  }
  return rows
}

/** The arc from one vertex to another one, as a place in the rows of the lower one. */
export function findArc({ first, head }: Rows, lower: number, upper: number): number {
  for (let at = first[lower]!, end = first[lower + 1]!; at < end; at += 1) if (head[at] === upper) return at
  throw new Error(`There is no arc between ${lower} and ${upper}`)
}
