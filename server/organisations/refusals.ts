import { Refusal } from '../../contract/errors.ts'
import type { SettingName } from '../../core/settings.ts'

/** Refused by the organisation's own settings. */
export const forbiddenBySetting = (name: SettingName, what = 'this', field?: string) =>
  new Refusal('FORBIDDEN_BY_SETTING', {
    message: `The setting ${name} does not allow ${what}`,
    ...(field !== undefined && { field }),
  })
