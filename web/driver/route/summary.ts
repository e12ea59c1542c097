import type { OwnCash } from '../../../contract/cash.ts'
import type { OwnPayment, PhoneTask } from '../../../contract/sync.ts'
import { sumAmounts } from '../../../core/money.ts'
import { dayOf } from '../../../core/task-day.ts'
import { Succeeded } from '../../../core/task-status.ts'
import type { State } from '../../../phone/state.ts'
import { listTasks } from './list.ts'

type Paid = OwnPayment & { isWaiting: boolean }

/** What the driver was paid: as the server knows it, and what has not been sent. What was refused is in neither. */
export const paidIn = (payments: readonly OwnPayment[], ops: State['ops'], aheadMs: number): Paid[] => [
  ...payments.map((payment) => ({ ...payment, isWaiting: false })),
  ...ops
    .map(({ op }) => op)
    .filter((op) => op.type === 'payment')
    .map(({ taskId, amount, method, occurredAt }) => ({
      taskId,
      amount,
      method,
      isWaiting: true,
      occurredAt: new Date(Date.parse(occurredAt) - aheadMs).toISOString(),
    })),
]

/**
 * What is to be handed in: what the server knows, and the cash it has not heard of yet, of whatever day. Undefined before the
 * server told it.
 */
export const toHandIn = (cash: OwnCash | undefined, paid: readonly Paid[]): number | undefined =>
  cash &&
  sumAmounts([
    cash.toHandIn,
    ...paid.filter(({ isWaiting, method }) => isWaiting && method === 'cash').map(({ amount }) => amount),
  ])

/** Taken at the door and not accepted by the server: in no sum until the office has decided. */
export const notAccepted = (refused: State['refused']): number =>
  sumAmounts(
    refused.flatMap(({ op, decision }) => (op?.type === 'payment' && decision?.applied !== true ? op.amount : [])),
  )

/** The day of a driver in numbers. */
export function summarise(
  tasks: readonly Pick<PhoneTask, 'statusId' | 'completeAfter' | 'completedAt'>[],
  paid: readonly Paid[],
  now: number,
  timeZone: string,
) {
  const { done } = listTasks(tasks, now, timeZone)
  const today = dayOf(now, timeZone)
  const ofToday = paid.filter(({ occurredAt }) => dayOf(occurredAt, timeZone) === today)
  const sum = (some: readonly Paid[]) => sumAmounts(some.map(({ amount }) => amount))
  const by = (method: OwnPayment['method']) => ofToday.filter((one) => one.method === method)
  const succeeded = done.filter(({ statusId }) => statusId === Succeeded).length
  return {
    done: succeeded,
    failed: done.length - succeeded,
    cash: sum(by('cash')),
    card: sum(by('card')),
    waiting: sum(ofToday.filter(({ isWaiting }) => isWaiting)),
  }
}
