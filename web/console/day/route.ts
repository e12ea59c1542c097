import type { PlannedStop } from '../../../contract/task.ts'
import { numberStops, stopsOf } from '../../../core/stop.ts'
import { InTransit, isOpen } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { stopOf } from '../../tasks/risk.ts'

/** One of a driver's remaining tasks, with the number of its stop. Without a plan it has none. */
export interface RouteStop {
  task: Task
  number: number | undefined
  plan: PlannedStop | undefined
}

/** A driver's remaining tasks: the one in transit, then in planned order, then unplanned ones by window. */
export function routeOf(tasks: readonly Task[], driverId: number): RouteStop[] {
  const open = tasks.filter((task) => task.userId === driverId && isOpen(task)).sort(compareOnRoute)
  const numbers = numberStops(open.filter((task) => stopOf(task) || task.statusId === InTransit))
  return open.map((task) => ({ task, plan: stopOf(task), number: numbers.get(task.id) }))
}

/** How many stops that is: tasks at one door are one. */
export const countStops = (route: readonly RouteStop[]) => stopsOf(route, ({ task }) => task.address).length

/** The order in which a driver goes through open tasks. */
export const compareOnRoute = (one: Task, other: Task) =>
  placeIn(one) - placeIn(other) || compare(endOf(one), endOf(other)) || one.id - other.id

const placeIn = (task: Task) => (task.statusId === InTransit ? -1 : (stopOf(task)?.position ?? Number.MAX_SAFE_INTEGER))
const endOf = (task: Task) => task.completeBefore ?? '9999'
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
