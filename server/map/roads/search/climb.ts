import type { Frontier } from './frontier.ts'
import { type Seed, weightOf } from './graph.ts'
import type { Rows } from './hierarchy.ts'

/**
 * Goes up from the seeds along `rows`, and writes the vertices into `settled` in the order in which they
 * were reached for good. Returns how many. Where a vertex above knows a better way down to one (along the other rows), the best way of
 * all does not come over it from here, so nobody goes on from there.
 */
export function climb(
  frontier: Frontier,
  { first, head, weight }: Rows,
  { first: backFirst, head: backHead, weight: backWeight }: Rows,
  rank: Uint32Array,
  seeds: readonly Seed[],
  settled: Uint32Array,
): number {
  const { weight: known, reached, take } = frontier
  frontier.clear()
  for (const { vertex, ms, dm } of seeds) {
    const start = rank[vertex]!
    const by = weightOf(ms, dm)
    if (by >= known[start]!) continue
    known[start] = by
    reached(start, start)
  }
  let count = 0
  for (let vertex = take(); vertex >= 0; vertex = take()) {
    const so = known[vertex]!
    let isStalled = false
    for (let at = backFirst[vertex]!, end = backFirst[vertex + 1]!; at < end; at += 1)
      if (known[backHead[at]!]! + backWeight[at]! < so) {
        isStalled = true
        break
      }
    if (isStalled) continue
    settled[count++] = vertex
    for (let at = first[vertex]!, end = first[vertex + 1]!; at < end; at += 1) {
      const by = so + weight[at]!
      const next = head[at]!
      if (by >= known[next]!) continue
      known[next] = by
      reached(next, vertex)
    }
  }
  return count
}
