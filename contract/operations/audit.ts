import { AuditEntry, AuditQuery, ExportInput } from '../audit.ts'
import { reply } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const auditOperations = {
  listAudit: {
    method: 'GET',
    path: '/api/v1/audit',
    tag: 'Audit log',
    summary: 'List who did what, newest first',
    scope: 'audit:read',
    query: AuditQuery,
    reply: reply({ entries: Type.Array(AuditEntry), nextCursor: NextCursor }),
    refuses: ['INVALID_TIME'],
  },
  noteExport: {
    method: 'POST',
    path: '/api/v1/exports',
    tag: 'Audit log',
    summary: 'Say that a list was saved as a file, for the audit log; the console does',
    scope: 'tasks:read',
    body: ExportInput,
    reply: reply({}),
    refuses: [],
  },
} as const satisfies Record<string, Operation>
