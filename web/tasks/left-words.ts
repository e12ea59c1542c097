import { leftAs, moneyOf, sumAmounts } from '../../core/money.ts'
import type { Task } from '../api/data.ts'
import type { Word } from '../words/shared.ts'

/** The words for the unpaid money of tasks, by what will happen to it. */
export const leftWords = {
  toCollect: 'toCollect',
  unpaid: 'doneUnpaid',
  lost: 'notCollected',
} as const satisfies Record<ReturnType<typeof leftAs>, Word>

interface MoneyFact {
  word: Word
  amount: number
  /** What it is a part of, if something was paid already. */
  of?: number
}

/** What to say of the money of one task, also if the next try collects the rest. Nothing if there is none to collect. */
export function moneyFactOf(
  task: Pick<Task, 'collectPayment' | 'totalPrice' | 'leftToBePaid' | 'statusId'>,
): MoneyFact | undefined {
  const { collected, ...parts } = moneyOf({ ...task, reattemptedAs: null })
  const what = leftAs(task.statusId)
  const left = parts[what]
  const all = sumAmounts([collected, left])
  if (all === 0) return undefined
  if (left === 0) return { word: 'paidFully', amount: all }
  if (collected === 0) return { word: leftWords[what], amount: left }
  return { word: what === 'lost' ? leftWords.lost : 'leftToCollect', amount: left, of: all }
}
