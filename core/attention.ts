import type { AfterFailure } from './attempt.ts'
import { Failed, isEnded, isOpen, type StatusId, Unassigned } from './task-status.ts'

/*
 * Which tasks need a hand, and in which order: what the office looks at first is one rule for the list, the table and
 * the board.
 */

/** Why a task needs somebody of the office, the most urgent reason first. */
export const needs = ['conflict', 'late', 'risky', 'unassigned', 'lastTry', 'failed'] as const
export type Need = (typeof needs)[number]

export interface Judged {
  statusId: StatusId
  /** Whether its window is over, or will be when the driver comes. */
  risk: 'late' | 'risky' | 'none'
  /** Of a failed task: somebody decides after its last try, it can be tried again, or all is said. */
  afterFailure?: AfterFailure
  /** Something its driver did waits for a decision. */
  hasConflict: boolean
}

/** The most urgent reason; undefined if everything takes its course. */
export function needOf({ statusId, risk, hasConflict, afterFailure = 'open' }: Judged): Need | undefined {
  if (hasConflict) return 'conflict'
  if (isOpen({ statusId }) && risk !== 'none') return risk
  if (statusId === Unassigned) return 'unassigned'
  if (statusId !== Failed || afterFailure === 'nothing') return undefined
  return afterFailure === 'decide' ? 'lastTry' : 'failed'
}

/** The place among others: first what needs a hand, by urgency, then what is on its course, last what is done. */
export function rankOf(task: Judged): number {
  const need = needOf(task)
  if (need) return needs.indexOf(need)
  return isEnded(task) ? needs.length + 1 : needs.length
}
