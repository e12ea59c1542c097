import type { Limits } from '../../threads/solver-thread.ts'

/*
 * How long is searched. The number of attempts decides, so that the same tasks always get the same order; an attempt
 * takes the longer the more stops there are (36 µs with 40, 110 µs with 100, 0.5 ms with 300), and 5,000 of them are
 * 0.2 s with 40. Time is only a ceiling, for a machine that has other things to do.
 */

const attemptsFor = (stops: number) => Math.min(5_000, Math.max(100, Math.round(200_000 / Math.max(1, stops))))

/** For the order of one route. */
export const limitsFor = (taskIds: readonly number[]): Limits => ({
  seed: seedOf(taskIds),
  iterations: attemptsFor(taskIds.length),
  milliseconds: 2_000,
})

/** For assigning: harder the more tasks there are, and nobody waits at a door for the result. */
export const assignLimitsFor = (taskIds: readonly number[], stops: number, milliseconds: number): Limits => ({
  seed: seedOf(taskIds),
  iterations: Math.min(3 * attemptsFor(stops), 300 * taskIds.length),
  milliseconds,
})

/** The same for the same tasks, in any order. */
function seedOf(taskIds: readonly number[]): number {
  const sorted = [...taskIds].sort((one, other) => one - other)
  return sorted.reduce((seed, id) => (Math.imul(seed, 31) + id) >>> 0, 17)
}
