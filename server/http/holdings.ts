/** Somebody for whom memory is held. */
export interface Holder {
  /** Gives up on them, because there is too much to hold. */
  drop(): void
}

export type Holdings = ReturnType<typeof createHoldings>

/**
 * What is held in memory for clients, bounded in all. Beyond that the one who has kept us waiting the longest is dropped:
 * whoever sends and reads at an ordinary speed is done long before.
 */
export function createHoldings(mostBytes: number) {
  const waiting = new Map<Holder, number>()
  const settled = new Map<Holder, number>()
  let total = 0

  function release(holder: Holder) {
    total -= (waiting.get(holder) ?? 0) + (settled.get(holder) ?? 0)
    waiting.delete(holder)
    settled.delete(holder)
  }

  return {
    add(holder: Holder, bytes: number) {
      waiting.set(holder, (waiting.get(holder) ?? 0) + bytes)
      total += bytes
      while (total > mostBytes && waiting.size > 0) {
        const [oldest] = waiting.keys() as unknown as [Holder]
        release(oldest)
        oldest.drop()
      }
    },
    /** We no longer wait for them, and they cannot be dropped any more. */
    settle(holder: Holder) {
      const bytes = waiting.get(holder)
      if (bytes === undefined) return
      waiting.delete(holder)
      settled.set(holder, bytes)
    },
    release,
  }
}
