import type { Driver } from '../../../api/data.ts'

type ShiftTimes = Driver['shiftTimes']

/** “Mon–Fri 08:00–16:00, Sat 09:00–13:00”: days that follow each other with the same hours are one. */
export function describeWeek(shiftTimes: ShiftTimes, nameOf: (day: number) => string): string {
  const groups: { first: number; last: number; hours: string }[] = []
  for (const { day, start, end } of shiftTimes) {
    const hours = `${start}–${end}`
    const before = groups.at(-1)
    if (before && before.hours === hours && before.last === day - 1) before.last = day
    else groups.push({ first: day, last: day, hours })
  }
  const daysOf = ({ first, last }: { first: number; last: number }) =>
    first === last ? nameOf(first) : `${nameOf(first)}–${nameOf(last)}`
  return groups.map((group) => `${daysOf(group)} ${group.hours}`).join(', ')
}

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** The name of a day of the week, 1 Monday to 7 Sunday. */
export const weekdayName = (language: string, day: number, length: 'short' | 'long') =>
  // The first of January 2024 was a Monday.
  new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, day)))
