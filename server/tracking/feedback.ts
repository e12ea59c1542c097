import { Refusal } from '../../contract/errors.ts'
import type { FeedbackInput } from '../../contract/task.ts'
import { settingsOf } from '../../core/settings.ts'
import { isEnded } from '../../core/task-status.ts'
import { type Actor, contextOf, type Service } from '../context.ts'
import { commitWithEvents } from '../events/record.ts'
import { forbiddenBySetting } from '../organisations/refusals.ts'
import { changeTasks } from '../tasks/change/change.ts'
import { lockTasks } from '../tasks/read/lock.ts'
import { findTracked } from './queries.ts'

/** Someone with the link to a task; we do not know who. */
const customer: Actor = { type: 'SYSTEM', id: null, name: 'Customer' }

/** Keeps what the customer says about a task: once, after its end. */
export async function giveFeedback(service: Service, uuid: string, { rating, comment = '' }: FeedbackInput) {
  const found = await findTracked(service.database.everyone, uuid)
  if (!found) throw new Refusal('TASK_NOT_FOUND')
  const { organisation } = found
  if (!settingsOf(organisation).enableRecipientFeedback) throw forbiddenBySetting('enableRecipientFeedback')
  const context = contextOf(service, organisation.id, customer)
  await commitWithEvents(context, async (db) => {
    const [task] = await lockTasks(db, organisation.id, [found.id])
    if (!task) throw new Refusal('TASK_NOT_FOUND')
    if (!isEnded({ statusId: task.status_id })) throw new Refusal('TASK_NOT_ENDED')
    if (task.feedback) throw new Refusal('FEEDBACK_GIVEN')
    const now = context.clock.now()
    const feedback = { rating, comment, at: now.toISOString() }
    await changeTasks(context, db, organisation, [{ before: task, set: { feedback }, fires: ['TASK_UPDATED'] }], now)
  })
}
