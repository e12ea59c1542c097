/** How an amount of whole units is written. Romanian says lei; Intl would say RON, as for other languages. */
export const moneyFormat = (locale: string, currency: string) =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    maximumFractionDigits: 0,
    currencyDisplay: currency === 'RON' && locale.startsWith('ro') ? 'narrowSymbol' : 'symbol',
  })
