import { Refusal } from '../../contract/errors.ts'
import { mostSchedules } from '../../contract/limits.ts'
import type { ScheduleInput, ScheduleUpdate } from '../../contract/schedule.ts'
import { addDays } from '../../core/day-range.ts'
import { daysOf, leftOut } from '../../core/recurrence.ts'
import { dayOf } from '../../core/task-day.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { followSchedule, takeBack } from './follow.ts'
import { readHolidays } from './holidays.ts'
import { mergeRule, noRule, readPrefix, readRepeats, requireTask, seriesOf } from './input.ts'
import {
  deleteSchedule as deleteRow,
  insertSchedule,
  listMade,
  lockSchedule,
  type ScheduleFields,
  type ScheduleRow,
  saveSchedule,
} from './queries.ts'

const usualDaysAhead = 7

export async function createSchedule(
  context: Context,
  organisation: Organisation,
  input: ScheduleInput,
): Promise<ScheduleRow> {
  const now = context.clock.now()
  const today = dayOf(now, organisation.timezone)
  const given = {
    name: input.name.trim(),
    task: input.task,
    ...mergeRule(noRule(today), readRepeats(input.repeats), input, organisation.timezone),
    days_ahead: input.daysAhead ?? usualDaysAhead,
    awb_prefix: readPrefix(input, null),
    is_paused: input.isPaused ?? false,
    due_at: input.isPaused ? null : now,
    problem: null,
  }
  return context.db.transaction(async (db) => {
    await requireTask(context, db, organisation, given.task)
    const row = await insertSchedule(db, organisation.id, given, mostSchedules)
    if (!row) throw new Refusal('TOO_MANY_ITEMS', { message: `There can be at most ${mostSchedules} schedules` })
    const changes = tellChanges(null, tellSchedule(row), personal)
    await recordAudit(context, db, organisation.id, [{ kind: 'schedule.created', subjectId: row.id, changes }])
    return row
  })
}

/** Changes the rest of the series: what was made and still follows becomes what the schedule says now, or goes. */
export const updateSchedule = (context: Context, organisation: Organisation, id: number, input: ScheduleUpdate) =>
  commitWithEvents(context, async (db): Promise<ScheduleRow> => {
    const before = await getLocked(db, organisation.id, id)
    const now = context.clock.now()
    const after = mergeSchedule(before, input, organisation, now)
    if (input.task) await requireTask(context, db, organisation, after.task)
    const changes = tellChanges(tellSchedule(before), tellSchedule(after), personal)
    if (changes.length > 0)
      await recordAudit(context, db, organisation.id, [{ kind: 'schedule.changed', subjectId: id, changes }])
    const row = await saveSchedule(db, organisation.id, id, after)
    const made = await divide(db, organisation, row, now)
    await followSchedule({ ...context, db }, db, organisation, [before, after], made)
    return row
  })

/** Its tasks stay, as tasks like others, or those that still follow go with it. */
export const deleteSchedule = (context: Context, organisation: Organisation, id: number, tasks: 'keep' | 'delete') =>
  commitWithEvents(context, async (db) => {
    const before = await getLocked(db, organisation.id, id)
    const changes = tellChanges(tellSchedule(before), null, personal)
    await recordAudit(context, db, organisation.id, [{ kind: 'schedule.deleted', subjectId: id, changes }])
    const { kept, gone } = await divide(db, organisation, before, context.clock.now())
    if (tasks === 'delete') await takeBack(context, db, organisation, id, [...kept, ...gone])
    await deleteRow(db, organisation.id, id)
  })

async function getLocked(db: Db, organisationId: number, id: number): Promise<ScheduleRow> {
  const found = await lockSchedule(db, organisationId, id)
  if (!found) throw new Refusal('SCHEDULE_NOT_FOUND')
  return found
}

/** The days of today and later that have a task, by whether it still happens on them. */
async function divide(db: Db, organisation: Organisation, schedule: ScheduleRow, now: Date) {
  const today = dayOf(now, organisation.timezone)
  const last = addDays(today, farthest)
  const made = await listMade(db, organisation.id, schedule.id, today, last)
  const holidays = await readHolidays(db, organisation, today, last)
  const series = seriesOf(schedule)
  const wanted = new Set(
    [...daysOf(series, today, last)].filter((day) => !leftOut(series, day, (one) => holidays.has(one))),
  )
  return { kept: made.filter(({ day }) => wanted.has(day)), gone: made.filter(({ day }) => !wanted.has(day)) }
}
/** Tasks are made at most sixty days ahead. */
const farthest = 62

function mergeSchedule(
  before: ScheduleRow,
  input: ScheduleUpdate,
  organisation: Organisation,
  now: Date,
): ScheduleFields {
  const isPaused = input.isPaused ?? before.is_paused
  const repeats = input.repeats ? readRepeats(input.repeats) : before.repeats
  return {
    name: input.name?.trim() ?? before.name,
    task: input.task ?? before.task,
    ...mergeRule(before, repeats, input, organisation.timezone),
    days_ahead: input.daysAhead ?? before.days_ahead,
    awb_prefix: readPrefix(input, before.awb_prefix),
    is_paused: isPaused,
    // What was refused may be possible now.
    due_at: isPaused ? null : now,
    problem: isPaused ? before.problem : null,
  }
}

/** What the audit log compares. */
const tellSchedule = (row: ScheduleFields) => ({
  name: row.name,
  task: row.task,
  repeats: row.repeats,
  start: row.start_time,
  end: row.end_time,
  from: row.from_day,
  until: row.until_day,
  count: row.count,
  skips: row.skips,
  skipHolidays: row.skip_holidays,
  daysAhead: row.days_ahead,
  awbPrefix: row.awb_prefix,
  isPaused: row.is_paused,
})
/** Customers stand in the task, and often in the name. */
const personal = ['name', 'task']
