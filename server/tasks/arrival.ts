import { isOpen } from '../../core/task-status.ts'
import type { TaskView } from './tables.ts'

type Planned = Pick<TaskView, 'route' | 'status_id' | 'arrived_at'>

/** When the driver arrives by the saved plan; null without a plan, or once the driver has arrived or the task ended. */
export function arrivalOf({ route, status_id, arrived_at }: Planned): Date | null {
  return route && isOpen({ statusId: status_id }) && arrived_at === null ? new Date(route.arrivalTime) : null
}

/** Whether the driver arrives after the end of the window by the saved plan. */
export function isPlannedLate(task: Planned & Pick<TaskView, 'complete_before'>): boolean {
  const arrival = arrivalOf(task)
  return arrival !== null && task.complete_before !== null && arrival > task.complete_before
}

/** The time left until arrival, in seconds and in words ("12 min"), which are the same in all our languages. */
export function presentArrival(arrival: Date | null, now: Date) {
  const eta = arrival ? Math.max(0, Math.round((arrival.getTime() - now.getTime()) / 1000)) : 0
  const minutes = Math.round(eta / 60)
  const words = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return { eta, etaText: arrival && words, etaAt: arrival?.toISOString() ?? null }
}
