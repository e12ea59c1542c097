import { evaluateRoute } from '../../../core/optimise/evaluate.ts'
import type { Problem } from '../../../core/optimise/problem.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { isInTransit, pointOf } from '../problem/stops.ts'
import type { Day } from './day.ts'

export interface Arrangement {
  /** In transit: first, in their order. */
  head: number[]
  /** To be ordered. */
  body: number[]
  /** Without a place, or depending on a task without one: last. */
  tail: number[]
}

/** Which of the tasks, by their index, have a fixed place at an end of the route. */
export function arrangeTasks(tasks: readonly TaskView[]): Arrangement {
  const all = [...tasks.keys()]
  const at = (index: number) => tasks[index] as TaskView
  const head = all.filter((index) => isInTransit(at(index)))
  const isLast = new Set<number>()
  const others = all.filter((index) => !isInTransit(at(index)))
  for (const index of others) if (!pointOf(at(index))) isLast.add(at(index).id)
  for (let count = -1; count !== isLast.size; ) {
    count = isLast.size
    for (const index of others)
      if (at(index).dependencies.some(({ task_id }) => isLast.has(task_id))) isLast.add(at(index).id)
  }
  const tail = others.filter((index) => isLast.has(at(index).id))
  return { head, body: others.filter((index) => !isLast.has(at(index).id)), tail: afterTheirNeeds(tail, tasks) }
}

/** The same order, but no task before one it depends on. */
function afterTheirNeeds(indexes: readonly number[], tasks: readonly TaskView[]): number[] {
  const ordered: number[] = []
  const left = [...indexes]
  const isReady = (index: number) =>
    !tasks[index]?.dependencies.some(({ task_id }) => left.some((other) => tasks[other]?.id === task_id))
  while (left.length > 0) {
    const next = Math.max(0, left.findIndex(isReady))
    ordered.push(...left.splice(next, 1))
  }
  return ordered
}

/** The stops between the ends as a problem of their own, which begins where and when the head ends. */
export function bodyOf({ problem, ways }: Day, head: readonly number[], body: readonly number[]): Problem {
  const [vehicle] = problem.vehicles as [Problem['vehicles'][number]]
  const begun = evaluateRoute(problem, 0, { stops: [...head], lunchPosition: -1 })
  const lastPlace = head.map((stop) => problem.stops[stop]?.place).findLast((place) => place !== ways.nowhere)
  const indexes = new Map(body.map((stop, index) => [stop, index]))
  return {
    placeCount: problem.placeCount,
    travelSeconds: problem.travelSeconds.slice(),
    stops: body.map((stop) => problem.stops[stop] as Problem['stops'][number]),
    vehicles: [
      {
        ...vehicle,
        startPlace: lastPlace ?? vehicle.startPlace,
        shiftStart: begun.finish,
        order: [...body.keys()],
      },
    ],
    precedences: (problem.precedences ?? []).flatMap(([before, after]): [number, number][] => {
      const pair = [indexes.get(before), indexes.get(after)] as const
      return pair[0] === undefined || pair[1] === undefined ? [] : [[pair[0], pair[1]]]
    }),
  }
}
