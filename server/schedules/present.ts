import type { Schedule, Template } from '../../contract/schedule.ts'
import { nextDayOf } from './occurrences.ts'
import type { ScheduleRow, TemplateRow } from './queries.ts'

export const presentSchedule = (row: ScheduleRow, today: string, holidays: ReadonlyMap<string, string>): Schedule => ({
  id: row.id,
  name: row.name,
  task: row.task,
  repeats: row.repeats as Schedule['repeats'],
  start: row.start_time,
  end: row.end_time,
  from: row.from_day,
  until: row.until_day,
  count: row.count,
  skipHolidays: row.skip_holidays,
  skips: row.skips,
  daysAhead: row.days_ahead,
  awbPrefix: row.awb_prefix,
  isPaused: row.is_paused,
  nextDay: nextDayOf(row, today, holidays),
  lastProblem: row.problem,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export const presentTemplate = ({ id, name, task, created_at, updated_at }: TemplateRow): Template => ({
  id,
  name,
  task,
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
})
