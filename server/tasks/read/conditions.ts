import { InTransit, Succeeded } from '../../../core/task-status.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'

/*
 * Rules of core in the words of SQL. The cases in server/tasks/list/day.test.ts hold both to the same answers.
 */

/**
 * Whether a task has ended or is open. The number is in the SQL text, not a parameter: an index over it, or over those for
 * which it holds, is only considered where PostgreSQL can see that it is the same.
 */
export const isEnded = raw(`status_id >= ${Succeeded}`)
export const isOpen = raw(`status_id < ${Succeeded}`)

/** Of open tasks `t`: nothing says that they are for a later day than this one. */
export const isDueBy = (dayEnd: Date): Sql => sql`(t.complete_after is null or t.complete_after <= ${dayEnd})`

/** A day as an organisation counts it. */
export interface Day {
  start: Date
  end: Date
  /** What is left of earlier days, or for no day at all, is for today. */
  isToday: boolean
}

/** Of open tasks `t`: a window that is open at one end is meant for the day of the other. */
export const isForDay = ({ start, end, isToday }: Day): Sql =>
  isToday
    ? sql`(${isDueBy(end)} or t.status_id = ${InTransit})`
    : sql`coalesce(t.complete_after, t.complete_before) <= ${end}
        and coalesce(t.complete_before, t.complete_after) >= ${start}`

export const endedOn = ({ start, end }: Day): Sql => sql`t.${isEnded} and t.completed_at between ${start} and ${end}`
