import type { Answer } from '../../../contract/operations.ts'
import { fold } from '../../../core/search.ts'
import { isEnded } from '../../../core/task-status.ts'

export type Conflict = Answer<'listConflicts'>['conflicts'][number]

/** Everything one driver did to one task that waits for a decision: one visit is decided as a whole. */
export interface ConflictGroup {
  key: string
  /** In the order they were done. */
  conflicts: [Conflict, ...Conflict[]]
}

/** Open ones by task and driver. Settled ones by decision too: each visit was decided by itself. */
export function groupConflicts(conflicts: readonly Conflict[]): ConflictGroup[] {
  const byVisit = Map.groupBy(conflicts, ({ taskId, user, settledAt, settledBy, applied }) =>
    JSON.stringify([taskId, user.id, settledAt?.slice(0, 16), settledBy, applied]),
  )
  return [...byVisit].map(([key, group]) => ({
    key,
    conflicts: group.toSorted((one, other) => one.id - other.id) as ConflictGroup['conflicts'],
  }))
}

const evidence = new Set(['note', 'photo', 'signature', 'scan', 'form'])

const isPayment = ({ type }: Conflict) => type === 'payment'

/** What applying does to the task as it is now, and why it can do nothing. */
export type Effect = 'gives' | 'moves' | 'adds' | 'ended' | 'deleted' | 'pays'

export function effectOf({ conflicts }: ConflictGroup): Effect {
  const [{ statusId, assignedTo, user }] = conflicts
  if (statusId === null) return conflicts.some(isPayment) ? 'pays' : 'deleted'
  const isOnlyEvidence = conflicts.every(({ type }) => evidence.has(type))
  const adds = conflicts.some(({ type }) => evidence.has(type) || type === 'payment')
  if (isEnded({ statusId })) return adds ? 'adds' : 'ended'
  if (isOnlyEvidence) return 'adds'
  return assignedTo?.id === user.id ? 'moves' : 'gives'
}

export const canApply = (effect: Effect) => effect !== 'ended' && effect !== 'deleted'

/** Those that applying the group applies: of what was done to a deleted task only that money was taken. */
export const appliedOf = (group: ConflictGroup): readonly Conflict[] =>
  effectOf(group) === 'pays' ? group.conflicts.filter(isPayment) : group.conflicts

export function searchGroups(groups: readonly ConflictGroup[], text: string): ConflictGroup[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  return groups.filter(({ conflicts: [{ awb, user, address }] }) => {
    const told = fold(`${awb} ${user.name} ${address}`)
    return words.every((word) => told.includes(word))
  })
}
