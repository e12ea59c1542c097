import type { PlannedStop } from '../../contract/task.ts'
import { isEnded } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'
import { arrivalOf } from './arrival.ts'

/** A task's place in its driver's day, if it has been planned. */
export const stopOf = ({ route }: Task): PlannedStop | undefined => route ?? undefined

const soonMs = 45 * 60_000

/** `late`: the window is over. `risky`: expected after the window, or unassigned shortly before it ends. */
export function riskOf(task: Task, now: number): 'late' | 'risky' | 'none' {
  if (!task.completeBefore) return 'none'
  const end = Date.parse(task.completeBefore)
  if (isEnded(task)) return task.completedAt && Date.parse(task.completedAt) > end ? 'late' : 'none'
  if (now > end) return 'late'
  if (task.userId && (arrivalOf(task, now)?.lateSeconds ?? 0) > 0) return 'risky'
  return !task.userId && end - now < soonMs ? 'risky' : 'none'
}
