import { isEnded } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { isAtRisk } from '../../tasks/risk.ts'
import { compareOnRoute } from './route.ts'

/** The progress of one driver's day. */
export interface Load {
  done: number
  total: number
  late: number
  open: Task[]
  next: Task | undefined
}
export const noLoad: Load = { done: 0, total: 0, late: 0, open: [], next: undefined }

/** The load of every driver who has tasks. */
export function loadsOf(tasks: Task[], now: number): Map<number, Load> {
  const loads = new Map<number, Load>()
  for (const task of tasks) {
    if (!task.userId) continue
    const load = loads.get(task.userId) ?? { ...noLoad, open: [] }
    loads.set(task.userId, load)
    load.total += 1
    if (isEnded(task)) load.done += 1
    else {
      load.open.push(task)
      if (isAtRisk(task, now)) load.late += 1
      if (!load.next || compareOnRoute(task, load.next) < 0) load.next = task
    }
  }
  return loads
}
