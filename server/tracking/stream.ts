import type { LiveArrival, LivePosition } from '../../contract/event.ts'
import { InTransit } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import type { Notices } from '../db/notices.ts'
import { lookEveryMs, type Source, shareFollower, tellReader } from '../events/follow.ts'
import { createBatch } from '../events/hints.ts'
import { wakeSoon } from '../events/slices.ts'
import { getLastEventId } from '../events/tail.ts'
import type { StreamReader } from '../http/answers/stream.ts'
import { hints, newEvents } from '../topics.ts'
import { listTouched, listWays } from './queries.ts'
import type { Tracked } from './tracked.ts'

/*
 * A stream for the reader of one tracking page. It says nothing but "look again": what changed stands on the page, in one
 * place. One look for all readers of an organisation, and only those whose page changes are woken.
 */

const lookAgain = 'event: changed\ndata: {}\n\n'

/** However much happens, a page is not called more often than this. */
const callEveryMs = 1_000
/** What happens within this time is looked at together. */
const collectMs = 200
/** After more than this everybody looks again. */
const mostEvents = 2_000
/** Readers are called one after the other if everyone has to look. */
const betweenCallsMs = 5

export const streamTracking = async ({ id, organisation, context }: Tracked, reader: StreamReader) =>
  tellReader(
    context,
    reader,
    (wake) => followTask(context.db, context.notices, organisation.id, id, wake),
    'retry: 5000\n\n',
  )

async function followTask(
  db: Db,
  notices: Notices,
  organisationId: number,
  taskId: number,
  wake: () => void,
): Promise<Source> {
  const calls = createBatch<string>(callEveryMs, () => wakeSoon(wake))
  const reader: Reader = { taskId, driverId: null, isMoving: false, call: () => calls.add('changed', lookAgain) }
  const { follower, leave } = watch(db, notices, organisationId, reader)
  const stop = () => {
    leave()
    calls.stop()
  }
  await follower.join(reader).catch((error) => {
    stop()
    throw error
  })
  return {
    async *take() {
      yield* calls.take()
      return false
    },
    stop,
  }
}

interface Reader {
  taskId: number
  /** Whose way the page shows, and whether it shows where they are. */
  driverId: number | null
  isMoving: boolean
  call(): void
}

const watch = shareFollower(openWatch)

function openWatch(db: Db, notices: Notices, organisationId: number, readers: ReadonlySet<Reader>) {
  let lastId: number | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isStale = false

  async function learnWays(whose: Reader[]) {
    const ways = await listWays(
      db,
      organisationId,
      whose.map(({ taskId }) => taskId),
    )
    const byTask = new Map(ways.map((way) => [way.id, way]))
    for (const reader of whose) {
      const way = byTask.get(reader.taskId)
      reader.driverId = way?.user_id ?? null
      reader.isMoving = way?.status_id === InTransit
    }
  }

  async function lookAtEvents() {
    const endId = await getLastEventId(db, organisationId)
    const fromId = lastId ?? endId
    if (endId - fromId > mostEvents) callEveryone()
    else if (endId > fromId) await callConcerned(fromId, endId)
    lastId = endId
  }

  async function callConcerned(fromId: number, endId: number) {
    const touched = await listTouched(db, organisationId, fromId, endId)
    const tasks = new Set(touched.map(({ task_id }) => task_id))
    const drivers = new Set(touched.map(({ user_id }) => user_id))
    const own = [...readers].filter(({ taskId }) => tasks.has(taskId))
    if (own.length > 0) await learnWays(own)
    // Another stop of the same driver moves this one nearer.
    for (const reader of readers)
      if (tasks.has(reader.taskId) || (reader.driverId !== null && drivers.has(reader.driverId))) reader.call()
  }

  function callEveryone() {
    let waitMs = 0
    for (const reader of readers) {
      setTimeout(() => readers.has(reader) && reader.call(), waitMs).unref()
      waitMs += betweenCallsMs
    }
  }

  async function look() {
    isStale = false
    await lookAtEvents().catch(() => {
      isStale = true
    })
    timer = isStale && !isStopped ? setTimeout(look, 1_000).unref() : undefined
  }
  function lookSoon() {
    isStale = true
    timer ??= setTimeout(look, collectMs).unref()
  }

  const stops = [
    notices.onRing(newEvents, (id) => {
      if (id === undefined || id === organisationId) lookSoon()
    }),
    notices.onTold(hints, organisationId, (hint) => {
      if (!hint || hint.about === 'company') return callEveryone()
      const driverId = hint.kind === 'position' ? (hint.data as LivePosition).driverId : undefined
      const taskId = hint.kind === 'arrival' ? (hint.data as LiveArrival).taskId : undefined
      for (const reader of readers)
        if (reader.taskId === taskId || (reader.isMoving && reader.driverId === driverId)) reader.call()
    }),
  ]
  const clock = setInterval(lookSoon, lookEveryMs).unref()

  return {
    async join(reader: Reader) {
      if (lastId === undefined) await lookAtEvents()
      await learnWays([reader])
    },
    stop() {
      isStopped = true
      for (const stop of stops) stop()
      clearInterval(clock)
      clearTimeout(timer)
    },
  }
}
