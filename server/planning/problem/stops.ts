import type { Point } from '../../../core/geo.ts'
import type { Lunch, Stop, Vehicle } from '../../../core/optimise/problem.ts'
import { workingTimes } from '../../../core/shift.ts'
import { InTransit } from '../../../core/task-status.ts'
import { endOfDay, startOfDay } from '../../../core/time.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { PlannedDriver } from '../queries.ts'

/*
 * A day in the words of the optimiser: seconds from now, and what a second of everything is worth, in seconds at the
 * wheel. `docs/planning.md` shows these numbers.
 */

/** A second late costs ten at the wheel, for a task without priority; each step of priority adds as much again. */
const lateWeight = 10
const overtimeWeight = 5
const lunchWeight = 2
/** Without a time window, priority is a wish to come early: an hour earlier is worth some two minutes of driving a step. */
const hurryWeight = 1 / 32
const highestPriority = 10
/** Longer than any plan; the optimiser needs a number. */
const never = 1e10

/** What of a task planning looks at; one that does not exist yet has as much. */
export type Plannable = Pick<
  TaskView,
  'id' | 'awb' | 'complete_after' | 'complete_before' | 'service_minutes' | 'priority' | 'team_id' | 'dependencies'
>

export interface Clock {
  now: Date
  timezone: string
}

const secondsFrom = ({ now }: Clock, time: number) => Math.round((time - now.getTime()) / 1000)

export const pointOf = ({ address: { lat, lng } }: TaskView): Point | null =>
  lat === null || lng === null ? null : { lat, lng }

/** How long a reported position counts as current. */
const freshMs = 30 * 60_000

/**
 * Where a driver's route starts: at the stop where they have arrived, where their device or the last task they finished today
 * says they are, whichever is newer, or at their hub.
 */
export function startOf(
  { position, last_place: last, hub }: PlannedDriver,
  tasks: readonly TaskView[],
  { now }: Clock,
): Point | null {
  const here = tasks.find((task) => task.arrived_at !== null && pointOf(task))
  if (here) return pointOf(here)
  const isKnown = position && now.getTime() - Date.parse(position.at) < freshMs
  const seen = isKnown && (!last || Date.parse(position.at) > Date.parse(last.at)) ? position : last
  return seen ? { lat: seen.lat, lng: seen.lng } : hub
}

export const isInTransit = (task: TaskView) => task.status_id === InTransit

/** Today's, and what is left of earlier days. */
export const isToday = (task: Plannable, { now, timezone }: Clock) =>
  !task.complete_after || task.complete_after <= endOfDay(now, timezone)

/** When a task should have been begun: what was meant for an earlier day was due on that day. */
export function dueOf({ complete_before, complete_after }: Plannable, { now, timezone }: Clock): Date | null {
  if (complete_before || !complete_after) return complete_before
  return complete_after < startOfDay(now, timezone) ? endOfDay(complete_after, timezone) : null
}

export const lateSeconds = (task: Plannable, clock: Clock, begin: number) => {
  const due = dueOf(task, clock)
  return due ? Math.max(0, begin - secondsFrom(clock, due.getTime())) : 0
}

export function stopOf(task: Plannable, place: number, clock: Clock): Stop {
  const due = dueOf(task, clock)
  const priority = Math.min(highestPriority, Math.max(0, task.priority))
  return {
    place,
    serviceSeconds: (task.service_minutes ?? 0) * 60,
    earliest: task.complete_after ? secondsFrom(clock, task.complete_after.getTime()) : -never,
    ...(due
      ? { latest: secondsFrom(clock, due.getTime()), lateWeight: lateWeight * (1 + priority) }
      : { latest: priority > 0 ? 0 : never, lateWeight: hurryWeight * priority }),
  }
}

export interface Working {
  vehicle: Pick<Vehicle, 'shiftStart' | 'shiftEnd' | 'overtimeWeight' | 'lunch'>
  hasShift: boolean
  isShiftOver: boolean
  isLunchTooLong: boolean
}

/** Drivers on duty start now; the others with their shift. */
export function workingOf(driver: PlannedDriver, clock: Clock): Working {
  const { shift, lunch, isLunchTooLong } = workingTimes(
    {
      start: driver.shift_start,
      end: driver.shift_end,
      lunchStart: driver.lunch_start,
      lunchEnd: driver.lunch_end,
      lunchMinutes: driver.lunch_minutes,
    },
    clock.now,
    clock.timezone,
  )
  const at = (time: number) => secondsFrom(clock, time)
  const shiftEnd = shift ? at(shift.end) : never
  return {
    vehicle: {
      shiftStart: shift && !driver.in_shift ? Math.max(0, at(shift.start)) : 0,
      shiftEnd,
      overtimeWeight: shift ? overtimeWeight : 0,
      ...(lunch && {
        lunch: {
          seconds: lunch.seconds,
          earliest: at(lunch.earliest),
          latest: at(lunch.latest),
          lateWeight: lunchWeight,
        } satisfies Lunch,
      }),
    },
    hasShift: shift !== undefined,
    isShiftOver: shiftEnd <= 0,
    isLunchTooLong,
  }
}

/** `[before, after]` for tasks that wait for another one of the list. */
export function precedencesIn(tasks: readonly Plannable[]): [number, number][] {
  const indexes = new Map(tasks.map(({ id }, index) => [id, index]))
  return tasks.flatMap(({ dependencies }, after) =>
    dependencies.flatMap(({ task_id }): [number, number][] => {
      const before = indexes.get(task_id)
      return before === undefined ? [] : [[before, after]]
    }),
  )
}
