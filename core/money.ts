import { Failed, type StatusId, Succeeded } from './task-status.ts'

interface Payable {
  collectPayment: boolean
  totalPrice: number | null
  leftToBePaid: number | null
  statusId: StatusId
}

/**
 * What became of the money a driver is to collect for a task. `leftToBePaid` is the truth about what is missing: a task
 * that succeeded is not thereby paid. The four add up to the price of what is to be collected, by cash or by card
 * alike.
 */
export interface Money {
  /** Paid, by what is recorded. */
  collected: number
  /** Left, and the task is still to be done. */
  toCollect: number
  /** Left, although the task succeeded: with the driver and not recorded yet, or owed. */
  unpaid: number
  /** Left to pay, but never collected: the task failed. */
  lost: number
}

/** Which of them the money that is left belongs to, by the state of the task. */
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

export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code)
