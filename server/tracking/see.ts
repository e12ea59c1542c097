import { Refusal } from '../../contract/errors.ts'
import type { Tracking } from '../../contract/tracking.ts'
import { endOfDay } from '../../core/time.ts'
import { findReason } from '../reasons/queries.ts'
import { findTask } from '../tasks/read/view.ts'
import { seeMessages } from './opt-out.ts'
import { presentTracking } from './present.ts'
import { findWayThere } from './queries.ts'
import { closingOf, type Tracked } from './tracked.ts'

/** What the customer of a task sees now. */
export async function see({ id, organisation, context }: Tracked): Promise<Tracking> {
  const { db } = context
  const now = context.clock.now()
  const [task, way] = await Promise.all([
    findTask(db, organisation.id, id),
    findWayThere(db, organisation.id, id, endOfDay(now, organisation.timezone)),
  ])
  if (!task) throw new Refusal('TASK_NOT_FOUND')
  const { cancel_reason_code: code, completed_at } = task
  const reason = code ? await findReason(db, organisation.id, code, completed_at ?? now) : undefined
  const messages = await seeMessages({ id, organisation, context }, task)
  return presentTracking({ task, organisation, way, reason, messages, closesAt: closingOf(task, context), now })
}
