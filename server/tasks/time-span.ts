import { Refusal } from '../../contract/errors.ts'
import { mostReportDays } from '../../contract/limits.ts'
import { daysIn } from '../../core/day-range.ts'
import { dayOf } from '../../core/task-day.ts'
import { readDay, readTime, startOfDay } from '../../core/time.ts'

/** A time span as a query names it: from the beginning of today until now, unless it says otherwise. */
export function readSpan(query: { from?: string; to?: string }, timezone: string, now: Date, longestHours: number) {
  const longestMs = longestHours * 3_600_000
  const read = (field: 'from' | 'to', otherwise: Date) => {
    const text = query[field]
    const time = text === undefined ? otherwise : readTime(text, timezone)
    if (!time) throw new Refusal('INVALID_TIME', { field, message: `${field} must look like 2026-11-15T09:30:00Z` })
    return time
  }
  const from = read('from', startOfDay(now, timezone))
  const to = read('to', new Date(Math.min(now.getTime(), from.getTime() + longestMs)))
  if (to < from || to.getTime() - from.getTime() > longestMs)
    throw new Refusal('VALIDATION_FAILED', { field: 'to', message: `to must be 0 to ${longestHours} hours after from` })
  return { from, to }
}

/** Some days of the organisation's time zone, the last included: today, unless the query says otherwise. */
export function readDays(query: { from?: string; to?: string }, timezone: string, now: Date) {
  const today = dayOf(now, timezone)
  const from = (query.from ?? query.to ?? today).trim()
  const to = (query.to ?? query.from ?? today).trim()
  const read = (field: 'from' | 'to', text: string) => {
    const day = readDay(text, timezone)
    if (!day) throw new Refusal('INVALID_TIME', { field, message: `${field} must look like 2026-11-15` })
    return day
  }
  const [first, last] = [read('from', from), read('to', to)]
  if (from > to || daysIn({ from, to }) > mostReportDays)
    throw new Refusal('VALIDATION_FAILED', {
      field: 'to',
      message: `to must be from, or at most ${mostReportDays - 1} days later`,
    })
  return { from, to, start: first.start, end: last.end, isTodayIn: from <= today && today <= to }
}
