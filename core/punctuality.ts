import { type Due, overdueMs } from './arrival.ts'
import { shareOf } from './share.ts'
import { Succeeded } from './task-status.ts'

export interface Punctuality {
  /** Tasks whose window is decided: they succeeded, or it ended without that. */
  judged: number
  onTime: number
  /** The average delay of the late ones: until their end, or so far. */
  lateSeconds: number
}

/**
 * How many time windows were met. A task counts as soon as it succeeded or its window is over, whether it is still open or failed
 * afterwards: a window that was missed is never left out. What failed within its window says nothing about time. Its SQL
 * is in server/tasks/reports/sums.ts; one table of cases tests both.
 */
export function judgePunctuality(tasks: readonly Due[], now: number): Punctuality {
  const delays = tasks.flatMap((task) => {
    const late = overdueMs(task, now)
    return task.completeBefore !== null && (task.statusId === Succeeded || late > 0) ? [late] : []
  })
  const late = delays.filter((ms) => ms > 0)
  const total = late.reduce((sum, ms) => sum + ms, 0)
  return {
    judged: delays.length,
    onTime: delays.length - late.length,
    lateSeconds: late.length === 0 ? 0 : total / late.length / 1000,
  }
}

/** The share in time, as it is shown; a dash if there is none to judge. */
export const shareOnTime = ({ judged, onTime }: Pick<Punctuality, 'judged' | 'onTime'>) => shareOf(onTime, judged)
