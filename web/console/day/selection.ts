import { useCallback, useMemo, useRef, useState } from 'react'
import type { Task } from '../../api/data.ts'

/** Which tasks are chosen, and which one the keyboard stands on. All views show and change the same. */
export interface Selection {
  ids: ReadonlySet<number>
  /** The chosen tasks that still exist, in the order of the list. */
  tasks: Task[]
  cursor: number | undefined
  /** How a click chooses: alone, with Ctrl added or taken away, with Shift up to here. */
  click: (id: number, keys: { shiftKey: boolean; metaKey: boolean; ctrlKey: boolean }) => void
  toggle: (id: number) => void
  set: (ids: Iterable<number>) => void
  clear: () => void
  /** Moves the cursor down or up the list and returns where it stands. */
  move: (step: 1 | -1) => number | undefined
  setCursor: (id: number | undefined) => void
  /** A view that shows the tasks in an order of its own says so; the cursor and Shift then go by it. */
  follow: (shown: Task[] | undefined) => void
}

export function useSelectionState(byId: Map<number, Task>, list: Task[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [cursor, setCursor] = useState<number>()
  const shown = useRef<Task[]>(undefined)
  const latest = useRef({ list, cursor })
  latest.current = { list: shown.current ?? list, cursor }

  const toggle = useCallback((id: number) => {
    setCursor(id)
    setIds((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])

  const click = useCallback<Selection['click']>(
    (id, { shiftKey, metaKey, ctrlKey }) => {
      if (metaKey || ctrlKey) return toggle(id)
      const { list, cursor } = latest.current
      const [from, to] = [list.findIndex((task) => task.id === cursor), list.findIndex((task) => task.id === id)]
      if (shiftKey && from >= 0 && to >= 0) {
        const span = list.slice(Math.min(from, to), Math.max(from, to) + 1)
        setIds((before) => new Set([...before, ...span.map((task) => task.id)]))
      } else setIds(new Set([id]))
      setCursor(id)
    },
    [toggle],
  )

  const follow = useCallback((next: Task[] | undefined) => {
    shown.current = next
    if (next) latest.current = { ...latest.current, list: next }
  }, [])

  const move = useCallback((step: 1 | -1) => {
    const { list, cursor } = latest.current
    const at = list.findIndex((task) => task.id === cursor)
    const next = list[at < 0 ? (step > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, at + step))]
    setCursor(next?.id)
    return next?.id
  }, [])

  return useMemo(
    () => ({
      ids,
      tasks: chosenTasks(ids, list, byId),
      cursor,
      click,
      toggle,
      set: (chosen) => setIds(new Set(chosen)),
      clear: () => setIds(new Set()),
      move,
      setCursor,
      follow,
    }),
    [ids, list, byId, cursor, click, toggle, move, follow],
  )
}

/** Those of the list first; a chosen task that a filter hides is still chosen. */
function chosenTasks(ids: ReadonlySet<number>, list: Task[], byId: Map<number, Task>): Task[] {
  if (ids.size === 0) return []
  const left = new Set(ids)
  const chosen = list.filter(({ id }) => left.delete(id))
  for (const id of left) {
    const hidden = byId.get(id)
    if (hidden) chosen.push(hidden)
  }
  return chosen
}
