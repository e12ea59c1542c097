import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { decodeCursor, encodeCursor, isId } from '../http/cursor.ts'
import type { StreamReader } from '../http/stream.ts'
import { collectHints } from './hints.ts'
import { eventBody } from './present.ts'
import { wakeSoon } from './slices.ts'
import { atOnce, followTail, getLastEventId, listEventsAfter } from './tail.ts'

const onAPage = 100

/** A page of the log. There is always a cursor, even at the end, to continue from later. */
export async function readFeed(db: Db, organisationId: number, after: string | undefined, limit = onAPage) {
  const afterId = decodeCursor(after, 0, isId, 'after')
  const events = await listEventsAfter(db, organisationId, afterId, limit)
  return {
    events: events.map((event) => JSON.parse(eventBody(event, event.task))),
    nextCursor: encodeCursor(events.at(-1)?.id ?? afterId),
  }
}

/** Proxies close a stream that is silent for a minute. Random, so that not all streams are written to at once. */
const heartbeatMs = () => 12_000 + Math.random() * 3_000

/** Events as they happen, in the form of server-sent events, from a cursor or from now on. */
export async function streamFeed(
  context: Context,
  organisationId: number,
  after: string | undefined,
  reader: StreamReader,
) {
  const firstId =
    after === undefined ? await getLastEventId(context.db, organisationId) : decodeCursor(after, 0, isId, 'after')
  return follow(context, organisationId, firstId, reader)
}

async function* follow(
  { db, notices, metrics }: Context,
  organisationId: number,
  firstId: number,
  { gone, rights }: StreamReader,
) {
  let lastId = firstId
  let news = Promise.withResolvers<boolean>()
  const wake = () => news.resolve(true)
  const tail = followTail(db, notices, organisationId, wake)
  const hints = collectHints(notices, organisationId, () => wakeSoon(wake))
  gone.addEventListener('abort', wake)
  metrics.streams.inc()
  try {
    yield `retry: 2000\nid: ${encodeCursor(lastId)}\n\n`
    while (!gone.aborted) {
      news = Promise.withResolvers()
      const scopes = await rights()
      if (!scopes) return
      const events = await tail.after(lastId)
      for (const { id, text } of events) {
        yield text
        lastId = id
      }
      yield* hints.take(scopes)
      if (events.length === atOnce) continue
      if (gone.aborted) return
      const timer = setTimeout(() => news.resolve(false), heartbeatMs())
      const hasNews = await news.promise
      clearTimeout(timer)
      if (!hasNews) yield ': still here\n\n'
    }
  } finally {
    metrics.streams.dec()
    gone.removeEventListener('abort', wake)
    tail.leave()
    hints.stop()
  }
}
