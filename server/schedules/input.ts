import { type ErrorDetail, Refusal } from '../../contract/errors.ts'
import type { PreviewInput, ScheduledTask, ScheduleUpdate } from '../../contract/schedule.ts'
import type { Repeats, Series } from '../../core/recurrence.ts'
import { readTimeOfDay } from '../../core/shift.ts'
import { readDay } from '../../core/time.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Organisation } from '../organisations/queries.ts'
import { refuseDraft } from '../tasks/create/check.ts'
import type { ScheduleFields } from './queries.ts'

/* What is given for a schedule, as it is stored. */

/** Years for which days are reckoned. */
const years = { first: '2000-01-01', last: '2100-12-31' }

export function requireDay(field: string, text: string, timezone: string): string {
  const day = text.trim()
  if (readDay(day, timezone) && day >= years.first && day <= years.last) return day
  throw new Refusal('INVALID_TIME', { field, message: `${field} must look like 2026-11-15` })
}

function readClock(field: string, text: string | null): string | null {
  if (text === null) return null
  const time = readTimeOfDay(text)
  if (time !== undefined) return time
  throw new Refusal('INVALID_TIME', { field, message: `${field} must look like 09:30` })
}

const invalid = (field: string, message: string) => new Refusal('VALIDATION_FAILED', { field, message })

type Rule = Pick<
  ScheduleFields,
  'repeats' | 'start_time' | 'end_time' | 'from_day' | 'until_day' | 'count' | 'skips' | 'skip_holidays'
>

/** The rule with what is given on top. */
export function mergeRule(
  before: Omit<Rule, 'repeats'>,
  repeats: Repeats,
  input: Omit<PreviewInput, 'repeats'>,
  timezone: string,
): Rule {
  const from = input.from === undefined ? before.from_day : requireDay('from', input.from, timezone)
  const until = dayOrNull('until', input.until, before.until_day, timezone)
  const count = input.count === undefined ? before.count : input.count
  if (until !== null && count !== null) throw invalid('count', 'Give until or count, not both')
  if (until !== null && until < from)
    throw new Refusal('INVALID_TIME_WINDOW', { field: 'until', message: 'until is before from' })
  const skips = input.skips?.map((day, index) => requireDay(`skips.${index}`, day, timezone))
  return {
    repeats,
    start_time: input.start === undefined ? before.start_time : readClock('start', input.start),
    end_time: input.end === undefined ? before.end_time : readClock('end', input.end),
    from_day: from,
    until_day: until,
    count,
    skips: skips ? [...new Set(skips)].toSorted() : before.skips,
    skip_holidays: input.skipHolidays ?? before.skip_holidays,
  }
}

function dayOrNull(field: string, given: string | null | undefined, before: string | null, timezone: string) {
  if (given === undefined) return before
  return given === null ? null : requireDay(field, given, timezone)
}

/** A rule that nothing is known of yet. */
export const noRule = (today: string) => ({
  start_time: null,
  end_time: null,
  from_day: today,
  until_day: null,
  count: null,
  skips: [],
  skip_holidays: false,
})

/** What repeats, with nothing in it that does not belong to how often it does. */
export function readRepeats({ every, interval = 1, weekdays, monthDay, nth }: PreviewInput['repeats']): Repeats {
  if (monthDay !== undefined && nth !== undefined) throw invalid('repeats.nth', 'Give monthDay or nth, not both')
  return {
    every,
    interval,
    ...(every === 'week' && weekdays?.length && { weekdays: [...new Set(weekdays)].toSorted((a, b) => a - b) }),
    ...(every === 'month' && monthDay !== undefined && { monthDay }),
    ...(every === 'month' && nth && { nth: { week: nth.week, weekday: nth.weekday } }),
  }
}

export const seriesOf = (row: Rule): Series => ({
  repeats: row.repeats,
  from: row.from_day,
  until: row.until_day,
  count: row.count,
  skips: row.skips,
  skipHolidays: row.skip_holidays,
})

export const timesOf = (row: Pick<Rule, 'start_time' | 'end_time'>) => ({ start: row.start_time, end: row.end_time })

/** The prefix of AWBs, which itself must be one. */
export function readPrefix(input: ScheduleUpdate, before: string | null): string | null {
  const prefix = input.awbPrefix === undefined ? before : input.awbPrefix?.trim() || null
  if (prefix !== null && /[/\p{C}\p{Zl}\p{Zp}]/u.test(prefix))
    throw invalid('awbPrefix', 'awbPrefix must be printable characters without a slash')
  return prefix
}

/** Refuses a task that could not be created today, naming its fields where they stand in the body. */
export async function requireTask(context: Context, db: Db, organisation: Organisation, task: ScheduledTask) {
  const refusal = await refuseDraft(context, db, organisation, task)
  if (!refusal) return
  const within = (field: string) => `task.${field}`
  throw new Refusal(refusal.code, {
    message: refusal.message,
    status: refusal.status,
    rule: refusal.rule,
    ...(refusal.limit !== undefined && { limit: refusal.limit }),
    ...(refusal.field !== undefined && { field: within(refusal.field) }),
    ...(refusal.details && {
      details: refusal.details.map((detail): ErrorDetail => ({ ...detail, field: within(detail.field) })),
    }),
  })
}
