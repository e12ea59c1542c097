import { type AuditActorType, type AuditChange, type AuditKind, auditKinds } from '../../contract/audit.ts'
import { nowhere, type Origin, system } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { columnList, unnest } from '../db/table.ts'
import { auditLog } from './table.ts'

/** Who does something, and from where. A context is one. */
export interface Doer {
  actor: { type: AuditActorType; id: number | null }
  origin: Origin
}

/** The same, with the database it is done in. */
export interface Acting extends Doer {
  db: Db
}

/** Somebody who can run commands on this machine; we do not know who. */
export const commandLine: Doer = { actor: { type: 'COMMAND_LINE', id: null }, origin: nowhere }
/** Waybill itself, as at the first start. */
export const itself: Doer = { actor: system, origin: nowhere }

export interface NewEntry {
  kind: AuditKind
  /** The id of what it was done to. */
  subjectId?: number | null
  changes?: AuditChange[]
  /** How many times, if the entry stands for several. */
  count?: number
}

const own = ['kind', 'subject_type', 'subject_id', 'changes', 'count'] as const

/**
 * Writes down who did what. To be called in the transaction of what it tells, so that neither is without the other, and
 * before the events, which must come last.
 */
export async function recordAudit(
  { actor, origin }: Doer,
  db: Db,
  organisationId: number,
  entries: readonly NewEntry[],
) {
  if (entries.length === 0) return
  const rows = entries.map(({ kind, subjectId = null, changes = [], count = 1 }) => ({
    kind,
    subject_type: auditKinds[kind].about,
    subject_id: subjectId,
    changes,
    count,
  }))
  await db.run(sql`
    insert into audit_log (organisation_id, actor_type, actor_id, address, agent, ${columnList(own)})
    select ${organisationId}, ${actor.type}, ${actor.id}::bigint, ${origin.address}, ${origin.agent}, given.*
    from ${unnest(auditLog, own, rows)}`)
}
