import { errors, Refusal } from '../../../contract/errors.ts'
import { refuseClosing, refuseReattempt, refuseReturn, type TryRefusal, type TryRules } from '../../../core/attempt.ts'
import { otherOf, triedOf } from '../read/tried.ts'
import type { TaskView } from '../tables.ts'

/** Refusals that say more than the catalogue: which task is the next one. */
const sentences: Partial<Record<TryRefusal, (task: TaskView, rules: TryRules) => string>> = {
  TASK_REATTEMPTED: (task) => `The task is tried again as ${otherOf(task, task.reattempted_as)?.awb}`,
  TASK_RETURNED: (task) => `The parcel is brought back as ${otherOf(task, task.returned_as)?.awb}`,
  TASK_OF_PARTNER: () => 'The task belongs to a partner, who decides whether it is tried again or brought back',
  ATTEMPTS_EXHAUSTED: ({ attempt }, { mostAttempts }) =>
    `This was try ${attempt}; ${mostAttempts === 0 ? 'no task can be tried more often' : `the settings allow ${mostAttempts}`}`,
}

function refusalFor(code: TryRefusal, task: TaskView, rules: TryRules): Refusal {
  const message = sentences[code]?.(task, rules) ?? errors[code][1]
  return new Refusal(code, { message })
}

export type Follow = 'reattempt' | 'return'

const reasons = { reattempt: refuseReattempt, return: refuseReturn, close: refuseClosing }

/** Why a task cannot be followed like this, or be left as it is, if it cannot. */
export function refuseAfterFailure(wanted: Follow | 'close', task: TaskView, rules: TryRules): Refusal | undefined {
  const code = reasons[wanted](triedOf(task), rules)
  return code && refusalFor(code, task, rules)
}
