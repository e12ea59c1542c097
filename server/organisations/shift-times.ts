import type { ErrorDetail } from '../../contract/errors.ts'
import { readTimeOfDay } from '../../core/shift.ts'
import type { WeekdayShift } from '../../core/shift-bounds.ts'

/** Hours by day of the week, of an organisation or a driver: sorted by day, one for each. */
export function readShiftTimes(given: readonly WeekdayShift[], problems: ErrorDetail[]): WeekdayShift[] {
  const read = (index: number, part: 'start' | 'end', text: string) => {
    const time = readTimeOfDay(text)
    const field = `shiftTimes.${index}.${part}`
    if (time === undefined)
      problems.push({ field, code: 'INVALID_TIME', message: `${field} must look like 8:30 or 08:30` })
    return time ?? ''
  }
  const twice = given.findIndex(({ day }, index) => given.findIndex((other) => other.day === day) !== index)
  if (twice >= 0) {
    const message = `shiftTimes lists day ${given[twice]?.day} twice`
    problems.push({ field: `shiftTimes.${twice}.day`, code: 'VALIDATION_FAILED', message })
  }
  return given
    .map(({ day, start, end }, index) => ({ day, start: read(index, 'start', start), end: read(index, 'end', end) }))
    .sort((one, other) => one.day - other.day)
}
