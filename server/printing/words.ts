import { languageOf as languageOfMessages } from '../../core/message-rules/causes.ts'
import { settingsOf } from '../../core/settings.ts'
import type { Language } from '../../core/words/languages.ts'
import { makeSay, type Say as SayOf } from '../../core/words/say.ts'
import { serverTexts } from '../../core/words/server.ts'
import type { Organisation } from '../organisations/queries.ts'

export type Say = SayOf<keyof (typeof serverTexts)[Language]['printing']>

export const sayIn = (language: Language): Say => makeSay(language, serverTexts[language].printing)

/** Labels are for the road and for customers, in whatever language the office has its console. */
export const languageOf = (organisation: Organisation, wanted: Language | undefined): Language =>
  wanted ?? languageOfMessages(settingsOf(organisation).messageLanguage, organisation.country)
