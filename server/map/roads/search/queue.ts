export type Queue = ReturnType<typeof createQueue>

/**
 * Which of some numbers below `size` has the smallest key; of equal keys the smallest number, so that the same input always comes
 * out in the same order. A binary heap.
 */
export function createQueue(size: number) {
  /** The last key of each, also after it has come out. */
  const key = new Float64Array(size).fill(Number.POSITIVE_INFINITY)
  const heap = new Uint32Array(size + 1)
  /** From 1; 0 for what is not in it. */
  const place = new Uint32Array(size)
  let count = 0

  function rise(item: number, from: number) {
    const its = key[item]!
    let at = from
    while (at > 1) {
      const above = heap[at >> 1]!
      const other = key[above]!
      if (other < its || (other === its && above < item)) break
      heap[at] = above
      place[above] = at
      at >>= 1
    }
    heap[at] = item
    place[item] = at
  }

  function sink(item: number, from: number) {
    const its = key[item]!
    let at = from
    for (let below = 2 * at; below <= count; below = 2 * at) {
      let next = heap[below]!
      let least = key[next]!
      if (below < count) {
        const beside = heap[below + 1]!
        const other = key[beside]!
        if (other < least || (other === least && beside < next)) {
          below += 1
          next = beside
          least = other
        }
      }
      if (its < least || (its === least && item < next)) break
      heap[at] = next
      place[next] = at
      at = below
    }
    heap[at] = item
    place[item] = at
  }

  return {
    key,

    /**
     * Puts in what has a key, or whose key was made smaller. The key is not passed: a call with a fraction makes an object of
     * it, and that was a third of the time.
     */
    raise(item: number) {
      const at = place[item]!
      if (at > 0) rise(item, at)
      else {
        count += 1
        rise(item, count)
      }
    },

    /** The next one, which stays in; -1 if there is none. */
    first: () => (count > 0 ? heap[1]! : -1),

    /** Takes out the next one; -1 if there is none. */
    take(): number {
      if (count === 0) return -1
      const item = heap[1]!
      place[item] = 0
      const last = heap[count]!
      count -= 1
      if (last !== item) sink(last, 1)
      return item
    },

    /** Leaves it empty; the keys stay. */
    empty() {
      for (let at = 1; at <= count; at += 1) place[heap[at]!] = 0
      count = 0
    },
  }
}
