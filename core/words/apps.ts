import { en } from './en/apps.ts'
import type { consoleWords } from './en/console.ts'
import type { driverWords } from './en/driver.ts'
import type { SettingTexts } from './en/settings.ts'
import type { Language } from './languages.ts'
import { ro } from './ro/apps.ts'
import type { Translation } from './say.ts'

/** What the pages load: an app everything it says, and the page of the settings their names. */
export interface AppTexts {
  console: Translation<typeof consoleWords>
  driver: Translation<typeof driverWords>
  settings: SettingTexts
}
export type App = keyof AppTexts

const folders: Record<Language, { [Name in App]: () => Promise<AppTexts[Name]> }> = { en, ro }

/** Only the language in use travels, so a further one makes no visit longer. */
export const loadTexts = <Name extends App>(app: Name, language: Language): Promise<AppTexts[Name]> =>
  folders[language][app]()
