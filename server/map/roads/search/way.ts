import { climb } from './climb.ts'
import { dmIn, msIn, noWay, orNoWay, type Seed } from './graph.ts'
import { downOf, findArc, type Hierarchy, upOf } from './hierarchy.ts'
import { ofGraph } from './remains.ts'
import type { Workspace } from './workspace.ts'

export interface Way {
  ms: number
  dm: number
  /** Of the graph, from where it began to where it ended. */
  vertices: number[]
}

/** The way of which `findTable` says how long it takes; undefined if there is none. */
export function findWay(
  hierarchy: Hierarchy,
  { forwards, backwards, settled }: Workspace,
  from: readonly Seed[],
  to: readonly Seed[],
): Way | undefined {
  const [up, down] = [upOf(hierarchy), downOf(hierarchy)]
  const { rank } = hierarchy
  climb(backwards, down, up, rank, to, settled)
  const count = climb(forwards, up, down, rank, from, settled)
  let best = noWay
  let top = 0
  for (let at = 0; at < count; at += 1) {
    const vertex = settled[at]!
    const by = forwards.weight[vertex]! + backwards.weight[vertex]!
    if (by < best) {
      best = by
      top = vertex
    }
  }
  if (orNoWay(best) === noWay) return undefined
  const climbed = trace(forwards.from, top).reverse()
  const stations = [...climbed, ...trace(backwards.from, top).slice(1)]
  return { ms: msIn(best), dm: dmIn(best), vertices: unfold(hierarchy, stations) }
}

/** From the top down to where the search began. */
function trace(from: Uint32Array, top: number): number[] {
  const stations = [top]
  for (let vertex = top; from[vertex] !== vertex; ) {
    vertex = from[vertex]!
    stations.push(vertex)
  }
  return stations
}

/** Replaces every arc that stands for a way by that way. */
function unfold(hierarchy: Hierarchy, stations: readonly number[]): number[] {
  const [up, down] = [upOf(hierarchy), downOf(hierarchy)]
  const { vertex } = hierarchy
  const viaOf = (tail: number, head: number) =>
    tail > head ? up.via[findArc(up, tail, head)]! : down.via[findArc(down, head, tail)]!
  const vertices = [vertex[stations[0]!]!]
  /** What is still to come, the next last. */
  const ahead = stations.toReversed()
  let tail = ahead.pop()!
  while (ahead.length > 0) {
    const head = ahead.at(-1)!
    const via = viaOf(tail, head)
    if (via !== ofGraph) ahead.push(via)
    else {
      vertices.push(vertex[head]!)
      tail = head
      ahead.pop()
    }
  }
  return vertices
}
