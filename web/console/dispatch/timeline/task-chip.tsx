import type { Task } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { riskOf } from '../../../tasks/risk.ts'
import { StatusIcon } from '../../../tasks/status.tsx'
import { join } from '../../../ui/class-names.ts'
import { useDraggable } from '../../../ui/drag.ts'
import { useSay } from '../../../words/console.ts'
import { ConflictMark } from '../../conflicts/conflict-mark.tsx'
import { useDispatch } from '../../day/dispatch.tsx'
import { AddressOf, addressText } from '../../day/erased.tsx'
import { useLongTouch } from '../../day/long-touch.ts'
import { PartnerMark } from '../../day/partner-mark.tsx'
import { usePress } from '../../day/press.ts'
import type { Moves } from './use-moves.ts'

interface Props {
  task: Task
  moves: Moves
  isChosen: boolean
  isSmall?: boolean
  /** Its position in a virtual strip. */
  left?: number
}

export const chipWidth = 184

/** A task without a time on the timeline, which can be dragged there. */
export function TaskChip({ task, moves, isChosen, isSmall, left }: Props) {
  const { now, selection } = useDispatch()
  const press = usePress()
  const longTouch = useLongTouch()
  const say = useSay()
  const { window } = useFormats()
  const { ref, isDragged } = useDraggable({
    kind: 'tasks',
    ids: () => moves.idsWith([task.id]),
    isEnabled: moves.canMove,
  })
  const promised = window(task.completeAfter, task.completeBefore)
  const risk = riskOf(task, now)
  return (
    <li
      ref={ref}
      {...(left !== undefined && { style: { left, width: chipWidth } })}
      className={join(
        isSmall ? 'min-w-0' : 'absolute top-2.5',
        moves.canMove && 'cursor-grab',
        isDragged && 'opacity-40',
      )}
    >
      <button
        type="button"
        data-task={task.id}
        aria-pressed={isChosen}
        title={`${task.awb} · ${addressText(task, say)}`}
        onClick={(event) => press(task.id, event)}
        onKeyDown={(event) => {
          if (event.key !== ' ') return
          event.preventDefault()
          selection.toggle(task.id, event.shiftKey)
        }}
        {...longTouch}
        className={join(
          'flex w-full items-center gap-1 rounded-md border bg-surface text-left hover:bg-hover',
          isSmall ? 'h-[22px] px-1 text-[11px]' : 'h-9 px-1.5',
          isChosen ? 'border-accent ring-1 ring-accent' : 'border-line-strong border-dashed',
        )}
      >
        <StatusIcon statusId={task.statusId} className="!size-3.5" />
        <ConflictMark taskId={task.id} />
        <PartnerMark task={task} brief />
        {isSmall ? (
          <span className="truncate">{task.awb}</span>
        ) : (
          <span className="min-w-0 grow leading-tight">
            <span className="block truncate font-medium">
              <AddressOf task={task} />
            </span>
            <span className="numbers block truncate text-[11px] text-ink-soft">
              {task.awb}
              {promised && <span className={risk === 'none' ? '' : 'font-semibold text-bad'}> · {promised}</span>}
            </span>
          </span>
        )}
      </button>
    </li>
  )
}
