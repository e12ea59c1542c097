import { type ErrorDetail, Refusal } from '../../../contract/errors.ts'
import { refusalOf } from '../../../contract/read/refusal.ts'
import type { TaskUpdate } from '../../../contract/task.ts'
import { leftToPay } from '../../../core/money.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Db } from '../../db/db.ts'
import { findForm } from '../../forms/queries.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { isSamePlace, mergeAddress } from '../address.ts'
import { changeCustomer, draftCustomer } from '../customers/customers.ts'
import { checkPrices, deliveryPriceOf, priceColumns, totalPriceOf } from '../money.ts'
import {
  deleteDependencies,
  dependsOnItself,
  findTaskIds,
  holdTeams,
  insertDependencies,
  lockDependencies,
  queueGeocoding,
  saveAddresses,
  sumPayments,
} from '../queries.ts'
import { teamForbidden, unknownAwb, unknownForm, unknownTeam } from '../refusals.ts'
import type { TaskRow, TaskView } from '../tables.ts'
import { readWindow, requireOrderedWindow } from '../time-window.ts'
import type { JoinedPart } from './change.ts'

interface Update {
  /** The task's own columns that change. */
  set: Partial<TaskRow>
  /** Related records that changed. */
  rereads: JoinedPart[]
}

/** Applies an update to a locked task: writes to the other tables, and returns what to write to its own row. */
export async function applyUpdate(
  db: Db,
  organisation: Organisation,
  before: TaskView,
  input: TaskUpdate,
): Promise<Update> {
  const problems: ErrorDetail[] = []
  const window = readWindow(input, organisation, problems)
  const address = input.address && mergeAddress(before.address, input.address, problems)
  checkPrices(input, organisation, problems, {
    totalPrice: totalPriceOf(before),
    deliveryPrice: deliveryPriceOf(before),
  })
  if (problems.length > 0) throw refusalOf(problems)
  const completeAfter = window.after === undefined ? before.complete_after : window.after
  const completeBefore = window.before === undefined ? before.complete_before : window.before
  requireOrderedWindow(completeAfter, completeBefore)

  const settings = settingsOf(organisation)
  if (address) {
    await saveAddresses(db, organisation.id, [{ task_id: before.id, ...address }])
    if (address.lat === null && !isSamePlace(before.address, address))
      await queueGeocoding(db, organisation.id, [before.id])
  }
  if (input.dependencies) await replaceDependencies(db, organisation.id, before, [...new Set(input.dependencies)])

  const set = {
    ...(settings.enableAWB && input.awb !== undefined && { awb: input.awb }),
    ...plainFields(input),
    ...(await readTeam(db, organisation, before, input)),
    ...(await readForm(db, organisation.id, before, input)),
    ...(await readCustomer(db, organisation, before, input)),
    ...(await readPayment(db, organisation.id, before, input)),
    complete_after: completeAfter,
    complete_before: completeBefore,
  }
  return { set, rereads: joinedParts.filter((part) => input[fieldOf[part]] !== undefined) }
}

const fieldOf = { address: 'address', customer: 'customer', team: 'teamId', dependencies: 'dependencies' } as const
const joinedParts = Object.keys(fieldOf) as (keyof typeof fieldOf)[]

/** Fields that are stored as they came. */
function plainFields(input: TaskUpdate): Partial<TaskRow> {
  const fields: Partial<TaskRow> = {}
  if (input.details !== undefined) fields.details = input.details
  if (input.customerNotes !== undefined) fields.customer_notes = input.customerNotes
  if (input.deliveryPrice !== undefined) Object.assign(fields, priceColumns('delivery_price', input.deliveryPrice))
  if (input.paymentTypeId !== undefined) fields.payment_type_id = input.paymentTypeId
  if (input.quantity !== undefined) fields.quantity = input.quantity
  if (input.priority !== undefined) fields.priority = input.priority
  if (input.serviceTime !== undefined) fields.service_minutes = input.serviceTime
  if (input.pickupTask !== undefined) fields.pickup_task = input.pickupTask
  if (input.inventory !== undefined) fields.inventory = input.inventory
  if (input.customFields !== undefined) fields.custom_fields = input.customFields
  if (input.sendNotifications !== undefined) fields.send_notifications = input.sendNotifications
  return fields
}

async function readTeam(
  db: Db,
  organisation: Organisation,
  before: TaskView,
  { teamId }: TaskUpdate,
): Promise<Partial<TaskRow>> {
  if (teamId === undefined) return {}
  if (teamId === null) return { team_id: null }
  if (!settingsOf(organisation).enableTeamAssignment && before.user_id === null) throw teamForbidden()
  const [found] = await holdTeams(db, organisation.id, [teamId])
  if (found === undefined) throw unknownTeam()
  return { team_id: teamId }
}

/** A form that was deleted may stay where it is. */
async function readForm(
  db: Db,
  organisationId: number,
  before: TaskView,
  { formId }: TaskUpdate,
): Promise<Partial<TaskRow>> {
  if (formId === undefined || formId === before.form_id) return {}
  if (formId !== null && !(await findForm(db, organisationId, formId))) throw unknownForm()
  return { form_id: formId }
}

/** Given parts of the customer replace the old ones; another phone or name is another person. */
async function readCustomer(
  db: Db,
  organisation: Organisation,
  { customer: before }: TaskView,
  { customer }: TaskUpdate,
): Promise<Partial<TaskRow>> {
  if (customer === undefined) return {}
  const draft = customer && draftCustomer(customer, organisation, before)
  return { customer_id: draft && (await changeCustomer(db, organisation, before, draft)) }
}

/** A new price keeps what was already paid; whether to collect follows the price unless it was set explicitly. */
async function readPayment(
  db: Db,
  organisationId: number,
  before: TaskView,
  { totalPrice, collectPayment }: TaskUpdate,
): Promise<Partial<TaskRow>> {
  if (totalPrice === undefined && collectPayment === undefined) return {}
  const price = totalPriceOf(before)
  const total = totalPrice === undefined ? price : totalPrice
  const followsPrice = before.collect_payment === (price ?? 0) > 0
  const collects = collectPayment ?? (followsPrice ? (total ?? 0) > 0 : before.collect_payment)
  const paid = await sumPayments(db, organisationId, before.id)
  return {
    ...priceColumns('total_price', total),
    collect_payment: collects,
    ...priceColumns('left_to_be_paid', leftToPay({ totalPrice: total, collectPayment: collects }, paid)),
  }
}

async function replaceDependencies(db: Db, organisationId: number, { id }: TaskView, awbs: string[]) {
  await lockDependencies(db, organisationId)
  const found = await findTaskIds(db, organisationId, awbs)
  const missing = awbs.find((awb) => !found.some((task) => task.awb === awb))
  if (missing !== undefined) throw unknownAwb(missing, 'dependencies')
  const ids = found.map((task) => task.id)
  if (await dependsOnItself(db, organisationId, id, ids))
    throw new Refusal('VALIDATION_FAILED', {
      field: 'dependencies',
      message: 'A task cannot depend on itself, directly or through other tasks',
    })
  await deleteDependencies(db, organisationId, id)
  await insertDependencies(
    db,
    organisationId,
    ids.map((depends_on_id) => ({ task_id: id, depends_on_id })),
  )
}
