import { overdueMs } from '../../../core/arrival.ts'
import { Succeeded } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'

export interface Punctuality {
  /** Succeeded tasks with an end of their window. */
  judged: number
  onTime: number
  /** The average delay of the late ones. */
  lateSeconds: number
}

export function judgePunctuality(tasks: readonly Task[]): Punctuality {
  const judged = tasks.filter(({ statusId, completeBefore }) => statusId === Succeeded && completeBefore)
  const late = judged.map((task) => overdueMs(task, task.updatedAt)).filter((ms) => ms > 0)
  const total = late.reduce((sum, ms) => sum + ms, 0)
  return {
    judged: judged.length,
    onTime: judged.length - late.length,
    lateSeconds: late.length === 0 ? 0 : total / late.length / 1000,
  }
}

/** The share in time, as it is shown; a dash if there is none to judge. */
export const shareOnTime = ({ judged, onTime }: Pick<Punctuality, 'judged' | 'onTime'>) =>
  judged === 0 ? '–' : `${Math.round((100 * onTime) / judged)}%`
