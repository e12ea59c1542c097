/** Times of day as moments in a time zone. Temporal is not in every browser yet, so this uses Intl. */

const formats = new Map<string, Intl.DateTimeFormat>()
function partsIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(timeZone, made)
  return made
}

/** How far a time zone is ahead of UTC at a moment. */
function offsetMs(moment: number, timeZone: string): number {
  const parts = new Map(
    partsIn(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return wall - Math.floor(moment / 1000) * 1000
}

/** The moment of a local time (`HH:MM`) on a day (`YYYY-MM-DD`). */
export function momentOf(day: string, time: string, timeZone: string): number {
  const wall = Date.parse(`${day}T${time.slice(0, 5).padStart(5, '0')}:00Z`)
  // The offset depends on the moment we look for: guess, then correct, and once more for days when it changes.
  const guess = wall - offsetMs(wall, timeZone)
  return wall - offsetMs(guess, timeZone)
}
