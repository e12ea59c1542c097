import { use } from 'react'
import { type AppTexts, loadTexts } from '../../../core/words/apps.ts'
import type { Language } from '../../../core/words/languages.ts'
import { useSpeech } from '../../words/console.ts'

const loading = new Map<string, Promise<unknown>>()

/** Texts of few pages, loaded when one of them is first opened. */
export function usePageTexts<Name extends 'records' | 'settings'>(name: Name): AppTexts[Name] {
  const { language } = useSpeech()
  return use(textsOf(name, language))
}

function textsOf<Name extends 'records' | 'settings'>(name: Name, language: Language): Promise<AppTexts[Name]> {
  const key = `${name} ${language}`
  const known = loading.get(key) as Promise<AppTexts[Name]> | undefined
  const texts = known ?? loadTexts(name, language)
  loading.set(key, texts)
  // The next try asks again.
  texts.catch(() => loading.delete(key))
  return texts
}
