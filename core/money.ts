import { Failed, type StatusId, Succeeded } from './task-status.ts'

interface Payable {
  collectPayment: boolean
  totalPrice: number | null
  leftToBePaid: number | null
  statusId: StatusId
}

/**
 * What happened to the money a driver has to collect for a task. Only `leftToBePaid` says what is missing: a task that
 * succeeded is not necessarily paid. The four parts add up to the price to collect, in cash or by card.
 */
export interface Money {
  /** Recorded as paid. */
  collected: number
  /** Still to pay, and the task is open. */
  toCollect: number
  /** Still to pay, although the task succeeded: collected but not recorded yet, or owed by the customer. */
  unpaid: number
  /** Never collected, because the task failed. */
  lost: number
}

/** Which part the unpaid money belongs to, by the state of the task. */
export const leftAs = (statusId: StatusId): Exclude<keyof Money, 'collected'> => leftByStatus[statusId] ?? 'toCollect'

const leftByStatus: Partial<Record<StatusId, 'unpaid' | 'lost'>> = { [Succeeded]: 'unpaid', [Failed]: 'lost' }

export const noMoney: Money = { collected: 0, toCollect: 0, unpaid: 0, lost: 0 }

export function moneyOf({ collectPayment, totalPrice, leftToBePaid, statusId }: Payable): Money {
  if (!collectPayment) return noMoney
  const left = leftToBePaid ?? 0
  return { ...noMoney, collected: Math.max(0, (totalPrice ?? 0) - left), [leftAs(statusId)]: left }
}

export function sumMoney(tasks: readonly Payable[]): Money {
  const sum = { ...noMoney }
  for (const task of tasks) {
    const money = moneyOf(task)
    for (const what of Object.keys(sum) as (keyof Money)[]) sum[what] += money[what]
  }
  return sum
}

/** What a driver still has to collect, of the price and by what was paid. Never less than nothing, if too much was paid. */
export const leftToPay = (
  { collectPayment, totalPrice }: Pick<Payable, 'collectPayment' | 'totalPrice'>,
  paid: number,
): number | null => (collectPayment && totalPrice !== null ? Math.max(0, totalPrice - paid) : null)

/** Why an amount does not fit what is left to be paid, if it does not. */
export function refusePayment(amount: number, left: number, allowsPartial: boolean) {
  if (amount > left) return 'PAYMENT_TOO_MUCH'
  return amount < left && !allowsPartial ? 'PAYMENT_PARTIAL' : undefined
}

export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code)
