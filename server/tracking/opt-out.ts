import { Refusal } from '../../contract/errors.ts'
import type { OptOutInput } from '../../contract/tracking.ts'
import { areMessagesOn } from '../../core/message-rules/causes.ts'
import { addressKey } from '../../core/message-rules/rules.ts'
import { settingsOf } from '../../core/settings.ts'
import { deleteOptOuts, insertOptOuts, isAnyOptedOut } from '../messages/queries.ts'
import { dialled } from '../tasks/customers/customers.ts'
import { findTask } from '../tasks/read/view.ts'
import type { TaskView } from '../tasks/tables.ts'
import type { Tracked } from './tracked.ts'

/** Remembers that the customer wants no messages, by address: the same person may be several customers. */
export async function optOut({ id, organisation, context }: Tracked, { optOut: isOut = true }: OptOutInput) {
  const task = await findTask(context.db, organisation.id, id)
  if (!task) throw new Refusal('TASK_NOT_FOUND')
  await (isOut ? insertOptOuts : deleteOptOuts)(context.db, organisation.id, addressesOf(task))
}

const addressesOf = ({ customer }: Pick<TaskView, 'customer'>) =>
  [customer && dialled(customer), customer?.email].flatMap((address) => (address ? [addressKey(address)] : []))

/** What the page says about messages; null if there are none to opt out of. */
export async function seeMessages({ organisation, context }: Tracked, task: TaskView) {
  const addresses = addressesOf(task)
  if (!areMessagesOn(settingsOf(organisation)) || addresses.length === 0) return null
  return { isOptedOut: await isAnyOptedOut(context.db, organisation.id, addresses) }
}
