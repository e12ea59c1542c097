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
import { putIntoBag } from '../cash/lines.ts'
import { decimalsOff, lineColumns, priceColumns, totalPriceOf } from '../money.ts'
import { presentPayment } from '../present.ts'
import { findPayment, insertPayment, type NewPayment, type PaymentView, sumPayments } from '../queries.ts'
import { hasBag } from '../read/drivers.ts'
import { requireNotErased } from '../read/erased.ts'
import { lockTasks } from '../read/lock.ts'
import { presentTasks } from '../read/timeline.ts'
import type { TaskView } from '../tables.ts'
import { changeTasks, type TaskChange } from './change.ts'
import { authorOf } from './notes.ts'

type GivenPayment = Omit<NewPayment, 'task_id' | 'amount_hundredths' | 'collected_by' | 'collected_for'>

/** Adds a line to what was paid for a locked task. What is left follows from all lines. */
export async function payTask(
  db: Db,
  organisationId: number,
  task: TaskView,
  { amount, ...given }: GivenPayment,
): Promise<{ paymentId: number; change: TaskChange }> {
  const paymentId = await insertPayment(db, organisationId, {
    ...given,
    ...lineColumns(amount),
    task_id: task.id,
    collected_by: null,
    collected_for: task.owner_id,
  })
  await putIntoBag(db, organisationId, given.user_id, paymentId)
  const collects = { collectPayment: task.collect_payment, totalPrice: totalPriceOf(task) }
  const left = leftToPay(collects, await sumPayments(db, organisationId, task.id))
  const remark = { payment: { id: paymentId, amount, method: given.method } }
  const set = priceColumns('left_to_be_paid', left)
  return { paymentId, change: { before: task, set, fires: ['TASK_UPDATED'], remark } }
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
    requireFitting(settingsOf(organisation), task, amount, await sumPayments(db, organisation.id, taskId))
    const now = context.clock.now()
    const takenBy = userId ?? (await authorOf(context, db, organisation.id))
    const line = { user_id: takenBy, amount, method, note, occurred_at: now }
    const { paymentId, change } = await payTask(db, organisation.id, task, line)
    const changes = tellChanges(null, { paymentId, amount, method, note, userId }, ['note'])
    await recordAudit(context, db, organisation.id, [{ kind: 'payment.added', subjectId: taskId, changes }])
    const payment = (await findPayment(db, organisation.id, paymentId)) as PaymentView
    const views = await changeTasks(context, db, organisation, [change], now)
    const [changed] = await presentTasks(db, organisation, views, now)
    return { payment: presentPayment(payment), task: changed as Task }
  })

/** It counts whether or not the driver is to collect: the price may have been paid elsewhere. */
function requireFitting(settings: Settings, task: TaskView, amount: number, paid: number) {
  const price = totalPriceOf(task) ?? 0
  if (amount === 0) throw refusalOf('VALIDATION_FAILED', 'amount must not be 0')
  requireDecimals(settings, amount, [price, paid])
  if (amount > 0) requirePayable(settings, amount, Math.max(0, subtractAmount(price, paid)))
  else if (sumAmounts([paid, amount]) < 0) throw refusalOf('PAYMENT_TOO_MUCH', `Only ${paid} was paid`)
}
