import { isOpen } from '../../core/task-status.ts'
import type { TaskView } from './tables.ts'

type Awaited = Pick<TaskView, 'user_id' | 'status_id' | 'driver_arrived' | 'arrived_at'>
type Expected = Awaited & Pick<TaskView, 'eta_at' | 'route'>

/** A driver has the task and is not there yet. */
const isAwaited = ({ user_id, status_id, driver_arrived, arrived_at }: Awaited) =>
  user_id !== null && isOpen({ statusId: status_id }) && !driver_arrived && arrived_at === null

/** When the driver will be there; null if unknown, or once the driver has arrived or the task ended. */
export function arrivalOf(task: Expected): Date | null {
  if (!isAwaited(task)) return null
  return task.eta_at ?? (task.route && new Date(task.route.arrivalTime))
}

/** Whether the driver arrives after the end of the window: certain once the window has ended without the driver. */
export function willBeDelayed(task: Expected & Pick<TaskView, 'complete_before'>, now: Date): boolean {
  if (task.complete_before === null || !isAwaited(task)) return false
  const arrival = arrivalOf(task)
  return now > task.complete_before || (arrival !== null && arrival > task.complete_before)
}

/** The time left until arrival, in seconds and in words ("12 min"), which are the same in all our languages. */
export function presentArrival(arrival: Date | null, now: Date) {
  const eta = arrival ? Math.max(0, Math.round((arrival.getTime() - now.getTime()) / 1000)) : 0
  const minutes = Math.round(eta / 60)
  const words = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return { eta, etaText: arrival && words, etaAt: arrival?.toISOString() ?? null }
}
