import { dayOf, isOfDay } from '../../core/task-day.ts'
import { isEnded } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'

export { addDays } from '../../core/day-range.ts'

/** The fields that decide to which day a task belongs. */
export type Dated = Pick<Task, 'statusId' | 'completedAt' | 'completeAfter' | 'completeBefore'>

export const today = (timeZone: string) => dayOf(Date.now(), timeZone)
const todayIn = today

/** Whether a task belongs on the board of a day, by the same rule as on the server. */
export const isShownOn = (task: Dated, day: string, timeZone: string): boolean =>
  isOfDay(task, day, todayIn(timeZone), timeZone)

/** The day on which to show a task: the selected one if it belongs there, else today, else the day it is meant for. */
export function dayToFind(task: Dated, shown: string, timeZone: string): string {
  const listed = [shown, todayIn(timeZone)].find((day) => isShownOn(task, day, timeZone))
  const meant = isEnded(task) ? task.completedAt : (task.completeAfter ?? task.completeBefore)
  return listed ?? dayOf(meant ?? Date.now(), timeZone)
}

/** A task created while a future day is shown is for that day, unless the person chooses another window. */
export const wholeDay = (day: string, today: string) =>
  day > today ? { completeAfter: `${day}T00:00`, completeBefore: `${day}T23:59` } : {}
