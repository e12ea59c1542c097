import { Refusal } from '../../contract/errors.ts'
import { readTime, startOfDay } from '../../core/time.ts'

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
