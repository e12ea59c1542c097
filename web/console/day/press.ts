import { useCallback, useRef } from 'react'
import { useDispatch } from './dispatch.tsx'

export interface Keys {
  shiftKey: boolean
  metaKey: boolean
  ctrlKey: boolean
}
export type Press = (id: number, keys: Keys) => void

/**
 * What a click on a task does, in every view: it opens the task; with Ctrl it selects or deselects it, with Shift it
 * selects up to here. The function stays the same, so that rows are not drawn again.
 */
export function usePress(): Press {
  const { selection, filters, change } = useDispatch()
  const latest = useRef({ selection, filters, change })
  latest.current = { selection, filters, change }
  return useCallback((id, { shiftKey, metaKey, ctrlKey }) => {
    const { selection, filters, change } = latest.current
    if (shiftKey || metaKey || ctrlKey) return selection.toggle(id, shiftKey)
    selection.setCursor(id)
    // One step back closes the panel, however many tasks were looked at in it.
    if (filters.task !== id) change({ task: id }, filters.task !== undefined)
  }, [])
}
