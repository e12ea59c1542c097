import { findByCode, type Labelled } from './scan.ts'
import { numberStops, type Placed } from './stop.ts'
import { isOfRoute } from './task-day.ts'
import { Assigned, isEnded, isOpen, type StatusId } from './task-status.ts'

/*
 * Parcels are scanned into the hub and into vehicles. No state of a task changes by that: a scan says where a parcel is, and
 * whether it belongs there. Server and phone ask these rules.
 */

/** Where a parcel is scanned. */
export const scanPlaces = ['hub', 'vehicle'] as const
export type ScanPlace = (typeof scanPlaces)[number]

/** What a scan comes to, and what each means. */
export const scanResults = {
  expected: 'it belongs to this driver, on this day',
  wrongDriver: 'it belongs to another driver',
  unassigned: 'it has no driver',
  withPartner: 'it was given to a partner, who does it',
  otherDay: 'it is not for this day',
  ended: 'its task has ended',
  unknown: 'no task has this code',
} as const
export type ScanResult = keyof typeof scanResults

type Moment = Date | string | number

/** What of a task decides whether its parcel belongs where it is scanned. */
export interface Loadable {
  statusId: StatusId
  userId: number | null
  /** A partner does it. */
  isWithPartner: boolean
  completeAfter: Moment | null
  completeBefore: Moment | null
  plannedFor: Moment | null
}

/** The day that is loaded. */
export interface LoadDay {
  day: string
  today: string
  timezone: string
}

/** For whom and for which day somebody scans; at the hub nobody need be named. */
export interface Wanted extends LoadDay {
  driverId: number | null
}

/** Whether a parcel belongs where it is scanned. What nobody may take along at all comes before whose it is. */
export function judgeScan(task: Loadable | undefined, { driverId, day, today, timezone }: Wanted): ScanResult {
  if (!task) return 'unknown'
  if (isEnded(task)) return 'ended'
  if (!isOfRoute(task, day, today, timezone)) return 'otherDay'
  if (task.isWithPartner) return 'withPartner'
  if (task.userId === null) return 'unassigned'
  return driverId === null || driverId === task.userId ? 'expected' : 'wrongDriver'
}

/** When a parcel was scanned in at the hub, and into the vehicle of its driver. */
export interface Marks {
  atHubAt: Date | null
  loadedAt: Date | null
}

/**
 * What a scan changes: a parcel is where it was last scanned. `already` is when it was scanned in there before, and then
 * nothing changes. A scan that arrives after a later one says only what was.
 */
export function markScan(marks: Marks, at: ScanPlace, result: ScanResult, when: Date): { already?: Date; set?: Marks } {
  const { atHubAt, loadedAt } = marks
  if (result === 'ended' || result === 'unknown') return {}
  if (at === 'hub') {
    if (loadedAt === null) return atHubAt ? { already: atHubAt } : { set: { atHubAt: when, loadedAt } }
    return loadedAt < when ? { set: { atHubAt: when, loadedAt: null } } : {}
  }
  if (result !== 'expected') return {}
  if (loadedAt) return { already: loadedAt }
  return atHubAt && atHubAt > when ? {} : { set: { atHubAt, loadedAt: when } }
}

interface Shared extends Labelled {
  id: number
  statusId: StatusId
  userId: number | null
  loadedAt: unknown
}

/** The task of a scanned code. Of several parcels that share it the driver's own is meant, and one that is still to come. */
export function findScanned<Task extends Shared>(tasks: readonly Task[], code: string, driverId: number | null) {
  const laterOf = (task: Task) => [isEnded(task), task.userId !== driverId, task.loadedAt !== null].map(Number)
  const inTurn = tasks
    .map((task) => ({ task, later: laterOf(task) }))
    .sort((one, other) => compare(one.later, other.later) || one.task.id - other.task.id)
  return findByCode(
    inTurn.map(({ task }) => task),
    code,
  )
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : (one[at] as number) - (other[at] as number)
}

/** A parcel's place in the vehicle: the last stop is loaded first. */
export const loadPosition = (stop: number, stops: number) => stops - stop + 1

/** The driver must not leave without it: it is for a customer, and neither in the vehicle nor on its way. */
export const isMissing = (task: { statusId: StatusId; pickupTask: boolean; loadedAt: unknown }) =>
  task.statusId === Assigned && !task.pickupTask && task.loadedAt === null

/** A task in the route of its driver, as loading sees it. */
export interface Carried {
  id: number
  statusId: StatusId
  pickupTask: boolean
  atHubAt: unknown
  loadedAt: unknown
  completeAfter: Moment | null
  completeBefore: Moment | null
  plannedFor: Moment | null
  address: Placed
}

/** Its stop, when to load it, and of how many. */
export interface PlaceInVehicle {
  stop: number
  load: number
  of: number
}

const isOfLoad = (task: Carried, { day, today, timezone }: LoadDay) => isOfRoute(task, day, today, timezone)

/** Where in the vehicle the tasks of one driver belong, by their ids; given in the order of the route. */
export function placeInVehicle(tasks: readonly Carried[], day: LoadDay): Map<number, PlaceInVehicle> {
  const numbers = numberStops(tasks.filter((task) => isOpen(task) && isOfLoad(task, day)))
  const of = Math.max(0, ...numbers.values())
  return new Map([...numbers].map(([id, stop]) => [id, { stop, load: loadPosition(stop, of), of }]))
}

/**
 * What one driver loads on a day, in the order in which it is loaded: the last stop first. Given in the order of the route,
 * with what has ended that day. What is collected from customers is not loaded.
 */
export function listLoad<Task extends Carried>(tasks: readonly Task[], day: LoadDay) {
  const places = placeInVehicle(tasks, day)
  return tasks
    .filter((task) => !task.pickupTask && (isEnded(task) || isOfLoad(task, day)))
    .map((task) => ({ task, position: places.get(task.id) ?? null, missing: isMissing(task) }))
    .sort((one, other) => (other.position?.stop ?? 0) - (one.position?.stop ?? 0) || one.task.id - other.task.id)
}

/** How much of it is where. What is in the vehicle has been at the hub. */
export const countLoad = (tasks: readonly Pick<Carried, 'statusId' | 'pickupTask' | 'atHubAt' | 'loadedAt'>[]) => ({
  expected: tasks.length,
  atHub: tasks.filter(({ atHubAt, loadedAt }) => atHubAt !== null || loadedAt !== null).length,
  inVehicle: tasks.filter(({ loadedAt }) => loadedAt !== null).length,
  missing: tasks.filter(isMissing).length,
})
