/*
 * When something happened, as far as a phone can say: its clock may be wrong, and what it did may reach us much later.
 */

/** Less than this is the way of the request, and counts as nothing. */
export const toleratedMs = 30_000
/** From here on the timeline says that it came late. */
const lateMs = 24 * 3_600_000

/** How far a phone's clock is ahead of ours, by what it showed when the request was sent. */
export function clockOffsetMs(deviceTime: Date, arrivedAt: Date): number {
  const offset = deviceTime.getTime() - arrivedAt.getTime()
  return Math.abs(offset) < toleratedMs ? 0 : offset
}

/** A time by that clock as a time by ours: never after we heard of it, and not before there were phones. */
export const correctTime = (occurredAt: Date, offsetMs: number, recordedAt: Date): Date =>
  new Date(Math.max(0, Math.min(occurredAt.getTime() - offsetMs, recordedAt.getTime())))

export const isLate = (occurredAt: Date, recordedAt: Date) => recordedAt.getTime() - occurredAt.getTime() > lateMs
