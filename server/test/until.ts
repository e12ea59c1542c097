import { setTimeout as sleep } from 'node:timers/promises'

/** Generous, because a busy machine is slow; a test ends as soon as its condition holds. */
const patienceMs = 60_000

/**
 * Calls `look` until it returns something, and returns that. `wanted` describes the condition in the error; as a
 * function it can add what was there instead.
 */
export async function until<Found>(
  wanted: string | (() => string),
  look: () => Found | Promise<Found>,
  everyMs = 20,
): Promise<Exclude<Found, undefined | null | false | 0 | ''>> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const found = await look()
    if (found) return found as Exclude<Found, undefined | null | false | 0 | ''>
    if (performance.now() > deadline)
      throw new Error(`Waited ${patienceMs / 1_000} s for ${typeof wanted === 'string' ? wanted : wanted()}`)
    await sleep(everyMs)
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
