import { Banknote, PanelRightOpen } from 'lucide-react'
import { memo } from 'react'
import { shortAddress } from '../../api/address.ts'
import type { Task } from '../../api/data.ts'
import type { Formats } from '../../api/time.ts'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/words.ts'
import { type useCarry, useDraggableTask } from '../drag.ts'
import { GridCell, GridRow } from '../list/grid.tsx'
import { RiskMark } from '../list/risk-mark.tsx'
import { rowId } from '../list/task-row.tsx'
import { type riskOf, stopOf } from '../risk.ts'
import type { Selection } from '../selection.ts'

export const cardHeight = 68

interface Props {
  task: Task
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

export const Card = memo(function Card(props: Props) {
  const { task, place, top, chosen, atCursor, risk, formats, carry, onClick, onOpen } = props
  const say = useSay()
  const ref = useDraggableTask(task, carry)
  const window = formats.window(task.completeAfter, task.completeBefore)
  const arrival = stopOf(task)?.arrivalTime
  const cash = task.leftToBePaid ?? 0
  return (
    <GridRow
      ref={ref}
      id={rowId(task)}
      aria-rowindex={place}
      aria-selected={chosen}
      onClick={(event) => onClick(task.id, event)}
      onDoubleClick={() => onOpen(task.id)}
      style={{ height: cardHeight - 6, transform: `translateY(${top}px)` }}
      className={join(
        'group absolute inset-x-2 top-0 select-none rounded-lg border px-2.5 py-1.5 leading-[1.35]',
        chosen ? 'border-accent bg-chosen' : 'border-line bg-surface hover:bg-hover',
        atCursor && 'shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      <GridCell>
        <div className="flex items-center gap-1.5">
          <span className="min-w-0 truncate font-medium">{shortAddress(task)}</span>
          <RiskMark risk={risk} className="ml-auto" />
        </div>
        <div className="numbers flex gap-2 text-ink-soft text-xs">
          {window && <span className="whitespace-nowrap">{window}</span>}
          <span className="truncate text-ink-faint">{task.awb}</span>
        </div>
        <div className="numbers flex h-4 items-center gap-2 text-ink-soft text-xs">
          <span className="truncate">{task.user?.name ?? task.address.area}</span>
          {arrival && <span className="shrink-0 text-ink-faint">{formats.time(arrival)}</span>}
          {cash > 0 && (
            <span className="ml-auto flex items-center gap-1 whitespace-nowrap">
              <Banknote role="img" aria-label={say('cash')} className="size-3.5 text-ink-faint" />
              {formats.money(cash)}
            </span>
          )}
        </div>
      </GridCell>
      <GridCell className="absolute top-1.5 right-1.5 hidden group-hover:block">
        <button
          type="button"
          tabIndex={-1}
          aria-label={say('openTask', { awb: task.awb })}
          title={say('openTask', { awb: task.awb })}
          onClick={(event) => {
            event.stopPropagation()
            onOpen(task.id)
          }}
          className="grid size-6 place-items-center rounded-md border border-line bg-raised text-ink-soft hover:text-ink"
        >
          <PanelRightOpen aria-hidden className="size-3.5" />
        </button>
      </GridCell>
    </GridRow>
  )
})
