import { addDays } from './day-range.ts'
import { weekdayOf } from './shift-bounds.ts'

/*
 * On which days something repeats. Only days, as YYYY-MM-DD: what an hour of such a day is in a zone, `occurrence-window`
 * says. Without Temporal, so that a page can ask it too.
 */

export const frequencies = ['day', 'week', 'month'] as const
export type Frequency = (typeof frequencies)[number]

/** Of a month: the first to the fourth, or the last (-1). */
export const weeksOfMonth = [1, 2, 3, 4, -1] as const
export type WeekOfMonth = (typeof weeksOfMonth)[number]

export interface Repeats {
  every: Frequency
  /** Every so many days, weeks or months, counted from the first day. */
  interval: number
  /** Of `week`: Monday (1) to Sunday (7). Without any, the weekday of the first day. */
  weekdays?: readonly number[]
  /** Of `month`: a shorter month has it on its last day. Without it and without `nth`, the day of the first day. */
  monthDay?: number | undefined
  /** Of `month`: such as the first Monday. */
  nth?: { week: WeekOfMonth; weekday: number } | undefined
}

export interface Recurrence {
  repeats: Repeats
  /** The first day on which it may happen. */
  from: string
  /** The last one, if there is one. */
  until: string | null
  /** How often it happens at most. Days that are left out count, so leaving one out moves no end. */
  count: number | null
}

/** A recurrence with the days that are left out. */
export interface Series extends Recurrence {
  skips: readonly string[]
  skipHolidays: boolean
}

const dayMs = 86_400_000
/** Days since 1970; day 0 was a Thursday. */
const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs
const dayAt = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)
const mondayBefore = (number: number) => number - ((number + 3) % 7)
const lastDayOf = (day: string) => new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()
const monthsOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** Whether it happens on a day that is not before its first. */
function matches({ repeats, from }: Recurrence, number: number, start: number): boolean {
  const { every, interval } = repeats
  if (every === 'day') return (number - start) % interval === 0
  const day = dayAt(number)
  if (every === 'week') {
    const weeks = (mondayBefore(number) - mondayBefore(start)) / 7
    const weekdays = repeats.weekdays?.length ? repeats.weekdays : [weekdayOf(from)]
    return weeks % interval === 0 && weekdays.includes(weekdayOf(day))
  }
  return (monthsOf(day) - monthsOf(from)) % interval === 0 && isItsDayOfMonth(repeats, day, from)
}

function isItsDayOfMonth({ nth, monthDay }: Repeats, day: string, from: string): boolean {
  const date = Number(day.slice(8))
  const last = lastDayOf(day)
  if (!nth) return date === Math.min(monthDay ?? Number(from.slice(8)), last)
  if (weekdayOf(day) !== nth.weekday) return false
  return nth.week === -1 ? date + 7 > last : Math.ceil(date / 7) === nth.week
}

/** The days on which it happens among those from the first to the last, both included, one after the other. */
export function* daysOf(recurrence: Recurrence, first: string, last: string): Generator<string> {
  const { from, until, count } = recurrence
  const [start, earliest] = [numberOf(from), numberOf(first)]
  const end = Math.min(numberOf(last), until === null ? Number.POSITIVE_INFINITY : numberOf(until))
  let happened = 0
  // What is counted is counted from the beginning.
  for (let number = count === null ? Math.max(start, earliest) : start; number <= end; number += 1) {
    if (!matches(recurrence, number, start)) continue
    happened += 1
    if (count !== null && happened > count) return
    if (number >= earliest) yield dayAt(number)
  }
}

/** Why a day on which a series happens is left out, if it is. */
export type LeftOut = 'skipped' | 'holiday'
export function leftOut(
  { skips, skipHolidays }: Pick<Series, 'skips' | 'skipHolidays'>,
  day: string,
  isHoliday: (day: string) => boolean,
): LeftOut | undefined {
  if (skips.includes(day)) return 'skipped'
  return skipHolidays && isHoliday(day) ? 'holiday' : undefined
}

/** How far ahead the next days are looked for: what repeats more rarely has none to show. */
const farAheadDays = 5 * 366

/** The next days on which a series really happens, from that day on. */
export function nextDays(series: Series, first: string, most: number, isHoliday: (day: string) => boolean): string[] {
  const found: string[] = []
  const begin = first > series.from ? first : series.from
  for (const day of daysOf(series, begin, addDays(begin, farAheadDays))) {
    if (found.length >= most) break
    if (!leftOut(series, day, isHoliday)) found.push(day)
  }
  return found
}
