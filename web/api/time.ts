import { useMemo } from 'react'
import { useSpeech } from '../words/shared.ts'
import { useCompany } from './data.ts'
import { type Formats, formatsFor, localeOf, type Units } from './formats.ts'

export type { Formats }

/** How typed amounts are read: the decimals and the currency of the organisation. */
export function useMoneyReading() {
  const { data: company } = useCompany()
  return { decimals: company?.moneyDecimals ?? 0, currency: company?.currency ?? 'RON' }
}

/** Formats times, amounts and distances for the organisation, in the page's language. */
export function useFormats() {
  const { language, say } = useSpeech()
  const { data: company } = useCompany()
  const timeZone = company?.timezone ?? 'UTC'
  const currency = company?.currency ?? 'RON'
  const units = (company?.settings.preferredUnitType ?? 'metric') as Units
  return useMemo(
    () => formatsFor(say, localeOf(language, navigator.languages), timeZone, currency, units),
    [language, say, timeZone, currency, units],
  )
}
