import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { decodeCursor, encodeCursor, isId } from '../http/answers/cursor.ts'
import type { StreamReader } from '../http/answers/stream.ts'
import { type Source, tellReader } from './follow.ts'
import { collectHints } from './hints.ts'
import { eventBody } from './present.ts'
import { wakeSoon } from './slices.ts'
import { followTail, getLastEventId, listEventsAfter } from './tail.ts'

const onAPage = 100

/** A page of the log. There is always a cursor, even at the end, to continue from later. */
export async function readFeed(db: Db, organisationId: number, after: string | undefined, limit = onAPage) {
  const afterId = decodeCursor(after, 0, isId, 'after')
  const { events } = await listEventsAfter(db, organisationId, afterId, limit)
  return {
    events: events.map((event) => JSON.parse(eventBody(event, event.task))),
    nextCursor: encodeCursor(events.at(-1)?.id ?? afterId),
  }
}

/** Events as they happen, in the form of server-sent events, from a cursor or from now on. */
export async function streamFeed(
  context: Context,
  organisationId: number,
  after: string | undefined,
  reader: StreamReader,
) {
  const firstId =
    after === undefined ? await getLastEventId(context.db, organisationId) : decodeCursor(after, 0, isId, 'after')
  const open = (wake: () => void) => followLog(context, organisationId, firstId, wake)
  return tellReader(context, reader, open, `retry: 2000\nid: ${encodeCursor(firstId)}\n\n`)
}

function followLog({ db, notices }: Context, organisationId: number, firstId: number, wake: () => void): Source {
  let lastId = firstId
  const tail = followTail(db, notices, organisationId, wake)
  const hints = collectHints(notices, organisationId, () => wakeSoon(wake))
  return {
    async *take(scopes) {
      const { events, hasMore } = await tail.after(lastId)
      for (const { id, text } of events) {
        yield text
        lastId = id
      }
      yield* hints.take(scopes)
      return hasMore
    },
    stop() {
      tail.leave()
      hints.stop()
    },
  }
}
