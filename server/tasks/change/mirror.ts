import { Refusal } from '../../../contract/errors.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { TriggerName } from '../../../core/triggers.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import type { Happened, Remark } from '../../events/record.ts'
import { listFiles, saveFiles } from '../../files/queries.ts'
import { partnerAuthor } from '../../organisations/partner-queries.ts'
import { getOrganisation, type Organisation } from '../../organisations/queries.ts'
import { arrivalOf } from '../arrival.ts'
import { saveCustomers } from '../customers/customers.ts'
import type { NewCustomer } from '../customers/queries.ts'
import { lineColumns } from '../money.ts'
import { addressParts, insertNotes, insertPayment, saveAddresses, showImage } from '../queries.ts'
import { viewTasks } from '../read/view.ts'
import type { TaskRow, TaskView } from '../tables.ts'

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
  changes: {
    before: TaskView
    set: Partial<TaskRow>
    fires: readonly TriggerName[]
    rereads: ('address' | 'customer' | 'notes')[]
    happened?: Happened
    remark?: Remark
  }[]
}

/** How the work goes on: told by the fulfiller. */
const work = [
  'status_id',
  'accepted_at',
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

/** What follows from these steps at the neighbours. Addresses, customers, notes and payments are written here. */
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
    const changes: Mirrored['changes'] = []
    for (const { step, taskId, side } of theirs) {
      const before = views.get(taskId)
      if (before) changes.push(...(await follow({ db, organisation, own }, step, before, side)))
    }
    if (settingsOf(partner).moneyDecimals === 0 && changes.some(({ set }) => hasFraction(set)))
      throw new Refusal('CURRENCY_DIFFERS', {
        message: 'The partner who has this task has amounts without decimals, and this one has some',
      })
    context.announceToo(organisationId)
    mirrored.push({ context: asPartner(context, organisation, own), db: own, organisation: partner, changes })
  }
  return mirrored
}

const hasFraction = ({ total_price_hundredths, left_to_be_paid_hundredths }: Partial<TaskRow>) =>
  Boolean(total_price_hundredths || left_to_be_paid_hundredths)

/** For them it was a partner: who of its people it was is not their business. */
export const asPartner = ({ undoId: _, ...context }: Context, { id, name }: Organisation, db: Db): Context => ({
  ...context,
  db,
  actor: { type: 'PARTNER', id, name },
})

/** Who tells, and the handle of who is told. */
interface Teller {
  db: Db
  organisation: Organisation
  own: Db
}

