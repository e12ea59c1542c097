import { availableParallelism } from 'node:os'
import { Refusal } from '../../contract/errors.ts'
import type { Problem } from '../../core/optimise/problem.ts'
import type { Log } from '../log.ts'
import { createPool } from './pool.ts'
import type { Job, Limits, Work } from './solver-thread.ts'
import { startThread } from './thread.ts'

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
      const thread = startThread<unknown>({ name: 'solver', memoryMb, log, onOutcome, onEnd })
      return {
        post: (job) => thread.postMessage(job, [job.problem.travelSeconds.buffer as ArrayBuffer]),
        end: () => thread.terminate(),
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
        return (await pool.run({ kind, problem, limits, cancelled }, { signal, unwanted })) as ReturnType<Work[Kind]>
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    },
    close: pool.close,
  }
}
