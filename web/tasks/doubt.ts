import { isToCheck } from '../../core/certainty.ts'
import { isEnded } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'

/** Whether somebody has to look at the address of this task before it is done; afterwards it does not matter any more. */
export const isInDoubt = (task: Pick<Task, 'statusId' | 'address'>): boolean =>
  !isEnded(task) && isToCheck(task.address)
