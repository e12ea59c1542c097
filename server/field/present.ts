import type { Task, TimelineEntry } from '../../contract/task.ts'
import { settingsOf } from '../../core/settings.ts'
import type { Organisation } from '../organisations/queries.ts'

type Timed = Pick<Task, 'customer'> & { timelines?: TimelineEntry[] }

/** A task as its driver may see it: without the number of the customer, today's or an earlier one, if calls are off. */
export function presentForDriver<Shown extends Timed>(task: Shown, organisation: Organisation): Shown {
  if (settingsOf(organisation).allowDriverToCallTheCustomer) return task
  return {
    ...task,
    customer: withoutPhone(task.customer),
    ...(task.timelines && { timelines: task.timelines.map(withoutOldPhone) }),
  }
}

const withoutPhone = <Customer extends object>(customer: Customer | null): Customer | null =>
  customer && 'phone' in customer ? { ...customer, phone: '' } : customer

function withoutOldPhone(entry: TimelineEntry): TimelineEntry {
  const data = entry.data as { previous?: { customer?: object | null } } | null
  if (!data?.previous?.customer) return entry
  const previous = { ...data.previous, customer: withoutPhone(data.previous.customer) }
  return { ...entry, data: { ...data, previous } }
}
