import type { Refusal } from '../../contract/errors.ts'

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
  /** A job that has waited this long is refused: by then the caller has given up. */
  mostWaitMs: number
  /** A worker that takes longer than this is stuck and is ended. */
  mostMs: number
  /** For jobs that have not started. */
  busy(message?: string): Refusal
  /** For jobs that started and failed: the worker crashed, or was stuck. */
  broken(wasStuck: boolean): Error
}

interface Pending<Job, Result> {
  job: Job
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Place<Job, Result> {
  worker: Worker<Job>
  pending: Pending<Job, Result> | undefined
  timer: NodeJS.Timeout | undefined
  isStuck: boolean
}

export type Pool<Job, Result> = ReturnType<typeof createPool<Job, Result>>

export function createPool<Job, Result>(options: PoolOptions<Job, Result>) {
  const { mostWorkers, mostWaiting, mostWaitMs, mostMs, busy, broken } = options
  const places = new Set<Place<Job, Result>>()
  const waiting: Pending<Job, Result>[] = []
  let isClosing = false

  function open(): Place<Job, Result> {
    const worker = options.start(
      (outcome) => {
        const pending = take(place)
        if ('result' in outcome) pending?.resolve(outcome.result)
        else pending?.reject(outcome.error)
        serve()
      },
      () => {
        places.delete(place)
        take(place)?.reject(broken(place.isStuck))
        serve()
      },
    )
    const place: Place<Job, Result> = { worker, pending: undefined, timer: undefined, isStuck: false }
    places.add(place)
    return place
  }

  function take(place: Place<Job, Result>) {
    const { pending } = place
    place.pending = undefined
    clearTimeout(place.timer)
    return pending
  }

  /** Gives waiting jobs to free workers. */
  function serve() {
    while (waiting.length > 0 && !isClosing) {
      const free = places.values().find(({ pending, isStuck }) => !pending && !isStuck)
      const place = free ?? (places.size < mostWorkers ? open() : undefined)
      if (!place) return
      place.pending = waiting.shift() as Pending<Job, Result>
      place.timer = setTimeout(() => {
        place.isStuck = true
        void place.worker.end()
      }, mostMs).unref()
      place.worker.post(place.pending.job)
    }
  }

  function stopWaiting(pending: Pending<Job, Result>, message?: string) {
    const index = waiting.indexOf(pending)
    if (index < 0) return
    waiting.splice(index, 1)
    pending.reject(busy(message))
  }

  return {
    /** `signal` takes the job out of the queue; one that has started continues. */
    run(job: Job, signal?: AbortSignal, unwanted?: string): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      if (isClosing || waiting.length >= mostWaiting) reject(busy())
      else if (signal?.aborted) reject(busy(unwanted))
      else {
        const pending = { job, resolve, reject }
        const onAbort = () => stopWaiting(pending, unwanted)
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
      await Promise.all([...places].map(({ worker }) => worker.end()))
    },
  }
}
