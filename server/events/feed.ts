import { triggerName } from '../../core/triggers.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { columnList } from '../db/table.ts'
import { decodeCursor, encodeCursor, isId } from '../http/page.ts'
import type { StreamReader } from '../http/route.ts'
import { collectHints } from './hints.ts'
import { eventBody } from './present.ts'
import { type EventFacts, eventFacts } from './record.ts'

/** Events after a number, oldest first. Numbers appear in order, so a reader at n has missed nothing before it. */
const listEventsAfter = (db: Db, organisationId: number, afterId: number, limit: number) =>
  db.many<EventFacts & { task: string }>(sql`
    select ${columnList(eventFacts, 'e')}, s.task
    from events e
    join events s on s.organisation_id = e.organisation_id and s.id = e.snapshot_id
    where e.organisation_id = ${organisationId} and e.id > ${afterId}
    order by e.id
    limit ${limit}`)

const getLastEventId = async (db: Db, organisationId: number) =>
  (
    await db.get<{ id: number }>(sql`
      select last_event_id as id from event_counters where organisation_id = ${organisationId}`)
  ).id

const onAPage = 100

/** A page of the log. The cursor always leads on, also from the end: ask again later. */
export async function readFeed(db: Db, organisationId: number, after: string | undefined, limit = onAPage) {
  const afterId = decodeCursor(after, 0, isId)
  const events = await listEventsAfter(db, organisationId, afterId, limit)
  return {
    events: events.map((event) => JSON.parse(eventBody(event, event.task))),
    nextCursor: encodeCursor(events.at(-1)?.id ?? afterId),
  }
}

const atOnce = 100
/** Proxies cut what is silent for a minute; and what a signal failed to say is seen at the latest now. */
const heartbeatMs = 15_000

/** Events as they happen, in the form of server-sent events, from a cursor or from now on. */
export async function streamFeed(
  context: Context,
  organisationId: number,
  after: string | undefined,
  reader: StreamReader,
) {
  const firstId = after === undefined ? await getLastEventId(context.db, organisationId) : decodeCursor(after, 0, isId)
  return follow(context, organisationId, firstId, reader)
}

async function* follow(
  { db, signal, metrics }: Context,
  organisationId: number,
  firstId: number,
  { gone, rights }: StreamReader,
) {
  let lastId = firstId
  let mayHaveEvents = true
  let news = Promise.withResolvers<boolean>()
  const wake = () => news.resolve(true)
  const stopListening = signal.listen((id) => {
    if (id !== undefined && id !== organisationId) return
    mayHaveEvents = true
    wake()
  })
  const hints = collectHints(signal, organisationId, wake)
  gone.addEventListener('abort', wake)
  metrics.streams.inc()
  try {
    yield `retry: 2000\nid: ${encodeCursor(lastId)}\n\n`
    while (!gone.aborted) {
      news = Promise.withResolvers()
      const scopes = await rights()
      if (!scopes) return
      const isToLook = mayHaveEvents
      mayHaveEvents = false
      const events = isToLook ? await listEventsAfter(db, organisationId, lastId, atOnce) : []
      for (const event of events) {
        yield `id: ${encodeCursor(event.id)}\nevent: ${triggerName(event.trigger_id)}\ndata: ${eventBody(event, event.task)}\n\n`
        lastId = event.id
      }
      yield* hints.take(scopes)
      if (events.length === atOnce) {
        mayHaveEvents = true
        continue
      }
      if (gone.aborted) return
      const timer = setTimeout(() => news.resolve(false), heartbeatMs)
      const hasNews = await news.promise
      clearTimeout(timer)
      if (hasNews) continue
      mayHaveEvents = true
      yield ': still here\n\n'
    }
  } finally {
    metrics.streams.dec()
    gone.removeEventListener('abort', wake)
    stopListening()
    hints.stop()
  }
}
