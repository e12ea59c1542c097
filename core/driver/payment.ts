import { decimalsToPay, refusePayment } from '../money.ts'
import { isUnclear, readMoney } from '../typed-money.ts'

/* What a driver types at the door, read as money. Whatever cannot be taken is named, and nothing typed is dropped. */

export interface TypedPayment {
  /** As typed; null as long as the amount stands there as it was filled in for the driver: all that is left. */
  amount: string | null
  method: 'cash' | 'card' | null
}

export type PaymentProblem = 'unreadable' | 'fraction' | 'tooMuch' | 'partial' | 'noAmount' | 'noMethod'

export type ReadPayment =
  | { kind: 'nothing' }
  | { kind: 'paid'; amount: number; method: 'cash' | 'card' }
  | { kind: 'problem'; problem: PaymentProblem }

/** An amount as a driver types it; three digits after a point could be a slip, so they are not read at all. */
export function readAmount(text: string, decimals: number): number | 'unreadable' | 'fraction' {
  const amount = isUnclear(text) ? 'unreadable' : readMoney(text, { decimals })
  if (typeof amount === 'string') return amount === 'fraction' ? amount : 'unreadable'
  return amount < 0 ? 'unreadable' : amount
}

/** What the driver says was paid of what is left. */
export function readPayment(
  { amount: text, method }: TypedPayment,
  left: number,
  { allowPartialPayments, moneyDecimals = 0 }: { allowPartialPayments: boolean; moneyDecimals?: number },
): ReadPayment {
  const typed = text?.trim() ?? null
  if (typed === null && method === null) return { kind: 'nothing' }
  if (typed === '') return method === null ? { kind: 'nothing' } : { kind: 'problem', problem: 'noAmount' }
  const amount = typed === null ? left : readAmount(typed, decimalsToPay([left], moneyDecimals))
  if (typeof amount === 'string') return { kind: 'problem', problem: amount }
  // Filled in by itself, it says nothing; typed, it says that nothing was paid.
  if (amount === 0 && typed !== null) return { kind: 'nothing' }
  const refusal = amount === 0 ? 'PAYMENT_TOO_MUCH' : refusePayment(amount, left, allowPartialPayments)
  if (refusal) return { kind: 'problem', problem: refusal === 'PAYMENT_TOO_MUCH' ? 'tooMuch' : 'partial' }
  return method === null ? { kind: 'problem', problem: 'noMethod' } : { kind: 'paid', amount, method }
}
