import { setTimeout as sleep } from 'node:timers/promises'

/** Generous, because a busy machine is slow; a test ends as soon as its condition holds. */
export const patienceMs = 120_000

/**
 * Calls `look` until it returns something, and returns that. `wanted` describes the condition in the error; as a
 * function it can add what was there instead. It looks often at first and less and less often: who waits for a process to
 * start should not take the time it needs.
 */
export async function until<Found>(
  wanted: string | (() => string),
  look: () => Found | Promise<Found>,
  longestPauseMs = 50,
): Promise<Exclude<Found, undefined | null | false | 0 | ''>> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const found = await look()
    if (found) return found as Exclude<Found, undefined | null | false | 0 | ''>
    if (performance.now() > deadline)
      throw new Error(`Waited ${patienceMs / 1_000} s for ${typeof wanted === 'string' ? wanted : wanted()}`)
    await sleep(pauseMs)
  }
}

/** Repeats `check` until no assertion in it fails. For what is written a moment after the response. */
export async function untilHolds(check: () => Promise<void>): Promise<void> {
  let failure: unknown
  const holds = () =>
    check().then(
      () => true,
      (error) => {
        failure = error
        return false
      },
    )
  await until('it to hold', holds).catch(() => {
    throw failure
  })
}