/** Their task after a step of ours, if it follows. */
async function follow(
  { db: source, organisation, own: db }: Teller,
  { before: was, after, fires, happened, remark }: Step,
  before: TaskView,
  side: Neighbour['side'],
): Promise<Mirrored['changes']> {
  const organisationId = before.organisation_id
  const partnerId = organisation.id
  const isErased = before.erased_at !== null
  const changed = pick(after, was, isErased ? money : goods)
  const set: Partial<TaskRow> = pick({ ...before, ...changed }, before, goods)
  const rereads: Mirrored['changes'][number]['rereads'] = []
  if (side === 'fulfiller' && after.deleted_at !== null)
    return [{ before, set: { deleted_at: after.deleted_at }, fires: ['TASK_DELETED'], rereads }]
  if (side === 'owner' && !isErased) {
    const told = { ...driverOf(after, organisation), eta_at: arrivalOf(after) ?? after.eta_at }
    Object.assign(set, pick({ ...after, ...told }, before, ofWork))
  }
  Object.assign(set, pick({ ...before, chain_awbs: awbsOfOthers(after, before) }, before, ['chain_awbs']))
  if (!isErased && !isSame(partsOf(was.address), partsOf(after.address))) {
    await saveAddresses(db, organisationId, [{ ...partsOf(after.address), task_id: before.id }])
    rereads.push('address')
  }
  if (!isErased && !isSame(was.customer, after.customer)) {
    set.customer_id = await copyCustomer(db, organisationId, after.customer)
    rereads.push('customer')
  }
  if (!isErased && !isSame(was.notes, after.notes)) {
    const known = new Map(was.notes.map((note) => [note.id, note]))
    const added = after.notes.filter(({ id }) => !known.has(id))
    const shown = after.notes.filter(({ id, image }) => image !== null && known.get(id)?.image === null)
    const isCopied = await copyNotes({ source, db, partnerId }, before, added, shown)
    if (isCopied) rereads.push('notes')
  }
  const payment = remark && 'payment' in remark ? remark.payment : undefined
  const paid = payment && {
    task_id: before.id,
    user_id: await partnerAuthor(db, organisationId, partnerId),
    ...lineColumns(payment.amount),
    method: payment.method as 'cash',
    note: null,
    occurred_at: happened?.at ?? after.updated_at,
    // What the fulfiller collects is the owner's, and so on up the chain. What the owner says was paid, nobody owes it.
    collected_by: side === 'owner' ? partnerId : null,
    collected_for: side === 'owner' ? before.owner_id : null,
  }
  const paymentId = paid && (await insertPayment(db, organisationId, paid))
  if (Object.keys(set).length === 0 && rereads.length === 0 && !payment) return []
  const told = side === 'owner' ? fires.filter((trigger) => !ofOneSide.includes(trigger)) : []
  return [
    {
      before,
      set,
      rereads,
      fires: told.length > 0 ? told : ['TASK_UPDATED'],
      ...(happened && { happened }),
      ...(payment && paymentId !== undefined && { remark: { payment: { ...payment, id: paymentId } } }),
    },
  ]
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
  const phone = task.driver ? task.driver.phone : task.fulfiller_phone
  return {
    fulfiller_driver: task.driver ? task.driver.name : task.fulfiller_driver,
    fulfiller_phone: settingsOf(organisation).showDriverPhoneToPartners ? phone : null,
  }
}

type Note = TaskView['notes'][number]

/**
 * Notes of a partner's task, and pictures of such notes that have arrived since. A picture is stored once, and each side
 * has a file of its own for it, under the same id. Answers whether there was something to copy.
 */
export async function copyNotes(
  { source, db, partnerId }: { source: Db; db: Db; partnerId: number },
  task: TaskRow,
  added: readonly Note[],
  shown: readonly Note[] = [],
): Promise<boolean> {
  if (added.length === 0 && shown.length === 0) return false
  const { organisation_id: organisationId, id: task_id } = task
  const user_id = await partnerAuthor(db, organisationId, partnerId)
  const ids = [...added, ...shown].flatMap(({ file_id }) => file_id ?? [])
  const files = ids.length > 0 ? await listFiles(source, partnerId, ids) : []
  if (files.length > 0)
    await saveFiles(
      db,
      organisationId,
      files.map((file) => ({ ...file, user_id, task_id })),
    )
  const notes = added.map(({ type, note, image, file_id }) => ({ task_id, user_id, type, note, image, file_id }))
  if (notes.length > 0) await insertNotes(db, organisationId, notes)
  for (const { file_id, image } of shown)
    if (file_id && image) await showImage(db, organisationId, task_id, file_id, image)
  return true
}

const partsOf = (address: TaskView['address']) =>
  Object.fromEntries(addressParts.map((part) => [part, address[part]])) as Pick<
    TaskView['address'],
    (typeof addressParts)[number]
  >

/** The same person for the customers of somebody else. What is not known here stays as it is known there. */
export function customerCopy(customer: NonNullable<TaskView['customer']>): NewCustomer {
  const { name, phone, typed_phone, email, address, address_second_line } = customer
  return {
    name,
    phone,
    typed_phone,
    email,
    address,
    address_second_line,
    has_email: email !== null,
    has_address: address !== null,
    has_address_second_line: address_second_line !== null,
  }
}

async function copyCustomer(db: Db, organisationId: number, customer: TaskView['customer']): Promise<number | null> {
  if (!customer) return null
  const copy = customerCopy(customer)
  return (await saveCustomers(db, organisationId, [copy])).get(copy)?.id ?? null
}
