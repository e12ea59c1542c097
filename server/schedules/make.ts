import { Refusal } from '../../contract/errors.ts'
import type { Task, TaskInput } from '../../contract/task.ts'
import { addDays } from '../../core/day-range.ts'
import { windowOn } from '../../core/occurrence-window.ts'
import { daysOf, leftOut, nextDays } from '../../core/recurrence.ts'
import { dayOf } from '../../core/task-day.ts'
import { endOfDay } from '../../core/time.ts'
import { type Context, contextOf, type Service, system } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { Organisation } from '../organisations/queries.ts'
import { createTasks } from '../tasks/create/create.ts'
import { takeBack } from './follow.ts'
import { readHolidays } from './holidays.ts'
import { seriesOf, timesOf } from './input.ts'
import {
  forgetMade,
  insertMade,
  listDue,
  listMade,
  lockDueSchedule,
  type MadeDay,
  type Problem,
  type ScheduleRow,
  saveRound,
} from './queries.ts'

/*
 * The worker of regular work. What there is to do follows from the database (schedules that are due, days that have no
 * task yet), so a restart repeats and misses nothing. A schedule is one transaction: its tasks, the days they are for, and
 * when it is due again. Two processes cannot have the same one, and a day has its row once.
 */

const atOnce = 50
/** More than this in one round wait for the next. */
const mostOfARound = 500
/** A task that was refused is tried again: by then the driver or the team may be there. */
const retryMs = 10 * 60_000
/** How long it stays known which task a day had. */
const knownDays = 400

export async function makeScheduledTasks(service: Service, stopping: AbortSignal) {
  for (let made = 0; made < mostOfARound && !stopping.aborted; made += atOnce) {
    const due = await listDue(service.database.everyone, service.clock.now(), atOnce)
    for (const { organisation, id } of due) {
      if (stopping.aborted) return
      await makeOrReport(service, organisation, id)
    }
    if (due.length < atOnce) return
  }
}

/** One schedule that fails says so, and never stops the others. */
async function makeOrReport(service: Service, organisation: Organisation, id: number) {
  const context = contextOf(service, organisation.id, system)
  try {
    await makeTasks(context, organisation, id)
  } catch (err) {
    const now = context.clock.now()
    const message = 'Its tasks could not be made; they are tried again'
    const problem = { day: null, code: 'INTERNAL', message, at: now.toISOString() }
    await saveRound(context.db, organisation.id, id, new Date(now.getTime() + retryMs), problem)
    context.log.error({ err, scheduleId: id }, 'Making the tasks of a schedule failed; retrying')
  }
}

async function makeTasks(outer: Context, organisation: Organisation, id: number) {
  const done = await outer.db.transaction(async (db) => {
    const now = outer.clock.now()
    const schedule = await lockDueSchedule(db, organisation.id, id, now)
    if (!schedule) return undefined
    // What is done inside is announced after the commit.
    const context = { ...outer, db, announceEvents: () => {} }
    return makeRound(context, db, organisation, schedule, now)
  })
  if (!done) return
  outer.announceEvents()
  if (done.hasChanged) outer.announceChanges(['schedules'])
}

async function makeRound(context: Context, db: Db, organisation: Organisation, schedule: ScheduleRow, now: Date) {
  const today = dayOf(now, organisation.timezone)
  // A window of yesterday may go on over midnight.
  const [first, last] = [addDays(today, -1), addDays(today, schedule.days_ahead)]
  const holidays = await readHolidays(db, organisation, first, last)
  const series = seriesOf(schedule)
  const wanted = [...daysOf(series, first, last)].filter((day) => !leftOut(series, day, (one) => holidays.has(one)))
  const made = await listMade(db, organisation.id, schedule.id, first, last)
  const gone = made.filter(({ day }) => day >= today && !wanted.includes(day))
  const taken = await takeBack(context, db, organisation, schedule.id, gone)
  const results = await createAll(context, organisation, schedule, missing(organisation, schedule, wanted, made, now))
  const created = results.flatMap(({ day, result }) => (result instanceof Refusal ? [] : [{ day, task_id: result.id }]))
  if (created.length > 0) await insertMade(db, organisation.id, schedule.id, created)
  await forgetMade(db, organisation.id, schedule.id, addDays(today, -knownDays))
  const problem = problemOf(results, now)
  await saveRound(db, organisation.id, schedule.id, dueAgain(schedule, organisation, last, now, problem), problem)
  const hasChanged = created.length + taken > 0 || problem?.message !== schedule.problem?.message
  return { hasChanged }
}

/** The days that have no task yet and are not over. */
const missing = (
  { timezone }: Organisation,
  schedule: ScheduleRow,
  wanted: readonly string[],
  made: readonly MadeDay[],
  now: Date,
) => {
  const have = new Set(made.map(({ day }) => day))
  return wanted.filter((day) => !have.has(day) && windowOn(day, timesOf(schedule), timezone).before > now)
}

interface Made {
  day: string
  result: Task | Refusal
}

/** Where an AWB is taken, a number is added to it, and in the end one is generated. */
const numbers = ['', '-2', '-3', '-4', '-5', undefined]

async function createAll(context: Context, organisation: Organisation, schedule: ScheduleRow, days: string[]) {
  const results = new Map<string, Task | Refusal>()
  let open = days
  for (const number of numbers) {
    if (open.length === 0) break
    const inputs = open.map((day) => taskOn(schedule, day, number, organisation.timezone))
    const created = await createTasks(context, organisation, inputs, schedule.id)
    for (const [index, day] of open.entries()) results.set(day, created[index] as Task | Refusal)
    open = open.filter((day) => isTaken(results.get(day)))
  }
  return days.map((day): Made => ({ day, result: results.get(day) as Task | Refusal }))
}

const isTaken = (result: Task | Refusal | undefined) => result instanceof Refusal && result.code === 'AWB_TAKEN'

/** The task of a day, as it is created. */
function taskOn(schedule: ScheduleRow, day: string, number: string | undefined, timezone: string): TaskInput {
  const { after, before } = windowOn(day, timesOf(schedule), timezone)
  const awb = `${schedule.awb_prefix}-${day.replaceAll('-', '')}${number}`
  return {
    ...schedule.task,
    ...(schedule.awb_prefix !== null && number !== undefined && { awb }),
    completeAfter: after.toISOString(),
    completeBefore: before.toISOString(),
  }
}

function problemOf(results: readonly Made[], now: Date): Problem | null {
  const refused = results.find(({ result }) => result instanceof Refusal)
  if (!refused) return null
  const { code, message } = refused.result as Refusal
  return { day: refused.day, code, message, at: now.toISOString() }
}

/** The next midnight, as long as there are more days; sooner if something has to be tried again. */
function dueAgain(
  schedule: ScheduleRow,
  { timezone }: Organisation,
  last: string,
  now: Date,
  problem: Problem | null,
): Date | null {
  if (problem) return new Date(now.getTime() + retryMs)
  const isOver = nextDays(seriesOf(schedule), addDays(last, 1), 1, () => false).length === 0
  return isOver ? null : new Date(endOfDay(now, timezone).getTime() + 1)
}
