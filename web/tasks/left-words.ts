import type { leftAs } from '../../core/money.ts'
import type { Word } from '../words/shared.ts'

/** The words for the unpaid money of a task, by what will happen to it. */
export const leftWords = {
  toCollect: 'toCollect',
  unpaid: 'doneUnpaid',
  lost: 'notCollected',
} as const satisfies Record<ReturnType<typeof leftAs>, Word>
