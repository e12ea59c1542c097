import type { Language } from '../../core/words/languages.ts'
import { makeSay, type Say as SayOf } from '../../core/words/say.ts'
import { serverTexts } from '../../core/words/server.ts'

export type Say = SayOf<keyof (typeof serverTexts)[Language]['proof']>

export const sayIn = (language: Language): Say => makeSay(language, serverTexts[language].proof)
