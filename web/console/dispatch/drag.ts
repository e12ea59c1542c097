import { useCallback, useRef, useState } from 'react'
import type { Placing } from '../../../contract/planning.ts'
import { isOursToDo } from '../../../core/delegation.ts'
import { isOpen } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { useIsShop, useMay } from '../../api/session.ts'
import { useDraggable, useDropTarget } from '../../ui/drag.ts'
import { useSay } from '../../words/console.ts'
import { useDispatch } from '../day/dispatch.tsx'

/** Where a task that a partner has goes is decided there. */
const isMovable = (task: Task) => isOpen(task) && isOursToDo(task)

/** What a drag carries: one task, or the whole selection it belongs to. */
type Carry = (id: number) => { ids: number[]; label: string }

/** What a drag of one task carries. The function stays the same, so that rows are not drawn again. */
export function useCarry(): Carry {
  const { selection, byId } = useDispatch()
  const say = useSay()
  const latest = useRef({ selection, byId, say })
  latest.current = { selection, byId, say }
  return useCallback((id) => {
    const { selection, byId, say } = latest.current
    const ids = selection.ids.has(id) ? selection.tasks.filter(isMovable).map((task) => task.id) : [id]
    const label = ids.length === 1 ? (byId.get(id)?.address.address ?? '') : say('tasks', { n: ids.length })
    return { ids, label }
  }, [])
}

/** Makes a row or a card draggable. Returns the ref for its element. */
export function useDraggableTask(task: Task, carry: Carry) {
  const may = useMay()('tasks:write')
  const isShop = useIsShop()
  const { id } = task
  return useDraggable({
    kind: 'tasks',
    ids: () => carry(id).ids,
    label: () => carry(id).label,
    isEnabled: may && !isShop && isMovable(task),
  }).ref
}

interface Target {
  onDrop: (tasks: Task[]) => void
  onEnter?: (tasks: Task[]) => void
  onLeave?: () => void
}

/** Makes an element a drop target for tasks. Returns its ref, and whether something is dragged over it now. */
export function useTaskTarget({ onDrop, onEnter, onLeave }: Target) {
  const { byId } = useDispatch()
  const tasksOf = (ids: number[]) => ids.flatMap((id) => byId.get(id) ?? [])
  const { ref, over = false } = useDropTarget({
    kind: 'tasks',
    where: () => true,
    onEnter: (ids) => onEnter?.(tasksOf(ids)),
    onLeave: () => onLeave?.(),
    onDrop: (ids) => onDrop(tasksOf(ids)),
  })
  return { ref, over }
}

/** Most of a driver is the best place: it is what a quick drop means. As `DropPlaces` draws it. */
const placingAt = (share: number): Placing => (share < 0.6 ? 'best' : share < 0.8 ? 'next' : 'last')

interface PlaceTarget {
  canDrop?: (ids: number[]) => boolean
  onDrop: (tasks: Task[], placing: Placing | undefined) => void
}

/** The same for a driver: where in the route tasks are dropped is the part of the element. A day that is over has no route. */
export function usePlaceTarget({ canDrop, onDrop }: PlaceTarget) {
  const { byId, isPast } = useDispatch()
  const [carried, setCarried] = useState<Task[]>([])
  const tasksOf = (ids: number[]) => ids.flatMap((id) => byId.get(id) ?? [])
  const { ref, over } = useDropTarget<Placing>({
    kind: 'tasks',
    ...(canDrop && { canDrop }),
    where: ({ clientX }, element) => {
      const { left, width } = element.getBoundingClientRect()
      return placingAt((clientX - left) / width)
    },
    onEnter: (ids) => setCarried(tasksOf(ids)),
    onDrop: (ids, placing) => onDrop(tasksOf(ids), isPast ? undefined : placing),
  })
  return { ref, over, placing: isPast ? undefined : over, carried }
}
