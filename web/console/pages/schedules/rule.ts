import type { PreviewInput } from '../../../../contract/schedule.ts'
import type { Frequency, WeekOfMonth } from '../../../../core/recurrence.ts'
import { weekdayOf } from '../../../../core/shift-bounds.ts'
import type { Schedule } from '../../../api/data.ts'

/** When something repeats, as the form holds it. */
export interface RuleDraft {
  every: Frequency
  interval: string
  weekdays: readonly number[]
  /** `date`, or which one of the weekday: 1 to 4, or -1. */
  which: string
  monthDay: string
  weekday: number
  start: string
  end: string
  from: string
  until: string
  skipHolidays: boolean
}

export function draftOfRule(schedule: Schedule | undefined, today: string): RuleDraft {
  const from = schedule?.from ?? today
  const { every, interval, weekdays, monthDay, nth } = schedule?.repeats ?? { every: 'week' }
  return {
    every,
    interval: String(interval ?? 1),
    weekdays: weekdays ?? (schedule ? [weekdayOf(from)] : [1, 2, 3, 4, 5]),
    which: nth ? String(nth.week) : 'date',
    monthDay: String(monthDay ?? Number(from.slice(8))),
    weekday: nth?.weekday ?? weekdayOf(from),
    start: schedule ? (schedule.start ?? '') : '09:00',
    end: schedule?.end ?? '',
    from,
    until: schedule?.until ?? '',
    skipHolidays: schedule?.skipHolidays ?? false,
  }
}

/** The rule as the server takes it. */
export const ruleOf = (draft: RuleDraft): PreviewInput => ({
  repeats: {
    every: draft.every,
    interval: Number(draft.interval) || 1,
    ...(draft.every === 'week' && { weekdays: [...draft.weekdays] }),
    ...(draft.every === 'month' && draft.which === 'date' && { monthDay: Number(draft.monthDay) || 1 }),
    ...(draft.every === 'month' &&
      draft.which !== 'date' && { nth: { week: Number(draft.which) as WeekOfMonth, weekday: draft.weekday } }),
  },
  start: draft.start || null,
  end: draft.end || null,
  ...(draft.from && { from: draft.from }),
  until: draft.until || null,
  skipHolidays: draft.skipHolidays,
})
