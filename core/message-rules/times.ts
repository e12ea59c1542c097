import type { Language } from '../words/languages.ts'
import { makeSay } from '../words/say.ts'
import { serverTexts } from '../words/server.ts'

/* How messages name times: in the zone of the organisation, short, and with a date only if it is not today. */

/** What stands in the places of a text. */
export const sayIn = (language: Language) => makeSay(language, serverTexts[language].messages)

interface Now {
  now: Date
  timezone: string
  language: Language
}

const inZone = (time: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timezone)

const two = (number: number) => String(number).padStart(2, '0')
const clockTime = ({ hour, minute }: Temporal.ZonedDateTime) => `${two(hour)}:${two(minute)}`
const dateOf = ({ day, month }: Temporal.ZonedDateTime) => `${two(day)}.${two(month)}`
const isSameDay = (one: Temporal.ZonedDateTime, other: Temporal.ZonedDateTime) =>
  one.toPlainDate().equals(other.toPlainDate())

export function describeArrival(arrival: Date | null, { now, timezone, language }: Now): string {
  if (!arrival) return sayIn(language)('soon')
  const then = inZone(arrival, timezone)
  return isSameDay(then, inZone(now, timezone)) ? clockTime(then) : `${dateOf(then)} ${clockTime(then)}`
}

/** Empty if the task may be done at any time. */
export function describeWindow(after: Date | null, before: Date | null, { now, timezone, language }: Now): string {
  const today = inZone(now, timezone)
  const say = sayIn(language)
  const whole = (time: Temporal.ZonedDateTime) =>
    isSameDay(time, today) ? clockTime(time) : `${dateOf(time)} ${clockTime(time)}`
  if (after && before) {
    const [start, end] = [inZone(after, timezone), inZone(before, timezone)]
    return isSameDay(start, end) ? `${whole(start)}-${clockTime(end)}` : `${whole(start)} - ${whole(end)}`
  }
  if (after) return say('from', { time: whole(inZone(after, timezone)) })
  return before ? say('until', { time: whole(inZone(before, timezone)) }) : ''
}

export interface QuietHours {
  /** `HH:MM`; equal: there are none. */
  from: string
  until: string
}

/** When the quiet hours end, if it is quiet now. They may go over midnight. */
export function quietUntil(now: Date, { from, until }: QuietHours, timezone: string): Date | undefined {
  if (from === until) return undefined
  const here = inZone(now, timezone)
  const time = clockTime(here)
  const isQuiet = from < until ? time >= from && time < until : time >= from || time < until
  if (!isQuiet) return undefined
  const day = time < until ? here.toPlainDate() : here.toPlainDate().add({ days: 1 })
  // An end that comes twice when summer time ends counts the second time: the first may have passed already.
  const end = day.toPlainDateTime(until).toZonedDateTime(timezone, { disambiguation: 'later' })
  return new Date(end.epochMilliseconds)
}

/** The day of a time in that zone, as `YYYY-MM-DD`. */
export const dayOf = (time: Date, timezone: string): string => inZone(time, timezone).toPlainDate().toString()
