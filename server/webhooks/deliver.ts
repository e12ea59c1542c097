import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { nextAttempt } from '../../core/retry.ts'
import type { Service } from '../context.ts'
import { attemptDelivery } from './attempt.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  disableWebhook,
  endDelivery,
  postponeDelivery,
  releaseClaims,
} from './queries.ts'

/** Longer than any attempt can take, so that a claim that comes due again has no living owner. */
const leaseSeconds = 15
const slots = 64
/** The net under the wake-up: retries come due, and other processes do not wake us. */
const pollMs = 1_000

export interface Sender {
  wake(): void
  /** Lets running attempts finish for `graceMs`, then cuts them and gives their claims back. */
  stop(graceMs: number): Promise<void>
}

/** Sends what is due, as long as the process lives. */
export function startSender({ database, outside, log, metrics }: Omit<Service, 'wakeSender'>): Sender {
  const db = database.everyone
  const running = new Map<ClaimedDelivery, Promise<void>>()
  const cut = new AbortController()
  let isStopping = false
  let signal = Promise.withResolvers<void>()

  async function work() {
    while (!isStopping) {
      signal = Promise.withResolvers()
      const claimed = await claimMore()
      if (claimed === 0) await Promise.race([signal.promise, pause(pollMs, undefined, { ref: false })])
    }
  }

  async function claimMore(): Promise<number> {
    const free = slots - running.size
    if (free === 0) return 0
    try {
      const claimed = await claimDeliveries(db, randomUUID(), free, leaseSeconds)
      for (const delivery of claimed) run(delivery)
      return claimed.length
    } catch (error) {
      log.warn({ err: error }, 'Webhooks wait, because the database does not answer')
      return 0
    }
  }

  function run(delivery: ClaimedDelivery) {
    const done = deliver(delivery)
      .catch((error) => log.error({ err: error }, 'A webhook attempt could not be written down and will be repeated'))
      .finally(() => {
        running.delete(delivery)
        signal.resolve()
      })
    running.set(delivery, done)
  }

  async function deliver(delivery: ClaimedDelivery) {
    const attempt = await attemptDelivery(outside, delivery, cut.signal)
    if (!attempt) return
    const { outcome, retryAfterSeconds } = attempt
    const { number } = attempt.row
    const decision = nextAttempt({
      attempt: number,
      outcome,
      retryAfterSeconds,
      nowMs: Date.now(),
      random: Math.random(),
    })
    const row = { ...attempt.row, outcome: decision.kind === 'disable' ? 'dead' : decision.kind }
    if (decision.kind === 'retry') await postponeDelivery(db, delivery, row, new Date(decision.atMs))
    else if (decision.kind === 'disable') await disableWebhook(db, delivery, row)
    else await endDelivery(db, delivery, row)
    metrics.attempts.inc({ outcome: row.outcome })
  }

  const working = work()
  return {
    wake: () => signal.resolve(),
    async stop(graceMs) {
      isStopping = true
      signal.resolve()
      await working
      await Promise.race([Promise.all(running.values()), pause(graceMs, undefined, { ref: false })])
      const unfinished = [...running.keys()].map(({ claim }) => claim as string)
      cut.abort()
      await Promise.all(running.values())
      if (unfinished.length > 0) await releaseClaims(db, unfinished)
    },
  }
}
