import { memo } from 'react'
import { Eta } from '../../../tasks/eta.tsx'
import { join } from '../../../ui/class-names.ts'
import { ConflictMark } from '../../conflicts/conflict-mark.tsx'
import { AddressOf } from '../../day/erased.tsx'
import { PartnerMark } from '../../day/partner-mark.tsx'
import { useDraggableTask } from '../drag.ts'
import { GridCell, GridRow } from '../list/grid.tsx'
import { MessageMark } from '../list/message-mark.tsx'
import { RiskMark } from '../list/risk-mark.tsx'
import { SelectBox, ToCollect } from '../list/task-marks.tsx'
import { type DrawnTask, rowId } from '../list/virtual-tasks.tsx'

export const cardHeight = 68

export const Card = memo(function Card(props: DrawnTask) {
  const { task, place, top, chosen, atCursor, risk, isBehind, formats, carry, onPress, onToggle } = props
  const ref = useDraggableTask(task, carry)
  const window = formats.window(task.completeAfter, task.completeBefore)
  return (
    <GridRow
      ref={ref}
      id={rowId(task)}
      aria-rowindex={place}
      aria-selected={chosen}
      data-task={task.id}
      onClick={(event) => onPress(task.id, event)}
      style={{ height: cardHeight - 6, transform: `translateY(${top}px)` }}
      className={join(
        'absolute inset-x-2 top-0 cursor-pointer select-none rounded-lg border px-2.5 py-1.5 leading-[1.35]',
        chosen ? 'border-accent bg-chosen' : 'border-line bg-surface hover:bg-hover',
        atCursor && 'shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      <GridCell>
        <div className="flex items-center gap-1.5">
          <SelectBox task={task} chosen={chosen} onToggle={onToggle} className="shrink-0" />
          <span className="min-w-0 truncate font-medium">
            <AddressOf task={task} />
          </span>
          <span className="ml-auto flex shrink-0 gap-1">
            {task.user && <PartnerMark task={task} brief />}
            <ConflictMark taskId={task.id} />
            <MessageMark taskId={task.id} />
            <RiskMark risk={risk} />
          </span>
        </div>
        <div className="numbers flex gap-2 text-ink-soft text-xs">
          {window && <span className="whitespace-nowrap">{window}</span>}
          <span className="truncate text-ink-faint">{task.awb}</span>
        </div>
        <div className="numbers flex h-4 items-center gap-2 text-ink-soft text-xs">
          {/* Who drives it; the partner, too, while that is somebody of theirs or nobody yet. */}
          {task.side && !task.user ? (
            <PartnerMark task={task} />
          ) : (
            <span className="truncate">{task.user?.name ?? task.address.area}</span>
          )}
          <Eta task={task} risk={risk} isBehind={isBehind} formats={formats} />
          <ToCollect task={task} formats={formats} />
        </div>
      </GridCell>
    </GridRow>
  )
})
