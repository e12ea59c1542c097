import { orThrow, Refusal, unknownInBody } from '../../../contract/errors.ts'
import {
  type BulkTaskUpdate,
  type BulkUpdateResult,
  type Task,
  type TaskUpdate,
  TaskUpdate as TaskUpdateFields,
} from '../../../contract/task.ts'
import { delegatedActs } from '../../../core/delegation.ts'
import { settingsOf } from '../../../core/settings.ts'
import { assigningMove, isEnded } from '../../../core/task-status.ts'
import { tellChanges } from '../../audit/changes.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { violatedUnique } from '../../db/faults.ts'
import { commitWithEvents } from '../../events/record.ts'
import { getOrganisation, type Organisation } from '../../organisations/queries.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { totalPriceOf } from '../money.ts'
import { presentTask } from '../present.ts'
import { findOwners, findSharers } from '../read/chain.ts'
import { lockDrivers } from '../read/drivers.ts'
import { lockTasksByAwb } from '../read/lock.ts'
import { presentTasks } from '../read/timeline.ts'
import { awbTaken, unknownAwb } from '../refusals.ts'
import type { TaskView } from '../tables.ts'
import { placeAlike } from './alike.ts'
import { appendTask } from './assign.ts'
import { changeTasks, isShared, type TaskChange } from './change.ts'
import { changesOf, differenceOf } from './difference.ts'
import { applyUpdates, type Edit, isAllowed, isPinned } from './edit.ts'

/** What an update did to a task, or would do. */
type Updated = Required<Pick<BulkUpdateResult, 'id' | 'statusId' | 'changes'>>

export async function updateTask(
  context: Context,
  organisation: Organisation,
  awb: string,
  input: TaskUpdate,
): Promise<Task> {
  try {
    const { task, decided } = await commitWithEvents(context, async (db) => {
      const [decided] = await decideUpdates(db, organisation, [{ awb, input }], context.clock.now())
      // In the path it is another error than in a body.
      if (decided instanceof Refusal && decided.field === 'awb') throw new Refusal('TASK_NOT_FOUND')
      const { before, change, previous } = orThrow(decided)
      const after = change ? await writeChanges(context, db, organisation, [{ change, previous }]) : [before]
      const [task] = await presentTasks(db, organisation, after, context.clock.now())
      return { task: task as Task, decided: decided as Decided }
    })
    await placeOthers(context, organisation, [decided])
    return task
  } catch (error) {
    throw violatedUnique(error) === 'tasks_awb' ? awbTaken(input.awb as string) : error
  }
}

/** Updates the tasks that can be updated, and says of each what changed. A dry run writes nothing. */
export async function updateTasks(
  context: Context,
  organisation: Organisation,
  inputs: readonly (BulkTaskUpdate | Refusal)[],
  isDry = false,
): Promise<(Updated | Refusal)[]> {
  const wanted = inputs.flatMap((given) => {
    if (given instanceof Refusal) return []
    const { awb, ...input } = given
    return [{ awb, input }]
  })
  const update = async (db: Db) => {
    const now = context.clock.now()
    const decided = await decideUpdates(db, organisation, wanted, now)
    const written = decided.flatMap((one) =>
      one instanceof Refusal || !one.change ? [] : [{ change: one.change, previous: one.previous }],
    )
    if (isDry) throw new Rehearsed(decided)
    await writeChanges(context, db, organisation, written)
    return decided
  }
  const decided = isDry
    ? await context.db.transaction(update).catch(readRehearsed)
    : await commitWithEvents(context, update)
  if (!isDry) await placeOthers(context, organisation, decided.filter(isAllowed))
  const results = decided.values()
  return inputs.map((given) => {
    if (given instanceof Refusal) return given
    const result = results.next().value as Decided | Refusal
    if (result instanceof Refusal) return result
    return { id: result.before.id, statusId: result.after.status_id, changes: result.changes }
  })
}

/**
 * Updates tasks because their schedule has changed, as part of a larger change: all of them, or none. They go on following
 * it.
 */
export async function updateFollowing(
  context: Context,
  db: Db,
  organisation: Organisation,
  wanted: readonly Wanted[],
): Promise<TaskView[]> {
  const decided = (await decideUpdates(db, organisation, wanted, context.clock.now())).map(orThrow)
  const written = decided.flatMap(({ change, previous }) => (change ? [{ change, previous }] : []))
  return changeTasks(
    context,
    db,
    organisation,
    written.map(({ change }) => change),
    context.clock.now(),
  )
}

