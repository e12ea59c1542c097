import type { ErrorDetail } from '../../../contract/errors.ts'
import { refusalOf } from '../../../contract/read/refusal.ts'
import type { ReattemptInput } from '../../../contract/try.ts'
import { leftToPay } from '../../../core/money.ts'
import { settingsOf } from '../../../core/settings.ts'
import { moves } from '../../../core/task-status.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { addressOf } from '../change/shared-parts.ts'
import { beginAgain } from '../create/again.ts'
import { priceColumns, totalPriceOf } from '../money.ts'
import type { TaskView } from '../tables.ts'
import { readWindow, requireOrderedWindow } from '../time-window.ts'
import type { Successor } from './follow.ts'

/** When the next one may be done. */
export interface Window {
  complete_after: Date | null
  complete_before: Date | null
}

/** The window that was given; undefined if none was. Where only one end is given, the other is open. */
export function readNextWindow(
  input: Pick<ReattemptInput, 'completeAfter' | 'completeBefore'>,
  organisation: Organisation,
): Window | undefined {
  const problems: ErrorDetail[] = []
  const { after, before } = readWindow(input, organisation, problems)
  if (problems.length > 0) throw refusalOf(problems)
  if (after === undefined && before === undefined) return undefined
  requireOrderedWindow(after ?? null, before ?? null)
  return { complete_after: after ?? null, complete_before: before ?? null }
}

/** A window that is over would make the next try late before it begins. */
const windowOf = ({ complete_after, complete_before }: TaskView, now: Date): Window =>
  complete_before && complete_before < now
    ? { complete_after: null, complete_before: null }
    : { complete_after, complete_before }

interface Wanted {
  window: Window | undefined
  userId: number | null
  /** For the failed task, by all its lines. */
  paid: number
}

/**
 * The next try of a task: what the task is, not what happened to it. What was paid stays with the failed task, and only the rest is
 * its price, whether or not anybody is to collect that. It does not depend on other tasks: it is done once somebody decides that it is.
 */
export function planReattempt(
  task: TaskView,
  { window, userId, paid }: Wanted,
  organisation: Organisation,
  now: Date,
): Successor {
  const begun = beginAgain({ ...task, ...(window ?? windowOf(task, now)) }, now)
  const price = leftToPay({ collectPayment: true, totalPrice: totalPriceOf(task) }, paid)
  return {
    task: {
      ...begun,
      ...forDriver(task, userId, organisation),
      customer_id: task.customer_id,
      form_id: task.form_id,
      delivery_price: task.delivery_price,
      delivery_price_hundredths: task.delivery_price_hundredths,
      ...priceColumns('total_price', price),
    },
    address: { ...addressOf(task), geocode_at: task.address.lat === null ? now : null },
  }
}

/** A task whose team is only taken together with a driver has none without one. */
export function forDriver(
  { team_id }: Pick<TaskView, 'team_id'>,
  userId: number | null,
  organisation: Organisation,
): Pick<Successor['task'], 'status_id' | 'user_id' | 'team_id' | 'last_sequence'> {
  const move = userId === null ? moves.create : moves.createForDriver
  const takesTeam = userId !== null || settingsOf(organisation).enableTeamAssignment
  return {
    status_id: move.to,
    user_id: userId,
    team_id: takesTeam ? team_id : null,
    last_sequence: move.fires.length,
  }
}
