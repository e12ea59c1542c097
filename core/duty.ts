import { toleratedMs } from './device-clock.ts'

/** The last time a driver was on duty, or still is. A start that is unknown was long ago. */
export interface Duty {
  isOnDuty: boolean
  startedAt: Date | null
  endedAt: Date | null
}

/** Whether a driver was on duty then, give or take what a phone's clock may be wrong. Earlier duties are not remembered. */
export function wasOnDuty({ isOnDuty, startedAt, endedAt }: Duty, at: Date): boolean {
  if (startedAt && at.getTime() < startedAt.getTime() - toleratedMs) return false
  return isOnDuty || (endedAt !== null && at.getTime() <= endedAt.getTime() + toleratedMs)
}
