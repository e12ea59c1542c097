import type { ScheduledTask, TemplateTask } from '../../contract/schedule.ts'
import type { Repeats } from '../../core/recurrence.ts'
import type { StatusId } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { assignments, columnList, type Known, type Row, table, unnest } from '../db/table.ts'
import { everything } from '../http/answers/cursor.ts'
import type { Organisation } from '../organisations/queries.ts'

export const schedules = table('schedules', {
  organisation_id: 'bigint',
  id: 'bigint',
  name: 'text',
  task: 'jsonb',
  repeats: 'jsonb',
  start_time: 'text?',
  end_time: 'text?',
  from_day: 'text',
  until_day: 'text?',
  count: 'integer?',
  skips: 'jsonb',
  skip_holidays: 'boolean',
  days_ahead: 'smallint',
  awb_prefix: 'text?',
  is_paused: 'boolean',
  due_at: 'timestamptz?',
  problem: 'jsonb?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
})
/** Why a task could not be made. */
export interface Problem {
  day: string | null
  code: string
  message: string
  at: string
}
export type ScheduleRow = Known<
  Row<typeof schedules>,
  { task: ScheduledTask; repeats: Repeats; skips: string[]; problem: Problem | null }
>

export const scheduleDays = table('schedule_days', {
  organisation_id: 'bigint',
  schedule_id: 'bigint',
  day: 'text',
  task_id: 'bigint',
  made_at: 'timestamptz',
})

const fields = [
  'name',
  'task',
  'repeats',
  'start_time',
  'end_time',
  'from_day',
  'until_day',
  'count',
  'skips',
  'skip_holidays',
  'days_ahead',
  'awb_prefix',
  'is_paused',
  'due_at',
  'problem',
] as const
export type ScheduleFields = Pick<ScheduleRow, (typeof fields)[number]>

export const listSchedules = (db: Db, organisationId: number, afterId = 0, limit = everything) =>
  db.many<ScheduleRow>(sql`
    select * from schedules
    where organisation_id = ${organisationId} and id > ${afterId}
    order by id
    limit ${limit}`)

export const findSchedule = (db: Db, organisationId: number, id: number) =>
  db.find<ScheduleRow>(sql`select * from schedules where organisation_id = ${organisationId} and id = ${id}`)

export const lockSchedule = (db: Db, organisationId: number, id: number) =>
  db.find<ScheduleRow>(sql`
    select * from schedules where organisation_id = ${organisationId} and id = ${id}
    for no key update`)

/** Undefined if another process is making its tasks, or has made them already. */
export const lockDueSchedule = (db: Db, organisationId: number, id: number, now: Date) =>
  db.find<ScheduleRow>(sql`
    select * from schedules where organisation_id = ${organisationId} and id = ${id} and due_at <= ${now}
    for no key update skip locked`)

/** What the database adds. A body may name ids, so it is not sent back: the second wall is tested by what statements answer. */
type Added = 'id' | 'created_at' | 'updated_at'

/** Not more than an organisation may have; nothing is returned then. */
export async function insertSchedule(
  db: Db,
  organisationId: number,
  given: ScheduleFields,
  most: number,
): Promise<ScheduleRow | undefined> {
  const added = await db.find<Pick<ScheduleRow, Added>>(sql`
    insert into schedules (organisation_id, ${columnList(fields)})
    select ${organisationId}, given.* from ${unnest(schedules, fields, [given])}
    where (select count(*) from schedules where organisation_id = ${organisationId}) < ${most}
    returning id, created_at, updated_at`)
  return added && { organisation_id: organisationId, ...given, ...added }
}

export const saveSchedule = (db: Db, organisationId: number, id: number, given: ScheduleFields) =>
  db.get<ScheduleRow>(sql`
    update schedules s set ${assignments(fields)}, updated_at = now()
    from ${unnest(schedules, fields, [given])}
    where s.organisation_id = ${organisationId} and s.id = ${id}
    returning s.*`)

export const deleteSchedule = (db: Db, organisationId: number, id: number) =>
  db.run(sql`delete from schedules where organisation_id = ${organisationId} and id = ${id}`)

/** When its worker looks at it again, and what was wrong this time. */
export const saveRound = (db: Db, organisationId: number, id: number, dueAt: Date | null, problem: Problem | null) =>
  db.run(sql`
    update schedules set due_at = ${dueAt}, problem = ${problem === null ? null : JSON.stringify(problem)}::jsonb
    where organisation_id = ${organisationId} and id = ${id}`)

/** Those that leave out holidays look again at once: there are others now. */
export const wakeForHolidays = (db: Db, organisationId: number, now: Date) =>
  db.run(sql`
    update schedules set due_at = ${now}
    where organisation_id = ${organisationId} and skip_holidays and not is_paused`)

/** The schedules of all organisations whose worker has something to do, those that wait longest first. */
export const listDue = (db: Db, now: Date, limit: number) =>
  db.many<{ organisation: Organisation; id: number }>(sql`
    select row_to_json(o) as organisation, s.id
    from schedules s
    join organisations o on o.id = s.organisation_id
    where s.due_at <= ${now}
    order by s.due_at
    limit ${limit}`)

