const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/

/** Reads `H:MM`, `HH:MM` or `HH:MM:SS` as `HH:MM`; undefined if it is no time of day. */
export function readTimeOfDay(text: string): string | undefined {
  const parts = clock.exec(text.trim())
  if (!parts) return undefined
  const [hours, minutes, seconds] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0)]
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

/** What is wrong with a shift, as the field and the reason; undefined if it can be worked. */
export function shiftProblem({
  start,
  end,
  lunchStart,
  lunchEnd,
}: Shift): [field: keyof Shift, reason: string] | undefined {
  if ((start === null) !== (end === null))
    return [start === null ? 'start' : 'end', 'is required: a shift has a start and an end']
  if (start !== null && start === end) return ['end', 'must differ from the start of the shift']
  if (lunchStart !== null && lunchEnd !== null && lunchStart === lunchEnd)
    return ['lunchEnd', 'must differ from its start']
  if (start === null || end === null) return undefined
  const length = sinceStart(start, end)
  const from = lunchStart === null ? 0 : sinceStart(start, lunchStart)
  const to = lunchEnd === null ? length : sinceStart(start, lunchEnd)
  if (lunchStart !== null && from >= length) return ['lunchStart', `must lie within the shift ${start} to ${end}`]
  if (lunchEnd !== null && (to > length || to < from))
    return ['lunchEnd', `must lie within the shift ${start} to ${end}`]
  return undefined
}
