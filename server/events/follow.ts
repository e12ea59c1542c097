import { mostSilentMs } from '../../contract/live.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Notices } from '../db/notices.ts'
import type { StreamReader } from '../http/answers/stream.ts'
import { newEvents } from '../topics.ts'

/* What all streams have in common. */

/** What one stream tells, as server-sent events. */
export interface Source {
  /** What is new and the scopes allow. Returns whether there is more at once. */
  take(scopes: readonly string[]): AsyncGenerator<string, boolean>
  stop(): void
}

/** Proxies close a stream that is silent for a minute. Random, so that not all streams are written to at once. */
const heartbeatMs = () => mostSilentMs * (0.8 + Math.random() * 0.2)

/** Tells a reader what a source has whenever it wakes us, until the reader leaves or may no longer read. */
export async function* tellReader(
  { metrics }: Context,
  { gone, rights }: StreamReader,
  open: (wake: () => void) => Source | Promise<Source>,
  opening: string,
) {
  let news = Promise.withResolvers<boolean>()
  const wake = () => news.resolve(true)
  const source = await open(wake)
  gone.addEventListener('abort', wake)
  metrics.streams.inc()
  try {
    yield opening
    while (!gone.aborted) {
      news = Promise.withResolvers()
      const scopes = await rights()
      if (!scopes) return
      if (yield* source.take(scopes)) continue
      if (gone.aborted) return
      const timer = setTimeout(() => news.resolve(false), heartbeatMs())
      const hasNews = await news.promise
      clearTimeout(timer)
      if (!hasNews) yield ': still here\n\n'
    }
  } finally {
    metrics.streams.dec()
    gone.removeEventListener('abort', wake)
    source.stop()
  }
}

/** If a notice was lost, what it was about is found after this time at the latest. */
const lookEveryMs = 15_000

/** Calls back whenever an organisation may have new events. Returns how to stop. */
export function onNewEvents(notices: Notices, organisationId: number, look: () => void) {
  const stopListening = notices.onRing(newEvents, (id) => {
    if (id === undefined || id === organisationId) look()
  })
  const clock = setInterval(look, lookEveryMs).unref()
  return () => {
    stopListening()
    clearInterval(clock)
  }
}

/**
 * One follower per organisation and process for all its readers, started with the first and stopped with the last. Before,
 * one event for 9,000 readers meant 9,000 queries, and no other request was answered for three seconds.
 */
export function shareFollower<Reader, Follower extends { stop(): void }>(
  begin: (db: Db, notices: Notices, organisationId: number, readers: ReadonlySet<Reader>) => Follower,
) {
  const everywhere = new WeakMap<Notices, Map<number, { readers: Set<Reader>; follower: Follower }>>()
  return (db: Db, notices: Notices, organisationId: number, reader: Reader) => {
    const here = everywhere.getOrInsertComputed(notices, () => new Map())
    const { readers, follower } = here.getOrInsertComputed(organisationId, () => {
      const readers = new Set<Reader>()
      return { readers, follower: begin(db, notices, organisationId, readers) }
    })
    readers.add(reader)
    const leave = () => {
      readers.delete(reader)
      if (readers.size > 0) return
      here.delete(organisationId)
      follower.stop()
    }
    return { follower, leave }
  }
}
