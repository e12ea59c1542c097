import type { PhoneTask } from '../../../contract/sync.ts'
import { dayOf } from '../../../core/task-day.ts'
import { isEnded, isOpen } from '../../../core/task-status.ts'
import { dueToday } from '../looks/parcels.ts'

/** What the list of the route shows. */
export interface Listed<Task> {
  /** The one to go to: what is on its way, else the first of the route. */
  next: Task | undefined
  /** The other open ones of today, in order. */
  rest: Task[]
  /** Open ones that may only begin on a later day. */
  later: Task[]
  /** What ended today, the last one first. */
  done: Task[]
}

type Dated = Pick<PhoneTask, 'statusId' | 'completeAfter' | 'completedAt'>

/** The tasks of the day, in the order of the route, as the driver meets them. */
export function listTasks<Task extends Dated>(tasks: readonly Task[], now: number, timeZone: string): Listed<Task> {
  const today = dayOf(now, timeZone)
  const open = tasks.filter(isOpen)
  const due = dueToday(open, today, timeZone)
  const [next] = due
  const at = ({ completedAt }: Task) => completedAt ?? ''
  return {
    next,
    rest: due.filter((task) => task !== next),
    later: open.filter((task) => !due.includes(task)),
    done: tasks
      .filter((task) => isEnded(task) && (!task.completedAt || dayOf(task.completedAt, timeZone) >= today))
      .sort((one, other) => at(other).localeCompare(at(one))),
  }
}
