import { useEffect, useMemo } from 'react'
import { shownStatus } from '../../../../core/delegation.ts'
import type { Task } from '../../../api/data.ts'
import { statusOrder } from '../../../tasks/status-order.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { NothingToShow } from '../list/nothing-to-show.tsx'
import { BoardColumn } from './board-column.tsx'

const none: Task[] = []

/** A column per state. */
export default function BoardView() {
  const { tasks, selection, filters } = useDispatch()
  const { follow } = selection
  const byStatus = useMemo(() => Map.groupBy(tasks, shownStatus), [tasks])
  useEffect(() => {
    follow(statusOrder.flatMap((status) => byStatus.get(status) ?? none))
    return () => follow(undefined)
  }, [follow, byStatus])
  if (tasks.length === 0) return <NothingToShow />
  const shown = statusOrder.filter((status) => !filters.status || status === filters.status)
  return (
    <div className="flex h-full overflow-x-auto bg-page">
      {shown.map((status) => (
        <BoardColumn key={status} status={status} tasks={byStatus.get(status) ?? none} />
      ))}
    </div>
  )
}
