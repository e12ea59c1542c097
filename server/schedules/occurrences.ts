import { Refusal } from '../../contract/errors.ts'
import { mostOccurrenceDays } from '../../contract/limits.ts'
import type { Occurrence, OccurrenceQuery, PreviewDay, PreviewInput } from '../../contract/schedule.ts'
import { addDays, daysIn } from '../../core/day-range.ts'
import { windowOn } from '../../core/occurrence-window.ts'
import { daysOf, leftOut, nextDays } from '../../core/recurrence.ts'
import { dayOf } from '../../core/task-day.ts'
import type { Context } from '../context.ts'
import type { Organisation } from '../organisations/queries.ts'
import { readHolidays } from './holidays.ts'
import { mergeRule, noRule, readRepeats, requireDay, seriesOf, timesOf } from './input.ts'
import { findSchedule, listMade, type ScheduleRow } from './queries.ts'

/* The days of a schedule: those with a task, those to come, and those left out. */

type Rule = Parameters<typeof seriesOf>[0]

function presentDay(rule: Rule, day: string, holidays: ReadonlyMap<string, string>, timezone: string): PreviewDay {
  const { after, before } = windowOn(day, timesOf(rule), timezone)
  return {
    day,
    completeAfter: after.toISOString(),
    completeBefore: before.toISOString(),
    leftOut: leftOut(seriesOf(rule), day, (one) => holidays.has(one)) ?? null,
    holiday: holidays.get(day) ?? null,
  }
}

/** Dates to show before a schedule is stored. */
const mostShown = 10
/** Holidays are looked up for so long; what repeats more rarely is shown as far as that. */
const lookAheadDays = 5 * 366

export async function previewSchedule(context: Context, organisation: Organisation, input: PreviewInput) {
  const { timezone } = organisation
  const today = dayOf(context.clock.now(), timezone)
  const rule = mergeRule(noRule(today), readRepeats(input.repeats), input, timezone)
  const first = rule.from_day > today ? rule.from_day : today
  const holidays = await readHolidays(context.db, organisation, first, addDays(first, lookAheadDays))
  const isHoliday = (day: string) => holidays.has(day)
  const last = nextDays(seriesOf(rule), first, mostShown, isHoliday).at(-1)
  const days = last === undefined ? [] : [...daysOf(seriesOf(rule), first, last)]
  return days.map((day) => presentDay(rule, day, holidays, timezone))
}

const usualDays = 31

export async function listOccurrences(
  { db, clock }: Context,
  organisation: Organisation,
  id: number,
  query: OccurrenceQuery,
): Promise<Occurrence[]> {
  const schedule = await findSchedule(db, organisation.id, id)
  if (!schedule) throw new Refusal('SCHEDULE_NOT_FOUND')
  const { timezone } = organisation
  const from = query.from === undefined ? dayOf(clock.now(), timezone) : requireDay('from', query.from, timezone)
  const to = query.to === undefined ? addDays(from, usualDays) : requireDay('to', query.to, timezone)
  if (to < from || daysIn({ from, to }) > mostOccurrenceDays)
    throw new Refusal('INVALID_TIME', {
      field: 'to',
      message: `to must be from ${from} on, at most ${mostOccurrenceDays} days`,
    })
  const made = new Map((await listMade(db, organisation.id, id, from, to)).map((one) => [one.day, one]))
  const holidays = await readHolidays(db, organisation, from, to)
  const days = new Set([...daysOf(seriesOf(schedule), from, to), ...made.keys()])
  return [...days].toSorted().map((day) => {
    const task = made.get(day)
    return {
      ...presentDay(schedule, day, holidays, timezone),
      taskId: task?.task_id ?? null,
      awb: task?.awb ?? null,
      statusId: task?.status_id ?? null,
      isChanged: task?.is_changed ?? false,
    }
  })
}

/** The next day on which a schedule happens; none while it is paused. */
export function nextDayOf(schedule: ScheduleRow, today: string, holidays: ReadonlyMap<string, string>): string | null {
  if (schedule.is_paused) return null
  return nextDays(seriesOf(schedule), today, 1, (day) => holidays.has(day))[0] ?? null
}
