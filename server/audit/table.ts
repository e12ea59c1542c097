import type { AuditActorType, AuditChange } from '../../contract/audit.ts'
import { type Known, type Row, table } from '../db/table.ts'

/** Only ever added to: the server has no right to change it (db/migrate). */
export const auditLog = table('audit_log', {
  organisation_id: 'bigint',
  at: 'timestamptz',
  id: 'bigint',
  kind: 'text',
  actor_type: 'text',
  actor_id: 'bigint?',
  address: 'text?',
  agent: 'text?',
  subject_type: 'text',
  subject_id: 'bigint?',
  changes: 'jsonb',
  count: 'integer',
})
export type AuditRow = Known<Row<typeof auditLog>, { actor_type: AuditActorType; changes: AuditChange[] }>

export const auditFailures = table('audit_failures', {
  organisation_id: 'bigint',
  kind: 'text',
  subject_type: 'text',
  subject_id: 'bigint',
  hour: 'timestamptz',
  count: 'integer',
})
