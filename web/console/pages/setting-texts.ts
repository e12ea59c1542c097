import type { AppTexts } from '../../../core/words/apps.ts'
import { usePageTexts } from '../../words/later.ts'

export type SettingTexts = AppTexts['settings']

/** The names of the settings and what they do. */
export const useSettingTexts = (): SettingTexts => usePageTexts('settings')
