import { lastUpTo } from '../../extract/coordinates.ts'
import { profiles, vehicles } from '../profiles.ts'
import { type Collected, junctionOf } from './collect.ts'
import { placeOf } from './kinds.ts'
import { directionOf, edgeOf, type ForbiddenPath, headOf, type NetInMaking, reversed, tailOf } from './net.ts'
import type { Restriction } from './restrictions.ts'

/* Finds the edges of which restrictions speak. What fits in two ways, or in none, is left out: a turn too many is better than a house nobody reaches. */

type Placed = Pick<NetInMaking, 'from' | 'to' | 'kind' | 'leaving' | 'leavingFirst' | 'kinds'>

export function placeRestrictions(
  { ways, restrictions }: Collected,
  junctionIds: Float64Array,
  firstOfWay: Uint32Array,
  net: Placed,
): ForbiddenPath[] {
  const wayIds = ways.ids.list()
  /** The edges of a way, from one to before the other. */
  function edgesOf(wayId: number): readonly [number, number] {
    const way = lastUpTo(wayIds, wayId)
    return way >= 0 && wayIds[way] === wayId ? [firstOfWay[way] as number, firstOfWay[way + 1] as number] : [0, 0]
  }
  const isOf = (wayId: number) => {
    const [first, end] = edgesOf(wayId)
    return (directed: number) => edgeOf(directed) >= first && edgeOf(directed) < end && isUsed(net, directed)
  }
  const leaving = (junction: number) =>
    net.leaving.subarray(net.leavingFirst[junction] as number, net.leavingFirst[junction + 1] as number)
  const arriving = (junction: number) => Array.from(leaving(junction), reversed)

  function viaNode(from: number, nodeId: number, to: number): number[][] {
    const junction = junctionOf(junctionIds, nodeId)
    if (junction < 0) return []
    const [fromHere, toThere] = [arriving(junction).filter(isOf(from)), [...leaving(junction)].filter(isOf(to))]
    const paths = fromHere.flatMap((first) => toThere.map((last) => [first, last]))
    // Of a way that goes on beyond the node both directions fit: then only turning round is clear.
    return from === to ? paths.filter(([first, last]) => last === reversed(first as number)) : paths
  }

  /** A way in one direction or the other. */
  function bothWays(wayId: number): number[][] {
    const [first, end] = edgesOf(wayId)
    const along = Array.from({ length: end - first }, (_, index) => (first + index) * 2)
    const chains = [along, along.map(reversed).reverse()]
    return chains.filter((chain) => chain.length > 0 && chain.every((directed) => isUsed(net, directed)))
  }

  function viaWays(from: number, via: readonly number[], to: number): number[][] {
    let chains: number[][] = [[]]
    for (const wayId of via)
      chains = chains.flatMap((chain) =>
        bothWays(wayId)
          .filter(
            ([first]) => chain.length === 0 || tailOf(net, first as number) === headOf(net, chain.at(-1) as number),
          )
          .map((next) => [...chain, ...next]),
      )
    return chains
      .filter((chain) => chain.length > 0)
      .flatMap((chain) => {
        const before = arriving(tailOf(net, chain[0] as number)).filter(isOf(from))
        const after = [...leaving(headOf(net, chain.at(-1) as number))].filter(isOf(to))
        return before.flatMap((first) => after.map((last) => [first, ...chain, last]))
      })
  }

  return restrictions.flatMap(({ from, via, to, isOnly, holdsFor }: Restriction) =>
    from.flatMap((one) =>
      to.flatMap((other) => {
        const paths = 'node' in via ? viaNode(one, via.node, other) : viaWays(one, via.ways, other)
        return paths.length === 1 ? [{ path: paths[0] as number[], isOnly, holdsFor }] : []
      }),
    ),
  )
}

/** Whether any vehicle may go there. */
const isUsed = ({ kind, kinds }: Placed, directed: number) =>
  profiles.some((profile, index) => {
    if (!(vehicles & (1 << index))) return false
    return (kinds.speeds[placeOf(kind[edgeOf(directed)] as number, profile, directionOf(directed))] as number) > 0
  })
