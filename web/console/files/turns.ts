/** Short enough that a key pressed meanwhile feels immediate. */
const turnMs = 12

/** Lets the page draw and handle input, then continues before less urgent work. */
const letOthers = () => {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  return scheduler?.yield ? scheduler.yield() : new Promise<void>((done) => setTimeout(done))
}

/**
 * Splits long work into short turns by time, not by a number of pieces, because the time of a piece depends on the file
 * and the machine. To be called after every piece; it pauses whenever a turn is over.
 */
export function takeTurns(now = () => performance.now(), pause = letOthers) {
  let began = now()
  return async () => {
    if (now() - began < turnMs) return
    await pause()
    began = now()
  }
}
