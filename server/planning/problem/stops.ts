import type { Point } from '../../../core/geo.ts'
import type { Stop } from '../../../core/optimise/problem.ts'
import { doorOf, type Placed } from '../../../core/stop.ts'
import { isBeforeDay, isOfRoute } from '../../../core/task-day.ts'
import { InTransit } from '../../../core/task-status.ts'
import { endOfDay, startOfDay } from '../../../core/time.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { type Clock, never, secondsFrom } from './clock.ts'

/* Tasks in the optimiser's terms: stops with windows, and the cost of a second of delay. `docs/planning.md` shows the numbers. */

/** A second late costs as much as ten of driving for a task without priority; each step of priority adds ten more. */
const lateWeight = 10
/** Without a time window, priority means "early": an hour earlier is worth about two minutes of driving per step. */
const hurryWeight = 1 / 32
const highestPriority = 10

/** The parts of a task that planning uses; one that does not exist yet has them too. */
export type Plannable = Pick<
  TaskView,
  'id' | 'awb' | 'complete_after' | 'complete_before' | 'service_minutes' | 'priority' | 'team_id' | 'dependencies'
>

/** One that has a driver. */
export type Underway = Plannable & Pick<TaskView, 'status_id' | 'arrived_at'> & { address: Placed }

export const pointOf = ({ address: { lat, lng } }: Pick<Underway, 'address'>): Point | null =>
  lat === null || lng === null ? null : { lat, lng }

export const isInTransit = (task: Pick<TaskView, 'status_id'>) => task.status_id === InTransit

/** A row as core/task-day asks for it. */
const dated = ({ status_id, completed_at, complete_after, complete_before, route }: TaskView) => ({
  statusId: status_id,
  completedAt: completed_at,
  completeAfter: complete_after,
  completeBefore: complete_before,
  plannedFor: route?.arrivalTime ?? null,
})

/** Whether a task belongs to the route of the day that is planned, or comes before it. */
export const isOfPlannedDay = (task: TaskView, { day, today, timezone }: Clock) =>
  isOfRoute(dated(task), day, today, timezone)
export const isBeforePlannedDay = (task: TaskView, { day, today, timezone }: Clock) =>
  isBeforeDay(dated(task), day, today, timezone)

/** When a task should have been started: a task for an earlier day was due on that day. */
export function dueOf({ complete_before, complete_after }: Plannable, { now, timezone }: Clock): Date | null {
  if (complete_before || !complete_after) return complete_before
  return complete_after < startOfDay(now, timezone) ? endOfDay(complete_after, timezone) : null
}

export const lateSeconds = (task: Plannable, clock: Clock, begin: number) => {
  const due = dueOf(task, clock)
  return due ? Math.max(0, begin - secondsFrom(clock, due.getTime())) : 0
}

/** What is left of it, if the driver is there already. */
function serviceSeconds({ service_minutes, arrived_at = null }: Serviced, clock: Clock): number {
  const seconds = (service_minutes ?? 0) * 60
  return arrived_at === null ? seconds : Math.max(0, seconds + secondsFrom(clock, arrived_at.getTime()))
}
type Serviced = Pick<TaskView, 'service_minutes'> & Partial<Pick<TaskView, 'arrived_at'>> & { address?: Placed }

export function stopOf(task: Plannable & Serviced, place: number, clock: Clock): Stop {
  const due = dueOf(task, clock)
  const priority = Math.min(highestPriority, Math.max(0, task.priority))
  return {
    place,
    ...(task.address && { door: doorOf(task.address) }),
    serviceSeconds: serviceSeconds(task, clock),
    earliest: task.complete_after ? secondsFrom(clock, task.complete_after.getTime()) : -never,
    ...(due
      ? { latest: secondsFrom(clock, due.getTime()), lateWeight: lateWeight * (1 + priority) }
      : { latest: priority > 0 ? 0 : never, lateWeight: hurryWeight * priority }),
  }
}

/** `[before, after]` for tasks that depend on another one of the list. */
export function precedencesIn(tasks: readonly Plannable[]): [number, number][] {
  const indexes = new Map(tasks.map(({ id }, index) => [id, index]))
  return tasks.flatMap(({ dependencies }, after) =>
    dependencies.flatMap(({ task_id }): [number, number][] => {
      const before = indexes.get(task_id)
      return before === undefined ? [] : [[before, after]]
    }),
  )
}
