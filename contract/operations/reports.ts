import { EtaReport, EtaReportQuery } from '../report.ts'
import { reply } from '../schema.ts'
import type { Operation } from './operation.ts'

export const reportOperations = {
  getEtaReport: {
    method: 'GET',
    path: '/api/v1/reports/eta',
    tag: 'Reports',
    summary: 'Compare promised arrivals with real ones: mean error, share within 10 minutes, by hour of the promise',
    scope: 'tasks:read',
    query: EtaReportQuery,
    reply: reply(EtaReport),
    refuses: ['INVALID_TIME', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Operation>
