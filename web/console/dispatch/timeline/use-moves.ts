import { useCallback, useMemo } from 'react'
import { isOpen } from '../../../../core/task-status.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useTell } from '../../../ui/toast.tsx'
import { useSay } from '../../../words/console.ts'
import { useAssign } from '../../day/assign.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { moveBy } from '../../planning/moves.ts'
import { useOrderRoute } from '../../planning/route.ts'
import { canGive, canTakeBack, movableIds, planDrop } from './drop.ts'
import type { Lane } from './lanes.ts'

/** Everything that moves a task on the timeline. */
export function useMoves() {
  const { byId, isPast, selection } = useDispatch()
  const may = useMay()
  const assign = useAssign()
  const tell = useTell()
  const say = useSay()
  const {
    save: { mutateAsync: save },
  } = useOrderRoute()
  const canMove = may('tasks:write')
  const { ids: chosen } = selection

  /** Dragging a selected task drags all selected ones. */
  const idsWith = useCallback((id: number) => (chosen.has(id) ? [...chosen] : [id]), [chosen])

  const tasksOf = useCallback((ids: number[]) => ids.flatMap((id) => byId.get(id) ?? []), [byId])
  const mayGive = useCallback((ids: number[]) => canMove && canGive(tasksOf(ids)), [canMove, tasksOf])
  const mayTakeBack = useCallback((ids: number[]) => canMove && canTakeBack(tasksOf(ids)), [canMove, tasksOf])

  const order = useCallback(
    async (driver: Driver, tasks: number[], isPartOfMore = false) => {
      if (!isPast) await save({ driver, tasks, isPartOfMore }).catch(() => {})
      else if (!isPartOfMore) tell(say('pastDay'))
    },
    [save, isPast, tell, say],
  )

  /** Drops tasks into a lane, at position `at` among the tasks already there. */
  const place = useCallback(
    async (lane: Lane, ids: number[], at: number) => {
      const { strangers, orderWithout } = planDrop(lane, tasksOf(ids), at)
      const after = orderWithout(strangers.length > 0 ? await assign(strangers, lane.driver) : [])
      if (after) await order(lane.driver, after, strangers.length > 0)
    },
    [tasksOf, assign, order],
  )

  /** One place earlier or later, by keyboard. */
  const step = useCallback(
    async (lane: Lane, task: Task, by: 1 | -1) => {
      const before = movableIds(lane)
      const after = moveBy(before, task.id, by)
      if (canMove && before.includes(task.id) && after.join() !== before.join()) await order(lane.driver, after)
    },
    [order, canMove],
  )

  const takeBack = useCallback((ids: number[]) => assign(tasksOf(ids).filter(isOpen), null), [assign, tasksOf])

  return useMemo(
    () => ({ canMove, idsWith, mayGive, mayTakeBack, place, step, takeBack }),
    [canMove, idsWith, mayGive, mayTakeBack, place, step, takeBack],
  )
}
export type Moves = ReturnType<typeof useMoves>
