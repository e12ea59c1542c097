import { addDays } from './day-range.ts'
import { boundsOf, midnight } from './shift-bounds.ts'
import { readTime } from './time.ts'

/**
 * The window of a day between two times of day, in a zone. With only a start it lasts until midnight, with only an end it
 * begins there, with neither it is the whole day; an end that is not after the start is on the next day. An end at midnight
 * is the last second before: the task would belong to the next day too. Where the clocks are put forward over it, the
 * window moves along and keeps at least its length by the clock.
 */
export function windowOn(
  day: string,
  times: { start: string | null; end: string | null },
  timeZone: string,
): { after: Date; before: Date } {
  const { start, end } = boundsOf(times) ?? { start: midnight, end: midnight }
  const isOverMidnight = end !== midnight && end <= start
  const after = readTime(`${day} ${start}`, timeZone) as Date
  const last = end === midnight ? '23:59:59' : end
  const before = readTime(`${isOverMidnight ? addDays(day, 1) : day} ${last}`, timeZone) as Date
  if (before > after) return { after, before }
  return { after, before: new Date(after.getTime() + (minutesOf(end) - minutesOf(start)) * 60_000) }
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
