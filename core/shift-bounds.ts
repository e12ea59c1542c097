/* Apart from the rest of a shift, because browsers do not know Temporal yet. */

export const midnight = '00:00'

/**
 * When a shift begins and ends. Only a start is until midnight, only an end from midnight on; an end that is not after the
 * start is on the next day, so the same time twice is the whole day. Undefined if there is no shift.
 */
export function boundsOf({
  start,
  end,
}: {
  start: string | null
  end: string | null
}): { start: string; end: string } | undefined {
  if (start === null && end === null) return undefined
  return { start: start ?? midnight, end: end ?? midnight }
}
