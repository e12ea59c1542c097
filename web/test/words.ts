import { type App, type AppTexts, loadTexts } from '../../core/words/apps.ts'
import { type Language, languageCodes } from '../../core/words/languages.ts'
import { makeSay } from '../../core/words/say.ts'

/** The texts of an app in every language. */
export async function textsOf<Name extends App>(app: Name): Promise<Record<Language, AppTexts[Name]>> {
  const texts = languageCodes.map(async (language) => [language, await loadTexts(app, language)] as const)
  return Object.fromEntries(await Promise.all(texts)) as Record<Language, AppTexts[Name]>
}

const [ofAddresses, ofCash, ofConsole, ofImport, ofRecords, ofFirstSteps, ofPartners, ofLoading, ofTries, ofDriver] =
  await Promise.all([
    textsOf('addresses'),
    textsOf('cash'),
    textsOf('console'),
    textsOf('import'),
    textsOf('records'),
    textsOf('firstSteps'),
    textsOf('partners'),
    textsOf('loading'),
    textsOf('tries'),
    textsOf('driver'),
  ])

/** What the console says. */
export const sayIn = (language: Language) => makeSay(language, ofConsole[language])
/** What the import says. */
export const importSayIn = (language: Language) => makeSay(language, { ...ofConsole[language], ...ofImport[language] })
/** What the pages around the dispatch screen say. */
export const recordSayIn = (language: Language) => makeSay(language, { ...ofConsole[language], ...ofRecords[language] })
/** What the page of partners says, and the dialogs that hand tasks over. */
export const partnerSayIn = (language: Language) =>
  makeSay(language, { ...ofConsole[language], ...ofPartners[language] })
/** What any screen of the console says. */
export const screenSayIn = (language: Language) =>
  makeSay(language, {
    ...ofAddresses[language],
    ...ofImport[language],
    ...ofFirstSteps[language],
    ...ofPartners[language],
    ...ofLoading[language],
    ...ofTries[language],
    ...ofCash[language],
    ...ofConsole[language],
    ...ofRecords[language],
  })
/** What a new organisation is told. */
export const firstSayIn = (language: Language) =>
  makeSay(language, { ...ofConsole[language], ...ofFirstSteps[language] })
/** What the driver's app says. */
export const driverSayIn = (language: Language) => makeSay(language, ofDriver[language])
