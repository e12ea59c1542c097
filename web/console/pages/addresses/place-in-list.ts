import type { Task } from '../../../api/data.ts'
import { isInDoubt } from '../../../tasks/doubt.ts'

/** The address somebody is at, and its place in the list: if it goes, they go on with what came after it. */
export interface Chosen {
  id: number
  at: number
}

/** The addresses to go through. The one somebody is at stays, even if it needs no check any more: they may be typing. */
export const listed = (tasks: readonly Task[], chosen: Chosen | undefined): Task[] =>
  tasks.filter((task) => isInDoubt(task) || task.id === chosen?.id)

/** Where somebody is now: where they were, or else at what took its place. */
export function placeIn(list: readonly Task[], chosen: Chosen | undefined): Chosen | undefined {
  const found = list.findIndex(({ id }) => id === chosen?.id)
  const at = found >= 0 ? found : Math.max(0, Math.min(chosen?.at ?? 0, list.length - 1))
  const task = list[at]
  return task && { id: task.id, at }
}

/** One further, or one back; nobody leaves the list at its ends. */
export function stepFrom(list: readonly Task[], at: number, by: 1 | -1): Chosen | undefined {
  const next = list[at + by]
  return next && { id: next.id, at: at + by }
}

/** After this one is done: the next one, or at the end of the list the one before it; nothing if it was the last. */
export function afterwards(list: readonly Task[], at: number): Chosen | undefined {
  // It leaves the list, so what follows takes its place.
  const next = list[at + 1]
  return next ? { id: next.id, at } : stepFrom(list, at, -1)
}
