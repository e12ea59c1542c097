import { isDeepStrictEqual } from 'node:util'
import { orThrow } from '../../contract/errors.ts'
import type { ScheduledTask } from '../../contract/schedule.ts'
import type { TaskUpdate } from '../../contract/task.ts'
import { windowOn } from '../../core/occurrence-window.ts'
import { Assigned, Unassigned } from '../../core/task-status.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Organisation } from '../organisations/queries.ts'
import { draftAddress } from '../tasks/address.ts'
import { changeTasks } from '../tasks/change/change.ts'
import { moveTask, withoutDriver } from '../tasks/change/move.ts'
import { updateFollowing } from '../tasks/change/update.ts'
import { lockDrivers } from '../tasks/read/drivers.ts'
import { lockTasks } from '../tasks/read/lock.ts'
import type { TaskView } from '../tasks/tables.ts'
import { timesOf } from './input.ts'
import { deleteMade, type MadeDay, type ScheduleFields, type ScheduleRow } from './queries.ts'

/* How the tasks that a schedule has made follow it: as long as they are not started and nobody has edited them. */

/** Whether a task still follows its schedule. What a partner has is the partner's work. */
const follows = ({ status_id, schedule_changed, erased_at, fulfiller_id }: TaskView) =>
  (status_id === Unassigned || status_id === Assigned) &&
  !schedule_changed &&
  erased_at === null &&
  fulfiller_id === null

/** Locks those of the tasks that follow, by their days. */
export async function lockFollowing(db: Db, organisation: Organisation, made: readonly MadeDay[]) {
  const ids = made.filter(({ awb, is_changed }) => awb !== null && !is_changed).map(({ task_id }) => task_id)
  if (ids.length === 0) return []
  const tasks = new Map((await lockTasks(db, organisation.id, ids)).filter(follows).map((task) => [task.id, task]))
  return made.flatMap(({ day, task_id }) => {
    const task = tasks.get(task_id)
    return task ? [{ day, task }] : []
  })
}

/** Deletes the tasks of days on which it no longer happens. Returns how many. */
export async function takeBack(
  context: Context,
  db: Db,
  organisation: Organisation,
  scheduleId: number,
  gone: readonly MadeDay[],
): Promise<number> {
  const following = await lockFollowing(db, organisation, gone)
  const now = context.clock.now()
  const changes = following.flatMap(({ day, task }) => {
    const change = moveTask(task, 'delete', { deleted_at: now })
    return change instanceof Error ? [] : [{ day, change }]
  })
  if (changes.length === 0) return 0
  await deleteMade(
    db,
    organisation.id,
    scheduleId,
    changes.map(({ day }) => day),
  )
  await changeTasks(
    context,
    db,
    organisation,
    changes.map(({ change }) => change),
    now,
  )
  return changes.length
}

/** The tasks of the rest of a series become what it says now. Refused as a whole if one of them may not. */
export async function followSchedule(
  context: Context,
  db: Db,
  organisation: Organisation,
  [before, after]: [ScheduleRow, ScheduleFields],
  { kept, gone }: { kept: readonly MadeDay[]; gone: readonly MadeDay[] },
) {
  const [oldDriver, newDriver] = [before.task.userId ?? null, after.task.userId ?? null]
  // Drivers before tasks, like everywhere.
  if (newDriver !== null) await lockDrivers(db, organisation.id, [newDriver])
  const all = await lockFollowing(db, organisation, [...kept, ...gone])
  await takeBack(context, db, organisation, before.id, gone)
  const following = all.filter(({ day }) => kept.some((one) => one.day === day))
  const changed = changedFields(before.task, after.task, organisation)
  const isTheirs = (task: TaskView) => oldDriver !== newDriver && task.user_id === oldDriver
  await updateFollowing(
    context,
    db,
    organisation,
    following.map(({ day, task }) => ({
      awb: task.awb,
      input: {
        ...changed,
        ...windowOf(after, day, organisation.timezone),
        ...(newDriver !== null && isTheirs(task) && { userId: newDriver }),
      },
    })),
  )
  if (newDriver === null) await unassign(context, db, organisation, following.map(({ task }) => task).filter(isTheirs))
}

async function unassign(context: Context, db: Db, organisation: Organisation, tasks: readonly TaskView[]) {
  const assigned = tasks.filter(({ user_id }) => user_id !== null).map(({ id }) => id)
  if (assigned.length === 0) return
  const changes = (await lockTasks(db, organisation.id, assigned)).map((task) =>
    orThrow(moveTask(task, 'unassign', withoutDriver, { joined: { driver: null } })),
  )
  await changeTasks(context, db, organisation, changes, context.clock.now())
}

function windowOf(schedule: ScheduleFields, day: string, timezone: string): TaskUpdate {
  const { after, before } = windowOn(day, timesOf(schedule), timezone)
  return { completeAfter: after.toISOString(), completeBefore: before.toISOString() }
}

/** What a task has of which nothing is said. */
const nothingSaid = {
  details: '',
  customerNotes: null,
  customer: null,
  pickupTask: false,
  totalPrice: null,
  deliveryPrice: null,
  paymentTypeId: 1,
  quantity: null,
  priority: 0,
  serviceTime: null,
  inventory: null,
  customFields: [],
  sendNotifications: true,
  teamId: null,
  formId: null,
} satisfies TaskUpdate

const noAddress = {
  address: '',
  addressSecondLine: null,
  city: null,
  area: null,
  streetNumber: null,
  streetName: null,
  postalCode: null,
}
const noCustomer = { name: '', phone: '', email: null, address: null, addressSecondLine: null, lat: null, lng: null }

/**
 * What the schedule says differently now. The rest stays as the task has it: an address that did not change keeps the
 * place that was found for it.
 */
function changedFields(before: ScheduledTask, after: ScheduledTask, { country }: Organisation): TaskUpdate {
  const isChanged = (name: keyof ScheduledTask) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null)
  const names = (Object.keys(nothingSaid) as (keyof typeof nothingSaid)[]).filter(isChanged)
  const update: TaskUpdate = Object.fromEntries(names.map((name) => [name, after[name] ?? nothingSaid[name]]))
  if (isChanged('address'))
    update.address = { ...noAddress, country, ...after.address, address: textOf(after.address, country) }
  if (isChanged('customer') && after.customer) update.customer = { ...noCustomer, ...after.customer }
  if (isChanged('collectPayment') || isChanged('totalPrice'))
    update.collectPayment = after.collectPayment ?? (after.totalPrice ?? 0) > 0
  return update
}

/** The text a new task would have; of a mere point its coordinates, because without a text a task keeps the one it has. */
function textOf(given: ScheduledTask['address'], country: string): string {
  const { address, lat, lng } = draftAddress(given, country, [])
  return address || `${lat}, ${lng}`
}
