import type { SettledOp } from '../contract/sync.ts'
import type { Refused } from './kept.ts'
import { taskOf } from './op.ts'

export type { Refused }

/* What the server did not accept: until the driver has read it, and what the office decides until it has decided. */

export const taskIdOf = ({ taskId, op }: Pick<Refused, 'taskId' | 'op'>) => taskId ?? (op && taskOf(op))

/** After this long the office no longer decides. */
const keptMs = 30 * 24 * 3_600_000

interface Received {
  keep: Refused[]
  forget: number[]
}

/**
 * What becomes of it with the decisions of a sync. The same one may come again; about what this phone does not keep
 * there is nothing to say.
 */
export function receiveDecisions(
  before: readonly Refused[],
  settled: readonly SettledOp[],
  serverTime: string,
): Received {
  const byOp = new Map(settled.map((one) => [one.opId, one]))
  const keep = before.flatMap((entry): Refused[] => {
    const decision = !entry.decision && entry.op && byOp.get(entry.op.opId)
    if (!decision) return []
    const { applied, note } = decision
    return [{ ...entry, decision: { applied, note }, isRead: false }]
  })
  const kept = new Set(keep.map(({ id }) => id))
  const oldest = new Date(Date.parse(serverTime) - keptMs).toISOString()
  const forget = before.filter(({ id, isRead, at }) => isRead && at < oldest && !kept.has(id)).map(({ id }) => id)
  return { keep, forget }
}

/** The driver has read it. What the office still has to decide stays, so that its decision is understood. */
export const staysWhenRead = ({ isConflict, decision }: Pick<Refused, 'isConflict' | 'decision'>) =>
  isConflict && !decision

/** Entries with one cause, which are read with one tap. */
export function groupByCause(entries: readonly Refused[]): Refused[][] {
  const causeOf = ({ error, isRead = false, decision }: Refused) =>
    JSON.stringify(decision ? [decision.applied, decision.note] : [error.code, isRead])
  return [...Map.groupBy(entries, causeOf).values()]
}
