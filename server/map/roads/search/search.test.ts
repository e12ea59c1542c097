import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { amountsOf, seedOr, tellNumbers } from '../../../test/proofs.ts'
import { seededRandom } from '../../../test/random.ts'
import { type Length, listArcs, makeRoads, meetPlainly, type Roads, searchPlainly } from '../../../test/road-graphs.ts'
import { type Choices, contract, type Options } from './contract.ts'
import { dmIn, msIn, noWay, type Seed } from './graph.ts'
import type { Hierarchy } from './hierarchy.ts'
import { ofGraph } from './remains.ts'
import { type Buckets, fillBuckets, findTable, meetBuckets } from './table.ts'
import { findWay, type Way } from './way.ts'
import { createWitnesses } from './witness.ts'
import { createWorkspace } from './workspace.ts'

/*
 * Every time and length that the hierarchy finds is that of a plain search, and every way is one, and takes so long. What is wrong
 * in a hierarchy is wrong for few pairs, so there are many, on many small graphs.
 */

const seed = seedOr(20_261_118)
const amounts = amountsOf('roads')

/** What could be wrong, one thing at a time. */
interface Fault {
  options?: Options
  hierarchy?(hierarchy: Hierarchy, random: () => number): void
  buckets?(buckets: Buckets, random: () => number): void
}

/** Some that are usual, some that are not: none may change a way. */
const choicesOf = (random: () => number): Partial<Choices> => ({
  toTakeOut: { settled: 1 + Math.floor(random() * 60), hops: 1 + Math.floor(random() * 6) },
  depth: Math.floor(random() * 3),
})

/** The first thing that is not as it should be, in the roads of this seed; and how many pairs were compared. */
async function compare(seed: number, fault: Fault = {}): Promise<{ pairs: number; wrong: string | undefined }> {
  const roads = makeRoads(seed)
  const random = seededRandom(seed + 1)
  const { graph, starts, ends } = roads
  const hierarchy = await contract(graph, { choices: choicesOf(random), ...fault.options })
  fault.hierarchy?.(hierarchy, random)
  const workspace = createWorkspace(hierarchy.rank.length)
  const buckets = fillBuckets(hierarchy, workspace, ends)
  fault.buckets?.(buckets, random)
  const table = meetBuckets(hierarchy, workspace, starts, buckets, ends.length)
  for (const [row, start] of starts.entries()) {
    const known = searchPlainly(graph, start)
    for (const [column, end] of ends.entries()) {
      const should = meetPlainly(known, end)
      const found = lengthOf(table[row * ends.length + column]!)
      const where = `from ${row} to ${column} in the roads of ${seed}`
      if (tell(found) !== tell(should)) return wrong(`${tell(found)} instead of ${tell(should)} ${where}`)
      const way = findWay(hierarchy, workspace, start, end)
      if (tell(way) !== tell(should)) return wrong(`a way of ${tell(way)} instead of ${tell(should)} ${where}`)
      const problem = way && checkWay(roads, start, end, way)
      if (problem) return wrong(`${problem} ${where}`)
    }
  }
  return { pairs: starts.length * ends.length, wrong: undefined }
}

const wrong = (wrong: string) => ({ pairs: 0, wrong })
const lengthOf = (weight: number): Length | undefined =>
  weight === noWay ? undefined : { ms: msIn(weight), dm: dmIn(weight) }
const tell = (length: Length | undefined) => (length ? `${length.ms} ms, ${length.dm} dm` : 'no way')

/** Walks along it. */
function checkWay({ graph }: Roads, start: readonly Seed[], end: readonly Seed[], way: Way): string | undefined {
  const better = (a: Length, b: Length) => a.ms - b.ms || a.dm - b.dm
  const best = (of: readonly Length[]) => of.toSorted(better)[0]
  const parts = [
    best(start.filter(({ vertex }) => vertex === way.vertices[0])),
    ...way.vertices
      .slice(1)
      .map((head, index) => best(listArcs(graph, way.vertices[index]!).filter((arc) => arc.head === head))),
    best(end.filter(({ vertex }) => vertex === way.vertices.at(-1))),
  ]
  if (parts.includes(undefined)) return `${way.vertices.join(' ')} is no way`
  const walked = parts.reduce((all: Length, part) => ({ ms: all.ms + part!.ms, dm: all.dm + part!.dm }), {
    ms: 0,
    dm: 0,
  })
  return tell(walked) === tell(way) ? undefined : `${way.vertices.join(' ')} takes ${tell(walked)}, not ${tell(way)}`
}

test('times, lengths and ways are those of a plain search, on roads of every kind', async (t) => {
  let pairs = 0
  let graphs = 0
  for (; pairs < amounts.pairs; graphs += 1) {
    const compared = await compare(seed + graphs * 1_000)
    assert.equal(compared.wrong, undefined)
    pairs += compared.pairs
  }
  tellNumbers(t, 'roads', { pairs, graphs })
})

const some = (random: () => number, length: number, is: (index: number) => boolean) => {
  const all = Array.from({ length }, (_, index) => index).filter(is)
  return all[Math.floor(random() * all.length)]
}

const swap = (array: Float64Array | Uint32Array, one: number, other: number) => {
  const [a, b] = [array[one]!, array[other]!]
  array[one] = b
  array[other] = a
}

