import type { PhoneTask } from '../contract/sync.ts'
import type { Stop } from '../core/driver/rules.ts'
import { readAnswers } from '../core/form.ts'

/** A task as the rules of drivers look at it. */
export const stopOf = (task: PhoneTask): Stop => ({
  statusId: task.statusId,
  isAccepted: task.acceptedAt !== null,
  isStarted: task.startedAt !== null,
  hasArrived: task.arrivalTime !== null,
  leftToBePaid: task.leftToBePaid ?? 0,
  dependencies: task.dependencies,
  notes: task.notes,
  answers: readAnswers(task.mobileTaskForm),
})
