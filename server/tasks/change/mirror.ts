import { settingsOf } from '../../../core/settings.ts'
import type { TriggerName } from '../../../core/triggers.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import type { Happened, Remark } from '../../events/record.ts'
import { getOrganisation, type Organisation } from '../../organisations/queries.ts'
import { arrivalOf } from '../arrival.ts'
import { followCustomer } from '../customers/customers.ts'
import { viewTasks } from '../read/view.ts'
import type { TaskRow, TaskView } from '../tables.ts'
import { addressOf, type Followed, type MirroredChange, writeParts } from './shared-parts.ts'

/*
 * What partners have of a task follows what is done to it, in the same transaction. The owner's row follows the work of
 * the fulfiller; what is to be delivered, where and when, is the same on both sides, whoever changes it.
 */

/** What was done to a task here. */
export interface Step {
  before: TaskView
  after: TaskView
  fires: readonly TriggerName[]
  happened?: Happened | undefined
  remark?: Remark | undefined
}

/** What follows at a partner. */
export interface Mirrored {
  context: Context
  db: Db
  organisation: Organisation
  changes: MirroredChange[]
}

/** How the work goes on: told by the fulfiller. */
const work = [
  'status_id',
  'accepted_at',
  'loaded_at',
  'started_at',
  'arrived_at',
  'completed_at',
  'driver_arrived',
  'eta_at',
  'cancel_reason',
  'cancel_reason_code',
  'mobile_task_form',
  'last_lat',
  'last_lng',
] as const satisfies (keyof TaskRow)[]

const ofWork = [...work, 'fulfiller_driver', 'fulfiller_phone'] as const

/** What became of the money. That is the same even where everything else was erased. */
const money = ['left_to_be_paid', 'left_to_be_paid_hundredths'] as const satisfies (keyof TaskRow)[]

/** What is to be done, too. */
const goods = [
  ...money,
  'details',
  'customer_notes',
  'total_price',
  'total_price_hundredths',
  'collect_payment',
  'payment_type_id',
  'quantity',
  'complete_after',
  'complete_before',
  'pickup_task',
  'inventory',
  'custom_fields',
  'send_notifications',
  'instructions',
  'feedback',
] as const satisfies (keyof TaskRow)[]

/** What only one side is told: who of its own drives is its own business. */
const ofOneSide: readonly TriggerName[] = ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_UNASSIGNED', 'TASK_GEOCODED']

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Those of the columns in which `after` differs from what it is compared with. */
function pick(after: TaskRow, other: TaskRow, columns: readonly (keyof TaskRow)[]): Partial<TaskRow> {
  const changed = columns.filter((column) => !isSame(after[column], other[column]))
  return Object.fromEntries(changed.map((column) => [column, after[column]]))
}

type Neighbour = { organisationId: number; taskId: number; side: 'owner' | 'fulfiller' }

/** Who else has the task, without the one it was heard from. */
function neighboursOf({ before, after }: Step, from: number | undefined): Neighbour[] {
  const found = (['owner', 'fulfiller'] as const).flatMap((side): Neighbour[] => {
    const [organisationId, taskId] = [before[`${side}_id`], before[`${side}_task_id`]]
    // What changes hands is written on both sides by whoever hands it over.
    if (organisationId === null || taskId === null || after[`${side}_id`] !== organisationId) return []
    return [{ organisationId, taskId, side }]
  })
  return found.filter(({ organisationId }) => organisationId !== from)
}

/** What follows from these steps at the neighbours. What is not in the task's own row is written here. */
export async function mirrorSteps(
  context: Context,
  db: Db,
  organisation: Organisation,
  steps: readonly Step[],
  from: number | undefined,
): Promise<Mirrored[]> {
  const wanted = steps.flatMap((step) => neighboursOf(step, from).map((neighbour) => ({ step, ...neighbour })))
  const mirrored: Mirrored[] = []
  for (const [organisationId, theirs] of Map.groupBy(wanted, (one) => one.organisationId)) {
    const own = db.as(organisationId)
    const partner = await getOrganisation(own, organisationId)
    const ids = theirs.map(({ taskId }) => taskId)
    const views = new Map((await viewTasks(own, organisationId, ids)).map((view) => [view.id, view]))
    const followed = theirs.flatMap(({ step, taskId, side }) => {
      const before = views.get(taskId)
      return (before && follow(organisation, step, before, side)) ?? []
    })
    const changes = await writeParts({ source: db, db: own, partnerId: organisation.id }, organisationId, followed)
    context.announceToo(organisationId)
    mirrored.push({ context: asPartner(context, organisation, own), db: own, organisation: partner, changes })
  }
  return mirrored
}

