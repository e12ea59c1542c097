import { createQueue } from './queue.ts'

export type Frontier = ReturnType<typeof createFrontier>

/** What a search of some kind has reached, and with what. Made once: a search costs what it touches, not what the graph has. */
export function createFrontier(size: number) {
  const queue = createQueue(size)
  const known = new Uint32Array(size)
  const isKnown = new Uint8Array(size)
  let count = 0
  const weight = queue.key
  /** From which vertex each was reached; itself where a search began. */
  const from = new Uint32Array(size)

  return {
    weight,
    from,

    /** After a vertex was given a weight, or a smaller one. */
    reached(vertex: number, before: number) {
      if (!isKnown[vertex]) {
        isKnown[vertex] = 1
        known[count] = vertex
        count += 1
      }
      from[vertex] = before
      queue.raise(vertex)
    },

    /** Takes out the nearest; -1 if there is none. */
    take: queue.take,

    /** For the next search. */
    clear() {
      queue.empty()
      for (let at = 0; at < count; at += 1) {
        weight[known[at]!] = Number.POSITIVE_INFINITY
        isKnown[known[at]!] = 0
      }
      count = 0
    },
  }
}
