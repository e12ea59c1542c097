import type { Graph, Seed } from '../map/roads/search/graph.ts'
import { seededRandom } from './random.ts'

/*
 * Roads by seed, with everything that makes a search hard: one-way streets, forbidden turns, islands, dead ends, ways of no length,
 * parallel ways, many that take the same time. And a search so plain that it can be believed.
 */

export interface Roads {
  graph: Graph
  /** Where somebody sets out, and where they arrive: each may have several ways to. */
  starts: Seed[][]
  ends: Seed[][]
}

interface Street {
  from: number
  to: number
  ms: number
  dm: number
}

interface Arc {
  tail: number
  head: number
  ms: number
  dm: number
}

export function makeRoads(seed: number): Roads {
  const random = seededRandom(seed)
  const chance = (share: number) => random() < share
  const [width, height] = [2 + below(random, 7), 2 + below(random, 7)]
  /** A few different times make many ways that take the same. */
  const times = chance(0.5) ? 4 : 5_000
  const streets: Street[] = []
  const build = (from: number, to: number) => {
    const isNothing = chance(0.05)
    const ms = isNothing ? 0 : 1 + below(random, times)
    const dm = isNothing && chance(0.5) ? 0 : below(random, 2 * times)
    const isOneWay = chance(0.3)
    streets.push(isOneWay && chance(0.5) ? { from: to, to: from, ms, dm } : { from, to, ms, dm })
    if (!isOneWay) streets.push({ from: to, to: from, ms, dm })
  }
  /** So that some crossings are islands. */
  const density = 0.5 + 0.45 * random()
  for (let place = 0; place < width * height; place += 1) {
    if (place % width > 0 && chance(density)) build(place, place - 1)
    if (place >= width && chance(density)) build(place, place - width)
    if (chance(0.05)) build(place, below(random, width * height))
    const last = streets.at(-1)
    if (last && chance(0.08)) build(last.from, last.to)
  }
  return chance(0.3) ? byCrossings(streets, width * height, random) : byStreets(streets, random)
}

/** A vertex is a crossing, and every turn is allowed. */
function byCrossings(streets: readonly Street[], crossings: number, random: () => number): Roads {
  const arcs = streets.map(({ from: tail, to: head, ms, dm }) => ({ tail, head, ms, dm }))
  return { graph: toGraph(crossings, arcs), starts: makeEnds(), ends: makeEnds() }

  function makeEnds() {
    return Array.from({ length: 12 }, () =>
      Array.from({ length: 1 + below(random, 3) }, () => ({
        vertex: below(random, crossings),
        ms: below(random, 50),
        dm: below(random, 50),
      })),
    )
  }
}

/** A vertex is where a street begins, and an arc is that street and a turn. Some turns are forbidden, and turning round is a last way out. */
function byStreets(streets: readonly Street[], random: () => number): Roads {
  const leaving = Map.groupBy(streets.keys(), (street) => streets[street]!.from)
  const arcs: Arc[] = []
  for (const [tail, { from, to, ms, dm }] of streets.entries()) {
    const ahead = (leaving.get(to) ?? []).filter((next) => streets[next]!.to !== from)
    const allowed = ahead.filter(() => random() > 0.15)
    const turns = ahead.length > 0 ? allowed : (leaving.get(to) ?? [])
    for (const head of turns) arcs.push({ tail, head, ms: ms + below(random, 3), dm })
  }
  const graph = toGraph(streets.length, arcs)
  const spots = streets.length > 0 ? Array.from({ length: 12 }, () => pickSpot(below(random, streets.length))) : []
  // Some arrive on the street where somebody sets out, before or behind them.
  const others = spots.map(({ street }, index) => pickSpot(index % 2 ? street : below(random, streets.length)))
  return { graph, starts: spots.map(leave), ends: others.map(arrive) }

  function pickSpot(street: number) {
    const share = below(random, 5) / 4
    return { street, ms: Math.round(streets[street]!.ms * share), dm: Math.round(streets[street]!.dm * share) }
  }

  function leave({ street, ms, dm }: Spot): Seed[] {
    return listArcs(graph, street).map((arc) => ({ vertex: arc.head, ms: arc.ms - ms, dm: arc.dm - dm }))
  }

  function arrive({ street, ms, dm }: Spot): Seed[] {
    return [{ vertex: street, ms, dm }]
  }
}

interface Spot {
  street: number
  ms: number
  dm: number
}

const below = (random: () => number, most: number) => Math.floor(random() * most)

function toGraph(vertices: number, arcs: readonly Arc[]): Graph {
  const sorted = arcs.toSorted((a, b) => a.tail - b.tail)
  const first = new Uint32Array(vertices + 1)
  for (const { tail } of arcs) first[tail + 1]! += 1
  for (let vertex = 0; vertex < vertices; vertex += 1) first[vertex + 1]! += first[vertex]!
  return {
    first,
    head: Uint32Array.from(sorted, ({ head }) => head),
    ms: Uint32Array.from(sorted, ({ ms }) => ms),
    dm: Uint32Array.from(sorted, ({ dm }) => dm),
  }
}

export function listArcs({ first, head, ms, dm }: Graph, tail: number): Arc[] {
  const places = Array.from({ length: first[tail + 1]! - first[tail]! }, (_, index) => first[tail]! + index)
  return places.map((at) => ({ tail, head: head[at]!, ms: ms[at]!, dm: dm[at]! }))
}

/** How long a way takes, and of equally fast ones how long the shortest is. */
export interface Length {
  ms: number
  dm: number
}

const compare = (a: Length, b: Length) => a.ms - b.ms || a.dm - b.dm
const plus = (a: Length, b: Length): Length => ({ ms: a.ms + b.ms, dm: a.dm + b.dm })

/** What Dijkstra wrote in 1959: of all vertices that are known, the nearest is known for good. */
export function searchPlainly(graph: Graph, seeds: readonly Seed[]): (Length | undefined)[] {
  const known: (Length | undefined)[] = Array.from({ length: graph.first.length - 1 })
  const open = new Set<number>()
  const reach = (vertex: number, by: Length) => {
    const before = known[vertex]
    if (before && compare(before, by) <= 0) return
    known[vertex] = by
    open.add(vertex)
  }
  for (const { vertex, ...by } of seeds) reach(vertex, by)
  while (open.size > 0) {
    let nearest: number | undefined
    for (const vertex of open)
      if (nearest === undefined || compare(known[vertex]!, known[nearest]!) < 0) nearest = vertex
    open.delete(nearest!)
    for (const arc of listArcs(graph, nearest!)) reach(arc.head, plus(known[nearest!]!, arc))
  }
  return known
}

/** The best way to an end, given what was found from the start. */
export function meetPlainly(known: readonly (Length | undefined)[], seeds: readonly Seed[]): Length | undefined {
  const ways = seeds.flatMap(({ vertex, ...by }) => (known[vertex] ? [plus(known[vertex], by)] : []))
  return ways.toSorted(compare)[0]
}
