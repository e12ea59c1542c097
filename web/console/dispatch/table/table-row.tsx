import { memo } from 'react'
import type { Task } from '../../../api/data.ts'
import { join } from '../../../ui/class-names.ts'
import type { Press } from '../../day/press.ts'
import type { Selection } from '../../day/selection.ts'
import { type useCarry, useDraggableTask } from '../drag.ts'
import { GridCell, GridRow } from '../list/grid.tsx'
import { SelectBox } from '../list/task-marks.tsx'
import { rowId } from '../list/virtual-tasks.tsx'
import type { CellContext, Column } from './columns.tsx'

export const tableRowHeight = 30
export const cellLook = 'flex min-w-0 items-center px-2'

interface Props {
  task: Task
  place: number
  top: number
  chosen: boolean
  atCursor: boolean
  shown: Column[]
  context: CellContext
  carry: ReturnType<typeof useCarry>
  onPress: Press
  onToggle: Selection['toggle']
}

export const TableRow = memo(function TableRow(props: Props) {
  const { task, place, top, chosen, atCursor, shown, context, carry, onPress, onToggle } = props
  const ref = useDraggableTask(task, carry)
  return (
    <GridRow
      ref={ref}
      id={rowId(task)}
      aria-rowindex={place}
      aria-selected={chosen}
      data-task={task.id}
      onClick={(event) => onPress(task.id, event)}
      style={{ height: tableRowHeight, transform: `translateY(${top}px)` }}
      className={join(
        'numbers absolute top-0 left-0 grid w-full cursor-pointer select-none grid-cols-(--columns) border-line border-b',
        chosen ? 'bg-chosen' : 'bg-surface hover:bg-hover',
        atCursor && 'shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      <GridCell className={join(cellLook, 'justify-center')}>
        <SelectBox task={task} chosen={chosen} onToggle={onToggle} />
      </GridCell>
      {shown.map(({ id, end, cell }) => (
        <GridCell key={id} data-column={id} className={join(cellLook, end && 'justify-end')}>
          <div className="truncate" {...(id === 'awb' && { title: context.say('openTask', { awb: task.awb }) })}>
            {cell(task, context)}
          </div>
        </GridCell>
      ))}
    </GridRow>
  )
})
