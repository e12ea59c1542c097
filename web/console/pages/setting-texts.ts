import type { AppTexts } from '../../../core/words/apps.ts'
import { usePageTexts } from './page-texts.ts'

export type SettingTexts = AppTexts['settings']

/** The names of the settings and what they do. */
export const useSettingTexts = (): SettingTexts => usePageTexts('settings')
