import type { addressWords } from './en/addresses.ts'
import { en } from './en/apps.ts'
import type { cashWords } from './en/cash.ts'
import type { consoleWords } from './en/console.ts'
import type { dayWords } from './en/days.ts'
import type { driverWords } from './en/driver.ts'
import type { firstStepWords } from './en/first-steps.ts'
import type { importWords } from './en/import.ts'
import type { labelWords } from './en/labels.ts'
import type { loadingWords } from './en/loading.ts'
import type { partnerWords } from './en/partners.ts'
import type { recordWords } from './en/records.ts'
import type { SettingTexts } from './en/settings.ts'
import type { tryWords } from './en/tries.ts'
import type { Language } from './languages.ts'
import { ro } from './ro/apps.ts'
import type { Translation } from './say.ts'

/** What the pages load: an app what it says, and pages that few people open the rest when they are opened. */
export interface AppTexts {
  addresses: Translation<typeof addressWords>
  cash: Translation<typeof cashWords>
  console: Translation<typeof consoleWords>
  days: Translation<typeof dayWords>
  driver: Translation<typeof driverWords>
  import: Translation<typeof importWords>
  labels: Translation<typeof labelWords>
  records: Translation<typeof recordWords>
  loading: Translation<typeof loadingWords>
  firstSteps: Translation<typeof firstStepWords>
  partners: Translation<typeof partnerWords>
  tries: Translation<typeof tryWords>
  settings: SettingTexts
}
export type App = keyof AppTexts

const folders: Record<Language, { [Name in App]: () => Promise<AppTexts[Name]> }> = { en, ro }

/** Only the language in use travels, so a further one makes no visit longer. */
export const loadTexts = <Name extends App>(app: Name, language: Language): Promise<AppTexts[Name]> =>
  folders[language][app]()
