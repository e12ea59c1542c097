import type { Task } from '../api/data.ts'
import { isShownOn } from '../tasks/day.ts'

/** The list with changed tasks replaced, removed or added. A change older than the list is ignored. */
export function mergeTasks(tasks: Task[], changed: Map<number, Task | undefined>, day: string, timeZone: string) {
  const known = new Set<number>()
  const merged: Task[] = []
  for (const task of tasks) {
    known.add(task.id)
    const next = changed.get(task.id)
    if (!changed.has(task.id)) merged.push(task)
    else if (next && next.updatedAt < task.updatedAt) merged.push(task)
    else if (next && isShownOn(next, day, timeZone)) merged.push(next)
  }
  for (const [id, task] of changed) if (task && !known.has(id) && isShownOn(task, day, timeZone)) merged.push(task)
  return merged
}
