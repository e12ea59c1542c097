import { refusePayment } from '../money.ts'

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

/** Three digits after a point could be thousands, so they are not read at all. */
const written = /^(\d+)(?:[.,](\d{1,2}))?$/

/** An amount with a point or a comma, and spaces between thousands. `decimals` says how many places money has here. */
export function readAmount(text: string, decimals: number): number | 'unreadable' | 'fraction' {
  const [, whole, part = ''] = written.exec(text.replace(/\s/g, '')) ?? []
  if (whole === undefined) return 'unreadable'
  if (part.replace(/0+$/, '').length > decimals) return 'fraction'
  return Number(`${whole}.${part || '0'}`)
}

/** What the driver says was paid of what is left; whole amounts, unless `decimals` says otherwise. */
export function readPayment(
  { amount: text, method }: TypedPayment,
  left: number,
  { allowPartialPayments }: { allowPartialPayments: boolean },
  decimals = 0,
): ReadPayment {
  const typed = text?.trim() ?? null
  if (typed === null && method === null) return { kind: 'nothing' }
  if (typed === '') return method === null ? { kind: 'nothing' } : { kind: 'problem', problem: 'noAmount' }
  const amount = typed === null ? left : readAmount(typed, decimals)
  if (typeof amount === 'string') return { kind: 'problem', problem: amount }
  // Filled in by itself, it says nothing; typed, it says that nothing was paid.
  if (amount === 0 && typed !== null) return { kind: 'nothing' }
  const refusal = amount === 0 ? 'PAYMENT_TOO_MUCH' : refusePayment(amount, left, allowPartialPayments)
  if (refusal) return { kind: 'problem', problem: refusal === 'PAYMENT_TOO_MUCH' ? 'tooMuch' : 'partial' }
  return method === null ? { kind: 'problem', problem: 'noMethod' } : { kind: 'paid', amount, method }
}
