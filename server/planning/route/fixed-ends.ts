import type { TaskView } from '../../tasks/tables.ts'
import { isInTransit, pointOf } from '../problem/stops.ts'

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
