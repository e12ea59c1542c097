import { boundsOf, hoursOn, midnight, type WeekdayShift } from './shift-bounds.ts'

const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/

/** Reads `H:MM`, `HH:MM` or `HH:MM:SS` as `HH:MM`, 24:00 as 00:00; undefined if it is not a time of day. */
export function readTimeOfDay(text: string): string | undefined {
  const parts = clock.exec(text.trim())
  if (!parts) return undefined
  const [hours, minutes, seconds] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0)]
  if (hours === 24 && minutes === 0 && seconds === 0) return midnight
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined
  return `${String(hours).padStart(2, '0')}:${parts[2]}`
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const day = 24 * 60

/** How far into the shift a time of day is, in minutes. A shift that ends before it starts goes over midnight. */
const sinceStart = (start: string, time: string) => (minutesOf(time) - minutesOf(start) + day) % day

export interface Shift {
  start: string | null
  end: string | null
  lunchStart: string | null
  lunchEnd: string | null
}

/** What is wrong with a shift, as field and reason; undefined if it is valid. */
export function shiftProblem(shift: Shift): [field: keyof Shift, reason: string] | undefined {
  const { lunchStart, lunchEnd } = shift
  if (lunchStart !== null && lunchEnd !== null && lunchStart === lunchEnd)
    return ['lunchEnd', 'must differ from its start']
  const bounds = boundsOf(shift)
  if (!bounds) return undefined
  const { start, end } = bounds
  const length = sinceStart(start, end) || day
  const from = lunchStart === null ? 0 : sinceStart(start, lunchStart)
  const to = lunchEnd === null ? length : sinceStart(start, lunchEnd) || day
  if (lunchStart !== null && from >= length) return ['lunchStart', `must lie within the shift ${start} to ${end}`]
  if (lunchEnd !== null && (to > length || to < from))
    return ['lunchEnd', `must lie within the shift ${start} to ${end}`]
  return undefined
}

export interface WorkingDay extends Shift {
  lunchMinutes: number | null
  /** If there are any, they are all the shifts: the other days of the week are free. */
  shiftTimes?: readonly WeekdayShift[]
}

/** A span of time, in milliseconds since 1970. */
export interface Span {
  start: number
  end: number
}

export interface WorkingTimes {
  /** The current shift, or else that of the day; undefined if none is known. */
  shift: Span | undefined
  /** Other days of the week have a shift, this one has none. */
  isDayOff: boolean
  /** The lunch, if it is still to come. */
  lunch: { seconds: number; earliest: number; latest: number } | undefined
  /** A lunch that would take the whole shift is ignored. */
  isLunchTooLong: boolean
}

/** The shift at this moment, or, of a day that is named (YYYY-MM-DD), the one that begins on it. Times of day are in that time zone. */
export function workingTimes(working: WorkingDay, now: Date, timeZone: string, named?: string): WorkingTimes {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  const { date, shift, times, isDayOff } = named
    ? shiftOn(working, Temporal.PlainDate.from(named), timeZone)
    : currentShift(working, now, today, timeZone)
  return { shift, isDayOff, ...lunchIn({ ...times, lunchMinutes: working.lunchMinutes }, shift, date, now, timeZone) }
}

function lunchIn(
  day: WorkingDay,
  shift: Span | undefined,
  date: Temporal.PlainDate,
  now: Date,
  timeZone: string,
): Pick<WorkingTimes, 'lunch' | 'isLunchTooLong'> {
  const dayStart = boundsOf(day)?.start ?? day.lunchStart ?? midnight
  /** A time of day before the start of the shift is after midnight. */
  const at = (time: string, isNextDay: boolean) => instantOf(date.add({ days: isNextDay ? 1 : 0 }), time, timeZone)
  const start = day.lunchStart === null ? shift?.start : at(day.lunchStart, isBefore(day.lunchStart, dayStart))
  const end = day.lunchEnd === null ? shift?.end : at(day.lunchEnd, !isBefore(dayStart, day.lunchEnd))
  const minutes =
    day.lunchMinutes ?? (day.lunchStart && day.lunchEnd ? minutesBetween(day.lunchStart, day.lunchEnd) : 0)
  if (minutes === 0 || start === undefined) return { lunch: undefined, isLunchTooLong: false }
  const seconds = minutes * 60
  const windowEnd = end ?? start + seconds * 1000
  if (now.getTime() >= windowEnd) return { lunch: undefined, isLunchTooLong: false }
  if (shift && seconds * 1000 >= shift.end - shift.start) return { lunch: undefined, isLunchTooLong: true }
  const latest = Math.max(start, windowEnd - seconds * 1000)
  return { lunch: { seconds, earliest: start, latest }, isLunchTooLong: false }
}

/** The shift that begins on a date. A lunch that does not lie within it is left out. */
function shiftOn(working: WorkingDay, date: Temporal.PlainDate, timeZone: string) {
  const { lunchStart, lunchEnd } = working
  const { isDayOff, ...hours } = hoursOn(working, date.toString())
  const isLunchWithin = !shiftProblem({ ...hours, lunchStart, lunchEnd })
  const times: Shift = {
    ...hours,
    ...(isLunchWithin ? { lunchStart, lunchEnd } : { lunchStart: null, lunchEnd: null }),
  }
  const bounds = boundsOf(times)
  if (!bounds) return { date, times, isDayOff, shift: undefined }
  const isOvernight = !isBefore(bounds.start, bounds.end)
  const shift: Span = {
    start: instantOf(date, bounds.start, timeZone),
    end: instantOf(date.add({ days: isOvernight ? 1 : 0 }), bounds.end, timeZone),
  }
  return { date, times, isDayOff, shift }
}

/** Yesterday's if it goes over midnight and has not ended yet, else today's. */
function currentShift(working: WorkingDay, now: Date, today: Temporal.PlainDate, timeZone: string) {
  const before = shiftOn(working, today.subtract({ days: 1 }), timeZone)
  const isStillOn = before.shift && now.getTime() < before.shift.end
  return isStillOn ? before : shiftOn(working, today, timeZone)
}

const instantOf = (date: Temporal.PlainDate, time: string, timeZone: string) =>
  date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds

const isBefore = (one: string, other: string) => minutesOf(one) < minutesOf(other)
const minutesBetween = sinceStart
