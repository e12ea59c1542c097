import { createClaims, renewEveryMs } from './claims.ts'
import { atMost, every } from './clock.ts'
import { createFetching } from './fetching.ts'
import { createLanes } from './lanes.ts'
import type { Attempted, Claimed, Parts } from './parts.ts'
import { createResultWriter } from './results.ts'

/*
 * Decides when to fetch deliveries, how many go to one receiver at a time, and when results are written. It knows
 * neither SQL nor HTTP nor the time: the store, the attempt, the rule and the clock are given, so that all of it also runs in a
 * simulation.
 *
 * A delivery goes from `fetching` into `claims` (it is ours) and `lanes` (it waits for its receiver), is sent, and
 * leaves both when `results` has written the outcome.
 */

/** The fallback for wake-ups: retries come due without one, and a wake-up can get lost. */
const pollMs = 500
const mostAtOnce = 2_048

export interface Engine {
  wake(): void
  /** Gives running attempts this long to finish, then aborts them and releases their claims. */
  stop(graceMs: number): Promise<void>
}

export function startEngine<Delivery extends Claimed, Made extends Attempted, Decided>(
  parts: Parts<Delivery, Made, Decided>,
): Engine {
  const { store, clock } = parts
  const lanes = createLanes<Delivery>()
  const claims = createClaims(parts, lanes.drop)
  const fetching = createFetching(clock, fetchDue)
  const writeResult = createResultWriter(parts, (written) => {
    claims.finish(written)
    if (written.some(lanes.hasRoom)) fetching.wake()
  })
  const cut = new AbortController()

  async function fetchDue() {
    const free = mostAtOnce - claims.count()
    if (free <= 0) return
    const begun = clock.now()
    try {
      const claimed = await store.claim(parts.makeToken(), free, lanes.windows(), claims.tokens())
      for (const delivery of claimed) {
        lanes.add(delivery)
        claims.add(delivery, begun)
      }
      for (const receiverId of new Set(claimed.map((delivery) => delivery.receiverId))) sendWaiting(receiverId)
    } catch (error) {
      parts.onTrouble(error, 'fetching what is due')
    }
  }

  function sendWaiting(receiverId: number) {
    while (!cut.signal.aborted) {
      const delivery = lanes.startNext(receiverId)
      if (!delivery) return
      void send(delivery)
    }
  }

  async function send(delivery: Delivery) {
    const begun = clock.now()
    const attempt = await parts.attempt(delivery, cut.signal).catch((error) => {
      parts.onTrouble(error, 'sending')
      return undefined
    })
    const answer = { wentWell: attempt?.outcome === 'delivered', tookMs: clock.now() - begun }
    lanes.end(delivery, attempt && attempt.outcome !== 'left' ? answer : undefined)
    if (attempt) writeResult({ delivery, attempt, decision: parts.decide(delivery, attempt) })
    sendWaiting(delivery.receiverId)
    if (!attempt) claims.abandon([delivery])
  }

  const stopPolling = every(clock, pollMs, fetching.wake)
  const stopRenewing = every(clock, renewEveryMs, claims.renewOld)
  fetching.wake()

  return {
    wake: fetching.wake,
    async stop(graceMs) {
      stopPolling()
      await atMost(clock, graceMs, fetching.stop())
      claims.abandon(lanes.takeWaiting())
      await claims.idleOr(graceMs)
      cut.abort()
      await claims.idleOr(graceMs)
      stopRenewing()
      await claims.released()
    },
  }
}
