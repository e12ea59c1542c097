import { Banknote, PanelRightOpen } from 'lucide-react'
import { memo } from 'react'
import type { StatusId } from '../../../core/task-status.ts'
import { shortAddress } from '../../api/address.ts'
import type { Task } from '../../api/data.ts'
import type { Formats } from '../../api/time.ts'
import { join } from '../../ui/class-names.ts'
import { StatusIcon } from '../../ui/status.tsx'
import { useSay } from '../../words/words.ts'
import { type useCarry, useDraggableTask } from '../drag.ts'
import type { riskOf } from '../risk.ts'
import type { Selection } from '../selection.ts'
import { GridCell, GridRow } from './grid.tsx'
import { RiskMark } from './risk-mark.tsx'

export const rowHeight = 44
export const rowId = (task: Pick<Task, 'id'>) => `task-${task.id}`

interface Props {
  task: Task
  /** Counted from one, over the whole list and not only what is drawn. */
  place: number
  top: number
  chosen: boolean
  atCursor: boolean
  risk: ReturnType<typeof riskOf>
  formats: Formats
  carry: ReturnType<typeof useCarry>
  onClick: Selection['click']
  onOpen: (id: number) => void
}

/** Two lines: where, and when, which and how much. Drawn again only if something of it has changed. */
export const TaskRow = memo(function TaskRow(props: Props) {
  const { task, place, top, chosen, atCursor, risk, formats, carry, onClick, onOpen } = props
  const say = useSay()
  const ref = useDraggableTask(task, carry)
  const { area } = task.address
  const window = formats.window(task.completeAfter, task.completeBefore)
  const cash = task.leftToBePaid ?? 0
  return (
    <GridRow
      ref={ref}
      id={rowId(task)}
      aria-rowindex={place}
      aria-selected={chosen}
      onClick={(event) => onClick(task.id, event)}
      onDoubleClick={() => onOpen(task.id)}
      style={{ height: rowHeight, transform: `translateY(${top}px)` }}
      className={join(
        'group absolute inset-x-0 top-0 flex select-none items-center gap-2.5 border-line border-b px-3',
        chosen ? 'bg-chosen' : 'hover:bg-hover',
        atCursor && 'shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      <GridCell className="shrink-0">
        <StatusIcon statusId={task.statusId as StatusId} />
      </GridCell>
      <GridCell className="min-w-0 grow leading-[1.35]">
        <div className="flex items-baseline gap-1.5">
          <span className="min-w-0 truncate font-medium">{shortAddress(task)}</span>
          {area && <span className="max-w-2/5 shrink-0 truncate text-ink-faint text-xs">{area}</span>}
        </div>
        <div className="numbers flex items-center gap-2 text-ink-soft text-xs">
          <RiskMark risk={risk} />
          {window && <span className="whitespace-nowrap">{window}</span>}
          <span className="truncate text-ink-faint">{task.awb}</span>
          {cash > 0 && (
            <span className="ml-auto flex items-center gap-1 whitespace-nowrap">
              <Banknote role="img" aria-label={say('cash')} className="size-3.5 text-ink-faint" />
              {formats.money(cash)}
            </span>
          )}
        </div>
      </GridCell>
      <GridCell className="absolute right-2 hidden group-hover:block">
        <button
          type="button"
          tabIndex={-1}
          aria-label={say('openTask', { awb: task.awb })}
          title={say('openTask', { awb: task.awb })}
          onClick={(event) => {
            event.stopPropagation()
            onOpen(task.id)
          }}
          className="grid size-7 place-items-center rounded-md border border-line bg-raised text-ink-soft hover:text-ink"
        >
          <PanelRightOpen aria-hidden className="size-4" />
        </button>
      </GridCell>
    </GridRow>
  )
})
