import { makeDay } from './days.ts'
import { solve } from './solve.ts'

/**
 * Solves a few invented days, so that the code is compiled before a user waits for it: in a new thread, the first 100
 * ms of a search do a tenth of the usual work. Takes about a quarter of a second, once per thread.
 */
export function warmUp() {
  solve(makeDay(1, { stops: 8 }), { seed: 1, iterations: 0 })
  solve(makeDay(2, { stops: 40, precedenceShare: 0, roominess: 2 }), { seed: 1, iterations: 1500 })
  solve(makeDay(3, { stops: 40, roominess: 0.3 }), { seed: 1, iterations: 500 })
  solve(makeDay(4, { stops: 60, drivers: 4, precedenceShare: 0 }), { seed: 1, iterations: 1000 })
}
