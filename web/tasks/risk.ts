import type { PlannedStop } from '../../contract/task.ts'
import { isDelayed, lateSeconds } from '../../core/arrival.ts'
import { isEnded } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'

/** A task's place in its driver's day, if it has been planned. */
export const stopOf = ({ route }: Task): PlannedStop | undefined => route ?? undefined

const soonMs = 45 * 60_000

/** `late`: the window is over. `risky`: expected after the window, or unassigned shortly before it ends. */
export function riskOf(task: Task, now: number): 'late' | 'risky' | 'none' {
  if (isDelayed(task, now)) return 'late'
  if (isEnded(task)) return 'none'
  return lateSeconds(task, now) > 0 || (!task.userId && isDelayed(task, now + soonMs)) ? 'risky' : 'none'
}
