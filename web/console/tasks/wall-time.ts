const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const two = '2-digit'
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
  })
  formats.set(timeZone, made)
  return made
}

/** A moment as local time of a time zone: `2026-11-15 09:30:00`. */
export function wallSeconds(moment: string | number | Date, timeZone: string): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(new Date(moment))
      .map(({ type, value }) => [type, value]),
  )
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return `${get('year').padStart(4, '0')}-${get('month')}-${get('day')} ${get('hour')}:${get('minute')}:${get('second')}`
}

/** The same to the minute, which is how windows are written and sent: `2026-11-15 09:30`. */
export const wallTime = (moment: string | number | Date, timeZone: string) => wallSeconds(moment, timeZone).slice(0, 16)
