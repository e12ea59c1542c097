import { InTransit, isEnded, isOpen, type StatusId } from './task-status.ts'

type Moment = Date | string | number

const formats = new Map<string, Intl.DateTimeFormat>()
const dayFormat = (timeZone: string) => {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(timeZone, made)
  return made
}

/** The day of a moment in a zone, as YYYY-MM-DD. */
export const dayOf = (moment: Moment, timeZone: string) =>
  dayFormat(timeZone).format(new Date(moment)).padStart(10, '0')

/** The fields that decide to which day a task belongs. */
export interface Dated {
  statusId: StatusId
  completedAt: Moment | null
  completeAfter: Moment | null
  completeBefore: Moment | null
}

/**
 * Whether a task belongs to today, its driver's and the office's: it is open and not meant for a later day. A task left
 * from an earlier day does; so does one that is on its way, whatever its window says. Routes, starts that happen by
 * themselves, stops before a customer and what is told to them all ask this. Its SQL is `isOfToday` of
 * server/tasks/read/conditions.ts; one table of cases tests both.
 */
export const isOfToday = (task: Pick<Dated, 'statusId' | 'completeAfter'>, today: string, timeZone: string): boolean =>
  isOpen(task) &&
  (task.completeAfter === null || dayOf(task.completeAfter, timeZone) <= today || task.statusId === InTransit)

/**
 * Whether a task belongs on the board of a day: it ended on it, or it is open and meant for it. Today's board has what
 * belongs to today; another day shows only tasks meant for it, and a window with only a
 * start or an end is meant for the day of that time. The SQL of `day` in `GET /tasks` is the same rule
 * (server/tasks/list/queries.ts); one table of cases tests both.
 */
export function isOfDay(task: Dated, day: string, today: string, timeZone: string): boolean {
  if (isEnded(task)) return task.completedAt !== null && dayOf(task.completedAt, timeZone) === day
  if (day === today) return isOfToday(task, today, timeZone)
  const first = task.completeAfter ?? task.completeBefore
  const last = task.completeBefore ?? task.completeAfter
  return first !== null && last !== null && dayOf(first, timeZone) <= day && dayOf(last, timeZone) >= day
}
