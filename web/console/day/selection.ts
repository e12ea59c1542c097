import { useCallback, useMemo, useRef, useState } from 'react'
import type { Task } from '../../api/data.ts'

/** The selected tasks and the keyboard's cursor, shared by all views. */
export interface Selection {
  ids: ReadonlySet<number>
  /** The selected tasks that still exist, in the order of the list. */
  tasks: Task[]
  cursor: number | undefined
  /** Adds or removes tasks: all of a stop, or one. With `isRange` it adds all from the cursor to these. */
  toggle: (picked: number | readonly number[], isRange?: boolean) => void
  set: (ids: Iterable<number>) => void
  clear: () => void
  /** Moves the cursor down or up the list and returns the new position. */
  move: (step: 1 | -1) => number | undefined
  setCursor: (id: number | undefined) => void
  /** To be called by a view with its own order of tasks; the cursor and Shift then follow that order. */
  follow: (shown: Task[] | undefined) => void
}

export function useSelectionState(byId: Map<number, Task>, list: Task[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [cursor, setCursor] = useState<number>()
  const shown = useRef<Task[]>(undefined)
  const latest = useRef({ list, cursor })
  latest.current = { list: shown.current ?? list, cursor }

  const toggle = useCallback((picked: number | readonly number[], isRange = false) => {
    const { list, cursor } = latest.current
    const all = typeof picked === 'number' ? [picked] : picked
    const [id] = all
    if (id === undefined) return
    const span = isRange ? spanBetween(list, cursor, id) : undefined
    setCursor(id)
    setIds((before) => {
      if (span) return new Set([...before, ...span, ...all])
      if (all.every((one) => before.has(one))) return new Set([...before].filter((one) => !all.includes(one)))
      return new Set([...before, ...all])
    })
  }, [])

  const follow = useCallback((next: Task[] | undefined) => {
    shown.current = next
    if (next) latest.current = { ...latest.current, list: next }
  }, [])

  const move = useCallback((step: 1 | -1) => {
    const { list, cursor } = latest.current
    const next = stepFrom(list, cursor, step)
    setCursor(next)
    return next
  }, [])

  return useMemo(
    () => ({
      ids,
      tasks: chosenTasks(ids, list, byId),
      cursor,
      toggle,
      set: (chosen) => setIds(new Set(chosen)),
      clear: () => setIds(new Set()),
      move,
      setCursor,
      follow,
    }),
    [ids, list, byId, cursor, toggle, move, follow],
  )
}

/** All tasks from one to the other, both included, in any direction; undefined if one of them is not in the list. */
export function spanBetween(list: readonly Task[], one: number | undefined, other: number): number[] | undefined {
  const ids = list.map(({ id }) => id)
  const ends = [one ?? -1, other].map((id) => ids.indexOf(id))
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  return from < 0 ? undefined : ids.slice(from, to + 1)
}

/** The next task down or up the list, stopping at its ends; without a cursor the first or the last. */
export function stepFrom(list: readonly Task[], cursor: number | undefined, step: 1 | -1): number | undefined {
  const at = list.findIndex(({ id }) => id === cursor)
  const from = at < 0 && step < 0 ? list.length : at
  return list[Math.min(list.length - 1, Math.max(0, from + step))]?.id
}

/** Visible ones first; a selected task that a filter hides stays selected. */
export function chosenTasks(ids: ReadonlySet<number>, list: Task[], byId: Map<number, Task>): Task[] {
  if (ids.size === 0) return []
  const left = new Set(ids)
  const chosen = list.filter(({ id }) => left.delete(id))
  for (const id of left) {
    const hidden = byId.get(id)
    if (hidden) chosen.push(hidden)
  }
  return chosen
}
