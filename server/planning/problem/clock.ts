import { Refusal } from '../../../contract/errors.ts'
import { dayOf } from '../../../core/task-day.ts'
import { endOfDay, readDay, startOfDay } from '../../../core/time.ts'

/** Planning counts in seconds from now; days begin and end in the organisation's time zone. */
export interface Clock {
  /** Of another day than today, its beginning. */
  now: Date
  timezone: string
  /** The day that is planned, and today, as YYYY-MM-DD. */
  day: string
  today: string
}

/** The clock of a plan for today, or for the day that is asked for: a later one. */
export function clockFor(now: Date, timezone: string, wanted?: string | null): Clock {
  const today = dayOf(now, timezone)
  if (!wanted) return { now, timezone, day: today, today }
  const day = wanted.trim()
  const bounds = readDay(day, timezone)
  if (!bounds) throw new Refusal('INVALID_TIME', { field: 'day', message: 'day must look like 2026-11-15' })
  if (day < today) throw new Refusal('INVALID_TIME', { field: 'day', message: 'day must be today or later' })
  return { now: day === today ? now : bounds.start, timezone, day, today }
}

export const isForToday = ({ day, today }: Clock) => day === today

/** The day that is planned, with its first and its last instant. */
export const boundsOfDay = (clock: Clock) => ({
  day: clock.day,
  start: startOfDay(clock.now, clock.timezone),
  end: endOfDay(clock.now, clock.timezone),
  isToday: isForToday(clock),
})

export const secondsFrom = ({ now }: Clock, time: number) => Math.round((time - now.getTime()) / 1000)

/** Longer than any plan; the optimiser needs a number. */
export const never = 1e10
