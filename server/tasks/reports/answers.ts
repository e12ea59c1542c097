import {
  drivenNames,
  type EtaReportQuery,
  type FeedbackReportQuery,
  figureNames,
  moneyNames,
  type TaskReport,
  type TaskReportQuery,
} from '../../../contract/report.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { reportEtas } from './eta.ts'
import { reportFeedback } from './feedback.ts'
import { readFeedbackTable, readGroups, readTaskTable, type TaskGroup } from './groups.ts'
import { type Columns, csvFile, wantsTable } from './table.ts'
import { reportTasks } from './tasks.ts'

/* Each report as JSON, with all its lists, or one of its tables as CSV. */

interface Table {
  list: keyof TaskReport
  columns: Columns
}

const tables: Record<TaskGroup, Table> = {
  day: { list: 'days', columns: ['day', ...figureNames, ...drivenNames] },
  month: { list: 'months', columns: ['month', ...figureNames, ...drivenNames] },
  hour: { list: 'hours', columns: ['hour', 'succeeded', 'failed'] },
  driver: { list: 'drivers', columns: ['driverId', 'name', ...figureNames, ...drivenNames] },
  team: { list: 'teams', columns: ['teamId', 'name', ...figureNames] },
  customer: { list: 'customers', columns: ['customerId', 'name', ...figureNames] },
  reason: { list: 'reasons', columns: ['reason', 'count'] },
  payment: { list: 'payments', columns: ['paymentTypeId', ...moneyNames] },
}

export async function answerTasks(context: Context, organisation: Organisation, query: TaskReportQuery) {
  if (!wantsTable(query.format)) return reportTasks(context, organisation, query, readGroups(query.by))
  const group = readTaskTable(query.by)
  const report = await reportTasks(context, organisation, query, group ? [group] : [])
  const days = report.from === report.to ? report.from : `${report.from}-${report.to}`
  if (!group) return csvFile(`tasks-${days}`, ['from', 'to', ...figureNames, ...drivenNames], [report])
  const { list, columns } = tables[group]
  return csvFile(`tasks-by-${group}-${days}`, columns, report[list] as Record<string, unknown>[])
}

const promiseColumns = [
  'hour',
  'promises',
  'open',
  'meanErrorSeconds',
  'meanLateSeconds',
  'withinTenMinutes',
  'shareWithinTenMinutes',
]

export async function answerEtas(context: Context, organisation: Organisation, query: EtaReportQuery) {
  const isTable = wantsTable(query.format)
  const report = await reportEtas(context, organisation, query)
  return isTable ? csvFile(`arrivals-by-hour-${spanOf(report)}`, promiseColumns, report.hours) : report
}

export async function answerFeedback(context: Context, organisation: Organisation, query: FeedbackReportQuery) {
  const isTable = wantsTable(query.format)
  const group = isTable ? readFeedbackTable(query.by) : undefined
  const report = await reportFeedback(context, organisation, query)
  if (!group) return report
  return group === 'rating'
    ? csvFile(`feedback-by-rating-${spanOf(report)}`, ['rating', 'count'], report.ratings)
    : csvFile(
        `feedback-comments-${spanOf(report)}`,
        ['taskId', 'awb', 'driver', 'rating', 'comment', 'createdAt'],
        report.comments,
      )
}

const spanOf = ({ from, to }: { from: string; to: string }) => `${from.slice(0, 10)}-${to.slice(0, 10)}`
