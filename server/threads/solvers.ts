import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../contract/errors.ts'
import type { Problem } from '../../core/optimise/problem.ts'
import type { Log } from '../log.ts'
import type { Job, Limits, Outcome, Work } from './solver-thread.ts'

/*
 * Plans are computed in separate threads, so that the process keeps answering. A few threads, started when the
 * first plan is needed, and kept; a queue that refuses what it could not serve in time.
 */

export interface Solvers {
  /** The matrix is transferred: pass a copy to keep it. `signal` ends it early, with the best so far. */
  run<Kind extends keyof Work>(
    kind: Kind,
    problem: Problem,
    limits: Limits,
    signal?: AbortSignal,
  ): Promise<ReturnType<Work[Kind]>>
  close(): Promise<void>
}

interface Options {
  log: Log
  threads?: number
  mostWaiting?: number
  /** A request that has waited this long is refused: by then the caller has given up. */
  mostWaitMs?: number
  /** A thread that takes longer than this is stuck and is ended. */
  mostMs?: number
  memoryMb?: number
}

interface Pending extends Job {
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Thread {
  worker: Worker
  pending: Pending | undefined
  timer: NodeJS.Timeout | undefined
}

/** One core is left for answering requests. */
const usualThreads = () => Math.min(4, Math.max(1, availableParallelism() - 1))

const busy = (message?: string) => new Refusal('PLANNER_BUSY', { retryAfterSeconds: 2, ...(message && { message }) })

export function createSolvers(options: Options): Solvers {
  const { log, threads: mostThreads = usualThreads(), mostWaiting = 64, memoryMb = 1_024 } = options
  const { mostWaitMs = 10_000, mostMs = 25_000 } = options
  const threads = new Set<Thread>()
  const waiting: Pending[] = []
  let isClosing = false

  function start(): Thread {
    const worker = new Worker(new URL('./solver-thread.ts', import.meta.url), {
      name: 'solver',
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    const thread: Thread = { worker, pending: undefined, timer: undefined }
    worker.unref()
    worker.on('message', (outcome: Outcome) => {
      const pending = take(thread)
      if ('result' in outcome) pending?.resolve(outcome.result)
      else pending?.reject(outcome.error)
      serve()
    })
    worker.on('error', (err) => log.error({ err }, 'A solver thread crashed and was replaced'))
    worker.on('exit', () => {
      threads.delete(thread)
      take(thread)?.reject(busy('The plan could not be made; try again'))
      serve()
    })
    threads.add(thread)
    return thread
  }

  function take(thread: Thread) {
    const { pending } = thread
    thread.pending = undefined
    clearTimeout(thread.timer)
    return pending
  }

  /** Gives waiting work to free threads. */
  function serve() {
    while (waiting.length > 0 && !isClosing) {
      const free = threads.values().find(({ pending }) => !pending)
      const thread = free ?? (threads.size < mostThreads ? start() : undefined)
      if (!thread) return
      const pending = waiting.shift() as Pending
      const { resolve, reject, ...job } = pending
      thread.pending = pending
      thread.timer = setTimeout(() => void thread.worker.terminate(), mostMs).unref()
      thread.worker.postMessage(job satisfies Job, [job.problem.travelSeconds.buffer as ArrayBuffer])
    }
  }

  function stopWaiting(pending: Pending, message?: string) {
    const place = waiting.indexOf(pending)
    if (place < 0) return
    waiting.splice(place, 1)
    pending.reject(busy(message))
  }

  function cancel(pending: Pending) {
    Atomics.store(pending.cancelled, 0, 1)
    stopWaiting(pending, 'The plan is not wanted any more')
  }

  return {
    run<Kind extends keyof Work>(kind: Kind, problem: Problem, limits: Limits, signal?: AbortSignal) {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Work[Kind]>>()
      const cancelled = new Int32Array(new SharedArrayBuffer(4))
      const pending: Pending = { kind, problem, limits, cancelled, resolve: resolve as Pending['resolve'], reject }
      if (isClosing || waiting.length >= mostWaiting) reject(busy())
      else if (signal?.aborted) reject(busy('The plan is not wanted any more'))
      else {
        const onAbort = () => cancel(pending)
        signal?.addEventListener('abort', onAbort, { once: true })
        const timer = setTimeout(() => stopWaiting(pending), mostWaitMs).unref()
        const done = () => {
          signal?.removeEventListener('abort', onAbort)
          clearTimeout(timer)
        }
        promise.then(done, done)
        waiting.push(pending)
        serve()
      }
      return promise
    },
    async close() {
      isClosing = true
      for (const pending of waiting.splice(0)) pending.reject(busy('The service is restarting'))
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}
