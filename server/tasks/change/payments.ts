import { type ErrorCode, Refusal, unknownInBody } from '../../../contract/errors.ts'
import type { Payment, PaymentInput } from '../../../contract/payment.ts'
import { refusalOf as refusalFor } from '../../../contract/read/refusal.ts'
import type { Task } from '../../../contract/task.ts'
import {
  decimalsToPay,
  hasTooManyDecimals,
  leftToPay,
  refusePayment,
  subtractAmount,
  sumAmounts,
} from '../../../core/money.ts'
import { type Settings, settingsOf } from '../../../core/settings.ts'
import { tellChanges } from '../../audit/changes.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { commitWithEvents } from '../../events/record.ts'
import { partnerAuthor } from '../../organisations/partner-queries.ts'
import { getOrganisation, type Organisation } from '../../organisations/queries.ts'
import { putIntoBags } from '../cash/lines.ts'
import { decimalsOff, lineColumns, priceColumns, totalPriceOf } from '../money.ts'
import { presentPayment } from '../present.ts'
import {
  findPayment,
  insertKeptPayments,
  type KeptPayment,
  type NewPayment,
  type PaymentView,
  reservePaymentIds,
  saveTasks,
  sumPayments,
} from '../queries.ts'
import { findSharers, viewFirst } from '../read/chain.ts'
import { hasBag } from '../read/drivers.ts'
import { requireNotErased } from '../read/erased.ts'
import { lockToPay } from '../read/lock.ts'
import { presentTasks } from '../read/timeline.ts'
import { otherOf } from '../read/tried.ts'
import type { TaskView } from '../tables.ts'
import { changeTasks, isShared, type TaskChange } from './change.ts'
import { asPartner } from './mirror.ts'
import { authorOf } from './notes.ts'

type GivenPayment = Omit<NewPayment, 'task_id' | 'amount_hundredths' | 'collected_by' | 'collected_for'>

/** A line to be written with a change of its task. */
export interface Paying {
  line: KeptPayment
  change: TaskChange
}

/** Adds a line to what was `paid` for a locked task before. What is left follows from all lines. */
export function payTask(
  task: TaskView,
  { amount, ...given }: GivenPayment,
  { id, paid }: { id: number; paid: number },
): Paying {
  const line = {
    ...given,
    ...lineColumns(amount),
    id,
    task_id: task.id,
    collected_by: null,
    collected_for: task.owner_id,
  }
  const collects = { collectPayment: task.collect_payment, totalPrice: totalPriceOf(task) }
  const left = leftToPay(collects, sumAmounts([paid, amount]))
  const remark = { payment: { id, amount, method: given.method } }
  const set = priceColumns('left_to_be_paid', left)
  return { line, change: { before: task, set, fires: ['TASK_UPDATED'], remark } }
}

/** The number of the next line, and what was paid before. */
export async function openPayment(db: Db, organisationId: number, taskId: number) {
  const [id] = await reservePaymentIds(db, 1)
  return { id: id as number, paid: await sumPayments(db, organisationId, taskId) }
}

/** Writes lines, each into the bag of the driver who took the money. */
export async function writePayments(db: Db, organisationId: number, lines: readonly KeptPayment[]) {
  if (lines.length === 0) return
  await insertKeptPayments(db, organisationId, lines)
  await putIntoBags(db, organisationId, lines)
}

/** Money without decimals is not paid with some, unless it has some already. */
export function requireDecimals({ moneyDecimals }: Settings, amount: number, there: readonly number[]) {
  if (hasTooManyDecimals(amount, decimalsToPay(there, moneyDecimals))) throw refusalFor([decimalsOff('amount')])
}

export function requirePayable({ allowPartialPayments }: Settings, amount: number, left: number) {
  const code = refusePayment(amount, left, allowPartialPayments)
  if (code) throw refusalOf(code, left === 0 ? 'Nothing is left to be paid' : sentences[code](left))
}

const sentences = {
  PAYMENT_TOO_MUCH: (left: number) => `Only ${left} is left to be paid`,
  PAYMENT_PARTIAL: (left: number) => `${left} must be paid at once`,
}

const refusalOf = (code: ErrorCode, message: string) => new Refusal(code, { field: 'amount', message })

/** Amounts are never converted: since the task has ended, one of those who share it may have another currency. */
export async function requireSameCurrency(db: Db, { currency }: Organisation, task: TaskView) {
  if (!isShared(task)) return
  for (const id of (await findSharers(db, [task])).get(task.id) ?? [])
    if ((await getOrganisation(db.as(id), id)).currency !== currency)
      throw new Refusal('CURRENCY_DIFFERS', { message: 'A partner who has this task has another currency by now' })
}

/**
 * The office knows of money that no driver took, or that a driver recorded wrongly. Of a deleted task what a driver took is
 * still entered, and lines are corrected.
 */
