import { isOfRoute } from './task-day.ts'
import { Assigned, isEnded, type StatusId } from './task-status.ts'

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

/** For whom and for which day somebody scans; at the hub nobody need be named. */
export interface Wanted {
  driverId: number | null
  day: string
  today: string
  timezone: string
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

/** A parcel's place in the vehicle: the last stop is loaded first. */
export const loadPosition = (stop: number, stops: number) => stops - stop + 1

/** The driver must not leave without it: it is for a customer, and neither in the vehicle nor on its way. */
export const isMissing = (task: { statusId: StatusId; pickupTask: boolean; loadedAt: unknown }) =>
  task.statusId === Assigned && !task.pickupTask && task.loadedAt === null
