import type { Transport } from '../../../../core/travel.ts'
import { isEndsOnly, placeOf } from '../net/kinds.ts'
import { directionOf, edgeOf, type NetInMaking } from '../net/net.ts'
import type { Graph } from '../search/graph.ts'
import type { Speeds } from '../speeds.ts'

/*
 * What one profile moves on. On wheels a vertex is the beginning of a directed edge and an arc is that edge with the turn after it, so
 * that turns can be forbidden and have a price. On foot nothing is forbidden at a junction, and junctions are the vertices.
 */

/** Of each directed edge. */
interface Edges {
  /** How long the whole of it takes; 0 where this profile may not go. */
  edgeMs: Uint32Array
  edgeUse: Uint8Array
}

export const uses = {
  /** From here one gets to where most roads are, and from there to here. */
  canLeave: 1,
  canArrive: 2,
  /** Only ways that begin or end here lead here. */
  endsOnly: 4,
} as const

export interface TurnGraph extends Graph, Edges {
  /**
   * The vertex of a directed edge, or `noVertex`. One that only ends may use has two: this one is for ways that begin there, the next one
   * for those that end there.
   */
  vertexOf: Uint32Array
  edgeOfVertex: Uint32Array
  /** Vertices of the same edges for who comes from where a turn after them is forbidden; in the order of the edges. */
  copyEdges: Uint32Array
  copyVertices: Uint32Array
}

export interface WalkGraph extends Graph, Edges {
  /** The directed edge an arc passes, or `noVertex`. */
  edgeOfArc: Uint32Array
  /** Junctions with private ways have two more vertices, after all others: for ways that begin there, and for those that end there. */
  privateJunctions: Uint32Array
}

export type ProfileGraph = TurnGraph | WalkGraph
export const isTurnGraph = (graph: ProfileGraph): graph is TurnGraph => 'vertexOf' in graph

export const noVertex = 0xff_ff_ff_ff

/** How long each directed edge takes, and where only ends are allowed. */
export function timeEdges(net: NetInMaking, profile: Transport, all: Speeds): Edges {
  const edgeMs = new Uint32Array(net.from.length * 2)
  const edgeUse = new Uint8Array(edgeMs.length)
  const speeds = all[profile]
  for (let directed = 0; directed < edgeMs.length; directed += 1) {
    const kind = net.kind[edgeOf(directed)] as number
    const kmh = net.kinds.speeds[placeOf(kind, profile, directionOf(directed))] as number
    if (kmh === 0) continue
    const waiting =
      (net.lights[directed] as number) * speeds.lightSeconds +
      (net.crossings[directed] as number) * speeds.crossingSeconds +
      (net.gates[directed] as number) * speeds.gateSeconds
    // A tenth of a metre at one kilometre per hour takes 360 ms.
    const driving = ((net.dm[edgeOf(directed)] as number) * 360) / kmh
    edgeMs[directed] = Math.max(1, Math.round(driving + waiting * 1000))
    if (isEndsOnly(net.kinds.ends[kind] as number, profile, directionOf(directed))) edgeUse[directed] = uses.endsOnly
  }
  return { edgeMs, edgeUse }
}
