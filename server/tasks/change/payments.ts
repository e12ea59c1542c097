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
import type { Organisation } from '../../organisations/queries.ts'
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
  sumPayments,
} from '../queries.ts'
import { hasBag } from '../read/drivers.ts'
import { requireNotErased } from '../read/erased.ts'
import { lockTasks } from '../read/lock.ts'
import { presentTasks } from '../read/timeline.ts'
import { otherOf } from '../read/tried.ts'
import type { TaskView } from '../tables.ts'
import { changeTasks, type TaskChange } from './change.ts'
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

/** The office knows of money that no driver took, or that a driver recorded wrongly. */
export const addPayment = (
  context: Context,
  organisation: Organisation,
  taskId: number,
  { amount, method, note = null, userId }: PaymentInput,
): Promise<{ payment: Payment; task: Task }> =>
  commitWithEvents(context, async (db) => {
    const [task] = await lockTasks(db, organisation.id, [taskId])
    if (!task) throw new Refusal('TASK_NOT_FOUND')
    if (userId && !(await hasBag(db, organisation.id, userId))) throw unknownInBody('DRIVER_NOT_FOUND', 'userId')
    // Money still has to add up.
    if (note !== null) requireNotErased(task)
    if (amount > 0) requireLastTry(task)
    const next = await openPayment(db, organisation.id, taskId)
    requireFitting(settingsOf(organisation), task, amount, next.paid)
    const now = context.clock.now()
    const takenBy = userId ?? (await authorOf(context, db, organisation.id))
    const { line, change } = payTask(task, { user_id: takenBy, amount, method, note, occurred_at: now }, next)
    await writePayments(db, organisation.id, [line])
    const changes = tellChanges(null, { paymentId: line.id, amount, method, note, userId }, ['note'])
    await recordAudit(context, db, organisation.id, [{ kind: 'payment.added', subjectId: taskId, changes }])
    const payment = (await findPayment(db, organisation.id, line.id)) as PaymentView
    const views = await changeTasks(context, db, organisation, [change], now)
    const [changed] = await presentTasks(db, organisation, views, now)
    return { payment: presentPayment(payment), task: changed as Task }
  })

/** What is left of it is the price of its next try: paid here, it would be collected once more there. */
function requireLastTry(task: TaskView) {
  const next = otherOf(task, task.reattempted_as)
  if (next)
    throw new Refusal('TASK_REATTEMPTED', { message: `The task is tried again as ${next.awb}; add the payment there` })
}

/** It counts whether or not the driver is to collect: the price may have been paid elsewhere. */
function requireFitting(settings: Settings, task: TaskView, amount: number, paid: number) {
  const price = totalPriceOf(task) ?? 0
  if (amount === 0) throw refusalOf('VALIDATION_FAILED', 'amount must not be 0')
  requireDecimals(settings, amount, [price, paid])
  if (amount > 0) requirePayable(settings, amount, Math.max(0, subtractAmount(price, paid)))
  else if (sumAmounts([paid, amount]) < 0) throw refusalOf('PAYMENT_TOO_MUCH', `Only ${paid} was paid`)
}
