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

/** When something happened, by our clock; and what the phone said, if that cannot have been. */
export interface Corrected {
  at: Date
  claimedAt?: Date
}

/**
 * A time of the phone's clock as a time of ours: never after we heard of it, and never before the earliest it can have
 * been. Drivers who say otherwise got around rules that came later, and closed the customer's page at once.
 */
export function correctTime(occurredAt: Date, offsetMs: number, recordedAt: Date, earliest: Date | null): Corrected {
  const claimedMs = occurredAt.getTime() - offsetMs
  const earliestMs = Math.max(0, earliest?.getTime() ?? 0)
  const ms = Math.min(recordedAt.getTime(), Math.max(claimedMs, earliestMs))
  return { at: new Date(ms), ...(ms - claimedMs > toleratedMs && { claimedAt: new Date(claimedMs) }) }
}

/** Whether we heard of something only long after it happened. */
export const isToldLate = (occurredAt: Date | string, recordedAt: Date | string) =>
  new Date(recordedAt).getTime() - new Date(occurredAt).getTime() > lateMs
