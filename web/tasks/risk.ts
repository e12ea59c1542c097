import type { Task } from '../api/data.ts'
import { isEnded } from './day.ts'

/** What planning has stored of a task's place in its driver's day. */
export interface Stop {
  position: number
  arrivalTime: string
  distanceMetres: number
  waitSeconds: number
  lateSeconds: number
}

/** `route` is any JSON on the wire; what planning writes there has this shape. */
export const stopOf = (task: Task): Stop | undefined => (task.route as Stop | null) ?? undefined

const soonMs = 45 * 60_000

/** How a task stands against its window: `late` is past it, `risky` is planned past it or about to run out unassigned. */
export function riskOf(task: Task, now: number): 'late' | 'risky' | 'none' {
  if (!task.completeBefore) return 'none'
  const end = Date.parse(task.completeBefore)
  if (isEnded(task)) return task.completedAt && Date.parse(task.completedAt) > end ? 'late' : 'none'
  if (now > end) return 'late'
  const stop = stopOf(task)
  if (task.userId && stop && Date.parse(stop.arrivalTime) > end) return 'risky'
  return !task.userId && end - now < soonMs ? 'risky' : 'none'
}
