import { useMemo, useState } from 'react'
import { type Language, preferredLanguage, type Speech, sayIn } from './words.ts'

/** For the root of an app: the language in use, and how to change it. */
export function useChosenSpeech(): Speech {
  const [language, setLanguage] = useState(preferredLanguage)
  return useMemo(() => {
    document.documentElement.lang = language
    const speak = (next: Language) => {
      localStorage.setItem('waybill.language', next)
      setLanguage(next)
    }
    return { language, say: sayIn(language), speak }
  }, [language])
}
