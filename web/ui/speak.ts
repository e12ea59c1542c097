import type { Language } from '../../core/words/languages.ts'
import { useSpeech } from '../words/shared.ts'
import { useTell } from './toast.tsx'

/** Changes the language, or says that its texts could not be loaded. */
export function useSpeak() {
  const { say, speak } = useSpeech()
  const tell = useTell()
  return (language: Language) => speak(language).catch(() => tell(say('networkDown'), { bad: true }))
}