/** A day of a schedule that has, or had, a task. */
export interface MadeDay {
  day: string
  task_id: number
  awb: string | null
  status_id: StatusId | null
  is_changed: boolean
}

export const listMade = (db: Db, organisationId: number, scheduleId: number, from: string, to: string) =>
  db.many<MadeDay>(sql`
    select d.day, d.task_id, t.awb, t.status_id, coalesce(t.schedule_changed, false) as is_changed
    from schedule_days d
    left join tasks t on t.organisation_id = d.organisation_id and t.id = d.task_id and t.deleted_at is null
    where d.organisation_id = ${organisationId} and d.schedule_id = ${scheduleId} and d.day between ${from} and ${to}
    order by d.day`)

export const insertMade = (
  db: Db,
  organisationId: number,
  scheduleId: number,
  made: readonly { day: string; task_id: number }[],
) =>
  db.run(sql`
    insert into schedule_days (organisation_id, schedule_id, day, task_id)
    select ${organisationId}, ${scheduleId}, given.*
    from ${unnest(scheduleDays, ['day', 'task_id'], made)}`)

/** Days whose task is taken back, which may come again. */
export const deleteMade = (db: Db, organisationId: number, scheduleId: number, days: readonly string[]) =>
  db.run(sql`
    delete from schedule_days
    where organisation_id = ${organisationId} and schedule_id = ${scheduleId} and day = any(${days}::text[])`)

/** What is over cannot be made again, so it need not be known for ever. */
export const forgetMade = (db: Db, organisationId: number, scheduleId: number, before: string) =>
  db.run(sql`
    delete from schedule_days
    where organisation_id = ${organisationId} and schedule_id = ${scheduleId} and day < ${before}`)

export const templates = table('task_templates', {
  organisation_id: 'bigint',
  id: 'bigint',
  name: 'text',
  task: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
})
export type TemplateRow = Known<Row<typeof templates>, { task: TemplateTask }>
export type TemplateFields = Pick<TemplateRow, 'name' | 'task'>

export const listTemplates = (db: Db, organisationId: number, afterId = 0, limit = everything) =>
  db.many<TemplateRow>(sql`
    select * from task_templates
    where organisation_id = ${organisationId} and id > ${afterId}
    order by id
    limit ${limit}`)

export const lockTemplate = (db: Db, organisationId: number, id: number) =>
  db.find<TemplateRow>(sql`
    select * from task_templates where organisation_id = ${organisationId} and id = ${id}
    for update`)

export async function insertTemplate(
  db: Db,
  organisationId: number,
  given: TemplateFields,
  most: number,
): Promise<TemplateRow | undefined> {
  const added = await db.find<Pick<TemplateRow, Added>>(sql`
    insert into task_templates (organisation_id, name, task)
    select ${organisationId}, given.* from ${unnest(templates, ['name', 'task'], [given])}
    where (select count(*) from task_templates where organisation_id = ${organisationId}) < ${most}
    returning id, created_at, updated_at`)
  return added && { organisation_id: organisationId, ...given, ...added }
}

export const saveTemplate = (db: Db, organisationId: number, id: number, given: TemplateFields) =>
  db.get<TemplateRow>(sql`
    update task_templates t set ${assignments(['name', 'task'])}, updated_at = now()
    from ${unnest(templates, ['name', 'task'], [given])}
    where t.organisation_id = ${organisationId} and t.id = ${id}
    returning t.*`)

export const deleteTemplate = (db: Db, organisationId: number, id: number) =>
  db.run(sql`delete from task_templates where organisation_id = ${organisationId} and id = ${id}`)

export const holidays = table('holidays', {
  organisation_id: 'bigint',
  id: 'bigint',
  day: 'text',
  name: 'text',
  is_working_day: 'boolean',
  created_at: 'timestamptz',
})
export type HolidayRow = Row<typeof holidays>

export const listOwnHolidays = (db: Db, organisationId: number, from: string, to: string) =>
  db.many<HolidayRow>(sql`
    select * from holidays
    where organisation_id = ${organisationId} and day between ${from} and ${to}
    order by day`)

/** A day stands once in the list. Nothing is returned if the list is full. */
export const saveHoliday = (
  db: Db,
  organisationId: number,
  { day, name, is_working_day }: Pick<HolidayRow, 'day' | 'name' | 'is_working_day'>,
  most: number,
) =>
  db.find<HolidayRow>(sql`
    insert into holidays (organisation_id, day, name, is_working_day)
    select ${organisationId}, ${day}, ${name}, ${is_working_day}
    where (select count(*) from holidays where organisation_id = ${organisationId} and day <> ${day}) < ${most}
    on conflict on constraint holidays_day do update set name = excluded.name, is_working_day = excluded.is_working_day
    returning *`)

export const deleteHoliday = (db: Db, organisationId: number, id: number) =>
  db.find<HolidayRow>(sql`
    delete from holidays where organisation_id = ${organisationId} and id = ${id}
    returning *`)
