/* Separate from `shift.ts`, because browsers do not have Temporal yet. */

export const midnight = '00:00'

/**
 * When a shift begins and ends. With only a start it lasts until midnight, with only an end it begins at midnight. An
 * end that is not after the start is on the next day, so the same time twice is a whole day. Undefined without a shift.
 */
export function boundsOf({
  start,
  end,
}: {
  start: string | null
  end: string | null
}): { start: string; end: string } | undefined {
  if (start === null && end === null) return undefined
  return { start: start ?? midnight, end: end ?? midnight }
}

/** The shift of a day of the week, Monday (1) to Sunday (7). */
export interface WeekdayShift {
  day: number
  start: string
  end: string
}

interface Week {
  start: string | null
  end: string | null
  shiftTimes?: readonly WeekdayShift[]
}

/** The shifts of a driver: their own, or, if they have none, the opening hours of the organisation. */
export const shiftsOf = (own: Week, openingHours: readonly WeekdayShift[]): Week =>
  own.start === null && own.end === null && !own.shiftTimes?.length ? { ...own, shiftTimes: openingHours } : own

/** The day of the week of a date (YYYY-MM-DD), Monday (1) to Sunday (7). */
export const weekdayOf = (date: string) => new Date(`${date}T12:00:00Z`).getUTCDay() || 7

/** The hours of a shift that begins on a date. Whoever has shifts of weekdays is free on all the others. */
export function hoursOn({ start, end, shiftTimes = [] }: Week, date: string) {
  if (shiftTimes.length === 0) return { start, end, isDayOff: false }
  const own = shiftTimes.find(({ day }) => day === weekdayOf(date))
  return own ? { start: own.start, end: own.end, isDayOff: false } : { start: null, end: null, isDayOff: true }
}
