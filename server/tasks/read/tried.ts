import type { Tried } from '../../../core/attempt.ts'
import type { TaskView } from '../tables.ts'

/** The other task, unless there is none, or it was deleted. */
export const otherOf = ({ tries }: Pick<TaskView, 'tries'>, id: number | null) =>
  id === null ? undefined : tries?.[id]

/** A task as core/attempt asks for it. */
export const triedOf = (task: TaskView): Tried => ({
  statusId: task.status_id,
  attempt: task.attempt,
  pickupTask: task.pickup_task,
  isErased: task.erased_at !== null,
  isOfPartner: task.owner_id !== null,
  isReattempted: otherOf(task, task.reattempted_as) !== undefined,
  isReturned: otherOf(task, task.returned_as) !== undefined,
  isReturn: task.return_of !== null,
  isClosed: task.closed_at !== null,
})
