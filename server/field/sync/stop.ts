import { Refusal } from '../../../contract/errors.ts'
import type { Obstacle, Stop } from '../../../core/driver/rules.ts'
import { readAnswers } from '../../../core/form.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { leftToBePaidOf } from '../../tasks/money.ts'
import type { TaskView } from '../../tasks/tables.ts'

/** A task as the rules of drivers look at it. */
export const stopOf = (task: TaskView): Stop => ({
  statusId: task.status_id,
  isAccepted: task.accepted_at !== null,
  isStarted: task.started_at !== null,
  hasArrived: task.arrived_at !== null,
  leftToBePaid: leftToBePaidOf(task) ?? 0,
  dependencies: task.dependencies.map(({ awb, status_id }) => ({ awb, statusId: status_id })),
  notes: task.notes.map(({ type, user_id }) => ({ type, userId: user_id })),
  answers: readAnswers(task.mobile_task_form),
})

/** Refuses because of the first thing that stands in the way, if there is one. */
export function requireNone([first]: readonly (Obstacle | undefined)[]) {
  if (first) throw refusalFor(first)
}

function refusalFor(obstacle: Obstacle): Refusal {
  switch (obstacle.code) {
    case 'FORBIDDEN_BY_SETTING':
      return forbiddenBySetting(obstacle.setting)
    case 'DEPENDENCY_OPEN':
      return new Refusal(obstacle.code, { message: `${obstacle.awb} must succeed first` })
    case 'PAYMENT_REQUIRED':
      return new Refusal(obstacle.code, { message: `${obstacle.left} must be paid before the task is completed` })
    case 'FORM_REQUIRED':
      return new Refusal(obstacle.code, {
        message: `Answer first: ${obstacle.fields.map(({ label }) => label).join(', ')}`,
      })
    default:
      return new Refusal(obstacle.code)
  }
}
