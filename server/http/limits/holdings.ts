/** A client for which memory is held. */
export interface Holder {
  /** Drops the client, because too much is held. */
  drop(): void
}

export type Holdings = ReturnType<typeof createHoldings>

/**
 * Bounds the memory held for all clients together. Beyond it, the client that has kept us waiting longest is dropped:
 * one that sends and reads at normal speed is done long before.
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
    /** We no longer wait for this client, so it cannot be dropped any more. */
    settle(holder: Holder) {
      const bytes = waiting.get(holder)
      if (bytes === undefined) return
      waiting.delete(holder)
      settled.set(holder, bytes)
    },
    release,
  }
}

/**
 * Frees the memory of a chunk that is no longer needed. The garbage collector sees only small objects, and let them hold
 * 300 MB while 200 clients sent bodies that were all refused.
 */
export function free({ buffer, byteLength }: Buffer) {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
