import { type Due, type Expected, isDelayed, lateSeconds } from './arrival.ts'
import { isOpen, Unassigned } from './task-status.ts'

type Watched = Due & Expected

const soonMs = 45 * 60_000

/** `late`: the window is over. `risky`: expected after the window, or unassigned shortly before it ends. */
export function riskOf(task: Watched, now: number): 'late' | 'risky' | 'none' {
  if (isDelayed(task, now)) return 'late'
  if (!isOpen(task)) return 'none'
  return lateSeconds(task, now) > 0 || (task.statusId === Unassigned && isDelayed(task, now + soonMs))
    ? 'risky'
    : 'none'
}

/**
 * Whether a task is late or may become so, and something can still be done about it. The figure of the day, its filter,
 * and the count of each driver all ask this, so that a number and the list behind it agree.
 */
export const isAtRisk = (task: Watched, now: number): boolean => isOpen(task) && riskOf(task, now) !== 'none'
