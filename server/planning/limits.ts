import type { Limits } from '../threads/solver-thread.ts'

/*
 * How long is searched. The number of attempts decides, so that the same tasks always get the same order; an attempt
 * takes the longer the more stops there are (36 µs with 40, 110 µs with 100, 0.5 ms with 300), and 5,000 of them are
 * 0.2 s with 40. Time is only a ceiling, for a machine that has other things to do.
 */

const attemptsAStop = 200_000

export const limitsFor = (taskIds: readonly number[], milliseconds = 2_000): Limits => ({
  seed: seedOf(taskIds),
  iterations: Math.min(5_000, Math.max(100, Math.round(attemptsAStop / Math.max(1, taskIds.length)))),
  milliseconds,
})

/** Giving tasks to drivers is a larger question, and nobody stands waiting for it at a door. */
export function assignLimitsFor(stopIds: readonly number[], milliseconds = 5_000): Limits {
  const { seed, iterations } = limitsFor(stopIds, milliseconds)
  return { seed, iterations: 3 * iterations, milliseconds }
}

/** The same for the same tasks, in whatever order they come. */
function seedOf(taskIds: readonly number[]): number {
  const sorted = [...taskIds].sort((one, other) => one - other)
  return sorted.reduce((seed, id) => (Math.imul(seed, 31) + id) >>> 0, 17)
}
