import { randomUUID } from 'node:crypto'
import type { Service } from '../../context.ts'
import { isDiskFull } from '../../db/faults.ts'
import { realClock } from '../../sending/clock.ts'
import { type Engine, startEngine } from '../../sending/engine.ts'
import { newEvents } from '../../topics.ts'
import { attemptMessage } from './attempt.ts'
import { createMessageStore } from './store.ts'

/** Sends due messages as long as the process lives. */
export function startMessages(service: Service): Engine {
  const { log, notices } = service
  const engine = startEngine({
    store: createMessageStore(service),
    attempt: (message, cut) => attemptMessage(service, message, cut),
    decide: (_, { result }) => result,
    clock: realClock,
    makeToken: randomUUID,
    onTrouble(err, doing) {
      if (!isDiskFull(err)) log.warn({ err }, `Messages: error ${doing}; retrying`)
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
