import type { Refusal } from '../../contract/errors.ts'
import { type Asker, createTurns, type Shares } from './turns.ts'

/* A few workers outside the thread that answers requests, started when first needed, and kept; a queue that refuses what
 * it could not serve in time. */

/** A thread or a process that does one job after the other. */
export interface Worker<Job> {
  post(job: Job): void
  /** Ends it, whatever it is doing. */
  end(): Promise<unknown>
}

export type Outcome<Result> = { result: Result } | { error: unknown }

export interface PoolOptions<Job, Result> {
  /** Starts a worker, which tells of each outcome, and of its own end. */
  start(onOutcome: (outcome: Outcome<Result>) => void, onEnd: () => void): Worker<Job>
  mostWorkers: number
  mostWaiting: number
  /** What one organisation and one asker can have of it; by default everything. */
  shares?: Omit<Shares, 'mostWaiting'>
  /** A job that has waited this long is refused: by then the caller has given up. */
  mostWaitMs: number
  /** A worker that takes longer than this is stuck and is ended. */
  mostMs: number
  /** A worker without a job for this long is ended, and what it has of memory with it; by default it is kept. */
  idleMs?: number
  /** For jobs that have not started. */
  busy(message?: string): Refusal
  /** For jobs that started and failed: the worker crashed, or was stuck. */
  broken(wasStuck: boolean): Error
}

interface Pending<Job, Result> {
  job: Job
  asker: Asker
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Place<Job, Result> {
  worker: Worker<Job>
  pending: Pending<Job, Result> | undefined
  timer: NodeJS.Timeout | undefined
  isStuck: boolean
  isEnding: boolean
}

export type Pool<Job, Result> = ReturnType<typeof createPool<Job, Result>>

export interface Wish {
  /** Who the job is for, where that matters. */
  asker?: Asker
  /** Takes the job out of the queue; one that has started continues. */
  signal?: AbortSignal | undefined
  /** What is said of one that was taken out. */
  unwanted?: string
}

const anybody: Asker = { organisationId: 0, name: '' }
const everything = { mostOfOrganisation: Infinity, mostOfAsker: Infinity, mostAtWork: Infinity }

export function createPool<Job, Result>(options: PoolOptions<Job, Result>) {
  const { mostWorkers, mostWaiting, shares = everything, mostWaitMs, mostMs, idleMs, busy, broken } = options
  const places = new Set<Place<Job, Result>>()
  const waiting = createTurns<Pending<Job, Result>>({ mostWaiting, ...shares })
  let isClosing = false

  function open(): Place<Job, Result> {
    const worker = options.start(
      (outcome) => {
        const pending = take(place)
        if ('result' in outcome) pending?.resolve(outcome.result)
        else pending?.reject(outcome.error)
        serve()
        if (!place.pending && idleMs !== undefined) place.timer = setTimeout(() => end(place), idleMs).unref()
      },
      () => {
        places.delete(place)
        take(place)?.reject(broken(place.isStuck))
        serve()
      },
    )
    const place: Place<Job, Result> = { worker, pending: undefined, timer: undefined, isStuck: false, isEnding: false }
    places.add(place)
    return place
  }

  function take(place: Place<Job, Result>) {
    const { pending } = place
    place.pending = undefined
    clearTimeout(place.timer)
    if (pending) waiting.done(pending)
    return pending
  }

  function end(place: Place<Job, Result>) {
    place.isEnding = true
    void place.worker.end()
  }

  /** Gives waiting jobs to free workers. */
  function serve() {
    while (!isClosing) {
      const free = places.values().find(({ pending, isEnding }) => !pending && !isEnding)
      const next = free || places.size < mostWorkers ? waiting.next() : undefined
      if (!next) return
      const place = free ?? open()
      place.pending = next
      clearTimeout(place.timer)
      place.timer = setTimeout(() => {
        place.isStuck = true
        end(place)
      }, mostMs).unref()
      place.worker.post(next.job)
    }
  }

  function stopWaiting(pending: Pending<Job, Result>, message?: string) {
    if (waiting.remove(pending)) pending.reject(busy(message))
  }

  return {
    run(job: Job, { asker = anybody, signal, unwanted }: Wish = {}): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const pending = { job, asker, resolve, reject }
      if (signal?.aborted) reject(busy(unwanted))
      else if (isClosing || !waiting.add(pending)) reject(busy())
      else {
        const onAbort = () => stopWaiting(pending, unwanted)
        signal?.addEventListener('abort', onAbort, { once: true })
        const timer = setTimeout(() => stopWaiting(pending), mostWaitMs).unref()
        const done = () => {
          signal?.removeEventListener('abort', onAbort)
          clearTimeout(timer)
        }
        promise.then(done, done)
        serve()
      }
      return promise
    },
    async close() {
      isClosing = true
      for (const pending of waiting.clear()) pending.reject(busy('The service is restarting'))
      await Promise.all([...places].map(({ worker }) => worker.end()))
    },
  }
}
