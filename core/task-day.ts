import { InTransit, isEnded, type StatusId } from './task-status.ts'

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

/** Whether a task is not meant for a later day. A task left from an earlier day counts on every later one. */
export const isDueBy = ({ completeAfter }: Pick<Dated, 'completeAfter'>, day: string, timeZone: string): boolean =>
  completeAfter === null || dayOf(completeAfter, timeZone) <= day

/**
 * Whether a task belongs on the board of a day: it ended on it, or it is open and its window does not begin later. Open
 * tasks of earlier days stay on today's board; another day shows only tasks meant for it, and a window with only a
 * start or an end is meant for the day of that time. The SQL of `day` in `GET /tasks` is the same rule
 * (server/tasks/list/queries.ts); one table of cases tests both.
 */
export function isOfDay(task: Dated, day: string, today: string, timeZone: string): boolean {
  if (isEnded(task)) return task.completedAt !== null && dayOf(task.completedAt, timeZone) === day
  if (day === today) return isDueBy(task, day, timeZone) || task.statusId === InTransit
  const first = task.completeAfter ?? task.completeBefore
  const last = task.completeBefore ?? task.completeAfter
  return first !== null && last !== null && dayOf(first, timeZone) <= day && dayOf(last, timeZone) >= day
}