export const addPayment = (
  context: Context,
  organisation: Organisation,
  taskId: number,
  { amount, method, note = null, userId }: PaymentInput,
): Promise<{ payment: Payment; task: Task }> =>
  commitWithEvents(context, async (db) => {
    const task = await lockToPay(db, organisation.id, taskId)
    if (!task) throw new Refusal('TASK_NOT_FOUND')
    const isDeleted = task.id !== taskId || task.deleted_at !== null
    if (isDeleted && amount > 0 && !userId) throw new Refusal('TASK_NOT_FOUND')
    const places = await lockPlaces({ context, db, organisation, task })
    if (userId && !(await hasBag(db, organisation.id, userId))) throw unknownInBody('DRIVER_NOT_FOUND', 'userId')
    // Money still has to add up.
    if (note !== null) requireNotErased(task)
    if (amount > 0) await requireLastTry(db, task)
    // What was booked when the currency was the same can be taken back.
    if (amount > 0) await requireSameCurrency(db, organisation, task)
    requireFitting(settingsOf(organisation), task, amount, await sumPayments(db, organisation.id, task.id))
    const now = context.clock.now()
    const takenBy = userId ?? (await authorOf(context, db, organisation.id))
    const given = { user_id: takenBy, amount, method, note, occurred_at: now }
    const { id, view } = await bookPayment(places, given, now)
    const changes = tellChanges(null, { paymentId: id, amount, method, note, userId }, ['note'])
    await recordAudit(context, db, organisation.id, [{ kind: 'payment.added', subjectId: task.id, changes }])
    const payment = (await findPayment(db, organisation.id, id)) as PaymentView
    const [changed] = await presentTasks(db, organisation, [view], now)
    return { payment: presentPayment(payment), task: changed as Task }
  })

/** A task that is paid, as somebody has it. */
interface Place {
  context: Context
  db: Db
  organisation: Organisation
  task: TaskView
}

/**
 * Where a payment for a locked task is written. One that was deleted is followed by nobody any more: so also with whoever owned it, as
 * far up as it was deleted, and with the first who still has it.
 */
export async function lockPlaces(place: Place): Promise<Place[]> {
  const { context, db, organisation, task } = place
  const { owner_id, owner_task_id } = task
  if (task.deleted_at === null || owner_id === null || owner_task_id === null) return [place]
  const own = db.as(owner_id)
  const theirs = await lockToPay(own, owner_id, owner_task_id)
  // It was deleted for its age, and what is owed for it with it.
  if (!theirs) return [place]
  const owner = await getOrganisation(own, owner_id)
  context.announceToo(owner_id)
  const next = { context: asPartner(context, organisation, own), db: own, organisation: owner, task: theirs }
  return [place, ...(await lockPlaces(next))]
}

/** Writes a line in each of the places. Answers that of the first, and the task there. */
export async function bookPayment(
  places: readonly Place[],
  given: GivenPayment,
  now: Date,
): Promise<{ id: number; view: TaskView }> {
  const booked: { id: number; view: TaskView }[] = []
  let from: Organisation | undefined
  for (const { context, db, organisation, task } of places) {
    const { id: organisationId } = organisation
    const by = from && { note: null, user_id: await partnerAuthor(db, organisationId, from.id) }
    const { line, change } = payTask(task, { ...given, ...by }, await openPayment(db, organisationId, task.id))
    await writePayments(db, organisationId, [{ ...line, collected_by: from?.id ?? null }])
    const told = from ? { ...change, happened: { at: given.occurred_at, lat: null, lng: null } } : change
    booked.push({ id: line.id, view: await changePaid({ context, db, organisation, task }, told, now) })
    from = organisation
  }
  return booked[0] as (typeof booked)[number]
}

/** Of a deleted task no event tells. */
async function changePaid(
  { context, db, organisation, task }: Place,
  change: TaskChange,
  now: Date,
): Promise<TaskView> {
  if (task.deleted_at === null) return (await changeTasks(context, db, organisation, [change], now))[0] as TaskView
  const view = { ...task, ...change.set, updated_at: now }
  await saveTasks(db, organisation.id, [view], new Set(['updated_at', ...Object.keys(change.set)]))
  return view
}

/** What is left of it is the price of its next try: paid here, it would be collected once more there. */
async function requireLastTry(db: Db, task: TaskView) {
  const first = await viewFirst(db, task)
  const next = otherOf(first, first.reattempted_as)
  if (next)
    throw new Refusal('TASK_REATTEMPTED', {
      message:
        first.id === task.id
          ? `The task is tried again as ${next.awb}; add the payment there`
          : 'The owner of the task tries it again; what is left is paid there',
    })
}

/** It counts whether or not the driver is to collect: the price may have been paid elsewhere. */
function requireFitting(settings: Settings, task: TaskView, amount: number, paid: number) {
  const price = totalPriceOf(task) ?? 0
  if (amount === 0) throw refusalOf('VALIDATION_FAILED', 'amount must not be 0')
  requireDecimals(settings, amount, [price, paid])
  if (amount > 0) requirePayable(settings, amount, Math.max(0, subtractAmount(price, paid)))
  else if (sumAmounts([paid, amount]) < 0) throw refusalOf('PAYMENT_TOO_MUCH', `Only ${paid} was paid`)
}
