import type { Texts } from '../../say.ts'

/** Why tasks fail, as an organisation names it. */
export const reasonWords = {
  reasons: 'Reasons',
  schedules: 'Regular work',
  ownWords: 'In your own words',
  moreAboutReason: 'Details',
} as const satisfies Texts
