import type { PhoneTask } from '../../../contract/sync.ts'
import { nextMoveAtStop } from '../../../core/driver/rules.ts'
import { sumAmounts } from '../../../core/money.ts'
import type { Settings } from '../../../core/settings.ts'
import { stopWith } from '../../../core/stop.ts'
import { dayOf, isOfToday } from '../../../core/task-day.ts'
import { InTransit, isOpen } from '../../../core/task-status.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { stopOf } from '../../../phone/stop.ts'
import { useDay, useNow } from './day.ts'

/** The open tasks of today in the order in which the driver goes: what is on its way is before the rest. */
export const dueToday = <Task extends Pick<PhoneTask, 'statusId' | 'completeAfter'>>(
  tasks: readonly Task[],
  today: string,
  timeZone: string,
): Task[] =>
  tasks
    .filter((task) => isOpen(task) && isOfToday(task, today, timeZone))
    .toSorted((one, other) => Number(other.statusId === InTransit) - Number(one.statusId === InTransit))

/** The open tasks of the stop with this one; none if it has ended, or is not of today. */
export function useParcels(taskId: number): ShownTask[] {
  const { tasks, day } = useDay()
  const { timezone } = day.user.company
  const due = dueToday(tasks, dayOf(useNow(), timezone), timezone)
  const task = due.find(({ id }) => id === taskId)
  return task ? stopWith(due, task, ({ address }) => address) : []
}

/** What comes next at a stop, and for which of its tasks. */
export function nextAt(parcels: readonly ShownTask[], settings: Settings) {
  const found = nextMoveAtStop(
    parcels.map((task) => ({ ...stopOf(task), task })),
    settings,
  )
  return found && { move: found.move, tasks: found.tasks.map(({ task }) => task) }
}

export const totalLeft = (parcels: readonly ShownTask[]): number =>
  sumAmounts(parcels.map(({ leftToBePaid }) => Math.max(0, leftToBePaid ?? 0)))
