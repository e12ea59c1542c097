/*
 * Reads times in the formats of lists into the local time the API takes. They have no offset, because the server
 * applies the organisation's time zone.
 */

const two = (value: string | number) => String(value).padStart(2, '0')

/** 2026-11-15, 15.11.2026, 15/11/2026, 15-11-26. The day comes before the month, as usual in Europe. */
export function readDay(text: string): string | undefined {
  const iso = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})$/.exec(text)
  const local = /^(\d{1,2})[-./](\d{1,2})[-./](\d{4}|\d{2})$/.exec(text)
  const [year, month, day] = iso ? iso.slice(1) : local ? [local[3], local[2], local[1]] : []
  if (!year || !month || !day) return undefined
  const full = `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}`
  // Refuses days such as 31 February.
  const date = new Date(`${full}T12:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(full) ? full : undefined
}

/** 9, 9:30, 09.30, 9h30, 9:30 PM. */
export function readClock(text: string): string | undefined {
  const found = /^(\d{1,2})(?:\s*[:.h]\s*(\d{2})(?::\d{2})?)?\s*(am|pm)?$/i.exec(text.replace(/^ora\s+/i, ''))
  if (!found) return undefined
  const [, hour = '', minute = '00', half] = found
  const afternoon = half?.toLowerCase() === 'pm'
  const hours = half ? (Number(hour) % 12) + (afternoon ? 12 : 0) : Number(hour)
  return hours < 24 && Number(minute) < 60 ? `${two(hours)}:${minute}` : undefined
}

const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i

/** A start or end of a window as the API takes it; a time without a date is on `day`. Undefined if unreadable. */
export function readMoment(text: string, day: string, dayOnly: '00:00' | '23:59'): string | undefined {
  const trimmed = text.trim()
  if (withOffset.test(trimmed)) return trimmed
  const clock = readClock(trimmed)
  if (clock) return `${day} ${clock}`
  const only = readDay(trimmed)
  if (only) return `${only} ${dayOnly}`
  const both = /^(\S+?)[,T\s]+(.+)$/.exec(trimmed)
  const [date, time] = [both && readDay(both[1]!), both && readClock(both[2]!)]
  return date && time ? `${date} ${time}` : undefined
}

/** `10:00-12:00`, `10 – 12`, `între 10:00 și 12:00`: both ends, on the same day. */
export function readSpan(text: string, day: string): { after: string; before: string } | undefined {
  const words = text.trim().replace(/^(intre|între|between|de la|from)\s+/i, '')
  const [from, to, ...more] = words.split(/\s*(?:[-–—]|\bto\b|\band\b|până la|pana la|\sși\s|\ssi\s)\s*/i)
  if (more.length > 0 || !from || !to) return undefined
  const [after, before] = [readClock(from), readClock(to)]
  return after && before ? { after: `${day} ${after}`, before: `${day} ${before}` } : undefined
}
