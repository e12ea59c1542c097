import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/element/pointer-outside-of-preview'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isOpen } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { useMay } from '../../api/session.ts'
import { useSay } from '../../words/words.ts'
import { useDispatch } from '../day/dispatch.tsx'

/** What is carried: one task, or the whole selection it belongs to. */
export interface Cargo {
  kind: 'tasks'
  ids: number[]
  [more: string]: unknown
}
export const isCargo = (data: Record<string, unknown>): data is Cargo => data['kind'] === 'tasks'

type Carry = (id: number) => { cargo: Cargo; label: string }

/** What a drag of one task carries. The function stays the same, so that rows need not be drawn again for it. */
export function useCarry(): Carry {
  const { selection, byId } = useDispatch()
  const say = useSay()
  const latest = useRef({ selection, byId, say })
  latest.current = { selection, byId, say }
  return useCallback((id) => {
    const { selection, byId, say } = latest.current
    const ids = selection.ids.has(id) ? selection.tasks.filter(isOpen).map((task) => task.id) : [id]
    const label = ids.length === 1 ? (byId.get(id)?.address.address ?? '') : say('tasks', { n: ids.length })
    return { cargo: { kind: 'tasks', ids }, label }
  }, [])
}

/** Lets a row or a card be dragged. Returns the ref for its element. */
export function useDraggableTask(task: Task, carry: Carry) {
  const may = useMay()('tasks:write')
  const { id } = task
  const movable = may && isOpen(task)
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element || !movable) return undefined
      return draggable({
        element,
        getInitialData: () => carry(id).cargo,
        onGenerateDragPreview: ({ nativeSetDragImage }) =>
          setCustomNativeDragPreview({
            nativeSetDragImage,
            getOffset: pointerOutsideOfPreview({ x: '12px', y: '8px' }),
            render: ({ container }) => {
              const preview = document.createElement('div')
              preview.className =
                'max-w-60 truncate rounded-lg bg-brand px-2.5 py-1.5 font-semibold text-on-brand text-sm'
              preview.textContent = carry(id).label
              container.append(preview)
            },
          }),
      })
    },
    [id, movable, carry],
  )
}

interface Target {
  onDrop: (tasks: Task[]) => void
  onEnter?: (tasks: Task[]) => void
  onLeave?: () => void
}

/** Takes tasks that are let go over it. Returns the ref for its element, and whether something is over it now. */
export function useTaskTarget({ onDrop, onEnter, onLeave }: Target) {
  const { byId } = useDispatch()
  const [over, setOver] = useState(false)
  const latest = useRef({ byId, onDrop, onEnter, onLeave })
  latest.current = { byId, onDrop, onEnter, onLeave }
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const carried = (data: Record<string, unknown>) =>
      isCargo(data) ? data.ids.flatMap((id) => latest.current.byId.get(id) ?? []) : []
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => isCargo(source.data),
      onDragEnter: ({ source }) => {
        setOver(true)
        latest.current.onEnter?.(carried(source.data))
      },
      onDragLeave: () => {
        setOver(false)
        latest.current.onLeave?.()
      },
      onDrop: ({ source }) => {
        setOver(false)
        latest.current.onLeave?.()
        latest.current.onDrop(carried(source.data))
      },
    })
  }, [])
  return { ref, over }
}

/** Whether tasks are being dragged, anywhere on the screen. */
export function useDragging(): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => isCargo(source.data),
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
    [],
  )
  return dragging
}
