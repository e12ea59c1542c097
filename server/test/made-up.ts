import { languageCodes, languages } from '../../core/words/languages.ts'
import { serverTexts } from '../../core/words/server.ts'
import { markAll } from './marked.ts'

/*
 * A language nobody speaks. It is added to the lists of this process alone, and has to be imported before everything that
 * reads them.
 */

export const madeUp = 'eo' as keyof typeof languages

// With a locale that writes the months as numbers.
languageCodes.push(madeUp)
Object.assign(languages, { [madeUp]: { name: 'Made up', locale: 'de-DE', countries: [] } })
Object.assign(serverTexts, { [madeUp]: markAll(serverTexts.en) })
