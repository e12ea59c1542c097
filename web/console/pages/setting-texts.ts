import { use } from 'react'
import { type AppTexts, loadTexts } from '../../../core/words/apps.ts'
import type { Language } from '../../../core/words/languages.ts'
import { useSpeech } from '../../words/console.ts'

export type SettingTexts = AppTexts['settings']

const loading = new Map<Language, Promise<SettingTexts>>()

/** The names of the settings and what they do, loaded when a page first needs them. */
export function useSettingTexts(): SettingTexts {
  const { language } = useSpeech()
  const texts = loading.get(language) ?? loadTexts('settings', language)
  loading.set(language, texts)
  // The next try asks again.
  texts.catch(() => loading.delete(language))
  return use(texts)
}
