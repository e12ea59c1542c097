/** Short enough that a key pressed meanwhile feels immediate. */
const turnMs = 12

/** Lets the page draw and listen, then goes on before anything that is less urgent. */
const letOthers = () => {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  return scheduler?.yield ? scheduler.yield() : new Promise<void>((done) => setTimeout(done))
}

/**
 * Long work in short turns, by time and not by a number of pieces: how long a piece takes depends on the file and the
 * machine. Asked after every piece, it lets the page in whenever a turn is over.
 */
export function takeTurns(now = () => performance.now(), pause = letOthers) {
  let began = now()
  return async () => {
    if (now() - began < turnMs) return
    await pause()
    began = now()
  }
}
