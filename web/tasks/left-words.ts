import type { leftAs } from '../../core/money.ts'
import type { Word } from '../words/words.ts'

/** What the money that is left of a task is called, by what will become of it. */
export const leftWords = {
  toCollect: 'toCollect',
  unpaid: 'doneUnpaid',
  lost: 'notCollected',
} as const satisfies Record<ReturnType<typeof leftAs>, Word>
