import { type ErrorDetail, Refusal } from '../../../contract/errors.ts'
import { refusalOf } from '../../../contract/read/refusal.ts'
import { awbsOf, type TaskUpdate } from '../../../contract/task.ts'
import { leftToPay } from '../../../core/money.ts'
import { type Settings, settingsOf } from '../../../core/settings.ts'
import type { Db } from '../../db/db.ts'
import { findFormIds } from '../../forms/queries.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { type Address, isSamePlace, mergeAddress } from '../address.ts'
import { changeCustomers, draftCustomer, isOfSharedTask, placedAt } from '../customers/customers.ts'
import type { NewCustomer } from '../customers/queries.ts'
import { learnPins } from '../learned/places.ts'
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
  sumPaymentsOf,
} from '../queries.ts'
import { requireNotErased } from '../read/erased.ts'
import { viewTasks } from '../read/view.ts'
import { teamForbidden, unknownAwb, unknownForm, unknownTeam } from '../refusals.ts'
import type { TaskRow, TaskView } from '../tables.ts'
import { readWindow, requireOrderedWindow } from '../time-window.ts'
import { type JoinedPart, partsOf } from './change.ts'

/** A locked task, and what is to become of it. */
export interface Edit {
  before: TaskView
  /** Of these the update applies all but the driver: that is a move. */
  input: TaskUpdate & { userId?: number }
}

interface Update {
  /** The task as it was, but with the customer as other updates of the set leave them. */
  before: TaskView
  /** The task's own columns that change. */
  set: Partial<TaskRow>
  /** Related records that changed, as they are now. */
  joined: Partial<Pick<TaskView, JoinedPart>>
}

/**
 * Applies updates to locked tasks: writes to the other tables, each as one set, and returns what to write to their own
 * rows. One that is refused has written nothing.
 */
export async function applyUpdates(
  db: Db,
  organisation: Organisation,
  edits: readonly Edit[],
): Promise<(Update | Refusal)[]> {
  const references = await findReferences(db, organisation.id, edits)
  const drafts: (Draft | Refusal)[] = []
  for (const edit of edits) drafts.push(await draftUpdate(db, organisation, edit, references).catch(orRefusal))
  const good = drafts.filter(isAllowed)

  const places = good.flatMap(({ before, address }) => (address ? [{ task_id: before.id, ...address }] : []))
  if (places.length > 0) await saveAddresses(db, organisation.id, places)
  const pinned = good.filter(({ before, address }) => address && isPinned(before.address, address))
  if (pinned.length > 0) await learnPins(db, organisation.id, pinned.map(placeOf))
  const lost = good.filter(
    ({ before, input, address }) =>
      address?.lat === null && (!isSamePlace(before.address, address) || input.address?.findAgain),
  )
  if (lost.length > 0) await queueGeocoding(db, organisation.id, idsOf(lost))
  const named = good.flatMap(({ before, customer }) => (customer ? [{ before: before.customer, draft: customer }] : []))
  const customers = await changeCustomers(db, organisation.id, named)
  const records = new Map([...customers.values()].map((record) => [record.id, record]))
  const current = (customer: TaskView['customer']) => customer && (records.get(customer.id) ?? customer)
  const reread = good.filter(({ input }) => input.address !== undefined || input.dependencies !== undefined)
  const stored = new Map((await viewAll(db, organisation.id, idsOf(reread))).map((view) => [view.id, view]))

  return drafts.map((draft) => {
    if (draft instanceof Refusal) return draft
    const { before, input, customer, set } = draft
    const joined: Update['joined'] = partsOf(
      stored.get(before.id),
      (['address', 'dependencies'] as const).filter((part) => input[part] !== undefined),
    )
    if (set.team_id !== undefined) joined.team = references.teams.get(set.team_id ?? 0) ?? null
    const named = customer && customers.get(customer)
    if (customer === undefined || named === before.customer)
      return { before: { ...before, customer: current(before.customer) }, set, joined }
    joined.customer = current(named ?? null)
    return { before, set: { ...set, customer_id: joined.customer?.id ?? null }, joined }
  })
}

/** Somebody said where it is: another place, or that the one found is right. */
export const isPinned = (before: Address, after: Address) =>
  after.lat !== null &&
  after.precision === null &&
  (before.precision !== null || after.lat !== before.lat || after.lng !== before.lng)
