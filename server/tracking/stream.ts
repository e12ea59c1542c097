import { callNames, type LiveArrival, type LivePosition } from '../../contract/live.ts'
import { InTransit } from '../../core/task-status.ts'
import { type Called, createCalls, type Watched } from '../events/calls.ts'
import type { StreamReader } from '../http/answers/stream.ts'
import { listTouched, listWays } from './queries.ts'
import type { Tracked } from './tracked.ts'

/* A stream for the reader of one tracking page. It says nothing but "look again": what changed stands on the page. */

export const streamTracking = async ({ id, organisation, context }: Tracked, reader: StreamReader) =>
  callReader(context, organisation.id, { taskId: id, driverId: null, isMoving: false }, reader)

interface PageReader {
  taskId: number
  /** Whose way the page shows, and whether it shows where they are. */
  driverId: number | null
  isMoving: boolean
}
type Reader = PageReader & Called

const callReader = createCalls<PageReader>({
  opening: 'retry: 5000\n\n',
  call: `event: ${callNames.lookAgain}\ndata: {}\n\n`,
  collectMs: 200,
  mostEvents: 2_000,
  betweenCallsMs: 5,
  learn: learnWays,

  async callConcerned(watched, afterId, lastId) {
    const { db, organisationId, readers } = watched
    const touched = await listTouched(db, organisationId, afterId, lastId)
    const tasks = new Set(touched.map(({ task_id }) => task_id))
    const drivers = new Set(touched.map(({ user_id }) => user_id))
    const own = [...readers].filter(({ taskId }) => tasks.has(taskId))
    if (own.length > 0) await learnWays(watched, own)
    // Another stop of the same driver moves this one nearer.
    for (const reader of readers)
      if (tasks.has(reader.taskId) || (reader.driverId !== null && drivers.has(reader.driverId))) reader.call()
  },

  hear({ readers, callEveryone }, hint) {
    if (!hint || hint.about === 'company') return callEveryone()
    const driverId = hint.kind === 'position' ? (hint.data as LivePosition).driverId : undefined
    const taskId = hint.kind === 'arrival' ? (hint.data as LiveArrival).taskId : undefined
    for (const reader of readers)
      if (reader.taskId === taskId || (reader.isMoving && reader.driverId === driverId)) reader.call()
  },
})

async function learnWays({ db, organisationId }: Watched<Reader>, readers: Reader[]) {
  const ids = readers.map(({ taskId }) => taskId)
  const byTask = new Map((await listWays(db, organisationId, ids)).map((way) => [way.id, way]))
  for (const reader of readers) {
    const way = byTask.get(reader.taskId)
    reader.driverId = way?.user_id ?? null
    reader.isMoving = way?.status_id === InTransit
  }
}
