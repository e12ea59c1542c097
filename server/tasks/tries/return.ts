import { type ErrorDetail, Refusal } from '../../../contract/errors.ts'
import { refusalOf } from '../../../contract/read/refusal.ts'
import type { ReturnInput } from '../../../contract/try.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { type Address, draftAddress } from '../address.ts'
import { beginAgain } from '../create/again.ts'
import { priceColumns } from '../money.ts'
import { lockTasks, lockTasksByAwb } from '../read/lock.ts'
import type { TaskView } from '../tables.ts'
import { type Followed, followTasks, type Successor } from './follow.ts'
import { forDriver, readNextWindow, type Window } from './plan.ts'
import { listDriversOf, listReturnHubs, type ReturnHub } from './queries.ts'
import { holdDrivers, withMissing } from './reattempt.ts'

/** Brings the parcels of failed tasks back, each as a new task. */
export const returnTasks = (
  context: Context,
  organisation: Organisation,
  awbs: readonly string[],
  input: ReturnInput,
): Promise<Followed> =>
  commitWithEvents(context, async (db) => {
    const wanted = readWanted(input, organisation)
    const drivers = await holdDrivers(db, organisation.id, await whoMayBring(db, organisation.id, input, awbs, []))
    if (input.userId != null) drivers.require(input.userId)
    const tasks = await lockTasksByAwb(db, organisation.id, [...awbs])
    return withMissing(awbs, await bringBack(context, db, organisation, tasks, wanted, drivers))
  })

/** The same by itself, for the last tries of an organisation, inside a transaction. */
export async function returnByItself(context: Context, db: Db, organisation: Organisation, ids: readonly number[]) {
  const drivers = await holdDrivers(db, organisation.id, await whoMayBring(db, organisation.id, {}, [], ids))
  const tasks = await lockTasks(db, organisation.id, [...ids])
  return { tasks, results: await bringBack(context, db, organisation, tasks, {}, drivers) }
}

interface Wanted {
  window?: Window | undefined
  address?: Address | undefined
  /** Undefined: the driver who has the parcel. */
  userId?: number | null | undefined
}

function readWanted(input: ReturnInput, organisation: Organisation): Wanted {
  const window = readNextWindow(input, organisation)
  const problems: ErrorDetail[] = []
  const address = input.address && draftAddress(input.address, organisation.country, problems)
  if (problems.length > 0) throw refusalOf(problems)
  return { window, address, userId: input.userId }
}

/** Asked before anything is locked, because drivers are locked before tasks; that a task has the same driver still is looked at then. */
const whoMayBring = (
  db: Db,
  organisationId: number,
  { userId }: ReturnInput,
  awbs: readonly string[],
  ids: readonly number[],
) => (userId === undefined ? listDriversOf(db, organisationId, awbs, ids) : userId === null ? [] : [userId])

async function bringBack(
  context: Context,
  db: Db,
  organisation: Organisation,
  tasks: readonly TaskView[],
  { window, address, userId }: Wanted,
  drivers: Awaited<ReturnType<typeof holdDrivers>>,
): Promise<Followed> {
  const now = context.clock.now()
  const ids = tasks.map(({ id }) => id)
  const hubs = address ? [] : await listReturnHubs(db, organisation.id, ids)
  const hubOf = new Map(hubs.map((hub) => [hub.task_id, hub]))
  const bringerOf = (task: TaskView) =>
    userId !== undefined ? userId : task.user_id !== null && drivers.canHave(task.user_id) ? task.user_id : null
  const plan = (task: TaskView): Successor | Refusal => {
    const hub = hubOf.get(task.id)
    const place = address ?? (hub && addressOfHub(hub, organisation))
    if (!place) return new Refusal('NO_RETURN_ADDRESS')
    return planReturn(task, { window, place, userId: bringerOf(task) }, organisation, now)
  }
  return followTasks(context, db, organisation, 'return', tasks, plan, drivers)
}

/** Nobody waits for it and nobody pays for it: it has neither customer nor price, and nobody is told. */
function planReturn(
  task: TaskView,
  { window, place, userId }: { window: Window | undefined; place: Address; userId: number | null },
  organisation: Organisation,
  now: Date,
): Successor {
  const begun = beginAgain({ ...task, ...(window ?? { complete_after: null, complete_before: null }) }, now)
  return {
    task: {
      ...begun,
      ...forDriver(task, userId, organisation),
      customer_id: null,
      customer_notes: null,
      ...priceColumns('total_price', null),
      ...priceColumns('left_to_be_paid', null),
      collect_payment: false,
      service_minutes: null,
      send_notifications: false,
    },
    address: { ...place, geocode_at: place.lat === null ? now : null },
  }
}

function addressOfHub(hub: ReturnHub, organisation: Organisation): Address {
  const given = {
    city: hub.city || null,
    area: hub.state || null,
    country: /^[A-Za-z]{2}$/.test(hub.country) ? hub.country : organisation.country,
    streetName: hub.street_name || null,
    streetNumber: hub.street_number || null,
    postalCode: hub.postal_code || null,
    lat: hub.lat,
    lng: hub.lng,
  }
  // A hub is where its point is, whatever is known of its address.
  const drafted = draftAddress({ ...given, ...(hub.address && { address: hub.address }) }, organisation.country, [])
  return {
    ...drafted,
    address: drafted.address || hub.name,
    precision: hub.precision === 'approximate' ? 'approximate' : null,
  }
}
