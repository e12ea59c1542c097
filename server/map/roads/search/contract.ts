import { setImmediate } from 'node:timers/promises'
import type { Graph } from './graph.ts'
import { type Hierarchy, toHierarchy } from './hierarchy.ts'
import { createQueue } from './queue.ts'
import { addArc, copyGraph, type Remains, takeOut } from './remains.ts'
import { createWitnesses, type Reach, type Witnesses } from './witness.ts'

/** What decides about the time that contracting takes, and what comes of it. Whatever is chosen, the ways are the same. */
export interface Choices {
  /** How far witnesses are looked for: to find out which vertex is next, and when it is taken out. */
  toOrder: Reach
  toTakeOut: Reach
  /** What counts for one more arc, for a neighbour that was taken out, and for a level of vertices below. */
  difference: number
  neighbours: number
  depth: number
}

/** Measured: see docs/decisions/0059-searching-roads.md. */
const usualChoices: Choices = {
  toOrder: { settled: 20, hops: 4 },
  toTakeOut: { settled: 100, hops: 8 },
  difference: 4,
  neighbours: 1,
  depth: 1,
}

export interface Options {
  signal?: AbortSignal | undefined
  progress?: ((share: number) => void) | undefined
  choices?: Partial<Choices>
  /** For tests of what goes wrong. */
  createWitnesses?: (remains: Remains) => Witnesses
}

/** Between two pauses, in which the process does something else. */
const mostMs = 50

/**
 * Takes one vertex after the other out of the graph, the least important first, and puts in an arc for every best way over it. The
 * same graph becomes the same hierarchy.
 */
export async function contract(graph: Graph, { signal, progress, ...options }: Options = {}): Promise<Hierarchy> {
  const choices = { ...usualChoices, ...options.choices }
  const remains = copyGraph(graph)
  const size = graph.first.length - 1
  const order = new Uint32Array(size)
  const taking = createTaking(remains, choices, options.createWitnesses)
  let since = performance.now()
  const pause = async (share: number) => {
    if (performance.now() - since < mostMs) return
    progress?.(share)
    await setImmediate()
    signal?.throwIfAborted()
    since = performance.now()
  }
  for (let vertex = 0; vertex < size; vertex += 1) {
    taking.judge(vertex)
    if (vertex % 64 === 0) await pause((0.2 * vertex) / size)
  }
  for (let taken = 0; taken < size; taken += 1) {
    order[taken] = taking.takeNext()
    if (taken % 16 === 0) await pause(0.2 + (0.8 * taken) / size)
  }
  return toHierarchy(remains, order)
}

function createTaking(remains: Remains, choices: Choices, makeWitnesses = createWitnesses) {
  const { out, in: into } = remains
  const size = out.start.length
  const witnesses = makeWitnesses(remains)
  const queue = createQueue(size)
  const takenNeighbours = new Uint32Array(size)
  const depth = new Uint32Array(size)
  /** The arcs that a vertex leaves behind: tail, head, weight. */
  const tails: number[] = []
  const heads: number[] = []
  const weights: number[] = []

  /** How many arcs are needed without this vertex; they are kept in the lists. */
  function findArcs(vertex: number, reach: Reach): number {
    tails.length = 0
    heads.length = 0
    weights.length = 0
    const outStart = out.start[vertex]!
    const outEnd = outStart + out.count[vertex]!
    for (let before = into.start[vertex]!, end = before + into.count[vertex]!; before < end; before += 1) {
      const tail = into.other[before]!
      const arriving = into.weight[before]!
      let most = -1
      for (let after = outStart; after < outEnd; after += 1) {
        const by = arriving + out.weight[after]!
        if (out.other[after] !== tail && by > most) most = by
      }
      if (most < 0) continue
      witnesses.search(tail, vertex, most, reach)
      for (let after = outStart; after < outEnd; after += 1) {
        const head = out.other[after]!
        const by = arriving + out.weight[after]!
        if (head === tail || witnesses.weight[head]! <= by) continue
        tails.push(tail)
        heads.push(head)
        weights.push(by)
      }
    }
    return tails.length
  }

  function judge(vertex: number) {
    const added = findArcs(vertex, choices.toOrder)
    const removed = out.count[vertex]! + into.count[vertex]!
    queue.key[vertex] =
      choices.difference * (added - removed) +
      choices.neighbours * takenNeighbours[vertex]! +
      choices.depth * depth[vertex]!
  }

  function tellNeighbours(vertex: number, arcs: typeof out) {
    for (let at = arcs.start[vertex]!, end = at + arcs.count[vertex]!; at < end; at += 1) {
      const other = arcs.other[at]!
      takenNeighbours[other]! += 1
      depth[other] = Math.max(depth[other]!, depth[vertex]! + 1)
    }
  }

  return {
    judge(vertex: number) {
      judge(vertex)
      queue.raise(vertex)
    },

    takeNext(): number {
      let vertex = queue.take()
      for (;;) {
        // Its neighbours may have been taken since it was judged. To judge all of them again each time takes twice as long.
        judge(vertex)
        const next = queue.first()
        if (next < 0 || queue.key[vertex]! <= queue.key[next]!) break
        queue.raise(vertex)
        vertex = queue.take()
      }
      findArcs(vertex, choices.toTakeOut)
      takeOut(remains, vertex)
      for (let arc = 0; arc < tails.length; arc += 1) addArc(remains, tails[arc]!, heads[arc]!, weights[arc]!, vertex)
      tellNeighbours(vertex, out)
      tellNeighbours(vertex, into)
      return vertex
    },
  }
}
