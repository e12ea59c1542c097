import type { PhoneTask } from '../contract/sync.ts'
import { countLoad, listLoad, type PlaceInVehicle, type ScanResult } from '../core/loading.ts'
import { dayOf } from '../core/task-day.ts'
import { isEnded } from '../core/task-status.ts'
import type { Day } from './kept.ts'
import { type Foreign, isSameParcel, judgeHere } from './scans.ts'
import type { ShownTask, State } from './state.ts'

/* The load of the day as the driver has left it, sent or not. */

export interface LoadedParcel {
  task: ShownTask
  position: PlaceInVehicle | null
  missing: boolean
}

export interface SeenLoad extends ReturnType<typeof countLoad> {
  /** The parcels of each stop, the last stop first; what has ended is a group of its own. */
  stops: LoadedParcel[][]
  /** What is in the vehicle and does not belong there; without an answer of the server as far as the phone knows. */
  foreign: (Foreign & { isWaiting: boolean })[]
  /** Codes that no task of this driver has, as long as the server was not asked. */
  asked: string[]
  /** Scans that were not sent yet, and those the server could not read. */
  unsent: number
  refused: number
  /** Somebody scans: parcels of this driver, or for them. */
  isInUse: boolean
  /** Nothing is missing, nothing is too much, and the server knows all of it. */
  isComplete: boolean
}

export type LoadState = Pick<State, 'tasks' | 'scans' | 'refused'> & { day: Day }

const isOfDay = (task: PhoneTask, today: string, timezone: string) =>
  !isEnded(task) || (task.loadedAt !== null && task.completedAt !== null && dayOf(task.completedAt, timezone) === today)

export function seeLoad(state: LoadState, now: number): SeenLoad {
  const { tasks, scans, refused, day } = state
  const { timezone } = day.user.company
  const today = dayOf(now, timezone)
  const carried = tasks
    .filter((task) => isOfDay(task, today, timezone))
    .map((task) => ({ ...task, plannedFor: task.route?.arrivalTime ?? null, task }))
  const parcels = listLoad(carried, { day: today, today, timezone }).map((one) => ({ ...one, task: one.task.task }))
  const counts = countLoad(parcels.map(({ task }) => task))
  const foreign = foreignIn(state, now)
  const notAccepted = refused.filter(({ op, isRead }) => op?.type === 'load' && !isRead).length
  const hasTrouble = foreign.length > 0 || scans.length > 0 || notAccepted > 0
  return {
    ...counts,
    stops: [...Map.groupBy(parcels, ({ position }) => position?.stop).values()],
    foreign,
    asked: scans.filter(({ result }) => result === 'unknown').map(({ op }) => op.code),
    unsent: scans.length,
    refused: notAccepted,
    isInUse: counts.atHub > 0 || hasTrouble,
    isComplete: counts.expected > 0 && counts.inVehicle === counts.expected && !hasTrouble,
  }
}

/** What the office has given to this driver since belongs, and is missing until it is scanned again. */
function foreignIn(state: LoadState, now: number): SeenLoad['foreign'] {
  const { scans, day } = state
  const here = { driverId: day.user.id, timezone: day.user.company.timezone }
  const isForeign = ({ code }: { code: string }) => judgeHere(state.tasks, code, now, here).result !== 'expected'
  const waiting = scans
    .filter(({ result }) => result !== 'expected' && result !== 'unknown')
    .map(({ op, taskId = null, result }) => ({ code: op.code, result, driver: null, taskId, at: op.occurredAt }))
  const known = foreignToday(day, now).filter((one) => !waiting.some((other) => isSameParcel(one, other)))
  return [
    ...known.filter(isForeign).map((one) => ({ ...one, isWaiting: false })),
    ...waiting.map((one) => ({ ...one, isWaiting: true })),
  ]
}

function foreignToday({ foreign = [], user }: Day, now: number): Foreign[] {
  const { timezone } = user.company
  return foreign.filter(({ at }) => dayOf(at, timezone) >= dayOf(now, timezone))
}

/** What is said about a code. */
export interface Told {
  result: ScanResult
  task: ShownTask | undefined
  driver: string | null
  /** It has been scanned before: another scan of it says nothing new. */
  isKnown: boolean
  /** The server has said so. */
  isAnswered: boolean
}

/** What a code comes to now, and whether it is worth a scan. */
export function tellCode(state: LoadState, code: string, now: number): Told {
  const { tasks, scans, day } = state
  const here = { driverId: day.user.id, timezone: day.user.company.timezone }
  const { task, result } = judgeHere(tasks, code, now, here)
  if (result === 'expected') return tellOwn(task)
  const parcel = { code, taskId: task?.id }
  const known = foreignToday(day, now).find((one) => isSameParcel(one, parcel))
  if (known) return { task, result: known.result, driver: known.driver, isKnown: true, isAnswered: true }
  const isWaiting = scans.some(({ op, taskId = null }) => isSameParcel({ code: op.code, taskId }, parcel))
  return { task, result, driver: null, isKnown: isWaiting, isAnswered: false }
}

const tellOwn = (task: ShownTask | undefined): Told => ({
  task,
  result: 'expected',
  driver: null,
  isKnown: task !== undefined && task.loadedAt !== null,
  isAnswered: false,
})

/** The same of what was scanned a moment ago: of several parcels with one code, the one it was. */
export function tellAgain(state: LoadState, last: { code: string; taskId: number | undefined }, now: number): Told {
  const task = state.tasks.find(({ id, loadedAt }) => id === last.taskId && loadedAt !== null)
  return task ? tellOwn(task) : tellCode(state, last.code, now)
}
