import type { Repeats } from '../../../../core/recurrence.ts'
import { weekdayOf } from '../../../../core/shift-bounds.ts'
import type { Language } from '../../../../core/words/languages.ts'
import type { Say } from '../record-words.ts'

/* When something repeats, as a dispatcher would say it. */

interface Rule {
  repeats: Omit<Repeats, 'interval'> & { interval?: number | undefined }
  from: string
  start: string | null
  end: string | null
  skipHolidays: boolean
}

// 2 January 2023 was a Monday.
const dateOf = (weekday: number) => new Date(Date.UTC(2023, 0, 1 + weekday))

export const weekdayName = (weekday: number, language: Language, length: 'long' | 'short' = 'long') =>
  new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' }).format(dateOf(weekday))

export const dayName = (day: string, language: Language) =>
  new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T12:00:00Z`))

export function tellRule({ repeats, from, start, end, skipHolidays }: Rule, say: Say, language: Language): string {
  const hours =
    start && end
      ? say('rule_at', { from: start, to: end })
      : start
        ? say('rule_from', { from: start })
        : end && say('rule_to', { to: end })
  return [tellDays(repeats, from, say, language), hours, skipHolidays && say('rule_holidays')]
    .filter(Boolean)
    .join(', ')
}

function tellDays(
  { every, interval = 1, weekdays, monthDay, nth }: Rule['repeats'],
  from: string,
  say: Say,
  language: Language,
) {
  if (every === 'day') return say('rule_day', { n: interval })
  if (every === 'week') {
    const days = weekdays?.length ? weekdays : [weekdayOf(from)]
    if (interval === 1 && days.join() === '1,2,3,4,5') return say('rule_weekdays')
    const names = days.map((day) => weekdayName(day, language))
    return say('rule_week', { n: interval, days: new Intl.ListFormat(language).format(names) })
  }
  if (!nth) return say('rule_date', { n: interval, day: monthDay ?? Number(from.slice(8)) })
  const weekday = weekdayName(nth.weekday, language)
  const which = nth.week === -1 ? say('nth_last', { weekday }) : say(`nth_${nth.week}`, { weekday })
  return say('rule_nth', { n: interval, which })
}
