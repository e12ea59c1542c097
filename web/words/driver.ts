import { type AppTexts, loadTexts } from '../../core/words/apps.ts'
import type { Language } from '../../core/words/languages.ts'
import type { Say as SayOf } from '../../core/words/say.ts'
import { makeSpeech } from './speech.ts'

export type Word = keyof AppTexts['driver']
export type Say = SayOf<Word>

export const loadWords = (language: Language) => loadTexts('driver', language)

export const { SpeechContext, useSpeech, useSay } = makeSpeech<Word>()
