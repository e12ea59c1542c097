import { InTransit, Succeeded } from '../../../core/task-status.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'

/*
 * Rules of core, repeated in SQL. The cases in server/tasks/list/day.test.ts and in conditions.test.ts check that both agree.
 */

/**
 * Whether a task has ended or is open. The number is in the SQL text, not a parameter, because PostgreSQL uses a
 * partial index only if it can see that the query has the same condition.
 */
export const isEnded = raw(`status_id >= ${Succeeded}`)
export const isOpen = raw(`status_id < ${Succeeded}`)

/** For tasks `t`: whether they belong to today, which ends then. */
export const isOfToday = (dayEnd: Date): Sql =>
  sql`(t.${isOpen} and (t.complete_after is null or t.complete_after <= ${dayEnd} or t.status_id = ${InTransit}))`

/** For tasks `t`: the driver is there, by their position or their word. */
export const hasArrived = raw('(t.driver_arrived or t.arrived_at is not null)')

/** For tasks `t` that organisations share: this row is the one whose customer is told (core/delegation.ts). */
export const tellsCustomer = raw(
  "case when t.messages_by = 'fulfiller' then t.fulfiller_id is null else t.owner_id is null end",
)

/** For tasks `t` whose driver is not there yet: when they come, as followed on the way, else as planned. */
export const expectedAt = raw("coalesce(t.eta_at, (t.route ->> 'arrivalTime')::timestamptz)")

/** For tasks `t`: still open after the end of the window. */
export const isOverdue = sql`(t.${isOpen} and t.complete_before < now())`

/** For addresses `a`: somebody has to look at them (`isToCheck` of core/certainty). The cases are in core/certainty.cases.ts. */
export const isDoubtful = raw(
  `(a.lat is null and a.geocode_problem is not null
    or a.lat is not null and a.precision is not distinct from 'approximate' and a.precision_detail is distinct from 'interpolated')`,
)

/** For addresses `a`: sure enough for tasks there to be given to drivers by the program alone (`isPlannedAlone`, there). */
export const isPlannedAlone = raw(
  `(a.lat is not null and (a.precision is distinct from 'approximate' or a.precision_detail is not distinct from 'interpolated'))`,
)

/** For addresses `a`: it is the door itself (`isDoor`, there). */
export const isDoor = raw(`(a.lat is not null and a.precision is distinct from 'approximate')`)

/** A day in an organisation's time zone. */
export interface Day {
  start: Date
  end: Date
  /** Today also includes open tasks of earlier days, and those for no particular day. */
  isToday: boolean
}

/** For open tasks `t`: a window with only a start or an end is meant for the day of that time. */
export const isForDay = ({ start, end, isToday }: Day): Sql =>
  isToday
    ? isOfToday(end)
    : sql`coalesce(t.complete_after, t.complete_before) <= ${end}
        and coalesce(t.complete_before, t.complete_after) >= ${start}`

export const endedOn = ({ start, end }: Day): Sql => sql`t.${isEnded} and t.completed_at between ${start} and ${end}`
