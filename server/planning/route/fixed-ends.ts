import { evaluateRoute, joins } from '../../../core/optimise/evaluate.ts'
import type { Problem, Route, Stop } from '../../../core/optimise/problem.ts'
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

/** The stops between the ends as a problem of their own. */
export interface Body {
  problem: Problem
  /** How many stops of the problem come before those of the body, and stay there. */
  pinned: number
}

/**
 * It begins where and when the head ends. If some of the body is at the door where the head ends, that stop of the head stays in
 * it, pinned: whoever is there already needs only a minute for another parcel.
 */
export function bodyOf({ problem, ways }: Day, head: readonly number[], body: readonly number[]): Body {
  const [vehicle] = problem.vehicles as [Problem['vehicles'][number]]
  const begun = evaluateRoute(problem, 0, { stops: [...head], lunchPosition: -1 })
  const lastPlace = head.map((stop) => problem.stops[stop]?.place).findLast((place) => place !== ways.nowhere)
  const stops = body.map((stop) => problem.stops[stop] as Stop)
  const here = stopOfHead(problem, begun)
  const pinned = here && here.place === lastPlace && stops.some((stop) => joins(stop, [here])) ? [here] : []
  const indexes = new Map(body.map((stop, index) => [stop, pinned.length + index]))
  return {
    pinned: pinned.length,
    problem: {
      placeCount: problem.placeCount,
      travelSeconds: problem.travelSeconds.slice(),
      stops: [...pinned, ...stops],
      vehicles: [
        {
          ...vehicle,
          startPlace: lastPlace ?? vehicle.startPlace,
          shiftStart: pinned.length > 0 ? (begun.visits.at(-1)?.arrival ?? begun.finish) : begun.finish,
          order: [...pinned, ...stops].map((_, index) => index),
          ...(pinned.length > 0 && { pinnedFirst: 0 }),
        },
      ],
      precedences: (problem.precedences ?? []).flatMap(([before, after]): [number, number][] => {
        const pair = [indexes.get(before), indexes.get(after)] as const
        return pair[0] === undefined || pair[1] === undefined ? [] : [[pair[0], pair[1]]]
      }),
    },
  }
}

/** The last stop of the head, which takes as long as it and those that are served together with it. */
function stopOfHead({ stops }: Problem, { visits, finish }: Route): Stop | undefined {
  const last = visits.at(-1)
  if (!last) return undefined
  return { ...(stops[last.stop] as Stop), serviceSeconds: finish - last.arrival - last.waitSeconds }
}
