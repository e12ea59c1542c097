import type { Certainty } from '../../../core/certainty.ts'
import type { Word } from '../../words/console.ts'

/** What was found of an address, as a word of a list. */
export const foundWords = {
  sure: 'precisionExact',
  near: 'precisionInterpolated',
  street: 'precisionStreet',
  city: 'precisionCity',
  rough: 'precisionApproximate',
  nowhere: 'precisionNone',
  waiting: 'precisionNone',
} as const satisfies Record<Certainty, Word>
