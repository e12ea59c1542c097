/*
 * How many messages may be sent to one receiver at a time. It starts with one, doubles with every success and halves
 * with every failure: so a dead receiver uses next to nothing, and a good one reaches full speed within a few answers.
 */

export const firstWindow = 1
export const largestWindow = 32

export function nextWindow(window: number, wentWell: boolean): number {
  return wentWell ? Math.min(largestWindow, window * 2) : Math.max(1, Math.floor(window / 2))
}

const quickMs = 50

/**
 * How many may be fetched in advance: a receiver at full speed would otherwise wait for the database between two
 * batches. Slow receivers do not need it, and several of them would leave no room for others.
 */
export const fetchAhead = (window: number, answerMs: number) =>
  window === largestWindow && answerMs < quickMs ? window * 6 : window

/** The usual response time, updated with the last one. */
export const smoothedMs = (usualMs: number, lastMs: number) => usualMs + (lastMs - usualMs) / 8
