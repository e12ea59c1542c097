import { pageBytes } from '../../contract/limits.ts'
import { triggerName } from '../../core/triggers.ts'
import type { Db } from '../db/db.ts'
import type { Notices } from '../db/notices.ts'
import { sql } from '../db/sql.ts'
import { columnList } from '../db/table.ts'
import { encodeCursor } from '../http/answers/cursor.ts'
import { onNewEvents, shareFollower } from './follow.ts'
import { eventBody } from './present.ts'
import { type EventFacts, eventFacts } from './record.ts'
import { wakeSoon } from './slices.ts'

/* The newest events of an organisation, read and serialised once for all its readers. */

type WithTask = EventFacts & { task: string; bytes: number }

/**
 * Events after a number, oldest first, up to the one that exceeds the size of a page. Numbers appear in order, so a reader
 * at n has missed nothing before it. PostgreSQL knows the sizes without reading the texts.
 */
export async function listEventsAfter(db: Db, organisationId: number, afterId: number, limit: number) {
  const events = await db.many<WithTask>(sql`
    select * from (
      select ${columnList(eventFacts, 'e')}, s.task,
        sum(octet_length(s.task) + coalesce(octet_length(e.previous), 0)) over (order by e.id)::float8 as bytes,
        octet_length(s.task) + coalesce(octet_length(e.previous), 0) as own_bytes
      from events e
      join events s on s.organisation_id = e.organisation_id and s.id = e.snapshot_id
      where e.organisation_id = ${organisationId} and e.id > ${afterId}
      order by e.id
      limit ${limit}
    ) found
    where bytes - own_bytes < ${pageBytes}`)
  return { events, hasMore: events.length === limit || (events.at(-1)?.bytes ?? 0) >= pageBytes }
}

export const getLastEventId = async (db: Db, organisationId: number) =>
  (
    await db.get<{ id: number }>(sql`
      select last_event_id as id from event_counters where organisation_id = ${organisationId}`)
  ).id

/** An event as it goes into a stream. */
export interface Told {
  id: number
  text: string
}

/** How many are read at a time, and kept for readers that are a little behind. */
export const atOnce = 100
/** Nothing is kept longer: data erased from the database must not be sent from memory. */
const keptMs = 30_000

export interface Tail {
  /** Events after a number, at most one batch, and whether there may be more. */
  after(id: number): Promise<{ events: Told[]; hasMore: boolean }>
  leave(): void
}

/** Follows an organisation; `wake` is called whenever there may be something new. */
export function followTail(db: Db, notices: Notices, organisationId: number, wake: () => void): Tail {
  const { follower, leave } = follow(db, notices, organisationId, wake)
  return { after: follower.after, leave }
}

const follow = shareFollower(openTail)

function openTail(db: Db, notices: Notices, organisationId: number, readers: ReadonlySet<() => void>) {
  let recent: (Told & { readAt: number })[] = []
  /** The last one read, or the last one there when we began. */
  let lastId: number | undefined
  /** Everything read after this number is in `recent`. */
  let completeAfter = 0
  let isStale = true
  let reading: Promise<void> | undefined

  async function begin() {
    lastId = await getLastEventId(db, organisationId)
    completeAfter = lastId
  }
  async function readOn(fromId: number) {
    isStale = false
    const { events, hasMore } = await listEventsAfter(db, organisationId, fromId, atOnce).catch((error) => {
      isStale = true
      throw error
    })
    if (hasMore) isStale = true
    const readAt = performance.now()
    const known = [...recent, ...events.map((event) => ({ ...tell(event), readAt }))]
    recent = newestOf(known.filter((one) => one.readAt > readAt - keptMs).slice(-atOnce))
    completeAfter = known[known.length - recent.length - 1]?.id ?? completeAfter
    lastId = events.at(-1)?.id ?? fromId
  }
  function read() {
    reading ??= (lastId === undefined ? begin() : readOn(lastId)).finally(() => {
      reading = undefined
    })
    return reading
  }
  async function readAlone(id: number) {
    const { events } = await listEventsAfter(db, organisationId, id, atOnce)
    return { events: events.map(tell), hasMore: events.length > 0 }
  }

  function look() {
    isStale = true
    for (const wake of readers) wakeSoon(wake)
  }

  return {
    stop: onNewEvents(notices, organisationId, look),
    async after(id: number) {
      // A read that began before the notice may not include the new events; one under way may be just for them.
      while (lastId === undefined || (id >= lastId && (isStale || reading))) await read()
      if (id < completeAfter) return readAlone(id)
      return { events: recent.filter((one) => one.id > id), hasMore: isStale }
    },
  }
}

/** Of what is kept, what has room: one page, and a half of the next. */
function newestOf<One extends Told>(known: One[]): One[] {
  let room = pageBytes * 1.5
  const isKept = ({ text }: One) => {
    room -= text.length
    return room >= 0
  }
  return known.toReversed().filter(isKept).toReversed()
}

const tell = (event: WithTask): Told => ({
  id: event.id,
  text: `id: ${encodeCursor(event.id)}\nevent: ${triggerName(event.trigger_id)}\ndata: ${eventBody(event, event.task)}\n\n`,
})
