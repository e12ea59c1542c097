import type { MoneyProblem } from '../../core/typed-money.ts'
import type { Word } from '../words/shared.ts'

/** The words for what is wrong with typed money. */
export const moneyWords = {
  fraction: 'decimalsOff',
  tooFine: 'tooManyDecimals',
  otherCurrency: 'otherCurrency',
  unreadable: 'amountUnreadable',
} as const satisfies Record<MoneyProblem, Word>
