import type { Problem } from './problem.ts'

/*
 * Which stop must come before which, also transitively: if A comes before B and B before C, then C must not be put before A
 * while B happens to be out of the route.
 */

export interface Precedence {
  /** The stops that must come before a stop, and those that must come after it. Empty lists are shared. */
  before: number[][]
  after: number[][]
  /** Stops connected in any way, predecessors first; undefined for a stop without connections. */
  groups: (number[] | undefined)[]
  isEmpty: boolean
}

const nobody: number[] = []

export function tracePrecedence(problem: Problem): Precedence {
  const count = problem.stops.length
  const before: number[][] = new Array(count).fill(nobody)
  const after: number[][] = new Array(count).fill(nobody)
  const groups: (number[] | undefined)[] = new Array(count).fill(undefined)
  const pairs = keepSensible(problem)
  if (pairs.length === 0) return { before, after, groups, isEmpty: true }

  const followers = listFollowers(count, pairs)
  const order = sortByPrecedence(followers)
  for (const stop of order.toReversed()) {
    if (followers[stop]!.length > 0)
      after[stop] = [...new Set(followers[stop]!.flatMap((next) => [next, ...after[next]!]))]
  }
  for (const stop of order)
    for (const later of after[stop]!) {
      if (before[later] === nobody) before[later] = []
      before[later]!.push(stop)
    }
  const rank = new Int32Array(count)
  for (const [position, stop] of order.entries()) rank[stop] = position
  for (const group of findGroups(count, pairs)) {
    group.sort((a, b) => rank[a]! - rank[b]!)
    for (const stop of group) groups[stop] = group
  }
  return { before, after, groups, isEmpty: false }
}

/**
 * Drops pairs that make a cycle, put something before a pinned stop, or tie together stops pinned to two vehicles. The
 * earlier pair wins.
 */
function keepSensible(problem: Problem): (readonly [number, number])[] {
  const pins = problem.vehicles.flatMap(({ pinnedFirst }) => pinnedFirst ?? [])
  const followers: number[][] = problem.stops.map(() => [])
  const roots = makeRoots(problem.stops.length)
  const reaches = (from: number, to: number): boolean => {
    const seen = new Set([from])
    for (const stop of seen) {
      if (stop === to) return true
      for (const next of followers[stop]!) seen.add(next)
    }
    return false
  }
  const pinOf = (stop: number) => pins.find((pin) => roots.of(pin) === roots.of(stop))
  return (problem.precedences ?? []).filter(([first, second]) => {
    if (pins.includes(second) || reaches(second, first)) return false
    const [one, other] = [pinOf(first), pinOf(second)]
    if (one !== undefined && other !== undefined && one !== other) return false
    followers[first]!.push(second)
    roots.join(first, second)
    return true
  })
}

/** Two stops belong together if they have the same root. */
function makeRoots(count: number) {
  const root = Int32Array.from({ length: count }, (_, stop) => stop)
  const of = (stop: number): number => {
    let top = stop
    while (root[top] !== top) top = root[top]!
    root[stop] = top
    return top
  }
  const join = (first: number, second: number) => {
    root[of(first)] = of(second)
  }
  return { of, join }
}

function listFollowers(count: number, pairs: (readonly [number, number])[]): number[][] {
  const followers: number[][] = Array.from({ length: count }, () => [])
  for (const [first, second] of pairs) followers[first]!.push(second)
  return followers
}

/** Kahn's algorithm: repeatedly takes a stop with no predecessors left. */
function sortByPrecedence(followers: number[][]): number[] {
  const missing = new Int32Array(followers.length)
  for (const list of followers) for (const stop of list) missing[stop]! += 1
  const order = followers.flatMap((_, stop) => (missing[stop] === 0 ? [stop] : []))
  for (const stop of order)
    for (const next of followers[stop]!) {
      missing[next]! -= 1
      if (missing[next] === 0) order.push(next)
    }
  return order
}

function findGroups(count: number, pairs: (readonly [number, number])[]): number[][] {
  const roots = makeRoots(count)
  for (const [first, second] of pairs) roots.join(first, second)
  const groups = Map.groupBy(new Set(pairs.flat()), (stop) => roots.of(stop))
  return [...groups.values()]
}
