import { afterFailure } from '../../core/attempt.ts'
import { Failed } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'

/** The settings that say what follows a failure. */
export type AfterRules = Parameters<typeof afterFailure>[1]

/** What core/attempt asks for, to say what is left to do after a failure. */
export const followedBy = ({ attempt, reattemptedAs, returnedAs, returnOf, closedAt }: Task) => ({
  attempt,
  isReattempted: reattemptedAs !== null,
  isReturned: returnedAs !== null,
  isReturn: returnOf !== null,
  isClosed: closedAt !== null,
})

/** Whether somebody has to decide what becomes of a task: those of `toDecide` in the API. */
export const isToDecide = (task: Task, rules: AfterRules): boolean =>
  task.statusId === Failed &&
  task.side !== 'fulfiller' &&
  !task.erasedAt &&
  afterFailure(followedBy(task), rules) === 'decide'
