import {
  EtaReport,
  EtaReportQuery,
  FeedbackReport,
  FeedbackReportQuery,
  TaskReport,
  TaskReportQuery,
} from '../report.ts'
import { reply } from '../schema.ts'
import type { Operation } from './operation.ts'

export const reportOperations = {
  getTaskReport: {
    method: 'GET',
    path: '/api/v1/reports/tasks',
    tag: 'Reports',
    summary:
      'Sum up the tasks of some days: states, time windows met, money, ratings, by day, month, hour, driver, team, customer, reason and payment method',
    scope: 'tasks:read',
    query: TaskReportQuery,
    reply: reply(TaskReport),
    csv: true,
    refuses: ['INVALID_TIME'],
  },
  getEtaReport: {
    method: 'GET',
    path: '/api/v1/reports/eta',
    tag: 'Reports',
    summary: 'Compare promised arrivals with real ones: mean error, share within 10 minutes, by hour of the promise',
    scope: 'tasks:read',
    query: EtaReportQuery,
    reply: reply(EtaReport),
    csv: true,
    refuses: ['INVALID_TIME'],
  },
  getFeedbackReport: {
    method: 'GET',
    path: '/api/v1/reports/feedback',
    tag: 'Reports',
    summary: 'Sum up what customers said: average, how often each rating, the worst comments',
    scope: 'tasks:read',
    query: FeedbackReportQuery,
    reply: reply(FeedbackReport),
    csv: true,
    refuses: ['INVALID_TIME'],
  },
} as const satisfies Record<string, Operation>
