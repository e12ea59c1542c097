/* Separate from `shift.ts`, because browsers do not have Temporal yet. */

export const midnight = '00:00'

/**
 * When a shift begins and ends. With only a start it lasts until midnight, with only an end it begins at midnight. An
 * end that is not after the start is on the next day, so the same time twice is a whole day. Undefined without a shift.
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
