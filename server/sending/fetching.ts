import { type Clock, mostRestMs, pause } from './clock.ts'

export interface Fetching {
  wake(): void
  /** Starts no more fetches; resolves when the current one has ended. */
  stop(): Promise<void> | undefined
}

/**
 * Fetches whenever it is woken, one fetch at a time. What a fetch leaves behind did not fit into a window, and is
 * fetched when results have made room. It pauses as long as it worked: the busier the database, the more each fetch
 * brings.
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
