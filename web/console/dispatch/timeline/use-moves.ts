import { useCallback, useMemo, useRef } from 'react'
import type { Placing } from '../../../../contract/planning.ts'
import { isOpen } from '../../../../core/task-status.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { useMay } from '../../../api/session.ts'
import { useTell } from '../../../ui/toast.tsx'
import { useSay } from '../../../words/console.ts'
import { useAssign } from '../../day/assign.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useMayUnassign } from '../../day/may-unassign.ts'
import { newUndoId } from '../../day/undo.ts'
import { useOrderRoute } from '../../planning/route.ts'
import type { Block } from './blocks.ts'
import { canGive, canTakeBack, planDrop, stepStop } from './drop.ts'
import type { Lane } from './lanes.ts'

/** Everything that moves tasks on the timeline. */
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
  const mayUnassign = useMayUnassign()
  const { ids: chosen } = selection

  /** Dragging a selected task drags all selected ones, and a stop all of its tasks. */
  const idsWith = useCallback(
    (ids: readonly number[]) => (ids.some((id) => chosen.has(id)) ? [...new Set([...chosen, ...ids])] : [...ids]),
    [chosen],
  )

  // The same function after every event, so that lanes are not drawn again.
  const latest = useRef(byId)
  latest.current = byId
  const tasksOf = useCallback((ids: number[]) => ids.flatMap((id) => latest.current.get(id) ?? []), [])
  const mayGive = useCallback(
    (ids: number[], driver: Driver) => canMove && canGive(tasksOf(ids), driver),
    [canMove, tasksOf],
  )
  const mayTakeBack = useCallback((ids: number[]) => mayUnassign && canTakeBack(tasksOf(ids)), [mayUnassign, tasksOf])

  const order = useCallback(
    async (driver: Driver, tasks: number[], partOf?: string) => {
      if (!isPast) await save({ driver, tasks, partOf }).catch(() => {})
      else if (!partOf) tell(say('pastDay'))
    },
    [save, isPast, tell, say],
  )

  /** Drops tasks into a lane, at position `at` among the tasks already there. */
  const place = useCallback(
    async (lane: Lane, ids: number[], at: number) => {
      const { strangers, orderWithout } = planDrop(lane, tasksOf(ids), at)
      const undoId = strangers.length > 0 ? newUndoId() : undefined
      const after = orderWithout(undoId ? await assign(strangers, lane.driver, { undoId }) : [])
      if (after) await order(lane.driver, after, undoId)
    },
    [tasksOf, assign, order],
  )

  /** Gives tasks to a driver, at a place in the route that planning finds. */
  const give = useCallback(
    (tasks: Task[], driver: Driver, placing: Placing | undefined) =>
      assign(
        tasks.filter((task) => canGive([task], driver)),
        driver,
        { placing },
      ),
    [assign],
  )

  /** A stop one place earlier or later, by keyboard. */
  const step = useCallback(
    async (lane: Lane, block: Block, by: 1 | -1) => {
      const after = canMove ? stepStop(lane, block, by) : undefined
      if (after) await order(lane.driver, after)
    },
    [order, canMove],
  )

  const takeBack = useCallback((ids: number[]) => assign(tasksOf(ids).filter(isOpen), null), [assign, tasksOf])

  return useMemo(
    () => ({ canMove, idsWith, mayGive, mayTakeBack, place, give, step, takeBack }),
    [canMove, idsWith, mayGive, mayTakeBack, place, give, step, takeBack],
  )
}
export type Moves = ReturnType<typeof useMoves>
