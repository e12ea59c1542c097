import type { Attempted, Claimed, Parts } from './parts.ts'

/** A claim not renewed for this long can be taken over. Renewals derive from it: there is no other sign of life. */
export const leaseMs = 1_200
export const renewEveryMs = leaseMs / 3

export interface Claims<Delivery> {
  count(): number
  /** The tokens of what we hold. */
  tokens(): string[]
  add(delivery: Delivery, since: number): void
  /** These are written and no longer ours. */
  finish(deliveries: Delivery[]): void
  /** Releases claims without a result, so that another worker can take them immediately. */
  abandon(deliveries: Delivery[]): void
  renewOld(): void
  /** Resolves when nothing is held any more, or after a timeout. */
  idleOr(ms: number): Promise<void>
  /** Resolves when everything abandoned is released. */
  released(): Promise<void>
}

/** What this worker has claimed; `onGone` is called for each that it no longer has. */
export function createClaims<Delivery extends Claimed, Made extends Attempted, Decided>(
  { store, clock, onTrouble }: Parts<Delivery, Made, Decided>,
  onGone: (delivery: Delivery) => void,
): Claims<Delivery> {
  /** With the time at which the claim was made or last renewed. */
  const held = new Map<Delivery, number>()
  let releasing = Promise.resolve()
  let whenIdle: (() => void) | undefined

  function finish(deliveries: Delivery[]) {
    for (const delivery of deliveries) {
      held.delete(delivery)
      onGone(delivery)
    }
    if (held.size === 0) whenIdle?.()
  }

  return {
    count: () => held.size,
    tokens: () => [...new Set([...held.keys()].map(({ claim }) => claim))],
    add: (delivery, since) => void held.set(delivery, since),
    finish,

    abandon(deliveries) {
      if (deliveries.length === 0) return
      finish(deliveries)
      const given = store.release(deliveries).catch((error) => onTrouble(error, 'giving claims back'))
      releasing = Promise.all([releasing, given]).then(() => {})
    },

    /** Most are done long before; only slow ones are renewed. */
    renewOld() {
      const now = clock.now()
      const old = [...held].filter(([, since]) => now - since >= renewEveryMs / 2).map(([delivery]) => delivery)
      if (old.length === 0) return
      for (const delivery of old) held.set(delivery, now)
      store.renew(old).catch((error) => onTrouble(error, 'renewing claims'))
    },

    idleOr(ms) {
      if (held.size === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const cancel = clock.after(ms, resolve)
        whenIdle = () => {
          cancel()
          resolve()
        }
      })
    },

    released: () => releasing,
  }
}
