import { evaluateRoute } from '../../../core/optimise/evaluate.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { Day } from './day.ts'
import type { PlannedOrder } from './timetable.ts'

/**
 * The order that was found for the others, with these tasks where they were: about a task with an open conflict somebody
 * decides first. Not if that order would be worse than the current one, or put a task before one it depends on.
 */
export function keepPlaces(day: Day, found: PlannedOrder, held: ReadonlySet<number>): PlannedOrder {
  const current = [...day.tasks.keys()]
  const kept = current.filter((stop) => held.has((day.tasks[stop] as TaskView).id))
  if (kept.length === 0) return found
  const order = found.order.filter((stop) => !kept.includes(stop))
  for (const stop of kept) order.splice(stop, 0, stop)
  return costOf(day, order) <= costOf(day, current) && keepsDependencies(day, order) ? { order } : { order: current }
}

const costOf = ({ problem }: Day, stops: number[]) => evaluateRoute(problem, 0, { stops, lunchPosition: -1 }).cost.total

export function keepsDependencies({ problem }: Day, order: readonly number[]) {
  const places = new Map(order.map((stop, place) => [stop, place]))
  return (problem.precedences ?? []).every(
    ([before, after]) => (places.get(before) as number) < (places.get(after) as number),
  )
}
