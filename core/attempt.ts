import { Failed, type StatusId } from './task-status.ts'

/*
 * A task that failed can be tried again, as a task of its own, or brought back to the sender. Who may do what, and what the new
 * task is called: one rule for the server and the pages.
 */

/** More tries than this are somebody's mistake, whatever the setting says. */
export const mostTries = 99

export type TryRefusal =
  | 'TASK_NOT_FAILED'
  | 'TASK_ERASED'
  | 'TASK_OF_PARTNER'
  | 'TASK_REATTEMPTED'
  | 'TASK_RETURNED'
  | 'ATTEMPTS_EXHAUSTED'
  | 'NOTHING_TO_RETURN'

/** A failed task, as the rules ask for it. */
export interface Tried {
  statusId: StatusId
  attempt: number
  pickupTask: boolean
  isErased: boolean
  /** It belongs to a partner, who decides what becomes of it. */
  isOfPartner: boolean
  /** There is a next try, or a return, that was not deleted. */
  isReattempted: boolean
  isReturned: boolean
  /** It brings a parcel back. */
  isReturn: boolean
  /** Somebody decided that it stays as it is. */
  isClosed: boolean
}

export interface TryRules {
  /** 0: as often as wanted. */
  mostAttempts: number
}

/** What both have in common: it failed, it is ours, and nothing follows it yet. */
function refuseNext(task: Tried): TryRefusal | undefined {
  if (task.isErased) return 'TASK_ERASED'
  if (task.isOfPartner) return 'TASK_OF_PARTNER'
  if (task.isReattempted) return 'TASK_REATTEMPTED'
  if (task.isReturned) return 'TASK_RETURNED'
  return task.statusId === Failed ? undefined : 'TASK_NOT_FAILED'
}

/** Why a task cannot be tried again, if it cannot. */
export const refuseReattempt = (task: Tried, rules: TryRules): TryRefusal | undefined =>
  refuseNext(task) ?? (isLastTry(task, rules) ? 'ATTEMPTS_EXHAUSTED' : undefined)

/** Why the parcel of a task cannot be brought back. What was to be picked up never left; a return is only tried again. */
export const refuseReturn = (task: Tried): TryRefusal | undefined =>
  refuseNext(task) ?? (task.pickupTask || task.isReturn ? 'NOTHING_TO_RETURN' : undefined)

/** Why a task cannot be left as it is, or be decided about again, if it cannot. */
export const refuseClosing = (task: Tried): TryRefusal | undefined => refuseNext(task)

/** Whether no further try is allowed. A parcel goes back however often that takes. */
export const isLastTry = (
  { attempt, isReturn }: Pick<Tried, 'attempt' | 'isReturn'>,
  { mostAttempts }: TryRules,
): boolean => attempt >= (mostAttempts === 0 || isReturn ? mostTries : mostAttempts)

export type AfterFailure = 'open' | 'decide' | 'nothing'

/** What is left to do with a failed task. What goes back by itself waits for somebody until it does. */
export function afterFailure(
  task: Pick<Tried, 'attempt' | 'isReturn' | 'isReattempted' | 'isReturned' | 'isClosed'>,
  rules: TryRules & { afterLastAttempt: string },
): AfterFailure {
  if (task.isReattempted || task.isReturned || task.isClosed) return 'nothing'
  if (!isLastTry(task, rules)) return 'open'
  return rules.afterLastAttempt === 'stay' ? 'nothing' : 'decide'
}

const shortened = (awb: string, suffix: string, longest: number) =>
  [...awb].slice(0, longest - suffix.length).join('') + suffix

/** The AWB of the first try: without what was added for this one. */
const firstOf = ({ awb, attempt }: Pick<Tried, 'attempt'> & { awb: string }) =>
  attempt > 1 ? awb.replace(/-\d+$/, '') : awb

/** What the next try may be called, the best first: A-1-2 after A-1. */
export const awbsOfReattempt = (task: Pick<Tried, 'attempt'> & { awb: string }, longest: number, count: number) =>
  Array.from({ length: count }, (_, at) => shortened(firstOf(task), `-${task.attempt + 1 + at}`, longest))

/** What the return may be called, the best first: A-1-R. */
export const awbsOfReturn = (task: Pick<Tried, 'attempt'> & { awb: string }, longest: number, count: number) =>
  Array.from({ length: count }, (_, at) => shortened(firstOf(task), at === 0 ? '-R' : `-R${at + 1}`, longest))
