import { type ErrorDetail, Refusal } from '../../contract/errors.ts'
import type { TaskUpdate } from '../../contract/task.ts'
import { readTime } from '../../core/time.ts'
import type { Organisation } from '../organisations/queries.ts'

/** The given times: undefined if not given, null if cleared. */
export function readWindow(input: TaskUpdate, { timezone }: Organisation, problems: ErrorDetail[]) {
  const read = (field: 'completeAfter' | 'completeBefore') => {
    const text = input[field]
    if (text === undefined || text === null) return text
    const time = readTime(text, timezone)
    if (!time) {
      const message = `${field} must look like 2026-11-15 09:30:00 or 2026-11-15T09:30:00+02:00`
      problems.push({ field, code: 'INVALID_TIME', message })
    }
    return time
  }
  return { after: read('completeAfter'), before: read('completeBefore') }
}

export function requireOrderedWindow(after: Date | null, before: Date | null) {
  if (!after || !before || after <= before) return
  const message = 'completeAfter is later than completeBefore'
  throw new Refusal('INVALID_TIME_WINDOW', { field: 'completeBefore', message })
}
