import { setTimeout as sleep } from 'node:timers/promises'

/** A busy machine gets its time: only what never comes is a failure. */
const patienceMs = 60_000

/**
 * Looks until there is something to see, and returns it. `wanted` says what is waited for, for the reader of the failure;
 * as a function it can add what was there instead.
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

/** Tries until no assertion in it fails. For what is written a moment after the answer. */
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
