import type { Placing } from '../../../contract/planning.ts'
import { placesFor } from '../../../core/insert.ts'
import type { Context } from '../../context.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { limitsFor } from '../problem/search-limits.ts'
import { isInTransit, isOfPlannedDay } from '../problem/stops.ts'
import { type Day, layOutDay } from './day.ts'
import { arrangeTasks, bodyOf } from './fixed-ends.ts'
import { mostTasks, type OpenRoute } from './open-route.ts'

/** A driver's day with tasks to put into it. */
export interface Insertion {
  day: Day
  /** The stops that stay in their order, and those to put in, in the order given. */
  staying: number[]
  added: number[]
}

/** Tasks for other days, and those in transit, are not put anywhere. */
export async function layOutInsertion(
  context: Context,
  open: OpenRoute,
  tasks: readonly TaskView[],
): Promise<Insertion> {
  const wanted = new Map(
    tasks.filter((task) => isOfPlannedDay(task, open.clock) && !isInTransit(task)).map((task) => [task.id, task]),
  )
  const own = open.ofDay.slice(0, mostTasks)
  const strangers = [...wanted.values()].filter(({ id }) => !open.ofDay.some((task) => task.id === id))
  const day = await layOutDay(context, open, [...own, ...strangers.slice(0, mostTasks - own.length)], 'best_guess')
  const indexes = new Map(day.tasks.map(({ id }, index) => [id, index]))
  return {
    day,
    staying: [...day.tasks.keys()].filter((index) => !wanted.has((day.tasks[index] as TaskView).id)),
    added: [...wanted.keys()].flatMap((id) => indexes.get(id) ?? []),
  }
}

/** The order of the day with the tasks where they are wanted. */
export async function findInsertion(context: Context, insertion: Insertion, placing: Placing): Promise<number[]> {
  const { day, staying, added } = insertion
  if (placing === 'last') return [...staying, ...added]
  if (placing === 'next') return putNext(insertion)
  // Where the ends of the route are is decided for all of it; what is to be put in comes last, so that it is not named.
  const { head, body, tail } = arrangeTasks(day.tasks)
  const isAdded = new Set(added)
  const middle = [...staying.filter((stop) => body.includes(stop)), ...added.filter((stop) => body.includes(stop))]
  const free = middle.filter((stop) => isAdded.has(stop)).length
  if (free === 0) return [...head, ...middle, ...tail]
  const { problem, pinned } = bodyOf(day, head, middle)
  const [vehicle] = problem.vehicles as [(typeof problem.vehicles)[number]]
  problem.vehicles = [{ ...vehicle, order: [...problem.stops.keys()].slice(0, -free) }]
  const found = await context.solvers.run('insert', problem, limitsFor([]))
  return [...head, ...found.slice(pinned).map((index) => middle[index - pinned] as number), ...tail]
}

/** Directly after what is in transit, in the order given, but not before what they depend on. */
function putNext({ day, staying, added }: Insertion): number[] {
  const begun = staying.filter((stop) => isInTransit(day.tasks[stop] as TaskView))
  let order = [...begun, ...staying.filter((stop) => !begun.includes(stop))]
  let place = begun.length
  for (const stop of added) {
    const { first } = placesFor(day.problem, order, stop)
    const at = Math.max(place, first)
    order = order.toSpliced(at, 0, stop)
    place = at + 1
  }
  return order
}
