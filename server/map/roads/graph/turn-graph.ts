import type { Transport } from '../../../../core/travel.ts'
import { Growing } from '../growing.ts'
import { headOf, type NetInMaking, reversed } from '../net/net.ts'
import { bitOf } from '../profiles.ts'
import type { Speeds } from '../speeds.ts'
import { type Forbidden, forbiddenFor } from './forbidden.ts'
import { markUse } from './parts.ts'
import { noVertex, type TurnGraph, timeEdges, uses } from './profile-graph.ts'
import { countRoads, createTurns } from './turns.ts'

/** The graph of who moves on wheels. */
export function makeTurnGraph(net: NetInMaking, profile: Transport, speeds: Speeds): TurnGraph {
  const { edgeMs, edgeUse } = timeEdges(net, profile, speeds)
  const forbidden = forbiddenFor(net, profile, edgeMs)
  const isEndsOnly = (edge: number) => ((edgeUse[edge] as number) & uses.endsOnly) !== 0
  const { vertexOf, vertices } = numberStates(forbidden, edgeMs, isEndsOnly)
  const turnMs = createTurns(net, profile, speeds, countRoads(net, edgeMs))
  const stopped = bitOf(profile)

  /** The edges one may go on to. One turns round only where there is nothing else. */
  function ahead(state: number, edge: number): number[] {
    const junction = headOf(net, edge)
    const back = reversed(edge)
    const isStopped = ((net.stops[junction] as number) & stopped) !== 0
    const next: number[] = []
    let goesOn = false
    for (
      let at = net.leavingFirst[junction] as number;
      !isStopped && at < (net.leavingFirst[junction + 1] as number);
      at += 1
    ) {
      const other = net.leaving[at] as number
      if (other === back || edgeMs[other] === 0 || forbidden.isForbidden(state, other)) continue
      next.push(other)
      // Into what is only for ends nobody has to go.
      if (!isEndsOnly(other) || isEndsOnly(edge)) goesOn = true
    }
    if (!goesOn && edgeMs[back] !== 0) next.push(back)
    return next
  }

  const first = new Uint32Array(vertices + 1)
  const [head, ms, dm] = [new Growing(Uint32Array), new Growing(Uint32Array), new Growing(Uint32Array)]
  const edgeOfVertex = new Uint32Array(vertices)
  for (let state = 0; state < forbidden.states; state += 1) {
    const vertex = vertexOf[state] as number
    if (vertex === noVertex) continue
    const edge = forbidden.edgeOfState(state)
    const turns = ahead(state, edge)
    // A way begins on what is only for ends, leaves it once, and enters such a thing once more, where it ends.
    for (const isEnding of isEndsOnly(edge) ? [false, true] : [false]) {
      edgeOfVertex[vertex + (isEnding ? 1 : 0)] = edge
      for (const next of turns) {
        const entersEnd = isEndsOnly(next) && (isEnding || !isEndsOnly(edge))
        if (isEnding && !isEndsOnly(next)) continue
        head.push((vertexOf[forbidden.follow(state, next)] as number) + (entersEnd ? 1 : 0))
        ms.push((edgeMs[edge] as number) + turnMs(edge, next))
        dm.push(net.dm[edge >>> 1] as number)
      }
      first[vertex + (isEnding ? 1 : 0) + 1] = head.length
    }
  }

  const graph = { first, head: head.list(), ms: ms.list(), dm: dm.list() }
  markUse(graph, edgeUse, (edge) => {
    const vertex = vertexOf[edge] as number
    return vertex === noVertex ? undefined : { from: [vertex], to: [isEndsOnly(edge) ? vertex + 1 : vertex] }
  })
  return {
    ...graph,
    edgeMs,
    edgeUse,
    vertexOf: vertexOf.slice(0, edgeMs.length),
    edgeOfVertex,
    ...copiesOf(forbidden, vertexOf, isEndsOnly),
  }
}

function numberStates({ states, edgeOfState }: Forbidden, edgeMs: Uint32Array, isEndsOnly: (edge: number) => boolean) {
  const vertexOf = new Uint32Array(states).fill(noVertex)
  let vertices = 0
  for (let state = 0; state < states; state += 1) {
    const edge = edgeOfState(state)
    if (edgeMs[edge] === 0) continue
    vertexOf[state] = vertices
    vertices += isEndsOnly(edge) ? 2 : 1
  }
  return { vertexOf, vertices }
}

function copiesOf({ states, edgeOfState }: Forbidden, vertexOf: Uint32Array, isEndsOnly: (edge: number) => boolean) {
  const copies: [edge: number, vertex: number][] = []
  for (let state = states - 1; state >= 0 && edgeOfState(state) !== state; state -= 1) {
    const [edge, vertex] = [edgeOfState(state), vertexOf[state] as number]
    if (vertex === noVertex) continue
    copies.push([edge, vertex])
    if (isEndsOnly(edge)) copies.push([edge, vertex + 1])
  }
  copies.sort(([one, oneVertex], [other, otherVertex]) => one - other || oneVertex - otherVertex)
  return {
    copyEdges: Uint32Array.from(copies, ([edge]) => edge),
    copyVertices: Uint32Array.from(copies, ([, vertex]) => vertex),
  }
}
