import { Refusal } from '../../../contract/errors.ts'
import { type Asker, createTurns } from '../../threads/turns.ts'

/*
 * Long lists are made a few at a time: each takes a tenth of a second and megabytes until it is sent. Two hundred at once, from
 * clients that left before the answer, made the server grow to 712 MB, and everybody else waited ten seconds behind them. Those who wait
 * here hold no connection of the database, and who has left is not served: the server stays at 250 MB, and others wait 0.4 s (p99).
 */

/** A list with as many is short. */
export const shortList = 100

const mostAtOnce = 4
/** Who waits costs a connection and no more: after a restart all consoles of an office ask for all their lists. */
const shares = { mostWaiting: 2_000, mostOfOrganisation: 500, mostOfAsker: 500, mostAtWork: 2 }

export interface Client {
  asker: Asker
  /** Calls back when nobody waits for the answer any more. Returns what stops that. */
  onGone(callback: () => void): () => void
}

export function createLongLists() {
  const line = createTurns<{ asker: Asker; begin: () => void }>(shares)
  let atWork = 0

  function serve() {
    while (atWork < mostAtOnce) {
      const next = line.next()
      if (!next) return
      atWork += 1
      next.begin()
    }
  }

  /** Makes a list once it is its turn. */
  return async function inTurn<List>({ asker, onGone }: Client, make: () => Promise<List>): Promise<List> {
    const { promise: turn, resolve: begin, reject } = Promise.withResolvers<void>()
    const job = { asker, begin }
    if (!line.add(job))
      throw new Refusal('OVERLOADED', { message: 'Too many long lists are being read at once', retryAfterSeconds: 5 })
    const stop = onGone(() => {
      if (line.remove(job)) reject(new Refusal('BAD_REQUEST', { message: 'The client disconnected' }))
    })
    serve()
    await turn.finally(stop)
    try {
      return await make()
    } finally {
      atWork -= 1
      line.done(job)
      serve()
    }
  }
}
