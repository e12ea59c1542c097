import type { Point } from '../../../../core/geo.ts'
import type { Transport } from '../../../../core/travel.ts'
import { unitsPerDegree } from '../../extract/block.ts'
import type { RoadFile } from '../file.ts'
import { isTurnGraph, noVertex, type ProfileGraph, type TurnGraph, type WalkGraph } from '../graph/profile-graph.ts'
import { junctionsOf } from '../graph/walk-graph.ts'
import { directionOf, edgeOf, headOf, type Net, tailOf } from '../net/net.ts'
import type { Spot } from './spot.ts'

/**
 * The line along the streets from spot to spot, over the vertices that a search has found; without any, along the edge on which
 * both lie.
 */
export function courseOf(
  roads: RoadFile,
  profile: Transport,
  from: Spot,
  to: Spot,
  vertices: readonly number[],
): Point[] {
  const { net } = roads
  const graph = roads.graphOf(profile)
  const points: Point[] = []
  const add = (lat: number, lng: number) => {
    const last = points.at(-1)
    if (last?.lat !== lat || last.lng !== lng) points.push({ lat, lng })
  }
  const addPoints = (directed: number, begin: number, end: number) => {
    const step = directionOf(directed) === 0 ? 1 : -1
    for (let at = begin; step > 0 ? at <= end : at >= end; at += step)
      add((net.lat[at] as number) / unitsPerDegree, (net.lng[at] as number) / unitsPerDegree)
  }
  add(from.lat, from.lng)
  if (vertices.length === 0) {
    const isAhead = to.share >= from.share
    if (isAhead) addPoints(from.edge * 2, from.point + 1, to.point)
    else addPoints(from.edge * 2 + 1, from.point, to.point + 1)
  } else {
    const passed = isTurnGraph(graph)
      ? edgesAtTurns(graph, from, vertices)
      : edgesAtJunctions(net, graph, from, to, vertices)
    for (const [index, directed] of passed.entries()) {
      const isAlong = directionOf(directed) === 0
      const edge = edgeOf(directed)
      const [first, last] = [net.first[edge] as number, net.last[edge] as number]
      const begin = index > 0 ? (isAlong ? first : last) : isAlong ? from.point + 1 : from.point
      const end = index < passed.length - 1 ? (isAlong ? last : first) : isAlong ? to.point : to.point + 1
      addPoints(directed, begin, end)
    }
  }
  add(to.lat, to.lng)
  return points
}

/** The directed edges from that of the one spot to that of the other. Vertices are where edges begin. */
function edgesAtTurns(graph: TurnGraph, from: Spot, vertices: readonly number[]): number[] {
  const next = vertices[0] as number
  const first = quickest(
    [0, 1].map((way) => from.edge * 2 + way),
    (directed) => {
      const vertex = graph.vertexOf[directed] as number
      const whole = from.edgeMs[directionOf(directed)]
      if (whole === 0 || vertex === noVertex) return undefined
      const before = Math.round((directionOf(directed) === 0 ? from.share : 1 - from.share) * whole)
      const arc = quickestArc(graph, vertex, next)
      return arc === undefined ? undefined : (graph.ms[arc] as number) - before
    },
  )
  return [first, ...vertices.map((vertex) => graph.edgeOfVertex[vertex] as number)]
}

function edgesAtJunctions(net: Net, graph: WalkGraph, from: Spot, to: Spot, vertices: readonly number[]): number[] {
  const [start, end] = [vertices[0] as number, vertices.at(-1) as number]
  const partOf = ({ share, edgeMs }: Spot, directed: number, isAfter: boolean) => {
    const whole = edgeMs[directionOf(directed)]
    const before = directionOf(directed) === 0 ? share : 1 - share
    return whole === 0 ? undefined : (isAfter ? 1 - before : before) * whole
  }
  const first = quickest([from.edge * 2, from.edge * 2 + 1], (directed) =>
    junctionOf(graph, start) === headOf(net, directed) ? partOf(from, directed, true) : undefined,
  )
  const last = quickest([to.edge * 2, to.edge * 2 + 1], (directed) =>
    junctionOf(graph, end) === tailOf(net, directed) ? partOf(to, directed, false) : undefined,
  )
  const between = vertices.slice(1).flatMap((vertex, index) => {
    const arc = quickestArc(graph, vertices[index] as number, vertex)
    const edge = arc === undefined ? noVertex : (graph.edgeOfArc[arc] as number)
    return edge === noVertex ? [] : [edge]
  })
  return [first, ...between, last]
}

/** Vertices for private ways come after all junctions, two for each. */
function junctionOf(graph: WalkGraph, vertex: number): number {
  const junctions = junctionsOf(graph)
  return vertex < junctions ? vertex : (graph.privateJunctions[(vertex - junctions) >>> 1] as number)
}

function quickestArc({ first, head, ms }: ProfileGraph, vertex: number, next: number): number | undefined {
  let best: number | undefined
  for (let arc = first[vertex] as number; arc < (first[vertex + 1] as number); arc += 1)
    if (head[arc] === next && (best === undefined || (ms[arc] as number) < (ms[best] as number))) best = arc
  return best
}

/** The one that takes least; one of them always fits, because the search began or ended there. */
function quickest(edges: readonly number[], msOf: (directed: number) => number | undefined): number {
  const times = edges.flatMap((directed) => {
    const ms = msOf(directed)
    return ms === undefined ? [] : [{ directed, ms }]
  })
  return (times.toSorted((one, other) => one.ms - other.ms)[0] ?? { directed: edges[0] as number }).directed
}
