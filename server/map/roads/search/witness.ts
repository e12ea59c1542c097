import { createFrontier } from './frontier.ts'
import type { Remains } from './remains.ts'

/** How far a search for witnesses goes. What it does not find costs an arc that nobody needs, never a wrong way. */
export interface Reach {
  /** Vertices. */
  settled: number
  /** Arcs of a way. */
  hops: number
}

export type Witnesses = ReturnType<typeof createWitnesses>

/** Looks whether there are ways around a vertex that is to be taken out. */
export function createWitnesses({ out }: Remains) {
  const size = out.start.length
  const frontier = createFrontier(size)
  const hops = new Uint32Array(size)
  /** The vertex whose arcs lead to it, and which is to be avoided; one more, so that 0 is none. */
  const wantedFor = new Uint32Array(size)
  const { weight, reached, take } = frontier

  return {
    /** The best ways from `tail` that were found, until the next search. Each is a way, if not always the best one. */
    weight,

    /** From `tail` to where the arcs of `avoided` lead, as far as `most`. */
    search(tail: number, avoided: number, most: number, { settled, hops: mostHops }: Reach) {
      const { start, count, other, weight: arcWeight } = out
      let wanted = 0
      for (let at = start[avoided]!, end = at + count[avoided]!; at < end; at += 1) {
        if (other[at] === tail) continue
        wantedFor[other[at]!] = avoided + 1
        wanted += 1
      }
      frontier.clear()
      weight[tail] = 0
      hops[tail] = 0
      reached(tail, tail)
      for (let left = settled; left > 0; left -= 1) {
        const vertex = take()
        if (vertex < 0) return
        if (wantedFor[vertex] === avoided + 1 && vertex !== tail) {
          wanted -= 1
          if (wanted === 0) return
        }
        const next = hops[vertex]! + 1
        if (next > mostHops) continue
        const so = weight[vertex]!
        for (let at = start[vertex]!, end = at + count[vertex]!; at < end; at += 1) {
          const head = other[at]!
          if (head === avoided) continue
          const by = so + arcWeight[at]!
          if (by > most || by >= weight[head]!) continue
          weight[head] = by
          hops[head] = next
          reached(head, vertex)
        }
      }
    },
  }
}
