import { memo } from 'react'
import { Eta } from '../../../tasks/eta.tsx'
import { StatusIcon } from '../../../tasks/status.tsx'
import { join } from '../../../ui/class-names.ts'
import { ConflictMark } from '../../conflicts/conflict-mark.tsx'
import { DoubtMark } from '../../day/doubt-mark.tsx'
import { AddressOf } from '../../day/erased.tsx'
import { LeftMark } from '../../day/left-mark.tsx'
import { PartnerMark } from '../../day/partner-mark.tsx'
import { useDraggableTask } from '../drag.ts'
import { GridCell, GridRow } from './grid.tsx'
import { MessageMark } from './message-mark.tsx'
import { RiskMark } from './risk-mark.tsx'
import { SelectBox, ToCollect } from './task-marks.tsx'
import { type DrawnTask, rowId } from './virtual-tasks.tsx'

export const rowHeight = 44

/** Two lines: the address; and window, number and money. Drawn again only if something in it has changed. */
export const TaskRow = memo(function TaskRow(props: DrawnTask) {
  const { task, place, top, chosen, atCursor, risk, isBehind, formats, carry, onPress, onToggle } = props
  const ref = useDraggableTask(task, carry)
  const { area } = task.address
  const window = formats.window(task.completeAfter, task.completeBefore)
  return (
    <GridRow
      ref={ref}
      id={rowId(task)}
      aria-rowindex={place}
      aria-selected={chosen}
      data-task={task.id}
      onClick={(event) => onPress(task.id, event)}
      style={{ height: rowHeight, transform: `translateY(${top}px)` }}
      className={join(
        'absolute inset-x-0 top-0 flex cursor-pointer select-none items-center gap-2 border-line border-b px-3',
        chosen ? 'bg-chosen' : 'hover:bg-hover',
        atCursor && 'shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      <GridCell className="flex shrink-0 items-center gap-2">
        <SelectBox task={task} chosen={chosen} onToggle={onToggle} />
        <StatusIcon statusId={task.statusId} side={task.side} />
      </GridCell>
      <GridCell className="min-w-0 grow leading-[1.35]">
        <div className="flex items-baseline gap-1.5">
          <span className="min-w-0 truncate font-medium">
            <AddressOf task={task} />
          </span>
          {area && <span className="max-w-2/5 shrink-0 truncate text-ink-faint text-xs">{area}</span>}
          <Eta task={task} risk={risk} isBehind={isBehind} formats={formats} className="ml-auto text-xs" />
        </div>
        <div className="numbers flex items-center gap-2 text-ink-soft text-xs">
          <RiskMark risk={risk} />
          <ConflictMark taskId={task.id} />
          <DoubtMark task={task} />
          <LeftMark task={task} />
          <MessageMark taskId={task.id} />
          {window && <span className="whitespace-nowrap">{window}</span>}
          <span className="truncate text-ink-faint">{task.awb}</span>
          <PartnerMark task={task} driverless className="max-w-3/5" />
          <ToCollect task={task} formats={formats} />
        </div>
      </GridCell>
    </GridRow>
  )
})
