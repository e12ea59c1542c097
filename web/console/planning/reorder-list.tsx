import { ChevronDown, ChevronUp, GripVertical, Lock } from 'lucide-react'
import { useCallback, useRef } from 'react'
import { numberStops } from '../../../core/stop.ts'
import { InTransit } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { useFormats } from '../../api/time.ts'
import { IconButton } from '../../ui/button.tsx'
import { join } from '../../ui/class-names.ts'
import { useDraggable, useDropTarget } from '../../ui/drag.ts'
import { useSay } from '../../words/console.ts'
import { moveBeside, moveBy } from './moves.ts'
import type { RouteStop } from './route.ts'
import { LateMark, Moved } from './route-compare.tsx'
import { StopLine } from './stop-line.tsx'

interface Props {
  ids: number[]
  stops: RouteStop[]
  tasks: Task[]
  /** The times are of the previous order; new ones are being computed. */
  isOld: boolean
  onOrder: (ids: number[]) => void
}

export function ReorderList({ ids, stops, tasks, isOld, onOrder }: Props) {
  const stopById = new Map(stops.map((stop) => [stop.taskId, stop]))
  const taskById = new Map(tasks.map((task) => [task.id, task]))
  const numbers = numberStops(ids.flatMap((id) => taskById.get(id) ?? []))
  const pinned = ids.filter((id) => taskById.get(id)?.statusId === InTransit).length
  const step = (id: number, by: 1 | -1) => onOrder(moveBy(ids, id, by, pinned))
  const place = (id: number, beside: number, side: Side) => onOrder(moveBeside(ids, id, beside, side, pinned))
  return (
    <ol className="overflow-hidden rounded-lg border border-line">
      {ids.map((id, index) => (
        <Row
          key={id}
          number={numbers.get(id) ?? index + 1}
          stop={stopById.get(id)}
          task={taskById.get(id)}
          id={id}
          isPinned={index < pinned}
          isFirst={index <= pinned}
          isLast={index === ids.length - 1}
          isOld={isOld}
          onStep={step}
          onPlace={place}
        />
      ))}
    </ol>
  )
}

type Side = 'before' | 'after'
interface RowProps {
  id: number
  /** Of its stop: tasks at one door share it. */
  number: number
  stop: RouteStop | undefined
  task: Task | undefined
  isPinned: boolean
  isFirst: boolean
  isLast: boolean
  isOld: boolean
  onStep: (id: number, by: 1 | -1) => void
  onPlace: (id: number, beside: number, side: Side) => void
}

function Row({ id, number, stop, task, isPinned, isFirst, isLast, isOld, onStep, onPlace }: RowProps) {
  const say = useSay()
  const { time } = useFormats()
  const up = useRef<HTMLButtonElement>(null)
  const down = useRef<HTMLButtonElement>(null)
  const { ref, side } = useDragToPlace(id, isPinned, onPlace)
  const awb = stop?.awb ?? task?.awb ?? ''
  /** At an end of the list the button becomes disabled, so the focus moves to the other one. */
  const go = (by: 1 | -1) => {
    onStep(id, by)
    requestAnimationFrame(() => {
      const [pressed, other] = by < 0 ? [up, down] : [down, up]
      ;(pressed.current?.disabled ? other : pressed).current?.focus()
    })
  }
  return (
    <li
      ref={ref}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
        if (!event.altKey || !by || isPinned || (by < 0 ? isFirst : isLast)) return
        event.preventDefault()
        go(by)
      }}
      className={join(
        'flex min-h-9 items-center gap-2 border-line border-b bg-raised px-2 py-1 last:border-0',
        side === 'before' && 'shadow-[inset_0_2px_0_var(--accent)]',
        side === 'after' && 'shadow-[inset_0_-2px_0_var(--accent)]',
      )}
    >
      {isPinned ? (
        <Lock role="img" aria-label={say('inTransitStaysFirst')} className="size-4 shrink-0 text-moving" />
      ) : (
        <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-ink-faint" />
      )}
      <span className="numbers w-5 shrink-0 text-right text-ink-faint">{number}</span>
      <StopLine task={task} awb={awb} isOld={isOld}>
        {stop && (
          <>
            <LateMark seconds={stop.lateSeconds} />
            <Moved stop={{ ...stop, stop: number }} />
            <span className="numbers w-10 text-right">{time(stop.arrivalTime)}</span>
          </>
        )}
      </StopLine>
      <span className="flex w-16 shrink-0">
        {!isPinned && (
          <>
            <IconButton ref={up} label={say('moveUp', { awb })} disabled={isFirst} onClick={() => go(-1)}>
              <ChevronUp />
            </IconButton>
            <IconButton ref={down} label={say('moveDown', { awb })} disabled={isLast} onClick={() => go(1)}>
              <ChevronDown />
            </IconButton>
          </>
        )}
      </span>
    </li>
  )
}

/** Makes a row draggable, and says on which side of it a dragged row would go. */
function useDragToPlace(id: number, isPinned: boolean, onPlace: RowProps['onPlace']) {
  const { ref: dragged } = useDraggable({ kind: 'stop', ids: () => [id], isEnabled: !isPinned })
  const { ref: target, over: side } = useDropTarget({
    kind: 'stop',
    canDrop: ([other]) => !isPinned && other !== id,
    where: ({ clientY }, row): Side => {
      const { top, height } = row.getBoundingClientRect()
      return clientY < top + height / 2 ? 'before' : 'after'
    },
    onDrop: ([other], side) => other && onPlace(other, id, side),
  })
  const ref = useCallback(
    (row: HTMLLIElement | null) => {
      const [stopDragging, stopTaking] = [dragged(row), target(row)]
      return () => {
        stopDragging?.()
        stopTaking?.()
      }
    },
    [dragged, target],
  )
  return { ref, side }
}