/** Other tasks at addresses that were put right. That succeeded, whatever becomes of the others. */
async function placeOthers(context: Context, organisation: Organisation, decided: readonly Decided[]) {
  const pinned = decided.flatMap(({ before, after }) =>
    isPinned(before.address, after.address) ? [after.address] : [],
  )
  if (pinned.length === 0) return
  try {
    await placeAlike(context, organisation, pinned)
  } catch (err) {
    context.log.warn(
      { err },
      'Other tasks at an address that was put right could not be placed; they can be put right by hand',
    )
  }
}

/** Thrown with what would change, so that the transaction is undone: addresses and customers were written to see it. */
class Rehearsed extends Error {
  readonly decided: (Decided | Refusal)[]

  constructor(decided: (Decided | Refusal)[]) {
    super('Only a rehearsal')
    this.decided = decided
  }
}

function readRehearsed(error: unknown) {
  if (error instanceof Rehearsed) return error.decided
  throw error
}

interface Decided {
  before: TaskView
  after: TaskView
  /** What differs, with old and new values. */
  changes: Updated['changes']
  /** What differs, with its old values. */
  previous: Record<string, unknown>
  /** Missing if nothing differs: then nothing is written and nothing fires. */
  change?: TaskChange
}

export interface Wanted {
  awb: string
  input: Edit['input']
}

/** Locks drivers before tasks, as assigning does. What belongs to other tables is written, their own rows are not yet. */
async function decideUpdates(
  db: Db,
  organisation: Organisation,
  wanted: readonly Wanted[],
  now: Date,
): Promise<(Decided | Refusal)[]> {
  const driverIds = [...new Set(wanted.flatMap(({ input }) => input.userId ?? []))]
  const locked = driverIds.length > 0 ? await lockDrivers(db, organisation.id, driverIds) : []
  const drivers = new Map(locked.map((driver) => [driver.id, driver]))
  const awbs = wanted.map(({ awb }) => awb)
  const tasks = new Map((await lockTasksByAwb(db, organisation.id, awbs)).map((task) => [task.awb, task]))

  const appended = new Map<number, number>()
  const assign = (task: TaskView, driverId: number | undefined): TaskChange | Refusal | undefined => {
    if (driverId === undefined || driverId === task.user_id) return undefined
    const driver = drivers.get(driverId)
    if (!driver) return unknownInBody('DRIVER_NOT_FOUND', 'userId')
    const move = assigningMove({ statusId: task.status_id, userId: task.user_id }, driverId)
    const before = appended.get(driverId) ?? 0
    const change = move && appendTask(task, move, driver, before)
    if (change && !(change instanceof Refusal)) appended.set(driverId, before + 1)
    return change
  }

  const guarded = await listGuarded(db, [...tasks.values()])
  const unfit = await listUnfit(db, wanted, tasks)
  const seen = new Set<string>()
  const chosen = wanted.map((one) => {
    const { awb, input } = one
    const before = tasks.get(awb)
    if (!before) return unknownAwb(awb, 'awb')
    if (guarded.has(before.id) && Object.keys(input).some((name) => !ownParts.has(name)))
      return forbiddenBySetting(delegatedActs.edit.fulfiller, 'changing a task of a partner; only its owner can')
    if (seen.has(awb)) return givenTwice(awb)
    seen.add(awb)
    if (unfit.has(one)) return noDecimalsThere()
    const move = assign(before, input.userId)
    return move instanceof Refusal ? move : { before, input, move }
  })
  const edits = chosen.filter(isAllowed)
  const updates = (await applyUpdates(db, organisation, edits)).values()
  return chosen.map((one) => {
    if (one instanceof Refusal) return one
    const update = updates.next().value as Exclude<ReturnType<typeof updates.next>['value'], undefined>
    if (update instanceof Refusal) return update
    const { move } = one
    const { before } = update
    const set = { ...update.set, ...move?.set }
    const joined = { ...update.joined, ...move?.joined }
    const after = { ...before, ...set, ...joined }
    const [was, is] = [presentTask(before, organisation, now), presentTask(after, organisation, now)]
    const previous = differenceOf(was, is)
    if (!previous) return { before, after: before, changes: [], previous: {} }
    const change = { before, set, joined, fires: move?.fires ?? (['TASK_UPDATED'] as const) }
    return { before, after, changes: changesOf(previous, is), previous, change }
  })
}

/** What a fulfiller decides for itself, whatever the owner allows. */
const ownParts = new Set(['awb', 'userId', 'teamId', 'formId', 'priority', 'serviceTime', 'dependencies'])

