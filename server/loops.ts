import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './log.ts'

/*
 * The two shapes of background work: a loop works at once and then whenever it is woken or some time has passed, a timer
 * only every so often. Both do one round at a time and survive a round that fails.
 */

export interface Work {
  name: string
  /** At the latest so long after a round comes the next. */
  everyMs: number
  /** What the log says when a round fails. */
  trouble: string
  /** One round. It should end soon after `stopping` says so; 'done' means that there is nothing left to do, ever. */
  round(stopping: AbortSignal): Promise<unknown>
}

export interface WokenWork extends Work {
  /** Calls back when there may be something to do; returns how to stop that. */
  wokenBy?: (wake: () => void) => () => void
  /** A round begins so long after it was woken, so that a burst of news is one round. */
  collectMs?: number
}

export interface Worker {
  name: string
  /** Makes a round now. Resolves when one that began after the call is over: for whoever must know that it was made. */
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
