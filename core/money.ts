import { Failed, type StatusId, Succeeded } from './task-status.ts'

/*
 * Money is a number of units with at most two decimals, on the wire and in the pages: 120, 89.5. It is added and
 * subtracted here only, in hundredths, which are whole: 0.1 + 0.2 is 0.3, and no sum drifts.
 */

/** The most decimals an amount can have; `moneyDecimals` says how many an organisation uses. */
export const mostDecimals = 2

export const hundredthsOf = (amount: number): number => Math.round(amount * 100)
export const amountOf = (hundredths: number): number => hundredths / 100

export const sumAmounts = (amounts: readonly number[]): number =>
  amountOf(amounts.reduce((sum, amount) => sum + hundredthsOf(amount), 0))
export const subtractAmount = (from: number, amount: number): number =>
  amountOf(hundredthsOf(from) - hundredthsOf(amount))

/** Whether it has no more than two decimals. */
export const isAmount = (value: number): boolean => amountOf(hundredthsOf(value)) === value

/**
 * How many decimals a payment may have. Where there are some already, in the price or in what was paid, it may have them
 * even if they were turned off since: it could never be settled otherwise.
 */
export const decimalsToPay = (amounts: readonly number[], moneyDecimals: number): number =>
  amounts.every(Number.isInteger) ? moneyDecimals : mostDecimals

/** Whether an amount has more decimals than the organisation uses. */
export const hasTooManyDecimals = (amount: number, decimals: number): boolean =>
  decimals === 0 && !Number.isInteger(amount)

interface Payable {
  collectPayment: boolean
  totalPrice: number | null
  leftToBePaid: number | null
  statusId: StatusId
  /** The next try; null if there is none, or it was deleted. */
  reattemptedAs: object | null
}

/**
 * What happened to the money a driver has to collect for a task. Only `leftToBePaid` says what is missing: a task that
 * succeeded is not necessarily paid. The four parts add up to the price to collect, in cash or by card. Of a task that is
 * tried again only what was collected counts: the rest is the price of the next try, and no money counts twice.
 */
export interface Money {
  /** Recorded as paid. */
  collected: number
  /** Still to pay, and the task is open. */
  toCollect: number
  /** Still to pay, although the task succeeded: collected but not recorded yet, or owed by the customer. */
  unpaid: number
  /** Never collected, because the task failed and nobody tries again. */
  lost: number
}

/** Which part the unpaid money belongs to, by the state of the task. */
export const leftAs = (statusId: StatusId): Exclude<keyof Money, 'collected'> => leftByStatus[statusId] ?? 'toCollect'

const leftByStatus: Partial<Record<StatusId, 'unpaid' | 'lost'>> = { [Succeeded]: 'unpaid', [Failed]: 'lost' }

export const noMoney: Money = { collected: 0, toCollect: 0, unpaid: 0, lost: 0 }

export function moneyOf({ collectPayment, totalPrice, leftToBePaid, statusId, reattemptedAs }: Payable): Money {
  if (!collectPayment) return noMoney
  const left = leftToBePaid ?? 0
  const collected = Math.max(0, subtractAmount(totalPrice ?? 0, left))
  return { ...noMoney, collected, [leftAs(statusId)]: reattemptedAs ? 0 : left }
}

export function sumMoney(tasks: readonly Payable[]): Money {
  return addMoney(tasks.map(moneyOf))
}

export function addMoney(parts: readonly Money[]): Money {
  const sum = { ...noMoney }
  for (const what of Object.keys(sum) as (keyof Money)[]) sum[what] = sumAmounts(parts.map((part) => part[what]))
  return sum
}

/** What a driver still has to collect, of the price and by what was paid. Never less than nothing, if too much was paid. */
export const leftToPay = (
  { collectPayment, totalPrice }: Pick<Payable, 'collectPayment' | 'totalPrice'>,
  paid: number,
): number | null => (collectPayment && totalPrice !== null ? Math.max(0, subtractAmount(totalPrice, paid)) : null)

/** Why an amount does not fit what is left to be paid, if it does not. */
export function refusePayment(amount: number, left: number, allowsPartial: boolean) {
  if (amount > left) return 'PAYMENT_TOO_MUCH'
  return amount < left && !allowsPartial ? 'PAYMENT_PARTIAL' : undefined
}

export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code)
