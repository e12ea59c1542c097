import { longest } from '../../contract/limits.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { FoundParts, Located } from '../outside/geocoders/geocoder.ts'
import { isSamePlace } from '../tasks/address.ts'
import { changeTasks, type TaskChange } from '../tasks/change/change.ts'
import { pointFor } from '../tasks/customers/customers.ts'
import { placeCustomers } from '../tasks/customers/queries.ts'
import { noteUse } from '../tasks/learned/places.ts'
import { saveAddresses } from '../tasks/queries.ts'
import { lockTasks } from '../tasks/read/lock.ts'
import type { CustomerRow, TaskView } from '../tasks/tables.ts'
import type { Claimed } from './queries.ts'

export interface Placed {
  claimed: Claimed
  located: Located
}

/**
 * Gives tasks the coordinates that were found for their addresses. A person was perhaps faster: where there are
 * coordinates by now, or another address, theirs stay.
 */
export async function placeTasks(context: Context, organisation: Organisation, found: readonly Placed[]) {
  const byTask = new Map(found.map((placed) => [placed.claimed.id, placed]))
  await commitWithEvents(context, async (db) => {
    const tasks = await lockTasks(db, organisation.id, [...byTask.keys()])
    const changes = tasks.flatMap((task) => changeOf(task, byTask.get(task.id) as Placed) ?? [])
    if (changes.length === 0) return
    await placeTheirCustomers(db, organisation.id, changes)
    const addresses = changes.map(({ before, joined }) => ({ ...before.address, ...joined.address }))
    await saveAddresses(db, organisation.id, addresses)
    const used = changes.filter(isLearned)
    await noteUse(
      db,
      organisation.id,
      used.map(({ before }) => ({ task_id: before.id, address: before.address })),
    )
    await changeTasks(context, db, organisation, changes, context.clock.now())
  })
}

/** Customers whose address is that of their task are where it is: nobody is asked again. */
async function placeTheirCustomers(db: Db, organisationId: number, changes: Found[]) {
  const given = new Map<number, Pick<CustomerRow, 'id' | 'address' | 'lat' | 'lng'>>()
  for (const { before, joined } of changes) {
    const point = before.customer && pointFor(before.customer, joined.address)
    if (before.customer && point) given.set(before.customer.id, { ...before.customer, ...point })
  }
  if (given.size === 0) return
  const placed = new Map((await placeCustomers(db, organisationId, [...given.values()])).map((row) => [row.id, row]))
  for (const { before, joined } of changes) {
    const customer = before.customer && placed.get(before.customer.id)
    if (customer) Object.assign(joined, { customer })
  }
}

/**
 * Gives customers the coordinates that were found for their own addresses. No event tells it: nothing about a task has
 * changed, and one customer may be that of a thousand. As with every change of a shared record, the next event of each does.
 */
export const placeFoundCustomers = ({ db }: Context, { id: organisationId }: Organisation, found: readonly Placed[]) =>
  placeCustomers(
    db,
    organisationId,
    found.map(({ claimed: { id, address }, located: { lat, lng } }) => ({ id, address, lat, lng })),
  )

const isLearned = ({ joined }: Found) => joined.address.precision_detail === 'learned'

type Found = NonNullable<ReturnType<typeof changeOf>>

function changeOf(task: TaskView, { claimed, located }: Placed) {
  const { address } = task
  if (address.lat !== null || !isSamePlace(claimed, address)) return undefined
  const { lat, lng, precision, detail, parts } = located
  return {
    before: task,
    set: {},
    fires: ['TASK_GEOCODED'],
    joined: { address: { ...address, lat, lng, precision, precision_detail: detail, found_parts: shortParts(parts) } },
  } satisfies TaskChange
}

const mostOfParts = {
  streetName: longest.name,
  streetNumber: longest.streetNumber,
  postalCode: longest.postalCode,
  city: longest.name,
  area: longest.name,
} as const satisfies Record<keyof FoundParts, number>

/** Those that could also have been given: a form shows them, and sends them back. */
function shortParts(parts: FoundParts = {}): FoundParts | null {
  const fitting = Object.entries(parts).filter(
    ([name, text]) => text.trim() !== '' && text.length <= (mostOfParts[name as keyof FoundParts] ?? 0),
  )
  return fitting.length > 0 ? Object.fromEntries(fitting) : null
}
