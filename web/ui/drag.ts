import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/element/pointer-outside-of-preview'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import { useCallback, useEffect, useRef, useState } from 'react'

/** What can be dragged: tasks to a driver, a stop to another place in its route. A target accepts only its kind. */
export type Kind = 'tasks' | 'stop'

type Data = Record<string | symbol, unknown>
const idsIn = (data: Data, kind: Kind) => (data['kind'] === kind ? (data['ids'] as number[]) : undefined)

interface Draggable {
  kind: Kind
  /** Called when the drag begins, because the selection may have changed since this was drawn. */
  ids: () => number[]
  /** The text at the pointer; if not given, an image of the element. */
  label?: () => string
  isEnabled: boolean
}

/** Makes an element draggable. Returns the ref for it, and whether it is being dragged. */
export function useDraggable(options: Draggable) {
  const [isDragged, setIsDragged] = useState(false)
  const latest = useRef(options)
  latest.current = options
  const { kind, isEnabled } = options
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element || !isEnabled) return undefined
      return draggable({
        element,
        getInitialData: () => ({ kind, ids: latest.current.ids() }),
        onGenerateDragPreview: ({ nativeSetDragImage }) => {
          const text = latest.current.label?.()
          if (text === undefined) return
          setCustomNativeDragPreview({
            nativeSetDragImage,
            getOffset: pointerOutsideOfPreview({ x: '12px', y: '8px' }),
            render: ({ container }) => container.append(drawLabel(text)),
          })
        },
        onDragStart: () => setIsDragged(true),
        onDrop: () => setIsDragged(false),
      })
    },
    [kind, isEnabled],
  )
  return { ref, isDragged }
}

function drawLabel(text: string): HTMLElement {
  const label = document.createElement('div')
  label.className = 'max-w-60 truncate rounded-lg bg-brand px-2.5 py-1.5 font-semibold text-on-brand text-sm'
  label.textContent = text
  return label
}

interface Target<Where> {
  kind: Kind
  canDrop?: (ids: number[]) => boolean
  /** Where in the element the pointer is, in the target's terms. */
  where: (pointer: { clientX: number; clientY: number }, element: HTMLElement) => Where
  onEnter?: (ids: number[]) => void
  onLeave?: () => void
  onDrop: (ids: number[], where: Where) => void
}

/** Makes an element a drop target. Returns the ref for it, and where something is being dragged over it now. */
export function useDropTarget<Where>(target: Target<Where>) {
  const [over, setOver] = useState<Where>()
  const latest = useRef(target)
  latest.current = target
  const { kind } = target
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return undefined
      const leave = () => {
        setOver(undefined)
        latest.current.onLeave?.()
      }
      return dropTargetForElements({
        element,
        canDrop: ({ source }) => {
          const ids = idsIn(source.data, kind)
          return ids !== undefined && (latest.current.canDrop?.(ids) ?? true)
        },
        onDragEnter: ({ source, location }) => {
          setOver(latest.current.where(location.current.input, element))
          latest.current.onEnter?.(idsIn(source.data, kind) ?? [])
        },
        onDrag: ({ location }) => setOver(latest.current.where(location.current.input, element)),
        onDragLeave: leave,
        onDrop: ({ source, location }) => {
          leave()
          latest.current.onDrop(idsIn(source.data, kind) ?? [], latest.current.where(location.current.input, element))
        },
      })
    },
    [kind],
  )
  return { ref, over }
}

/** Whether something of a kind is being dragged, anywhere on the screen. */
export function useDragging(kind: Kind): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => idsIn(source.data, kind) !== undefined,
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
    [kind],
  )
  return dragging
}
