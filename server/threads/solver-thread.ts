import { parentPort } from 'node:worker_threads'
import { insertStops } from '../../core/insert.ts'
import type { Problem } from '../../core/optimise/problem.ts'
import { solve } from '../../core/optimise/solve.ts'
import { warmUp } from '../../core/optimise/warm-up.ts'
import { assign, quoteOrders } from '../../core/quote.ts'
import type { Outcome } from './pool.ts'

/* One thread that solves what it is sent, one problem after the other. */

export interface Limits {
  seed: number
  iterations: number
  milliseconds: number
}

const now = () => performance.now()

const work = {
  solve: (problem: Problem, limits: Limits, isCancelled: () => boolean) =>
    solve(problem, { ...limits, now, isCancelled }),
  assign: (problem: Problem, limits: Limits, isCancelled: () => boolean) =>
    assign(problem, { ...limits, now, isCancelled }),
  quote: (problem: Problem) => quoteOrders(problem),
  insert: (problem: Problem) => insertStops(problem),
}
export type Work = typeof work

export interface Job {
  kind: keyof Work
  problem: Problem
  limits: Limits
  /** Not 0 once the answer is no longer needed. */
  cancelled: Int32Array
}

warmUp()
parentPort?.on('message', ({ kind, problem, limits, cancelled }: Job) => {
  const isCancelled = () => Atomics.load(cancelled, 0) !== 0
  try {
    parentPort?.postMessage({ result: work[kind](problem, limits, isCancelled) } satisfies Outcome<unknown>)
  } catch (error) {
    parentPort?.postMessage({ error } satisfies Outcome<unknown>)
  }
})
