import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'

/** What a dragged task carries, in every view: the ids of all that move with it. */
export const draggedIds = (data: Record<string, unknown>): number[] | undefined =>
  data['kind'] === 'tasks' ? (data['ids'] as number[]) : undefined

/** Lets an element be dragged; `getIds` is asked when it happens. */
export function useDraggable(element: RefObject<HTMLElement | null>, getIds: () => number[], isEnabled = true) {
  const latest = useRef(getIds)
  latest.current = getIds
  const [isDragged, setIsDragged] = useState(false)
  useEffect(() => {
    if (!element.current || !isEnabled) return undefined
    return draggable({
      element: element.current,
      getInitialData: () => ({ kind: 'tasks', ids: latest.current() }),
      onDragStart: () => setIsDragged(true),
      onDrop: () => setIsDragged(false),
    })
  }, [element, isEnabled])
  return isDragged
}

interface Target {
  canDrop: (ids: number[]) => boolean
  onDrop: (ids: number[], clientX: number) => void
}

/** Lets tasks be dropped on an element. Returns where the pointer is while some hang over it. */
export function useDropTarget(element: RefObject<HTMLElement | null>, target: Target): number | undefined {
  const latest = useRef(target)
  latest.current = target
  const [over, setOver] = useState<number>()
  useEffect(() => {
    if (!element.current) return undefined
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => {
        const ids = draggedIds(source.data)
        return ids !== undefined && latest.current.canDrop(ids)
      },
      onDrag: ({ location }) => setOver(location.current.input.clientX),
      onDragLeave: () => setOver(undefined),
      onDrop: ({ source, location }) => {
        setOver(undefined)
        latest.current.onDrop(draggedIds(source.data) ?? [], location.current.input.clientX)
      },
    })
  }, [element])
  return over
}
