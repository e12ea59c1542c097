import type { OpInput } from '../contract/op.ts'
import type { OpResult, PhoneTask } from '../contract/sync.ts'
import { findScanned, judgeScan, markScan, type ScanResult } from '../core/loading.ts'
import { isSameCode } from '../core/scan.ts'
import { dayOf } from '../core/task-day.ts'

/*
 * Parcels scanned into the vehicle. The phone knows only the tasks of its driver: of those it says at once what a scan
 * comes to. Whose another parcel is the server says, with the answer to the sync.
 */

export type LoadOp = Extract<OpInput, { type: 'load' }>

/** A scan that has not been sent, and what it comes to as far as the phone knows; `unknown` is asked of the server. */
export interface WaitingScan {
  op: LoadOp
  taskId: number | undefined
  result: ScanResult
}

/** A parcel that was scanned and does not belong, as the server said, until the driver has taken it out. */
export interface Foreign {
  code: string
  result: ScanResult
  /** Whose it is. */
  driver: string | null
  taskId: number | null
  /** By the server's clock. */
  at: string
}

interface Where {
  driverId: number
  timezone: string
}

/** What a code comes to here, at a time by the server's clock. */
export function judgeHere<Task extends PhoneTask>(
  tasks: readonly Task[],
  code: string,
  at: string | number,
  { driverId, timezone }: Where,
): { task: Task | undefined; result: ScanResult } {
  const task = findScanned(tasks, code, driverId)
  const day = dayOf(at, timezone)
  const loadable = task && { ...task, isWithPartner: false, plannedFor: task.route?.arrivalTime ?? null }
  return { task, result: judgeScan(loadable, { driverId, day, today: day, timezone }) }
}

/** What a scan makes of the tasks: the one it loads is answered as it is then. */
export function scanAhead(tasks: readonly PhoneTask[], op: LoadOp, where: Where) {
  const { task, result } = judgeHere(tasks, op.code, op.occurredAt, where)
  const marks = { atHubAt: timeIn(task?.atHubAt), loadedAt: timeIn(task?.loadedAt) }
  const { set } = markScan(marks, op.at ?? 'vehicle', result, new Date(op.occurredAt))
  const scan: WaitingScan = { op, taskId: task?.id, result }
  const marked = { atHubAt: set?.atHubAt?.toISOString() ?? null, loadedAt: set?.loadedAt?.toISOString() ?? null }
  return { scan, task: task && set ? { ...task, ...marked } : undefined }
}

const timeIn = (text: string | null | undefined) => (text ? new Date(text) : null)

/** A vehicle has room for fewer. */
const mostForeign = 200

/** The server's answer to a scan. */
export interface AnsweredScan {
  op: LoadOp
  scanned: NonNullable<OpResult['scanned']>
}

interface Now {
  serverTime: string
  aheadMs: number
  timezone: string
  erased: readonly number[]
}

/** What does not belong, with these answers: each parcel once, and only of today. */
export function noteForeign(
  before: readonly Foreign[],
  answered: readonly AnsweredScan[],
  { serverTime, aheadMs, timezone, erased }: Now,
): Foreign[] {
  let foreign = [...before]
  for (const { op, scanned } of answered) {
    const { result, driver, taskId } = scanned
    if (op.at === 'hub') continue
    const at = new Date(Date.parse(op.occurredAt) - aheadMs).toISOString()
    const entry: Foreign = { code: op.code, result, driver, taskId, at }
    foreign = foreign.filter((one) => !isSameParcel(one, entry))
    if (result !== 'expected') foreign.push(entry)
  }
  const today = dayOf(serverTime, timezone)
  return foreign
    .filter(({ at, taskId }) => dayOf(at, timezone) >= today && !(taskId !== null && erased.includes(taskId)))
    .slice(-mostForeign)
}

/** The same code, or another one of the same parcel. */
export const isSameParcel = (
  one: Pick<Foreign, 'code' | 'taskId'>,
  other: { code: string; taskId: number | null | undefined },
): boolean => isSameCode(one.code, other.code) || (one.taskId !== null && one.taskId === other.taskId)
