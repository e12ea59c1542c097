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
  return day === today ? isOfToday(task, today, timeZone) : isMeantFor(task, day, timeZone)
}

/** Whether the window of a task includes a part of a day. */
function isMeantFor({ completeAfter, completeBefore }: Window, day: string, timeZone: string): boolean {
  const [first, last] = [completeAfter ?? completeBefore, completeBefore ?? completeAfter]
  return first !== null && last !== null && dayOf(first, timeZone) <= day && dayOf(last, timeZone) >= day
}
type Window = Pick<Dated, 'completeAfter' | 'completeBefore'>

/**
 * Whether a task belongs to the route of a day: the rule of today, for any day. A later day has the open tasks meant for
 * it, except one that is on its way and one that is planned for another day on which it may be done: who plans
 * Wednesday takes nothing from Tuesday.
 */
export function isOfRoute(
  task: Omit<Dated, 'completedAt'> & { plannedFor: Moment | null },
  day: string,
  today: string,
  timeZone: string,
): boolean {
  if (day === today) return isOfToday(task, today, timeZone)
  if (!isOpen(task) || task.statusId === InTransit || !isMeantFor(task, day, timeZone)) return false
  const planned = task.plannedFor === null ? day : dayOf(task.plannedFor, timeZone)
  return planned === day || !isMeantFor(task, planned, timeZone)
}

/** Whether a task comes before those of a later day: it is of today, or planned or meant for a day in between. */
export function isBeforeDay(
  task: Dated & { plannedFor: Moment | null },
  day: string,
  today: string,
  timeZone: string,
): boolean {
  if (day === today || isOfToday(task, today, timeZone)) return day !== today
  const planned = task.plannedFor === null ? null : dayOf(task.plannedFor, timeZone)
  if (planned !== null && isMeantFor(task, planned, timeZone)) return planned < day
  const first = task.completeAfter ?? task.completeBefore
  return first !== null && dayOf(first, timeZone) < day
}