const faults: Record<string, Fault> = {
  'an arc that stands for a way is missing': {
    hierarchy({ upVia, upWeight }, random) {
      const arc = some(random, upVia.length, (arc) => upVia[arc] !== ofGraph)
      if (arc !== undefined) upWeight[arc] = noWay
    },
  },
  'a search finds a witness that is not there': {
    options: {
      createWitnesses(remains) {
        const witnesses = createWitnesses(remains)
        let asked = 0
        return {
          ...witnesses,
          search(tail, avoided, most, reach) {
            witnesses.search(tail, avoided, most, reach)
            asked += 1
            if (asked % 20 > 0) return
            for (let at = remains.out.start[avoided]!, left = remains.out.count[avoided]!; left > 0; at += 1, left -= 1)
              witnesses.weight[remains.out.other[at]!] = 0
          },
        }
      },
    },
  },
  'something in a bucket belongs to another end': {
    buckets({ end }, random) {
      const place = some(random, end.length, () => true)
      if (place !== undefined) end[place] = (end[place]! + 1) % 12
    },
  },
  'the bucket of a vertex begins one place too late': {
    buckets({ first }, random) {
      const vertex = some(random, first.length - 1, (vertex) => first[vertex + 1]! > first[vertex]!)
      if (vertex !== undefined) first[vertex]! += 1
    },
  },
  'two arcs have each the weight of the other': {
    hierarchy({ upWeight }, random) {
      const one = some(random, upWeight.length, () => true)
      const other = some(random, upWeight.length, (arc) => upWeight[arc] !== upWeight[one!])
      if (other !== undefined) swap(upWeight, one!, other)
    },
  },
  'an arc leads over another vertex than it says': {
    hierarchy({ downVia }, random) {
      const one = some(random, downVia.length, (arc) => downVia[arc] !== ofGraph)
      if (one !== undefined) downVia[one] = ofGraph
    },
  },
  'somebody goes down where they should only climb': {
    hierarchy({ rank }, random) {
      if (rank.length > 1) swap(rank, 0, 1 + Math.floor(random() * (rank.length - 1)))
    },
  },
}

const mostSearched = 60

for (const [what, fault] of Object.entries(faults).slice(0, amounts['planted faults']))
  test(`it is noticed that ${what}`, async (t: TestContext) => {
    for (let graph = 0; graph < mostSearched; graph += 1) {
      // Nonsense may also end in an error, which is noticed too.
      const { wrong } = await compare(seed + graph * 1_000, fault).catch((error) => ({ wrong: String(error) }))
      if (wrong) return t.diagnostic(`in graph ${graph + 1}: ${wrong}`)
    }
    assert.fail('nothing was noticed')
  })

test('the same roads become the same hierarchy, whoever computes beside it', async () => {
  const { graph } = makeRoads(seed)
  const [one, other] = await Promise.all([contract(graph), contract(graph)])
  assert.deepEqual(one, other)
})

test('a table is the same, whatever else is asked for with it', async () => {
  const { graph, starts, ends } = makeRoads(seed)
  const hierarchy = await contract(graph)
  const workspace = createWorkspace(hierarchy.rank.length)
  const whole = findTable(hierarchy, workspace, starts, ends)
  for (const [row, start] of starts.entries())
    assert.deepEqual(
      findTable(hierarchy, workspace, [start], ends),
      whole.subarray(row * ends.length, (row + 1) * ends.length),
    )
})

test('roads without a crossing, and places without a road, have no way', async () => {
  const nothing = {
    first: new Uint32Array(1),
    head: new Uint32Array(0),
    ms: new Uint32Array(0),
    dm: new Uint32Array(0),
  }
  const hierarchy = await contract(nothing)
  const workspace = createWorkspace(0)
  assert.deepEqual(findTable(hierarchy, workspace, [[]], [[], []]), new Float64Array(2).fill(noWay))
  assert.equal(findWay(hierarchy, workspace, [], []), undefined)
})

test('what takes longer than a day and a half is no way', async () => {
  const hours = 3_600_000
  const graph = {
    first: Uint32Array.of(0, 1, 2, 2),
    head: Uint32Array.of(1, 2),
    ms: Uint32Array.of(20 * hours, 20 * hours),
    dm: Uint32Array.of(5_000_000, 5_000_000),
  }
  const hierarchy = await contract(graph)
  const workspace = createWorkspace(3)
  const at = (vertex: number) => [{ vertex, ms: 0, dm: 0 }]
  const table = findTable(hierarchy, workspace, [at(0), at(1)], [at(1), at(2)])
  assert.deepEqual(Array.from(table, lengthOf), [
    { ms: 20 * hours, dm: 5_000_000 },
    undefined,
    { ms: 0, dm: 0 },
    { ms: 20 * hours, dm: 5_000_000 },
  ])
  assert.equal(findWay(hierarchy, workspace, at(0), at(2)), undefined)
})

test('an import that is given up stops contracting', async () => {
  const giveUp = new AbortController()
  giveUp.abort()
  const size = 3_000
  const ring = {
    first: Uint32Array.from({ length: size + 1 }, (_, vertex) => vertex * 40),
    head: Uint32Array.from({ length: size * 40 }, (_, arc) => (Math.floor(arc / 40) * 7 + (arc % 40) * 11) % size),
    ms: new Uint32Array(size * 40).fill(1_000),
    dm: new Uint32Array(size * 40).fill(100),
  }
  await assert.rejects(contract(ring, { signal: giveUp.signal }), { name: 'AbortError' })
})
