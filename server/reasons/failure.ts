import { unknownInBody } from '../../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { findReason, listReasonsCalled, type ReasonRow, reasonThen } from './queries.ts'

/** Why a task failed: the code of a reason, words of one's own, or both. */
export interface Failure {
  reasonCode: string | null
  reason: string | null
}

/** The reason that was chosen, if one was. */
export const getReason = async (db: Db, organisationId: number, failure: Failure, at: Date) =>
  chosenOf(failure.reasonCode ? await listReasonsCalled(db, organisationId, [failure.reasonCode]) : [], failure, at)

/** The same among those that have or had such codes. */
export function chosenOf(called: readonly ReasonRow[], { reasonCode }: Failure, at: Date): ReasonRow | undefined {
  if (reasonCode === null) return undefined
  const found = reasonThen(called, reasonCode, at)
  if (!found) throw unknownInBody('REASON_NOT_FOUND', 'reasonCode', `There is no reason with the code ${reasonCode}`)
  return found
}

/** What the task keeps of it. */
export const failedBy = (chosen: ReasonRow | undefined, { reason }: Failure) => ({
  cancel_reason: chosen ? [chosen.label, reason?.trim()].filter(Boolean).join(': ') : reason,
  cancel_reason_code: chosen?.code ?? null,
})

/** What a task keeps of a failure that a driver reported once. A code that does not exist any more is kept as text. */
export async function failedThen(db: Db, organisationId: number, { reasonCode, reason }: Failure, at: Date) {
  const chosen = reasonCode ? await findReason(db, organisationId, reasonCode, at) : undefined
  return failedBy(chosen, { reasonCode, reason: chosen ? reason : (reason ?? reasonCode) })
}
