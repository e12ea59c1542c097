import { Worker } from 'node:worker_threads'
import type { Log } from '../log.ts'
import type { Outcome } from './pool.ts'

interface Thread<Result> {
  /** Its file is `name-thread.ts`. */
  name: 'paper' | 'roads' | 'solver'
  memoryMb: number
  log: Log
  onOutcome(outcome: Outcome<Result>): void
  onEnd(): void
}

/** Starts a thread that answers each message with an outcome. */
export function startThread<Result>({ name, memoryMb, log, onOutcome, onEnd }: Thread<Result>): Worker {
  const thread = new Worker(new URL(`./${name}-thread.ts`, import.meta.url), {
    name,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, ...(name === 'paper' && { maxYoungGenerationSizeMb: 8 }) },
  })
  thread.unref()
  thread.on('message', onOutcome)
  thread.on('error', (err) => log.error({ err }, `A ${name} thread crashed and was replaced`))
  thread.on('exit', onEnd)
  return thread
}
