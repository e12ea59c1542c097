const wallClock = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/
const withOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i
/** What most clients send. `Date` reads it as Temporal does, on every day that all months have, in a fifth of the time. */
const plain = /^[1-9]\d{3}-\d{2}-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{3})?Z$/

/**
 * Reads `YYYY-MM-DD HH:MM[:SS]` as local time in `timeZone`, or ISO 8601 with an offset as that instant. A local time
 * that daylight saving time skips or repeats follows Temporal's "compatible" rule: a skipped one moves forward, a
 * repeated one means the first. Undefined if it is neither, or no such day exists.
 */
export function readTime(text: string, timeZone: string): Date | undefined {
  const trimmed = text.trim()
  const ms = plain.test(trimmed) ? Date.parse(trimmed) : Number.NaN
  if (!Number.isNaN(ms)) return new Date(ms)
  try {
    if (withOffset.test(trimmed)) return inRange(Temporal.Instant.from(trimmed).epochMilliseconds)
    const wall = wallClock.exec(trimmed)
    if (!wall) return undefined
    const local = Temporal.PlainDateTime.from(`${wall[1]}T${wall[2]}`, { overflow: 'reject' })
    return inRange(local.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Years 1 to 9999, which every client can show and the database can store. */
function inRange(epochMilliseconds: number): Date | undefined {
  const date = new Date(epochMilliseconds)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date : undefined
}

/** An IANA name in its official spelling, because other programs read it too. An offset such as +02:00 is not a zone. */
export function isTimeZone(name: string): boolean {
  try {
    return !/^[+-]/.test(name) && Temporal.Now.zonedDateTimeISO(name).timeZoneId === name
  } catch {
    return false
  }
}

/** The first and the last instant of `YYYY-MM-DD` in that zone. Undefined if there is no such day. */
export function readDay(text: string, timeZone: string): { start: Date; end: Date } | undefined {
  const noon = /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? readTime(`${text.trim()} 12:00`, timeZone) : undefined
  return noon && { start: startOfDay(noon, timeZone), end: endOfDay(noon, timeZone) }
}

/** The first instant of the day of `then` in that zone. */
/** The hour of the week of a moment, from 0: Monday, midnight to one. */
export function hourOfWeek(moment: number, timeZone: string): number {
  const { dayOfWeek, hour } = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone)
  return (dayOfWeek - 1) * 24 + hour
}

export const startOfDay = (then: Date, timeZone: string): Date =>
  new Date(
    Temporal.Instant.fromEpochMilliseconds(then.getTime()).toZonedDateTimeISO(timeZone).startOfDay().epochMilliseconds,
  )

/** The last instant of the day of `now` in that zone. */
export function endOfDay(now: Date, timeZone: string): Date {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  return new Date(today.startOfDay().add({ days: 1 }).epochMilliseconds - 1)
}
