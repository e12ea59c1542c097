import { expectedAt, lateSeconds } from '../../core/arrival.ts'
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
export function arrivalOf(task: Task, now: number): Arrival | undefined {
  const expected = expectedAt(task)
  if (expected === null) return undefined
  const at = Date.parse(expected)
  return { at, isBehind: at < now, lateSeconds: lateSeconds(task, now) }
}
