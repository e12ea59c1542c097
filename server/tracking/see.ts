import { Refusal } from '../../contract/errors.ts'
import type { Tracking } from '../../contract/tracking.ts'
import { isDoor } from '../../core/certainty.ts'
import { settingsOf } from '../../core/settings.ts'
import { endOfDay } from '../../core/time.ts'
import { transportOf } from '../../core/travel.ts'
import type { Context } from '../context.ts'
import type { Organisation } from '../organisations/queries.ts'
import { findReason } from '../reasons/queries.ts'
import { otherOf } from '../tasks/read/tried.ts'
import { findTask } from '../tasks/read/view.ts'
import type { TaskView } from '../tasks/tables.ts'
import { seeMessages } from './opt-out.ts'
import { positionOf, presentTracking } from './present.ts'
import { findWayThere, type WayThere } from './queries.ts'
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
  const line = await findLine(context, organisation, task, way, now)
  const next = await findNext(context, organisation, task)
  return presentTracking({
    next,
    task,
    organisation,
    way,
    reason,
    messages,
    line,
    closesAt: closingOf(task, context),
    now,
  })
}

/**
 * From the position that is shown, not from a more exact one, straight to this address: what lies between on the driver's route
 * is nobody's business. None where the address is not shown, or only its street is known.
 */
async function findLine(
  { travel }: Context,
  organisation: Organisation,
  task: TaskView,
  way: WayThere | undefined,
  now: Date,
): Promise<string | null> {
  const position = positionOf(task, way, now)
  const { lat, lng } = task.address
  const isShown = settingsOf(organisation).displayDestinationDetails && isDoor(task.address)
  if (!position || !isShown || lat === null || lng === null) return null
  const transport = transportOf(way?.transportation_id)
  const [leg] = await travel.legs({ places: [position, { lat, lng }], transport })
  return leg?.line ?? null
}

/** What follows a failed task. Its page is only for who has this link, if it is for the same customer. */
async function findNext({ db }: Context, organisation: Organisation, task: TaskView): Promise<Tracking['next']> {
  const id = task.reattempted_as
  if (id !== null && otherOf(task, id)) {
    const next = await findTask(db, organisation.id, id)
    const isTheirs = next && !next.erased_at && next.customer_id === task.customer_id
    return { kind: 'again', path: isTheirs ? `/t/${next.uuid}` : null }
  }
  return otherOf(task, task.returned_as) ? { kind: 'return', path: null } : null
}
