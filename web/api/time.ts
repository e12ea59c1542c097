import { useMemo } from 'react'
import { useSpeech } from '../words/words.ts'
import { useCompany } from './data.ts'
import { makeFormats } from './formats.ts'

/** Formats times, amounts and distances for the organisation's time zone and the page's language. */
export function useFormats() {
  const { language } = useSpeech()
  const { data: company } = useCompany()
  const timeZone = company?.timezone ?? 'UTC'
  const currency = company?.currency ?? 'RON'
  return useMemo(() => makeFormats(language, timeZone, currency), [language, timeZone, currency])
}

export type { Formats } from './formats.ts'
