import { lastUpTo } from '../../extract/coordinates.ts'
import { Growing } from '../growing.ts'
import { headOf, type NetInMaking, tailOf } from '../net/net.ts'
import { bitOf } from '../profiles.ts'
import type { Speeds } from '../speeds.ts'
import { markUse } from './parts.ts'
import { noVertex, timeEdges, uses, type WalkGraph } from './profile-graph.ts'

/** The graph of who goes on foot. */
export function makeWalkGraph(net: NetInMaking, speeds: Speeds): WalkGraph {
  const { edgeMs, edgeUse } = timeEdges(net, 'foot', speeds)
  for (let edge = 0; edge < edgeMs.length; edge += 1) if (isStopped(net, edge)) edgeMs[edge] = 0
  const isPrivate = (edge: number) => ((edgeUse[edge] as number) & uses.endsOnly) !== 0
  const privateJunctions = findPrivateJunctions(net, edgeMs, isPrivate)
  const graph = { privateJunctions, junctions: net.junctions }

  const vertices = net.junctions + privateJunctions.length * 2
  const first = new Uint32Array(vertices + 1)
  const lists = {
    head: new Growing(Uint32Array),
    ms: new Growing(Uint32Array),
    dm: new Growing(Uint32Array),
    edgeOfArc: new Growing(Uint32Array),
  }
  const add = (head: number, ms: number, dm: number, edge: number) => {
    lists.head.push(head)
    lists.ms.push(ms)
    lists.dm.push(dm)
    lists.edgeOfArc.push(edge)
  }
  const addEdges = (junction: number, which: (edge: number) => boolean, vertexOf: (junction: number) => number) => {
    for (let at = net.leavingFirst[junction] as number; at < (net.leavingFirst[junction + 1] as number); at += 1) {
      const edge = net.leaving[at] as number
      if (edgeMs[edge] !== 0 && which(edge))
        add(vertexOf(headOf(net, edge)), edgeMs[edge] as number, net.dm[edge >>> 1] as number, edge)
    }
  }
  for (let junction = 0; junction < net.junctions; junction += 1) {
    addEdges(
      junction,
      (edge) => !isPrivate(edge),
      (other) => other,
    )
    const end = privateVertex(graph, junction, 'ending')
    if (end !== undefined) add(end, 0, 0, noVertex)
    first[junction + 1] = lists.head.length
  }
  for (const [index, junction] of privateJunctions.entries()) {
    addEdges(junction, isPrivate, (other) => privateVertex(graph, other, 'beginning') as number)
    add(junction, 0, 0, noVertex)
    first[net.junctions + index * 2 + 1] = lists.head.length
    addEdges(junction, isPrivate, (other) => privateVertex(graph, other, 'ending') as number)
    first[net.junctions + index * 2 + 2] = lists.head.length
  }
  const rows = { first, head: lists.head.list(), ms: lists.ms.list(), dm: lists.dm.list() }
  markUse(rows, edgeUse, (edge) => {
    if (edgeMs[edge] === 0) return undefined
    const [tail, head] = [tailOf(net, edge), headOf(net, edge)]
    if (!isPrivate(edge)) return { from: [head], to: [tail] }
    return {
      from: [privateVertex(graph, head, 'beginning') as number],
      to: [privateVertex(graph, tail, 'ending') as number],
    }
  })
  return { ...rows, edgeMs, edgeUse, edgeOfArc: lists.edgeOfArc.list(), privateJunctions }
}

export const junctionsOf = ({ first, privateJunctions }: Pick<WalkGraph, 'first' | 'privateJunctions'>) =>
  first.length - 1 - privateJunctions.length * 2

/** The further vertices of a junction with private ways; undefined if it has none. */
export function privateVertex(
  { privateJunctions, junctions }: { privateJunctions: Uint32Array; junctions: number },
  junction: number,
  which: 'beginning' | 'ending',
): number | undefined {
  const place = lastUpTo(privateJunctions, junction)
  if (place < 0 || privateJunctions[place] !== junction) return undefined
  return junctions + place * 2 + (which === 'ending' ? 1 : 0)
}

/** Whoever stops somebody on foot is at the end of an edge; neither way passes it. */
const isStopped = (net: NetInMaking, edge: number) =>
  [tailOf(net, edge), headOf(net, edge)].some((junction) => ((net.stops[junction] as number) & bitOf('foot')) !== 0)

function findPrivateJunctions(
  net: NetInMaking,
  edgeMs: Uint32Array,
  isPrivate: (edge: number) => boolean,
): Uint32Array {
  const has = new Uint8Array(net.junctions)
  for (let edge = 0; edge < edgeMs.length; edge += 1)
    if (edgeMs[edge] !== 0 && isPrivate(edge)) {
      has[tailOf(net, edge)] = 1
      has[headOf(net, edge)] = 1
    }
  const list = new Growing(Uint32Array)
  for (let junction = 0; junction < has.length; junction += 1) if (has[junction]) list.push(junction)
  return list.list().slice()
}
