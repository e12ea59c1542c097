import { refuseReattempt, type Tried } from './attempt.ts'
import type { Settings } from './settings.ts'
import { readTime } from './time.ts'

/*
 * What the recipient of a failed delivery may choose on the tracking page: a day, a window of it, and a place where the parcel may be
 * left. The page offers it, and the server takes nothing else.
 */

/** More are no choice. */
export const mostWindows = 8

export interface ChosenWindow {
  /** As HH:MM. */
  from: string
  to: string
}

const range = /^([01]?\d|2[0-3]):([0-5]\d)\s*[-–]\s*([01]?\d|2[0-3]):([0-5]\d)$/

/** Reads `09:00-13:00, 13:00-18:00`. Undefined if it is not a list of windows that end after they begin. */
export function readWindows(text: string): ChosenWindow[] | undefined {
  const parts = text.split(/[,;\n]/).filter((part) => part.trim() !== '')
  const windows = parts.map((part): ChosenWindow | undefined => {
    const [, fromHour = '', fromMinute, toHour = '', toMinute] = range.exec(part.trim()) ?? []
    const [from, to] = [`${fromHour.padStart(2, '0')}:${fromMinute}`, `${toHour.padStart(2, '0')}:${toMinute}`]
    return fromMinute !== undefined && from < to ? { from, to } : undefined
  })
  const read = windows.filter((one) => one !== undefined)
  return read.length === parts.length && parts.length <= mostWindows ? read : undefined
}

/** What stands in a form for a window. */
export const nameOf = ({ from, to }: ChosenWindow) => `${from}-${to}`

type Rules = Pick<
  Settings,
  'mostAttempts' | 'recipientReattemptDays' | 'recipientReattemptWindows' | 'recipientSafePlace'
>

export interface Choice {
  /** YYYY-MM-DD, the soonest first: never today, when the driver has planned the day. */
  days: string[]
  windows: ChosenWindow[]
  safePlace: boolean
}

/** What may be chosen for a task; undefined if nothing, because it cannot be tried again or the organisation does not offer it. */
export function choiceFor(task: Tried, rules: Rules, now: Date, timeZone: string): Choice | undefined {
  const { recipientReattemptDays: days, recipientReattemptWindows: windows, recipientSafePlace: safePlace } = rules
  // A parcel that goes back has no recipient, and one that was left as it is the office has decided about.
  if (days === 0 || task.isReturn || task.isClosed || refuseReattempt(task, rules) !== undefined) return undefined
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  return {
    days: Array.from({ length: days }, (_, at) => today.add({ days: at + 1 }).toString()),
    windows: readWindows(windows) ?? [],
    safePlace: safePlace && !task.pickupTask,
  }
}

/** When that is, if it was offered; undefined otherwise. `window` is empty where none is offered. */
export function windowOfChoice(
  { days, windows }: Choice,
  given: { day: string; window: string },
  timeZone: string,
): { from: Date; to: Date } | undefined {
  if (!days.includes(given.day)) return undefined
  const wanted = windows.length === 0 ? wholeDay : windows.find((one) => nameOf(one) === given.window)
  if (!wanted) return undefined
  const [from, to] = [wanted.from, wanted.to].map((time) => readTime(`${given.day} ${time}`, timeZone))
  return from && to && { from, to }
}

const wholeDay: ChosenWindow = { from: '00:00', to: '23:59' }