/** Those that only an owner may change. A change reaches all who had the task before, so each of them has a say. */
async function listGuarded(db: Db, tasks: readonly TaskView[]): Promise<ReadonlySet<number>> {
  const given = tasks.filter(({ owner_id }) => owner_id !== null)
  if (given.length === 0) return new Set()
  const owners = await findOwners(db, given)
  const strict = new Set<number>()
  for (const ownerId of new Set([...owners.values()].flat())) {
    const owner = await getOrganisation(db.as(ownerId), ownerId)
    if (!settingsOf(owner)[delegatedActs.edit.fulfiller]) strict.add(ownerId)
  }
  return new Set([...owners].filter(([, above]) => above.some((id) => strict.has(id))).map(([taskId]) => taskId))
}

/** New prices with decimals, of tasks that somebody has who uses none. They are never rounded. */
async function listUnfit(
  db: Db,
  wanted: readonly Wanted[],
  tasks: ReadonlyMap<string, TaskView>,
): Promise<ReadonlySet<Wanted>> {
  const priced = wanted.flatMap((one) => {
    const task = tasks.get(one.awb)
    const { totalPrice } = one.input
    const isNew = task && isShared(task) && totalPrice != null && totalPrice !== totalPriceOf(task)
    return isNew && !Number.isInteger(totalPrice) ? [{ one, task }] : []
  })
  if (priced.length === 0) return new Set()
  const sharers = await findSharers(
    db,
    priced.map(({ task }) => task),
  )
  const whole = new Set<number>()
  for (const id of new Set([...sharers.values()].flatMap((ids) => [...ids])))
    if (settingsOf(await getOrganisation(db.as(id), id)).moneyDecimals === 0) whole.add(id)
  const isUnfit = ({ id }: TaskView) => !whole.isDisjointFrom(sharers.get(id) ?? new Set())
  return new Set(priced.flatMap(({ one, task }) => (isUnfit(task) ? [one] : [])))
}

const noDecimalsThere = () =>
  new Refusal('CURRENCY_DIFFERS', {
    message: 'The partner who has this task has amounts without decimals, and this one has some',
  })

const givenTwice = (awb: string) =>
  new Refusal('VALIDATION_FAILED', { field: 'awb', message: `${awb} is in this request twice` })

/** What was already ended is corrected, and the audit log says so. */
async function writeChanges(
  context: Context,
  db: Db,
  organisation: Organisation,
  written: readonly { change: TaskChange; previous: Record<string, unknown> }[],
): Promise<TaskView[]> {
  const now = context.clock.now()
  const corrected = written
    .filter(({ change }) => isEnded({ statusId: change.before.status_id }))
    .map(({ change, previous }) => {
      const is = presentTask({ ...change.before, ...change.set, ...change.joined }, organisation, now)
      return { kind: 'task.corrected' as const, subjectId: change.before.id, changes: tellCorrection(previous, is) }
    })
  if (corrected.length > 0) await recordAudit(context, db, organisation.id, corrected)
  return changeTasks(
    context,
    db,
    organisation,
    written.map(({ change, previous }) => leaveSeries(change, previous)),
    now,
  )
}

/**
 * Whoever edits one task of a schedule means this one: from now on it no longer follows. Giving it to a driver is no edit. A
 * partner's edit of what is its owner's, too, is passed on as such (`mirror`).
 */
function leaveSeries(change: TaskChange, previous: object): TaskChange {
  const { schedule_id, owner_id } = change.before
  const edited = Object.keys(previous).filter((field) => field in TaskUpdateFields.properties)
  const isLeft =
    (schedule_id !== null && edited.length > 0) ||
    (owner_id !== null && edited.some((field) => !ownParts.has(field) && field !== 'deliveryPrice'))
  return isLeft ? { ...change, set: { ...change.set, schedule_changed: true } } : change
}

/** What the audit log tells of an ended task that is changed: values of what is never personal, names of the rest. */
const tellCorrection = (previous: Record<string, unknown>, is: Task) =>
  tellChanges(
    previous,
    Object.fromEntries(Object.keys(previous).map((field) => [field, is[field as keyof Task]])),
    Object.keys(previous).filter((field) => !impersonal.includes(field)),
  )
const impersonal = [
  'awb',
  'totalPrice',
  'deliveryPrice',
  'leftToBePaid',
  'collectPayment',
  'paymentTypeId',
  'quantity',
  'priority',
  'serviceTime',
  'completeAfter',
  'completeBefore',
  'pickupTask',
  'sendNotifications',
  'teamId',
]
