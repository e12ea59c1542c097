import { type Clock, mostRestMs, pause } from './clock.ts'

export interface Fetching {
  wake(): void
  /** Begins no more; resolves when the one under way has ended. */
  stop(): Promise<void> | undefined
}

/**
 * Fetches as long as somebody wakes it, one fetch at a time. What a fetch leaves behind is beyond a window, and is asked
 * for when results have made room. It rests as long as it worked: the busier the database, the more each fetch brings.
 */
export function createFetching(clock: Clock, fetch: () => Promise<void>): Fetching {
  let isWanted = false
  let isStopping = false
  let fetching: Promise<void> | undefined

  function wake() {
    isWanted = true
    fetching ??= fetchWhileWanted().finally(() => {
      fetching = undefined
      if (isWanted && !isStopping) wake()
    })
  }

  async function fetchWhileWanted() {
    while (isWanted && !isStopping) {
      isWanted = false
      const begun = clock.now()
      await fetch()
      await rest(clock.now() - begun)
    }
  }

  const rest = (ms: number) => (ms > 0 && !isStopping ? pause(clock, Math.min(ms, mostRestMs)) : undefined)

  return {
    wake,
    stop() {
      isStopping = true
      return fetching
    },
  }
}
