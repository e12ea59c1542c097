/*
 * When something happened on a phone: its clock may be wrong, and its report may reach us much later.
 */

/** A smaller difference is taken for the time the request took, and ignored. */
export const toleratedMs = 30_000
/** Older reports are marked as late in the timeline. */
const lateMs = 24 * 3_600_000

/** How far a phone's clock is ahead of ours, from the time it showed when the request was sent. */
export function clockOffsetMs(deviceTime: Date, arrivedAt: Date): number {
  const offset = deviceTime.getTime() - arrivedAt.getTime()
  return Math.abs(offset) < toleratedMs ? 0 : offset
}

/** A time of the phone's clock as a time of ours: never after we heard of it, and not before 1970. */
export const correctTime = (occurredAt: Date, offsetMs: number, recordedAt: Date): Date =>
  new Date(Math.max(0, Math.min(occurredAt.getTime() - offsetMs, recordedAt.getTime())))

export const isLate = (occurredAt: Date, recordedAt: Date) => recordedAt.getTime() - occurredAt.getTime() > lateMs
