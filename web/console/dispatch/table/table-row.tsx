import { memo } from 'react'
import type { Task } from '../../../api/data.ts'
import { join } from '../../../ui/class-names.ts'
import type { Selection } from '../../day/selection.ts'
import { type useCarry, useDraggableTask } from '../drag.ts'
import { GridCell, GridRow } from '../list/grid.tsx'
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
  onClick: Selection['click']
  onToggle: Selection['toggle']
  onOpen: (id: number) => void
}

export const TableRow = memo(function TableRow(props: Props) {
  const { task, place, top, chosen, atCursor, shown, context, carry, onClick, onToggle, onOpen } = props
  const { say } = context
  const ref = useDraggableTask(task, carry)
  return (
    <GridRow
      ref={ref}
      id={rowId(task)}
      aria-rowindex={place}
      aria-selected={chosen}
      onClick={(event) => onClick(task.id, event)}
      onDoubleClick={() => onOpen(task.id)}
      style={{ height: tableRowHeight, transform: `translateY(${top}px)` }}
      className={join(
        'numbers absolute top-0 left-0 grid w-full select-none grid-cols-(--columns) border-line border-b',
        chosen ? 'bg-chosen' : 'bg-surface hover:bg-hover',
        atCursor && 'shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      <GridCell className={join(cellLook, 'justify-center')}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={say('selectTask', { awb: task.awb })}
          checked={chosen}
          onClick={(event) => event.stopPropagation()}
          onChange={() => onToggle(task.id)}
          className="size-4 accent-(--brand)"
        />
      </GridCell>
      {shown.map(({ id, end, cell }) => (
        <GridCell key={id} data-column={id} className={join(cellLook, end && 'justify-end')}>
          {id === 'awb' ? (
            <button
              type="button"
              tabIndex={-1}
              title={say('openTask', { awb: task.awb })}
              onClick={(event) => {
                event.stopPropagation()
                onOpen(task.id)
              }}
              className="truncate underline-offset-2 hover:text-accent hover:underline"
            >
              {cell(task, context)}
            </button>
          ) : (
            <div className="truncate">{cell(task, context)}</div>
          )}
        </GridCell>
      ))}
    </GridRow>
  )
})
