import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../contract/errors.ts'
import type { Problem } from '../../core/optimise/problem.ts'
import type { Log } from '../log.ts'
import { createPool, type Outcome } from './pool.ts'
import type { Job, Limits, Work } from './solver-thread.ts'

/* Plans are computed in separate threads, so that the process keeps answering. */

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
  mostWaitMs?: number
  mostMs?: number
  memoryMb?: number
}

/** One core is left for answering requests. */
const usualThreads = () => Math.min(4, Math.max(1, availableParallelism() - 1))

const busy = (message?: string) => new Refusal('PLANNER_BUSY', { retryAfterSeconds: 2, ...(message && { message }) })
const unwanted = 'The plan is not wanted any more'

export function createSolvers(options: Options): Solvers {
  const { log, threads = usualThreads(), mostWaiting = 64, memoryMb = 1_024 } = options
  const { mostWaitMs = 10_000, mostMs = 25_000 } = options
  const pool = createPool<Job, unknown>({
    start(onOutcome, onEnd) {
      const worker = new Worker(new URL('./solver-thread.ts', import.meta.url), {
        name: 'solver',
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      })
      worker.unref()
      worker.on('message', (outcome: Outcome<unknown>) => onOutcome(outcome))
      worker.on('error', (err) => log.error({ err }, 'A solver thread crashed and was replaced'))
      worker.on('exit', onEnd)
      return {
        post: (job) => worker.postMessage(job, [job.problem.travelSeconds.buffer as ArrayBuffer]),
        end: () => worker.terminate(),
      }
    },
    mostWorkers: threads,
    mostWaiting,
    mostWaitMs,
    mostMs,
    busy,
    broken: () => busy('The plan could not be made; try again'),
  })

  return {
    async run<Kind extends keyof Work>(kind: Kind, problem: Problem, limits: Limits, signal?: AbortSignal) {
      const cancelled = new Int32Array(new SharedArrayBuffer(4))
      const cancel = () => void Atomics.store(cancelled, 0, 1)
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        return (await pool.run({ kind, problem, limits, cancelled }, signal, unwanted)) as ReturnType<Work[Kind]>
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    },
    close: pool.close,
  }
}
