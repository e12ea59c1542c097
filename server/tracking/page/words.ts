import type { Language } from '../../../core/words/languages.ts'
import { makeSay, type Say as SayOf } from '../../../core/words/say.ts'
import { serverTexts } from '../../../core/words/server.ts'

export type Word = keyof (typeof serverTexts)[Language]['tracking']
export type Say = SayOf<Word>

export const isWord = (text: string): text is Word => Object.hasOwn(serverTexts.en.tracking, text)

export const sayIn = (language: Language): Say => makeSay(language, serverTexts[language].tracking)
