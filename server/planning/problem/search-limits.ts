import type { Limits } from '../../threads/solver-thread.ts'

/*
 * How long the search lasts. The number of attempts decides, so that the same tasks always get the same order. An
 * attempt takes longer with more stops (36 µs with 40, 110 µs with 100, 0.5 ms with 300); 5,000 attempts with 40 stops
 * take 0.2 s. Time is only an upper limit, for a busy machine.
 */

const attemptsFor = (stops: number) => Math.min(5_000, Math.max(100, Math.round(200_000 / Math.max(1, stops))))

/** For the order of one route. */
export const limitsFor = (taskIds: readonly number[]): Limits => ({
  seed: seedOf(taskIds),
  iterations: attemptsFor(taskIds.length),
  milliseconds: 2_000,
})

/** For assigning: more tasks make it harder, and the result is less urgent. */
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
