import type { Texts } from '../../say.ts'

/** The page of failed tasks about which somebody has to decide. */
export const toDecideWords = {
  toDecide: 'Waiting for a decision',
  toDecideLead: 'Failed for the last time the settings allow, and nothing follows yet.',
  noToDecide: 'Nothing to decide',
  noToDecideLead: 'When the last try of a task fails, it waits here until somebody decides what becomes of it.',
  tryColumn: 'Try',
  leaveAll: 'Leave all as they are',
  bringAllBack: 'Return all to sender',
  toDecideNewest: 'Only the newest {n} are shown. The others follow when these are decided.',
} as const satisfies Texts
