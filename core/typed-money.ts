import { amountOf, isCurrency, mostDecimals } from './money.ts'

/*
 * Money as people write it, in a form, in a file or at the door: 89,50 and 89.5, 1.234,50 and 1,234.50, RON 89.5 and
 * 89.5 lei. What cannot be read for certain is named, never guessed.
 */

export type MoneyProblem =
  /** It has decimals, and the organisation does not use them: the setting moneyDecimals. */
  | 'fraction'
  /** It has more than two decimals. */
  | 'tooFine'
  /** It names another currency. */
  | 'otherCurrency'
  | 'unreadable'

export interface Reading {
  /** How many decimals money has here: `moneyDecimals`. */
  decimals: number
  /** The currency here; another one is refused. Without it, any can be named. */
  currency?: string
}

const named = /^(\p{Sc}|\p{L}+\.?)?\s*([^\p{L}\p{Sc}]*?)\s*(\p{Sc}|\p{L}+\.?)?$/u

/** Spoken names and signs. Others (a dollar, a crown) belong to several currencies, so they say too little to refuse. */
const currenciesOf: Record<string, readonly string[]> = {
  lei: ['RON', 'MDL'],
  leu: ['RON', 'MDL'],
  euro: ['EUR'],
  '€': ['EUR'],
  '£': ['GBP'],
}

/** 1234, or 1234 with decimals. */
const plain = /^(\d+)(?:([.,])(\d+))?$/
/** Thousands in groups of three, all with the same mark, and decimals after another one. */
const grouped = /^(\d{1,3})(?:([ .,'])\d{3})(?:\2\d{3})*(?:(?!\2)[.,](\d+))?$/

/** The amount, or why there is none. Below zero only with a minus in front. */
export function readMoney(text: string, { decimals, currency }: Reading): number | MoneyProblem {
  const [, before, middle, after] = named.exec(text.replace(/\s+/g, ' ').replaceAll('’', "'").trim()) ?? []
  if (middle === undefined || (before && after)) return 'unreadable'
  const name = (before ?? after)?.replace(/\.$/, '')
  if (name && !isMoneyName(name)) return 'unreadable'
  if (name && currency && !means(name, currency)) return 'otherCurrency'
  const [, sign, digits] = /^([-−+]?)\s*(.*)$/.exec(middle) as unknown as [string, string, string]
  const parts = readDigits(digits)
  if (!parts) return 'unreadable'
  const fraction = parts.fraction.replace(/0+$/, '')
  if (fraction.length > mostDecimals) return 'tooFine'
  if (fraction.length > decimals) return 'fraction'
  const amount = amountOf(Number(parts.whole + fraction.padEnd(mostDecimals, '0')))
  return amount !== 0 && (sign === '-' || sign === '−') ? -amount : amount
}

function readDigits(digits: string): { whole: string; fraction: string } | undefined {
  const [, whole, , fraction = ''] = plain.exec(digits) ?? []
  if (whole !== undefined && !isUnclear(digits)) return { whole, fraction }
  const [all, , mark, part = ''] = grouped.exec(digits) ?? []
  if (all === undefined || mark === undefined) return undefined
  return { whole: all.slice(0, part ? -part.length - 1 : undefined).replaceAll(mark, ''), fraction: part }
}

/** 1.250: certainly thousands to somebody at a desk, but maybe a slip of somebody who types at a door. */
export const isUnclear = (text: string): boolean => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text.trim())

const isMoneyName = (name: string) =>
  /^\p{Sc}$/u.test(name) || Object.hasOwn(currenciesOf, name.toLowerCase()) || isCurrency(name.toUpperCase())

function means(name: string, currency: string): boolean {
  const spoken = currenciesOf[name.toLowerCase()]
  return spoken ? spoken.includes(currency) : /^\p{Sc}$/u.test(name) || name.toUpperCase() === currency
}
