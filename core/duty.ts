import { toleratedMs } from './device-clock.ts'

/** The last time a driver was on duty, or still is. A start that is unknown was long ago. */
export interface Duty {
  isOnDuty: boolean
  startedAt: Date | null
  endedAt: Date | null
}

/**
 * Whether a driver was on duty then. Earlier duties are not remembered. The start is given or taken what a phone's clock
 * may be wrong, or the first position of a duty could be lost; the end is exact: who went off duty is not followed any more.
 */
export function wasOnDuty({ isOnDuty, startedAt, endedAt }: Duty, at: Date): boolean {
  if (startedAt && at.getTime() < startedAt.getTime() - toleratedMs) return false
  return isOnDuty || (endedAt !== null && at <= endedAt)
}

/** How long a driver on duty may report no position before they count as silent. */
export const silentAfterMs = (locationTrackingTime: number) => Math.max(5 * 60_000, 3 * locationTrackingTime * 1000)

/** Since when nothing was heard from a driver on duty, if that is too long; null if it is not. */
export function silentSince(
  { isOnDuty, startedAt }: Pick<Duty, 'isOnDuty'> & { startedAt: Date },
  seenAt: Date | null,
  locationTrackingTime: number,
  now: Date,
): Date | null {
  const heardAt = seenAt && seenAt > startedAt ? seenAt : startedAt
  return isOnDuty && now.getTime() - heardAt.getTime() > silentAfterMs(locationTrackingTime) ? heardAt : null
}
