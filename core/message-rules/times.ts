import type { Language } from './causes.ts'

/* How messages name times: in the zone of the organisation, short, and with a date only if it is not today. */

const words = {
  en: { soon: 'soon', from: 'from', until: 'until' },
  ro: { soon: 'in curand', from: 'de la', until: 'pana la' },
} as const satisfies Record<Language, object>

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
  if (!arrival) return words[language].soon
  const then = inZone(arrival, timezone)
  return isSameDay(then, inZone(now, timezone)) ? clockTime(then) : `${dateOf(then)} ${clockTime(then)}`
}

/** Empty if the task may be done at any time. */
export function describeWindow(after: Date | null, before: Date | null, { now, timezone, language }: Now): string {
  const today = inZone(now, timezone)
  const { from, until } = words[language]
  const whole = (time: Temporal.ZonedDateTime) =>
    isSameDay(time, today) ? clockTime(time) : `${dateOf(time)} ${clockTime(time)}`
  if (after && before) {
    const [start, end] = [inZone(after, timezone), inZone(before, timezone)]
    return isSameDay(start, end) ? `${whole(start)}-${clockTime(end)}` : `${whole(start)} - ${whole(end)}`
  }
  if (after) return `${from} ${whole(inZone(after, timezone))}`
  return before ? `${until} ${whole(inZone(before, timezone))}` : ''
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
