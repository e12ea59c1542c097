import type { errorWords } from '../../core/words/en/errors.ts'
import type { sharedWords } from '../../core/words/en/shared.ts'
import type { Say as SayOf } from '../../core/words/say.ts'
import { makeSpeech } from './speech.ts'

/* For the rooms that all apps share: only what every app has loaded. */

export type Word = keyof typeof sharedWords | keyof typeof errorWords
export type Say = SayOf<Word>

export const { SpeechContext, useSpeech, useSay } = makeSpeech<Word>()
