import type { Task } from '../api/data.ts'
import { isShownOn } from '../tasks/day.ts'

type Changed = Map<number, Task | undefined>

/** The list with changed tasks replaced or removed, whatever their day. A change older than the list is ignored. */
export const replaceTasks = (tasks: Task[], changed: Changed): Task[] =>
  tasks.flatMap((task) => {
    if (!changed.has(task.id)) return [task]
    const next = changed.get(task.id)
    return next && next.updatedAt < task.updatedAt ? [task] : (next ?? [])
  })

/** The same for the list of a day: tasks that now belong to it are added, those that left it are removed. */
export function mergeTasks(tasks: Task[], changed: Changed, day: string, timeZone: string) {
  const known = new Set(tasks.map(({ id }) => id))
  const isNew = (task: Task) => task === changed.get(task.id)
  const merged = replaceTasks(tasks, changed).filter((task) => !isNew(task) || isShownOn(task, day, timeZone))
  for (const [id, task] of changed) if (task && !known.has(id) && isShownOn(task, day, timeZone)) merged.push(task)
  return merged
}
