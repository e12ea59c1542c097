import type { Transport } from '../../../../core/travel.ts'
import { headOf, type NetInMaking } from '../net/net.ts'
import { bitOf } from '../profiles.ts'

/*
 * What may not follow what. A turn that is forbidden only to who has come a longer way needs to know that way: such ways have states, which
 * begin after their second edge. A state is a number from `edges` on; below it is an edge of which nothing needs to be known.
 */

export interface Forbidden {
  isForbidden(state: number, next: number): boolean
  /** The state after going on to the next edge. */
  follow(state: number, next: number): number
  edgeOfState(state: number): number
  /** How many states there are, edges included. */
  states: number
}

interface State {
  edge: number
  parent: number
  next: Map<number, number>
  forbidden: Set<number>
}

export function forbiddenFor(net: NetInMaking, profile: Transport, edgeMs: Uint32Array): Forbidden {
  const edges = edgeMs.length
  const states: State[] = []
  const begins = new Map<number, number>()
  const pairs = new Set<number>()
  const pair = (one: number, other: number) => one * edges + other

  for (const path of pathsFor(net, profile, edgeMs)) {
    const [first, second] = path as [number, number]
    if (path.length === 2) {
      pairs.add(pair(first, second))
      continue
    }
    let state = begins.getOrInsertComputed(pair(first, second), () => add(first, second))
    for (const edge of path.slice(2, -1)) {
      const from = state
      state = stateOf(from).next.getOrInsertComputed(edge, () => add(from, edge))
    }
    stateOf(state).forbidden.add(path.at(-1) as number)
  }

  function add(parent: number, edge: number): number {
    states.push({ edge, parent, next: new Map(), forbidden: new Set() })
    return edges + states.length - 1
  }
  function stateOf(state: number): State {
    return states[state - edges] as State
  }
  /** What is still known when the beginning of the way no longer matters. */
  function forget(state: number): number {
    const { parent, edge } = stateOf(state)
    return parent < edges ? edge : follow(forget(parent), edge)
  }
  function follow(state: number, next: number): number {
    if (state < edges) return begins.get(pair(state, next)) ?? next
    return stateOf(state).next.get(next) ?? follow(forget(state), next)
  }
  function isForbidden(state: number, next: number): boolean {
    if (state < edges) return pairs.has(pair(state, next))
    return stateOf(state).forbidden.has(next) || isForbidden(forget(state), next)
  }
  return {
    isForbidden,
    follow,
    edgeOfState: (state) => (state < edges ? state : stateOf(state).edge),
    states: edges + states.length,
  }
}

/** Paths whose last edge may not follow the others, for this profile. A turn that is the only one forbids all others. */
function pathsFor(net: NetInMaking, profile: Transport, edgeMs: Uint32Array): number[][] {
  return net.restrictions.flatMap(({ path, isOnly, holdsFor }) => {
    if (!(holdsFor & bitOf(profile)) || path.some((edge) => edgeMs[edge] === 0)) return []
    if (!isOnly) return [[...path]]
    const [before, last] = [path.slice(0, -1), path.at(-1)]
    const junction = headOf(net, before.at(-1) as number)
    const leaving = net.leaving.subarray(net.leavingFirst[junction] as number, net.leavingFirst[junction + 1] as number)
    return Array.from(leaving)
      .filter((edge) => edge !== last && edgeMs[edge] !== 0)
      .map((edge) => [...before, edge])
  })
}
