import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Hint, Notices } from '../db/notices.ts'
import type { StreamReader } from '../http/answers/stream.ts'
import { hints } from '../topics.ts'
import { onNewEvents, type Source, shareFollower, tellReader } from './follow.ts'
import { createBatch } from './hints.ts'
import { wakeSoon } from './slices.ts'
import { getLastEventId } from './tail.ts'

/*
 * Streams that only call their readers: what changed stands in one place, where they then look. One look at the events for
 * all readers of an organisation, and only those concerned are called: what happens to one costs the others nothing.
 */

export interface Called {
  /** Something changed that the reader would see. */
  call(): void
  /** The reader may have lost the right to be here. */
  check(): void
}

/** The readers of one organisation in this process, and what can be done about all of them. */
export interface Watched<Reader> {
  db: Db
  organisationId: number
  readers: ReadonlySet<Reader>
  /** One after the other. */
  callEveryone(): void
  /** Learns of all of them again, soon. */
  learnSoon(): void
}

interface Calls<Known> {
  /** What a stream begins with, and what it says whenever its reader is called. */
  opening: string
  call: string
  /** What happens within this time is looked at together. */
  collectMs: number
  /** After more events than this everybody is called. */
  mostEvents: number
  betweenCallsMs: number
  /** Reads what decides whether these readers are concerned. */
  learn(watched: Watched<Known & Called>, readers: (Known & Called)[]): Promise<void>
  /** Calls those concerned by the events after a number, up to another. */
  callConcerned(watched: Watched<Known & Called>, afterId: number, lastId: number): Promise<void>
  /** What changed without an event; undefined if some of it may have been lost. */
  hear(watched: Watched<Known & Called>, hint: Hint | undefined): void
}

/** However much happens, nobody is called more often than this. */
const callEveryMs = 1_000
/** After a look that failed, because the database is away. */
const retryMs = 1_000

/** How to open a stream for a reader, of whom we know this much. */
export function createCalls<Known extends object>(calls: Calls<Known>) {
  type Reader = Known & Called
  const watch = shareFollower((db, notices, organisationId, readers: ReadonlySet<Reader>) =>
    openWatch(calls, db, notices, organisationId, readers),
  )

  /** From when it resolves on, the reader is called for whatever changes. */
  async function follow({ db, notices }: Context, organisationId: number, known: Known, wake: () => void) {
    const batch = createBatch<string>(callEveryMs, () => wakeSoon(wake))
    const reader = { ...known, call: () => batch.add('call', calls.call), check: () => wakeSoon(wake) }
    const { follower, leave } = watch(db, notices, organisationId, reader)
    const source: Source = {
      async *take() {
        yield* batch.take()
        return false
      },
      stop() {
        leave()
        batch.stop()
      },
    }
    await follower.join(reader).catch((error) => {
      source.stop()
      throw error
    })
    return source
  }

  return (context: Context, organisationId: number, known: Known, reader: StreamReader) =>
    tellReader(context, reader, (wake) => follow(context, organisationId, known, wake), calls.opening)
}

function openWatch<Known>(
  { collectMs, mostEvents, betweenCallsMs, learn, callConcerned, hear }: Calls<Known>,
  db: Db,
  notices: Notices,
  organisationId: number,
  readers: ReadonlySet<Known & Called>,
) {
  let lastId: number | undefined
  let isStopped = false
  /** Set while a look is coming or under way. */
  let timer: NodeJS.Timeout | undefined
  let due: { events?: boolean | undefined; readers?: boolean | undefined } = {}
  const watched = { db, organisationId, readers, callEveryone, learnSoon: () => lookSoon('readers') }

  async function lookAtEvents() {
    const endId = await getLastEventId(db, organisationId)
    const fromId = lastId ?? endId
    if (endId - fromId > mostEvents) callEveryone()
    else if (endId > fromId) await callConcerned(watched, fromId, endId)
    lastId = endId
  }

  function callEveryone() {
    let waitMs = 0
    for (const reader of readers) {
      setTimeout(() => readers.has(reader) && reader.call(), waitMs).unref()
      waitMs += betweenCallsMs
    }
  }

  async function look() {
    const now = due
    due = {}
    let againMs = collectMs
    try {
      if (now.events) await lookAtEvents()
      if (now.readers) await learn(watched, [...readers])
    } catch {
      due = { ...now, ...due }
      againMs = retryMs
    }
    if (isStopped) return
    timer = due.events || due.readers ? setTimeout(look, againMs).unref() : undefined
  }
  function lookSoon(what: keyof typeof due) {
    due[what] = true
    timer ??= setTimeout(look, collectMs).unref()
  }

  const stops = [
    onNewEvents(notices, organisationId, () => lookSoon('events')),
    notices.onTold(hints, organisationId, (hint) => hear(watched, hint)),
  ]

  return {
    async join(reader: Known & Called) {
      if (lastId === undefined) await lookAtEvents()
      await learn(watched, [reader])
    },
    stop() {
      isStopped = true
      for (const stop of stops) stop()
      clearTimeout(timer)
    },
  }
}
