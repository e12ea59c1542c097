import { randomUUID } from 'node:crypto'
import { nextAttempt } from '../../../core/retry.ts'
import type { Service } from '../../context.ts'
import { isDiskFull } from '../../db/faults.ts'
import { realClock } from '../../sending/clock.ts'
import { type Engine, startEngine } from '../../sending/engine.ts'
import { announceChanges, newEvents } from '../../topics.ts'
import { attemptDelivery } from './attempt.ts'
import { createStore } from './store.ts'

/** Sends due deliveries as long as the process lives. */
export function startSender({ database, outside, log, metrics, notices, clock }: Service): Engine {
  const engine = startEngine({
    store: createStore(database.hasty, (id) => announceChanges(notices, id, ['webhooks'])),
    async attempt(delivery, cut) {
      const attempt = await attemptDelivery(outside, clock.now, delivery, cut)
      if (attempt) metrics.attempts.inc({ outcome: attempt.outcome })
      return attempt
    },
    decide: ({ attempts }, { outcome, retryAfterSeconds }) =>
      nextAttempt({ attempt: attempts + 1, outcome, retryAfterSeconds, random: Math.random() }),
    clock: realClock,
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
