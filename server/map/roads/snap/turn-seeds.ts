import { lastUpTo } from '../../extract/coordinates.ts'
import { noVertex, type TurnGraph, uses } from '../graph/profile-graph.ts'
import type { Seed } from '../search/graph.ts'
import type { OnEdge, Spot } from './spot.ts'

/** On wheels: the next edges after the one it lies on, with the turn into them, and the beginning of that edge. */
export function seedsAtTurns(graph: TurnGraph, spot: OnEdge): Pick<Spot, 'leaving' | 'arriving'> {
  const [leaving, arriving]: [Seed[], Seed[]] = [[], []]
  for (const way of [0, 1] as const) {
    const directed = spot.edge * 2 + way
    const whole = spot.edgeMs[way]
    const vertex = graph.vertexOf[directed] as number
    if (whole === 0 || vertex === noVertex) continue
    const share = way === 0 ? spot.share : 1 - spot.share
    const [ms, dm] = [Math.round(share * whole), Math.round(share * spot.edgeDm)]
    for (let arc = graph.first[vertex] as number; arc < (graph.first[vertex + 1] as number); arc += 1)
      leaving.push({
        vertex: graph.head[arc] as number,
        ms: (graph.ms[arc] as number) - ms + spot.walkMs,
        dm: (graph.dm[arc] as number) - dm + spot.walkDm,
      })
    for (const at of verticesOf(graph, directed, vertex))
      arriving.push({ vertex: at, ms: ms + spot.walkMs, dm: dm + spot.walkDm })
  }
  return { leaving, arriving }
}

/** All vertices of a directed edge: whichever way one has come. */
function verticesOf(graph: TurnGraph, directed: number, vertex: number): number[] {
  const vertices = (graph.edgeUse[directed] as number) & uses.endsOnly ? [vertex, vertex + 1] : [vertex]
  for (let at = lastUpTo(graph.copyEdges, directed); at >= 0 && graph.copyEdges[at] === directed; at -= 1)
    vertices.push(graph.copyVertices[at] as number)
  return vertices
}
