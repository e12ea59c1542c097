import { InTransit, isEnded } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { riskOf, stopOf } from '../../tasks/risk.ts'

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
      if (riskOf(task, now) !== 'none') load.late += 1
      if (!load.next || comesBefore(task, load.next)) load.next = task
    }
  }
  return loads
}

/** A task in transit comes first, then route order, then the window that ends first. */
function comesBefore(one: Task, other: Task): boolean {
  const key = (task: Task) => [
    task.statusId === InTransit ? 0 : 1,
    stopOf(task)?.position ?? Number.MAX_SAFE_INTEGER,
    task.completeBefore ? Date.parse(task.completeBefore) : Number.MAX_SAFE_INTEGER,
    task.id,
  ]
  const [mine, theirs] = [key(one), key(other)]
  const at = mine.findIndex((value, place) => value !== theirs[place])
  return at >= 0 && (mine[at] as number) < (theirs[at] as number)
}
