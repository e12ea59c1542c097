import { createContext, useContext } from 'react'
import type { Language } from '../../core/words/languages.ts'
import type { Say } from '../../core/words/say.ts'

/** How a page says something, and in which language. */
export interface Speech<Word extends string> {
  language: Language
  say: Say<Word>
  /** Changes the language, once its texts are there; rejects if they cannot be loaded. */
  speak: (language: Language) => Promise<void>
}

/** The texts that an app, or a room shared by apps, can rely on: `const say = useSay()`, then `say('newTask')`. */
export function makeSpeech<Word extends string>() {
  const SpeechContext = createContext<Speech<Word> | undefined>(undefined)
  function useSpeech(): Speech<Word> {
    const speech = useContext(SpeechContext)
    if (!speech) throw new Error('The app has no texts')
    return speech
  }
  return { SpeechContext, useSpeech, useSay: () => useSpeech().say }
}
