/*
 * How many messages may be sent to one receiver at a time. A new receiver gets one, one that
 * answers well gets twice as many each time, one that fails gets half: so a dead receiver holds next to nothing, and a
 * good one is as fast as it can be within a few answers.
 */

export const firstWindow = 1
export const largestWindow = 32

export function nextWindow(window: number, wentWell: boolean): number {
  return wentWell ? Math.min(largestWindow, window * 2) : Math.max(1, Math.floor(window / 2))
}

const quickMs = 50

/**
 * What may be fetched ahead: a receiver at full speed would otherwise wait for the database between two batches. One that
 * takes its time does not need it, and some of them together would leave no room for others.
 */
export const fetchAhead = (window: number, answerMs: number) =>
  window === largestWindow && answerMs < quickMs ? window * 6 : window

/** The usual time of an answer, from what it was and what the last one took. */
export const smoothedMs = (usualMs: number, lastMs: number) => usualMs + (lastMs - usualMs) / 8
