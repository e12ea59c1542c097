import { refuseClosing, refuseReattempt, refuseReturn, type Tried, type TryRules } from '../../../../core/attempt.ts'
import { refuseSide } from '../../../../core/delegation.ts'
import { isEnded } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'

/** A task as core/attempt asks for it. */
const triedOf = (task: Task): Tried => ({
  statusId: task.statusId,
  attempt: task.attempt,
  pickupTask: task.pickupTask,
  isErased: task.erasedAt !== undefined,
  isOfPartner: task.side === 'fulfiller',
  isReattempted: task.reattemptedAs !== null,
  isReturned: task.returnedAs !== null,
  isReturn: task.returnOf !== null,
  isClosed: task.closedAt !== null,
})

export const canTryAgain = (task: Task, rules: TryRules) => refuseReattempt(triedOf(task), rules) === undefined
export const canBringBack = (task: Task) => refuseReturn(triedOf(task)) === undefined

export const canLeave = (task: Task) => refuseClosing(triedOf(task)) === undefined && task.closedAt === null

/** By whom it was done. Whether what follows it is open, the server says. */
export const canCorrect = (task: Task) =>
  isEnded(task) && !task.erasedAt && refuseSide('correctToFailed', task.side) === undefined
