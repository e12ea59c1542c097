/** Measures durations and waits. Real in the server, simulated in a test. */
export interface Clock {
  now(): number
  /** Calls back once, later; returns how to cancel it. */
  after(ms: number, callback: () => void): () => void
}

/** Monotonic, because the system clock can be set while we wait. */
export const realClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** The minimum between two statements of one kind, however busy the database is. */
export const mostRestMs = 20

export const pause = (clock: Clock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

/** Waits for the work, but no longer than this. */
export function atMost(clock: Clock, ms: number, work: Promise<void> | undefined): Promise<void> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  return Promise.race([work, isOver]).finally(cancel)
}

/** Returns how to end it. */
export function every(clock: Clock, ms: number, work: () => void): () => void {
  let cancel = clock.after(ms, repeat)
  function repeat() {
    cancel = clock.after(ms, repeat)
    work()
  }
  return () => cancel()
}
