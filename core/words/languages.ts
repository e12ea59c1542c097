/*
 * Every language we speak. A further one is a line here and a folder beside this file like the others; the compiler asks
 * for its lines in `apps.ts` and `server.ts`, and for every text.
 */

interface Facts {
  /** As its speakers call it. */
  name: string
  /** How times and numbers are written where nothing says more. */
  locale: string
  /** Where customers get messages in it, unless the settings say otherwise. */
  countries: readonly string[]
}

export const languages = {
  en: { name: 'English', locale: 'en-GB', countries: [] },
  ro: { name: 'Română', locale: 'ro-RO', countries: ['RO', 'MD'] },
} as const satisfies Record<string, Facts>

export type Language = keyof typeof languages
export const languageCodes = Object.keys(languages) as Language[]

/** For everybody who speaks none of ours. */
const usual: Language = 'en'

export const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)

/** The first that is wanted and that we have; `ro-MD` is Romanian. */
export const chooseLanguage = (wanted: readonly string[]): Language =>
  wanted.map((one) => one.split('-')[0]?.toLowerCase() ?? '').find(isLanguage) ?? usual

/** The language of a country. */
export const languageOfCountry = (country: string): Language =>
  languageCodes.find((code) => (languages[code].countries as readonly string[]).includes(country)) ?? usual
