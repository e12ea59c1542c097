import type { Task } from '../api/data.ts'

/** What every view says about the arrival at an open task. */
export interface Arrival {
  at: number
  /** It should have happened by now. */
  isBehind: boolean
  /** How long after the window; a driver who is behind is late by the clock, whatever was expected. */
  lateSeconds: number
}

/** When the driver is expected; undefined if that is unknown, or the driver is there, or the task has ended. */
export function arrivalOf({ etaAt, completeBefore }: Task, now: number): Arrival | undefined {
  if (etaAt === null) return undefined
  const at = Date.parse(etaAt)
  const end = completeBefore === null ? Number.POSITIVE_INFINITY : Date.parse(completeBefore)
  return { at, isBehind: at < now, lateSeconds: Math.max(0, (Math.max(at, now) - end) / 1000) }
}
