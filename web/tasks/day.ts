import { Failed, InTransit, Succeeded } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
const dayFormat = (timeZone: string) => {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(timeZone, made)
  return made
}

/** The day of a moment in a zone, as YYYY-MM-DD. */
export const dayOf = (moment: Date | string | number, timeZone: string) => dayFormat(timeZone).format(new Date(moment))

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** What decides to which day a task belongs. */
export type Dated = Pick<Task, 'statusId' | 'completedAt' | 'updatedAt' | 'completeAfter' | 'completeBefore'>

export const isEnded = ({ statusId }: Pick<Task, 'statusId'>) => statusId === Succeeded || statusId === Failed

/**
 * Whether a task belongs on the board of a day: it ended on it, or it is still to be done and its window does not begin
 * later. Open tasks of earlier days stay on today's board; another day shows only what is meant for it. The server lists
 * the tasks of a day by the same rule (`day` of `GET /tasks`).
 */
export function isOfDay(task: Dated, day: string, timeZone: string): boolean {
  if (isEnded(task)) return dayOf(task.completedAt ?? task.updatedAt, timeZone) === day
  const today = dayOf(Date.now(), timeZone)
  const first = task.completeAfter && dayOf(task.completeAfter, timeZone)
  const last = task.completeBefore && dayOf(task.completeBefore, timeZone)
  if (day === today) return first === null || first <= day || task.statusId === InTransit
  return (first ?? last ?? '') <= day && (last ?? first ?? '') >= day
}

/** The day under which a task is found: the one that is shown if it is there, else today, else the one it is meant for. */
export function dayToFind(task: Dated, shown: string, timeZone: string): string {
  const today = dayOf(Date.now(), timeZone)
  const listed = [shown, today].find((day) => isOfDay(task, day, timeZone))
  const meant = isEnded(task) ? (task.completedAt ?? task.updatedAt) : (task.completeAfter ?? task.completeBefore)
  return listed ?? dayOf(meant ?? Date.now(), timeZone)
}

/** What is made while a day to come is shown is meant for that day, unless somebody says otherwise. */
export const wholeDay = (day: string, today: string) =>
  day > today ? { completeAfter: `${day}T00:00`, completeBefore: `${day}T23:59` } : {}
