import { randomUUID } from 'node:crypto'
import type { Service } from '../../context.ts'
import { isDiskFull } from '../../db/faults.ts'
import type { Clock } from '../../sending/clock.ts'
import { type Engine, startEngine } from '../../sending/engine.ts'
import { announceChanges, newEvents } from '../../topics.ts'
import { attemptDelivery } from './attempt.ts'
import { createStore } from './store.ts'

/** Monotonic, because the system clock can be set while we wait. */
const timer: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** Sends due deliveries as long as the process lives. */
export function startSender({ database, outside, log, metrics, notices, clock }: Service): Engine {
  const engine = startEngine({
    store: createStore(database.hasty, (id) => announceChanges(notices, id, ['webhooks'])),
    async attempt(delivery, cut) {
      const attempt = await attemptDelivery(outside, clock.now, delivery, cut)
      if (attempt) metrics.attempts.inc({ outcome: attempt.outcome })
      return attempt
    },
    clock: timer,
    random: Math.random,
    makeToken: randomUUID,
    onTrouble(err, doing) {
      // Reported once by the disk watch, not twice a second from here.
      if (!isDiskFull(err)) log.warn({ err }, `Webhooks: error ${doing}; retrying`)
    },
  })
  const stopListening = notices.onRing(newEvents, engine.wake)
  return {
    wake: engine.wake,
    async stop(graceMs) {
      stopListening()
      await engine.stop(graceMs)
    },
  }
}
