import { useMemo, useState } from 'react'
import { chooseLanguage, type Language } from '../../core/words/languages.ts'
import { type Message, makeSay } from '../../core/words/say.ts'
import type { Speech } from './speech.ts'

type Texts<Word extends string> = Readonly<Record<Word, Message>>
/** Loads what an app says. */
type Load<Word extends string> = (language: Language) => Promise<Texts<Word>>

export interface Spoken<Word extends string> {
  language: Language
  texts: Texts<Word>
}

const key = 'waybill.language'
const stored = () => {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** The language chosen before in this browser, or the first of the browser's languages that we have. */
export const preferredLanguage = () => chooseLanguage([stored(), ...navigator.languages])

export async function loadPreferred<Word extends string>(load: Load<Word>): Promise<Spoken<Word>> {
  const language = preferredLanguage()
  return { language, texts: await load(language) }
}

/** For the root of an app: the language in use, and how to change it. */
export function useChosenSpeech<Word extends string>(first: Spoken<Word>, load: Load<Word>): Speech<Word> {
  const [{ language, texts }, setSpoken] = useState(first)
  return useMemo(() => {
    document.documentElement.lang = language
    const speak = async (next: Language) => {
      const spoken = { language: next, texts: await load(next) }
      localStorage.setItem(key, next)
      setSpoken(spoken)
    }
    return { language, say: makeSay(language, texts), speak }
  }, [language, texts, load])
}