const placeOf = ({ before, address }: Draft) => ({ task_id: before.id, address: address as Address })

const idsOf = (some: readonly Edit[]) => some.map(({ before }) => before.id)
const viewAll = async (db: Db, organisationId: number, ids: number[]) =>
  ids.length > 0 ? viewTasks(db, organisationId, ids) : []

export const isAllowed = <Value>(one: Value | Refusal): one is Value => !(one instanceof Refusal)

function orRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

type References = Awaited<ReturnType<typeof findReferences>>

/** The records the updates refer to, looked up for the whole set. */
async function findReferences(db: Db, organisationId: number, edits: readonly Edit[]) {
  const idsIn = (ids: (number | null | undefined)[]) => [...new Set(ids.filter((id) => id != null))]
  const teamIds = idsIn(edits.map(({ input }) => input.teamId))
  const formIds = idsIn(edits.map(({ input }) => input.formId))
  const priced = edits.filter(({ input }) => input.totalPrice !== undefined || input.collectPayment !== undefined)
  const teams = teamIds.length > 0 ? await holdTeams(db, organisationId, teamIds) : []
  return {
    teams: new Map(teams.map((team) => [team.id, team])),
    forms: new Set(formIds.length > 0 ? await findFormIds(db, organisationId, formIds) : []),
    paid: priced.length > 0 ? await sumPaymentsOf(db, organisationId, idsOf(priced)) : new Map<number, number>(),
  }
}

/** What an update writes where; undefined is not given, null is taken away. */
interface Draft extends Edit {
  address: Address | undefined
  customer: NewCustomer | null | undefined
  set: Partial<TaskRow>
}

async function draftUpdate(
  db: Db,
  organisation: Organisation,
  { before, input }: Edit,
  references: References,
): Promise<Draft> {
  requireNotErased(before)
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
  const set = {
    ...(settings.enableAWB && input.awb !== undefined && { awb: input.awb }),
    ...plainFields(input),
    ...readTeam(settings, before, input, references),
    ...readForm(before, input, references),
    ...readPayment(before, input, references),
    complete_after: completeAfter,
    complete_before: completeBefore,
  }
  const customer =
    input.customer &&
    placedAt(
      draftCustomer(input.customer, organisation, before.customer, isOfSharedTask(before)),
      address ?? before.address,
    )
  // Last, because it writes: what is refused before leaves nothing.
  if (input.dependencies) await replaceDependencies(db, organisation.id, before, awbsOf(input.dependencies))
  return { before, input, address, customer, set }
}

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

function readTeam(
  { enableTeamAssignment }: Settings,
  before: TaskView,
  { teamId, userId }: Edit['input'],
  { teams }: References,
): Partial<TaskRow> {
  if (teamId === undefined || teamId === before.team_id) return {}
  if (teamId === null) return { team_id: null }
  if (!enableTeamAssignment && before.user_id === null && userId === undefined) throw teamForbidden()
  if (!teams.has(teamId)) throw unknownTeam()
  return { team_id: teamId }
}

/** A form that was deleted may stay where it is. */
function readForm(before: TaskView, { formId }: TaskUpdate, { forms }: References): Partial<TaskRow> {
  if (formId === undefined || formId === before.form_id) return {}
  if (formId !== null && !forms.has(formId)) throw unknownForm()
  return { form_id: formId }
}

/** A new price keeps what was already paid; whether to collect follows the price unless it was set explicitly. */
function readPayment(
  before: TaskView,
  { totalPrice, collectPayment }: TaskUpdate,
  { paid }: References,
): Partial<TaskRow> {
  if (totalPrice === undefined && collectPayment === undefined) return {}
  const price = totalPriceOf(before)
  const total = totalPrice === undefined ? price : totalPrice
  const followsPrice = before.collect_payment === (price ?? 0) > 0
  const collects = collectPayment ?? (followsPrice ? (total ?? 0) > 0 : before.collect_payment)
  return {
    ...priceColumns('total_price', total),
    collect_payment: collects,
    ...priceColumns(
      'left_to_be_paid',
      leftToPay({ totalPrice: total, collectPayment: collects }, paid.get(before.id) ?? 0),
    ),
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
