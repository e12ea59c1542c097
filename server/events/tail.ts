import { triggerName } from '../../core/triggers.ts'
import type { Db } from '../db/db.ts'
import type { Notices } from '../db/notices.ts'
import { sql } from '../db/sql.ts'
import { columnList } from '../db/table.ts'
import { encodeCursor } from '../http/cursor.ts'
import { newEvents } from '../topics.ts'
import { lookEveryMs, shareFollower } from './follow.ts'
import { eventBody } from './present.ts'
import { type EventFacts, eventFacts } from './record.ts'
import { wakeSoon } from './slices.ts'

/* The newest events of an organisation, read and serialised once for all its readers. */

/** Events after a number, oldest first. Numbers appear in order, so a reader at n has missed nothing before it. */
export const listEventsAfter = (db: Db, organisationId: number, afterId: number, limit: number) =>
  db.many<EventFacts & { task: string }>(sql`
    select ${columnList(eventFacts, 'e')}, s.task
    from events e
    join events s on s.organisation_id = e.organisation_id and s.id = e.snapshot_id
    where e.organisation_id = ${organisationId} and e.id > ${afterId}
    order by e.id
    limit ${limit}`)

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
  /** Events after a number, at most one batch. */
  after(id: number): Promise<Told[]>
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
    const events = await listEventsAfter(db, organisationId, fromId, atOnce).catch((error) => {
      isStale = true
      throw error
    })
    if (events.length === atOnce) isStale = true
    const readAt = performance.now()
    const known = [...recent, ...events.map((event) => ({ ...tell(event), readAt }))]
    recent = known.filter((one) => one.readAt > readAt - keptMs).slice(-atOnce)
    completeAfter = known[known.length - recent.length - 1]?.id ?? completeAfter
    lastId = events.at(-1)?.id ?? fromId
  }
  function read() {
    reading ??= (lastId === undefined ? begin() : readOn(lastId)).finally(() => {
      reading = undefined
    })
    return reading
  }
  const readAlone = async (id: number) => (await listEventsAfter(db, organisationId, id, atOnce)).map(tell)

  function look() {
    isStale = true
    for (const wake of readers) wakeSoon(wake)
  }
  const stopListening = notices.onRing(newEvents, (id) => {
    if (id === undefined || id === organisationId) look()
  })
  const timer = setInterval(look, lookEveryMs).unref()

  return {
    stop() {
      stopListening()
      clearInterval(timer)
    },
    async after(id: number) {
      // A read that began before the notice may not include the new events; one under way may be just for them.
      while (lastId === undefined || (id >= lastId && (isStale || reading))) await read()
      return id < completeAfter ? readAlone(id) : recent.filter((one) => one.id > id)
    },
  }
}

const tell = (event: EventFacts & { task: string }): Told => ({
  id: event.id,
  text: `id: ${encodeCursor(event.id)}\nevent: ${triggerName(event.trigger_id)}\ndata: ${eventBody(event, event.task)}\n\n`,
})
