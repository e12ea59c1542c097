import type { Graph } from '../search/graph.ts'
import { uses } from './profile-graph.ts'

/*
 * Which roads belong together. A part is where one gets from everywhere to everywhere (strongly connected, by Tarjan). What is cut off from
 * all large parts is an island: a car park behind a gate, the end of a road that only begins outside the extract. Nobody is put there.
 */

/** A part of so many vertices is a place of its own, and not a fault of the map; and the largest is one, however small. */
const leastVertices = 200

interface Ends {
  /** Where one is after the edge, and before it. */
  from: readonly number[]
  to: readonly number[]
}

/** Notes of every directed edge whether a large part is reached from it, and it from a large part. */
export function markUse(graph: Graph, edgeUse: Uint8Array, endsOf: (edge: number) => Ends | undefined) {
  const { reaches, isReached } = connect(graph)
  for (let edge = 0; edge < edgeUse.length; edge += 1) {
    const ends = endsOf(edge)
    if (ends?.from.some((vertex) => reaches[vertex])) (edgeUse[edge] as number) |= uses.canLeave
    if (ends?.to.some((vertex) => isReached[vertex])) (edgeUse[edge] as number) |= uses.canArrive
  }
}

export function connect(graph: Graph) {
  const { partOf, order, sizes } = findParts(graph)
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  const reaches = Uint8Array.from(sizes, (size) => (size >= Math.min(largest, leastVertices) ? 1 : 0))
  const isReached = reaches.slice()
  const { first, head } = graph
  // Parts are found after all that they lead to.
  for (let at = 0; at < order.length; at += 1) {
    const vertex = order[at] as number
    for (let arc = first[vertex] as number; arc < (first[vertex + 1] as number); arc += 1)
      if (reaches[partOf[head[arc] as number] as number]) reaches[partOf[vertex] as number] = 1
  }
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const vertex = order[at] as number
    if (!isReached[partOf[vertex] as number]) continue
    for (let arc = first[vertex] as number; arc < (first[vertex + 1] as number); arc += 1)
      isReached[partOf[head[arc] as number] as number] = 1
  }
  return {
    reaches: partOf.map((part) => reaches[part] as number),
    isReached: partOf.map((part) => isReached[part] as number),
  }
}

/** The part of each vertex, the vertices by part, and how many each has. */
function findParts({ first, head }: Graph) {
  const vertices = first.length - 1
  const [partOf, order] = [new Uint32Array(vertices), new Uint32Array(vertices)]
  const [number, low] = [new Uint32Array(vertices), new Uint32Array(vertices)]
  const [path, waiting, next] = [new Uint32Array(vertices), new Uint32Array(vertices), first.slice(0, vertices)]
  const isDone = new Uint8Array(vertices)
  const sizes: number[] = []
  let [numbered, onPath, held, done] = [0, 0, 0, 0]

  const enter = (vertex: number) => {
    numbered += 1
    number[vertex] = numbered
    low[vertex] = numbered
    path[onPath++] = vertex
    waiting[held++] = vertex
  }
  const lower = (vertex: number, to: number) => {
    if (to < (low[vertex] as number)) low[vertex] = to
  }
  for (let start = 0; start < vertices; start += 1) {
    if (number[start] === 0) enter(start)
    while (onPath > 0) {
      const vertex = path[onPath - 1] as number
      if ((next[vertex] as number) < (first[vertex + 1] as number)) {
        const other = head[next[vertex] as number] as number
        ;(next[vertex] as number) += 1
        if (number[other] === 0) enter(other)
        else if (!isDone[other]) lower(vertex, number[other] as number)
        continue
      }
      onPath -= 1
      if (onPath > 0) lower(path[onPath - 1] as number, low[vertex] as number)
      if (low[vertex] !== number[vertex]) continue
      const before = done
      for (let member = -1; member !== vertex; ) {
        member = waiting[--held] as number
        isDone[member] = 1
        partOf[member] = sizes.length
        order[done++] = member
      }
      sizes.push(done - before)
    }
  }
  return { partOf, order, sizes }
}
