import { mostDecimals } from './money.ts'

/**
 * How an amount is written: whole ones without decimals, others with two. Romanian says lei; Intl would say RON, as for
 * other languages.
 */
export function moneyFormat(locale: string, currency: string): { format: (amount: number) => string } {
  const make = (decimals: 0 | 2) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      currencyDisplay: currency === 'RON' && locale.startsWith('ro') ? 'narrowSymbol' : 'symbol',
    })
  const whole = make(0)
  let exact: Intl.NumberFormat | undefined
  return {
    format(amount) {
      if (Number.isInteger(amount)) return whole.format(amount)
      exact ??= make(2)
      return exact.format(amount)
    },
  }
}

/** An amount as it stands in a field to be typed over: 120, and 89,50 or 89.50. */
export function typeMoney(amount: number, locale: string): string {
  if (Number.isInteger(amount)) return String(amount)
  const mark = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return amount.toFixed(mostDecimals).replace('.', mark)
}
