import * as rules from '../../core/arrival.ts'
import type { TaskView } from './tables.ts'

type Followed = Pick<TaskView, 'status_id' | 'driver_arrived' | 'arrived_at'>
type Expected = Followed & Pick<TaskView, 'eta_at' | 'route'>

/** A row as core/arrival asks for it. */
const followed = ({ status_id, driver_arrived, arrived_at }: Followed) => ({
  statusId: status_id,
  driverArrived: driver_arrived,
  arrivalTime: arrived_at,
})
const expected = (task: Expected) => ({ ...followed(task), etaAt: task.eta_at, route: task.route })

export const isAwaited = (task: Followed) => rules.isAwaited(followed(task))
export const hasArrived = (task: Followed) => rules.hasArrived(followed(task))

/** When the driver will be there; null if unknown, or once the driver has arrived or the task ended. */
export function arrivalOf(task: Expected): Date | null {
  const at = rules.expectedAt(expected(task))
  return at === null ? null : new Date(at)
}

type Due = Pick<TaskView, 'status_id' | 'complete_before' | 'completed_at'>
const due = ({ status_id, complete_before, completed_at }: Due) => ({
  statusId: status_id,
  completeBefore: complete_before,
  completedAt: completed_at,
})
export const isDelayed = (task: Due, now: Date) => rules.isDelayed(due(task), now)
export const willBeDelayed = (task: Expected & Due, now: Date) =>
  rules.willBeDelayed({ ...expected(task), ...due(task) }, now)

/** The time left until arrival, in seconds and in words ("12 min"), which are the same in all our languages. */
export function presentArrival(arrival: Date | null, now: Date) {
  const eta = arrival ? Math.max(0, Math.round((arrival.getTime() - now.getTime()) / 1000)) : 0
  const minutes = Math.round(eta / 60)
  const words = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return { eta, etaText: arrival && words, etaAt: arrival?.toISOString() ?? null }
}
