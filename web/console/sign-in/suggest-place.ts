import { countryCodes, currencyOf } from '../../../core/currency.ts'
import { isLocale } from '../../api/formats.ts'

export interface Place {
  country: string
  timezone: string
  currency: string
}

/** `getTimeZones` where the browser has it, the older `timeZones` where it does not. */
type Zoned = { getTimeZones?: () => string[] | undefined; timeZones?: string[] }

export function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & Zoned
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

/**
 * Where this browser is. By its clock rather than by its language: English is spoken in every country, and a clock is set
 * to where one is.
 */
export function suggestPlace(
  zone = new Intl.DateTimeFormat().resolvedOptions().timeZone,
  languages: readonly string[] = navigator.languages,
): Partial<Place> {
  const locales = languages.filter(isLocale).map((language) => new Intl.Locale(language))
  // Most people speak the language of where they are; to look through all countries takes a tenth of a second.
  const likely = locales.flatMap((locale) => locale.maximize().region ?? [])
  const named = locales.find(({ region }) => region)?.region
  const country = [...likely, ...countryCodes].find((code) => zonesOf(code).includes(zone)) ?? named
  const currency = country && currencyOf(country)
  return currency ? { country, timezone: zone, currency } : { timezone: zone }
}

/** The same place in another country: its currency, and a time zone it has. */
export function moveTo(country: string, { timezone, currency }: Place): Place {
  const zones = zonesOf(country)
  return {
    country,
    timezone: zones.includes(timezone) ? timezone : (zones[0] ?? timezone),
    currency: currencyOf(country) ?? currency,
  }
}