/** For them it was a partner: who of its people it was is not their business. */
export const asPartner = ({ undoId: _, ...context }: Context, { id, name }: Organisation, db: Db): Context => ({
  ...context,
  db,
  actor: { type: 'PARTNER', id, name },
})

/** Their task after a step of ours, if it follows. */
function follow(
  organisation: Organisation,
  { before: was, after, fires, happened, remark }: Step,
  before: TaskView,
  side: Neighbour['side'],
): Followed | undefined {
  if (side === 'fulfiller' && after.deleted_at !== null)
    return { before, set: { deleted_at: after.deleted_at }, fires: ['TASK_DELETED'] }
  const isErased = before.erased_at !== null
  const changed = pick(after, was, isErased ? money : goods)
  const set: Partial<TaskRow> = pick({ ...before, ...changed }, before, goods)
  if (side === 'owner' && !isErased) {
    const told = { ...driverOf(after, organisation), eta_at: arrivalOf(after) ?? after.eta_at }
    Object.assign(set, pick({ ...after, ...told }, before, ofWork))
    // Whoever decided to leave the task as it was decided about another end.
    if (remark && 'corrected' in remark && before.closed_at !== null) set.closed_at = null
  }
  Object.assign(set, pick({ ...before, chain_awbs: awbsOfOthers(after, before) }, before, ['chain_awbs']))
  if (side === 'owner' && after.schedule_changed && !was.schedule_changed) set.schedule_changed = true
  const parts = isErased ? {} : changedParts(was, after, before)
  const payment = remark && 'payment' in remark ? remark.payment : undefined
  if (Object.keys(set).length === 0 && Object.keys(parts).length === 0 && !payment) return undefined
  const told = side === 'owner' ? fires.filter((trigger) => !ofOneSide.includes(trigger)) : []
  return {
    before,
    set,
    fires: told.length > 0 ? told : ['TASK_UPDATED'],
    happened,
    ...parts,
    ...(remark && 'corrected' in remark && { remark }),
    // What the fulfiller collects is the owner's, and so on up the chain. What the owner says was paid, nobody owes it.
    ...(payment && { paid: { ...payment, at: happened?.at ?? after.updated_at, isCollected: side === 'owner' } }),
  }
}

/** What changed besides the row itself, as it is told for their task. */
function changedParts(
  was: TaskView,
  after: TaskView,
  theirs: TaskView,
): Pick<Followed, 'address' | 'customer' | 'added' | 'shown'> {
  const customer = after.customer ? followCustomer(theirs.customer, was.customer, after.customer) : null
  const known = new Map(was.notes.map((note) => [note.id, note]))
  const added = after.notes.filter(({ id }) => !known.has(id))
  const shown = after.notes.filter(({ id, image }) => image !== null && known.get(id)?.image === null)
  return {
    ...(!isSame(addressOf(was), addressOf(after)) && { address: addressOf(after) }),
    ...(!isSame(was.customer, after.customer) && customer !== undefined && { customer }),
    ...(added.length > 0 && { added }),
    ...(shown.length > 0 && { shown }),
  }
}

/** By what others know it: all know all, for the scanner. */
export function awbsOfOthers(
  { awb, chain_awbs }: Pick<TaskRow, 'awb' | 'chain_awbs'>,
  own: Pick<TaskRow, 'awb'>,
): string[] | null {
  const others = new Set([awb, ...(chain_awbs ?? [])])
  others.delete(own.awb)
  return others.size > 0 ? [...others].sort() : null
}

/** Who drives it: all that the owner learns of the driver. */
function driverOf(task: TaskView, organisation: Organisation): Pick<TaskRow, 'fulfiller_driver' | 'fulfiller_phone'> {
  if (task.driver?.is_erased) return { fulfiller_driver: null, fulfiller_phone: null }
  const phone = task.driver ? task.driver.phone : task.fulfiller_phone
  return {
    fulfiller_driver: task.driver ? task.driver.name : task.fulfiller_driver,
    fulfiller_phone: settingsOf(organisation).showDriverPhoneToPartners ? phone : null,
  }
}
