import { Refusal } from '../../contract/errors.ts'
import type { Point } from '../../core/geo.ts'
import type { Transport } from '../../core/travel.ts'
import type { Log } from '../log.ts'
import type { Maps } from '../map/current.ts'
import { roadsFile } from '../map/roads/file.ts'
import type { Leg, RoadTable } from '../map/roads/router.ts'
import { createPool } from './pool.ts'
import type { RoadsJob, Work } from './roads-thread.ts'
import { startThread } from './thread.ts'

/*
 * The roads of the current import, in one thread: a process has them once, and goes on answering while they are searched. Whoever asks
 * can do without: whatever goes wrong, the answer is that nothing is known.
 */

export interface Roads {
  /** Undefined where there is no import with roads here, or they cannot be searched now; then the caller goes on with what it has. */
  table(transport: Transport, places: readonly Point[]): Promise<RoadTable | undefined>
  legs(transport: Transport, places: readonly Point[]): Promise<(Leg | undefined)[] | undefined>
  close(): Promise<void>
}

interface Options {
  log: Log
  maps: Pick<Maps, 'current'>
  mostWaiting?: number
  mostWaitMs?: number
  mostMs?: number
  /** The roads of a city take some tens of megabytes, and are there again in a third of a second. */
  idleMs?: number
  /** After a failure nobody asks for a while: a file that breaks the thread would break it again and again. */
  restMs?: number
  memoryMb?: number
}

/** Two thousand take some 64 MB and seconds; nobody plans more at once. */
const mostPlaces = 2_000

const crashed = new Error('The thread of the roads crashed')
const busy = (message?: string) => new Refusal('PLANNER_BUSY', { ...(message && { message }) })

export function createRoads({ log, maps, ...options }: Options): Roads {
  const { mostWaiting = 64, mostWaitMs = 5_000, mostMs = 20_000 } = options
  const { idleMs = 10 * 60_000, restMs = 30_000, memoryMb = 192 } = options
  const pool = createPool<RoadsJob, unknown>({
    start(onOutcome, onEnd) {
      const thread = startThread<unknown>({ name: 'roads', memoryMb, log, onOutcome, onEnd })
      return { post: (job) => thread.postMessage(job), end: () => thread.terminate() }
    },
    mostWorkers: 1,
    mostWaiting,
    mostWaitMs,
    mostMs,
    idleMs,
    busy,
    broken: (wasStuck) => (wasStuck ? new Error('The search took too long') : crashed),
  })
  /** What was said of which file, so that it is said once. */
  const told = new Set<string>()
  let rest = { path: '', until: 0 }
  let isClosing = false

  async function ask<Kind extends keyof Work>(kind: Kind, transport: Transport, places: readonly Point[]) {
    const path = (await maps.current())?.pathOf(roadsFile)
    const isResting = path === rest.path && performance.now() < rest.until
    if (!path || places.length > mostPlaces || isResting) return undefined
    try {
      const found = await pool.run({ kind, path, transport, places })
      told.delete(`failed ${path}`)
      return found as ReturnType<Work[Kind]>
    } catch (error) {
      giveUp(path, error)
      return undefined
    }
  }

  function giveUp(path: string, err: unknown) {
    const isBusy = err instanceof Refusal
    if (!isBusy) rest = { path, until: performance.now() + restMs }
    const what = `${isBusy ? 'busy' : 'failed'} ${path}`
    // A crash is in the log already.
    if (isClosing || err === crashed || told.has(what)) return
    told.add(what)
    if (isBusy)
      log.warn('Too many search the roads at once; travel times are estimates for those who would wait too long')
    else log.warn({ err }, 'The imported roads cannot be searched; travel times are estimates until they can')
  }

  return {
    table: (transport, places) => ask('table', transport, places),
    legs: (transport, places) => ask('legs', transport, places),
    close() {
      isClosing = true
      return pool.close()
    },
  }
}
