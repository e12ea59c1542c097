import { uses, type WalkGraph } from '../graph/profile-graph.ts'
import { junctionsOf, privateVertex } from '../graph/walk-graph.ts'
import { headOf, type Net, tailOf } from '../net/net.ts'
import type { Seed } from '../search/graph.ts'
import type { OnEdge, Spot } from './spot.ts'

/** On foot: the junctions at the ends of the edge. */
export function seedsAtJunctions(net: Net, graph: WalkGraph, spot: OnEdge): Pick<Spot, 'leaving' | 'arriving'> {
  const [leaving, arriving]: [Seed[], Seed[]] = [[], []]
  const { privateJunctions } = graph
  const places = { privateJunctions, junctions: junctionsOf(graph) }
  for (const way of [0, 1] as const) {
    const directed = spot.edge * 2 + way
    const whole = spot.edgeMs[way]
    if (whole === 0) continue
    const before = way === 0 ? spot.share : 1 - spot.share
    const [msBefore, dmBefore] = [Math.round(before * whole), Math.round(before * spot.edgeDm)]
    const rest = { ms: whole - msBefore + spot.walkMs, dm: spot.edgeDm - dmBefore + spot.walkDm }
    const sofar = { ms: msBefore + spot.walkMs, dm: dmBefore + spot.walkDm }
    const [tail, head] = [tailOf(net, directed), headOf(net, directed)]
    if ((graph.edgeUse[directed] as number) & uses.endsOnly) {
      leaving.push({ vertex: privateVertex(places, head, 'beginning') as number, ...rest })
      for (const which of ['beginning', 'ending'] as const)
        arriving.push({ vertex: privateVertex(places, tail, which) as number, ...sofar })
    } else {
      leaving.push({ vertex: head, ...rest })
      arriving.push({ vertex: tail, ...sofar })
    }
  }
  return { leaving, arriving }
}
