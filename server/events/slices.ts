import { setImmediate as nextTurn } from 'node:timers/promises'

/** Waking this many readers takes a few milliseconds; a request waits no longer than that. */
const atOnce = 50

const waiting = new Set<() => void>()
let isWaking = false

/** Wakes a reader soon, a few of them at a time, so that a request never waits for thousands. */
export function wakeSoon(wake: () => void) {
  waiting.add(wake)
  if (!isWaking) void wakeAll()
}

async function wakeAll() {
  isWaking = true
  while (waiting.size > 0) {
    for (const wake of [...waiting.keys().take(atOnce)]) {
      waiting.delete(wake)
      wake()
    }
    await nextTurn()
  }
  isWaking = false
}
