import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './log.ts'

/*
 * The two shapes of background work: a loop runs at once and then whenever it is woken or some time has passed, a timer
 * only at intervals. Both do one round at a time and survive a failed round.
 */

export interface Work {
  name: string
  /** The longest time between two rounds. */
  everyMs: number
  /** What the log says when a round fails. */
  trouble: string
  /** One round. It should end soon after `stopping`; 'done' means that there will never be more to do. */
  round(stopping: AbortSignal): Promise<unknown>
}

export interface WokenWork extends Work {
  /** Calls back when there may be something to do; returns how to stop that. */
  wokenBy?: (wake: () => void) => () => void
  /** How long after a wake-up a round begins, so that a burst causes only one round. */
  collectMs?: number
}

export interface Worker {
  name: string
  /** Runs a round now. Resolves when a round that began after the call is over. */
  makeRound(): Promise<void>
  stop(): Promise<void>
}

export const startLoop = (work: WokenWork, log: Log): Worker => start(work, log, true)

export const startTimer = (work: Work, log: Log): Worker => start(work, log, false)

function start({ name, everyMs, trouble, round, wokenBy, collectMs = 0 }: WokenWork, log: Log, isAtOnce: boolean) {
  const stopping = new AbortController()
  const { signal } = stopping
  let woken = Promise.withResolvers<void>()
  let waiting: (() => void)[] = []
  const wake = () => woken.resolve()

  async function rest() {
    const timer = setTimeout(wake, everyMs).unref()
    await woken.promise
    clearTimeout(timer)
    if (collectMs > 0) await pause(collectMs, undefined, { signal }).catch(() => {})
  }

  async function makeOne() {
    woken = Promise.withResolvers()
    const served = waiting
    waiting = []
    const result = await round(signal).catch((err) => {
      if (!signal.aborted) log.warn({ err }, trouble)
    })
    for (const tell of served) tell()
    return result
  }

  async function run() {
    if (!isAtOnce) await rest()
    while (!signal.aborted && (await makeOne()) !== 'done') await rest()
    for (const tell of waiting) tell()
  }

  const stopListening = wokenBy?.(wake)
  const running = run()
  return {
    name,
    async makeRound() {
      const made = Promise.withResolvers<void>()
      waiting.push(made.resolve)
      wake()
      await Promise.race([made.promise, running])
    },
    async stop() {
      stopListening?.()
      stopping.abort()
      wake()
      await running
    },
  }
}
