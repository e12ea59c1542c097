import { Refusal } from '../../contract/errors.ts'
import type { FeedbackInput } from '../../contract/task.ts'
import { settingsOf } from '../../core/settings.ts'
import { isEnded } from '../../core/task-status.ts'
import { commitWithEvents } from '../events/record.ts'
import { forbiddenBySetting } from '../organisations/refusals.ts'
import { changeTasks } from '../tasks/change/change.ts'
import { lockTasks } from '../tasks/read/lock.ts'
import type { Tracked } from './tracked.ts'

/** Keeps what the customer says about a task: once, after its end. */
export async function giveFeedback(
  { id, organisation, context }: Tracked,
  { rating, comment = '' }: FeedbackInput,
): Promise<void> {
  if (!settingsOf(organisation).enableRecipientFeedback) throw forbiddenBySetting('enableRecipientFeedback')
  await commitWithEvents(context, async (db) => {
    const [task] = await lockTasks(db, organisation.id, [id])
    if (!task || task.erased_at !== null) throw new Refusal('TASK_NOT_FOUND')
    if (!isEnded({ statusId: task.status_id })) throw new Refusal('TASK_NOT_ENDED')
    if (task.feedback) throw new Refusal('FEEDBACK_GIVEN')
    const now = context.clock.now()
    const feedback = { rating, comment, at: now.toISOString() }
    await changeTasks(context, db, organisation, [{ before: task, set: { feedback }, fires: ['TASK_UPDATED'] }], now)
  })
}
