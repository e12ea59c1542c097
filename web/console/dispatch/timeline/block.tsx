import { GitCompareArrows, Hourglass } from 'lucide-react'
import { memo } from 'react'
import {
  Assigned,
  Failed,
  InTransit,
  isEnded,
  type StatusId,
  Succeeded,
  Unassigned,
} from '../../../../core/task-status.ts'
import type { Formats } from '../../../api/time.ts'
import { statusLooks } from '../../../tasks/status.tsx'
import { join } from '../../../ui/class-names.ts'
import { useDraggable } from '../../../ui/drag.ts'
import { type Say, useSay } from '../../../words/console.ts'
import { addressText } from '../../day/erased.tsx'
import { nameAwbs } from '../../day/name-awbs.ts'
import { type Block, countStates, idsOf, openIdsOf, type Parcel, tasksOf, windowsOf } from './blocks.ts'
import type { Scale } from './scale.ts'

/** Each state has its own shape, recognisable even where no icon fits. */
const shapes: Record<StatusId, string> = {
  [Unassigned]: 'rounded-md border-dashed border-waiting bg-waiting-soft text-waiting',
  [Assigned]: 'rounded-md border-given bg-given-soft text-given',
  [InTransit]: 'rounded-md border-moving bg-moving text-surface',
  [Succeeded]: 'rounded-full border-good bg-good-soft text-good',
  [Failed]: 'rounded-none border-bad border-double border-[3px] bg-bad-soft text-bad',
}

export type Hover = (block: Block | undefined, element?: HTMLElement) => void

interface Props {
  block: Block
  scale: Scale
  /** Where the next stop begins, which this one must not cover. */
  next: number
  /** In which of three rows the window of a task is drawn. */
  rows: ReadonlyMap<number, number>
  isChosen: boolean
  isDim: boolean
  /** The ids of its tasks of which something waits for a decision, with spaces. */
  conflicting: string
  isTabStop: boolean
  canDrag: boolean
  /** Given: of a thousand stops each would ask the cache for it. */
  formats: Formats
  idsWith: (ids: readonly number[]) => number[]
  onHover: Hover
}

export const BlockOfLane = memo(function BlockOfLane(props: Props) {
  const { block, scale, next, rows, isChosen, isDim, conflicting, isTabStop, canDrag, formats, idsWith, onHover } =
    props
  const { parcels, statusId, number, lateSeconds } = block
  const say = useSay()
  const { ref, isDragged } = useDraggable({ kind: 'tasks', ids: () => idsWith(openIdsOf(block)), isEnabled: canDrag })
  const left = scale.x(block.start)
  const room = scale.x(next) - left - 1
  const width = Math.max(scale.x(block.end) - left, Math.max(6, Math.min(18, room)))
  const { Icon } = statusLooks[statusId]
  const hasEnded = isEnded(block)
  const isLate = lateSeconds > 0
  const isShared = parcels.length > 1
  const hasName = width >= 84
  return (
    <div role="none" className="group">
      {windowsOf(block).map((parcel) => (
        <WindowBracket
          key={parcel.task.id}
          parcel={parcel}
          block={block}
          scale={scale}
          row={rows.get(parcel.task.id) ?? 0}
          isChosen={isChosen}
        />
      ))}
      {block.start > block.arrival && <Waiting from={scale.x(block.arrival)} to={left} />}
      <div
        ref={ref}
        role="option"
        aria-selected={isChosen}
        aria-label={blockName(block, conflicting !== '', say, formats)}
        tabIndex={isTabStop ? 0 : -1}
        data-task={block.id}
        data-tasks={idsOf(block).join(' ')}
        {...(isShared && { 'aria-haspopup': 'dialog' })}
        onPointerEnter={(event) => onHover(block, event.currentTarget)}
        onPointerLeave={() => onHover(undefined)}
        onFocus={(event) => onHover(block, event.currentTarget)}
        onBlur={() => onHover(undefined)}
        style={{ left, width }}
        className={join(
          'numbers pointer-events-auto absolute flex cursor-pointer select-none items-center justify-center overflow-hidden border font-semibold text-[11px] leading-none hover:z-5 focus-visible:z-5',
          hasEnded ? 'top-[21px] h-[18px]' : 'top-[17px] h-[26px]',
          isDim ? 'rounded-md border-line bg-page text-ink-faint' : shapes[statusId],
          isLate && 'border-b-4 !border-b-bad',
          block.isBehind && 'border-dashed',
          isChosen && 'z-4 ring-2 ring-accent ring-offset-1 ring-offset-surface',
          isDragged && 'opacity-40',
        )}
      >
        {width >= (String(number ?? '').length > 1 && !hasEnded ? 20 : 13) &&
          (hasEnded || statusId === InTransit || !number ? (
            <Icon aria-hidden className="size-3 shrink-0" />
          ) : (
            `${number}${hasName ? '. ' : ''}`
          ))}
        {width >= 84 && (
          <span aria-hidden className="ml-1 truncate font-medium">
            {nameAwbs(tasksOf(block))}
          </span>
        )}
        {!isDim && <States block={block} />}
      </div>
      {isShared && (
        <span
          aria-hidden
          data-parcels={parcels.length}
          style={{ left: left + width - 7 }}
          className="numbers absolute top-[10px] z-6 min-w-3.5 rounded-full bg-ink px-1 text-center font-semibold text-[10px] text-surface leading-[14px]"
        >
          {parcels.length}
        </span>
      )}
      {conflicting !== '' && (
        <GitCompareArrows
          aria-hidden
          data-conflict={conflicting}
          style={{ left: isShared ? left - 6 : left + width - 8 }}
          className="absolute top-[9px] z-6 size-3.5 rounded-full bg-surface p-px text-waiting ring-1 ring-waiting"
        />
      )}
    </div>
  )
})

const fills: Record<StatusId, string> = {
  [Unassigned]: 'bg-waiting',
  [Assigned]: 'bg-given',
  [InTransit]: 'bg-moving',
  [Succeeded]: 'bg-good',
  [Failed]: 'bg-bad',
}

/** A strip of what each task of a stop is, if they are not all the same. */
function States({ block }: { block: Block }) {
  const counts = countStates(block)
  if (counts.length < 2) return null
  return (
    <span aria-hidden className="absolute inset-x-0 top-0 flex h-1.5 gap-px border-surface border-b bg-surface">
      {counts.map(([statusId, n]) => (
        <span key={statusId} data-state={statusId} style={{ flexGrow: n }} className={fills[statusId]} />
      ))}
    </span>
  )
}

/** The state, or of several how many have which. */
const statesOf = (block: Block, say: Say): string => {
  const counts = countStates(block)
  return counts.map(([statusId, n]) => (counts.length > 1 ? `${n} × ` : '') + say(statusLooks[statusId].one)).join(', ')
}

/** Everything about a stop in one sentence, for screen readers. */
function blockName(block: Block, hasConflict: boolean, say: Say, formats: Formats): string {
  const { parcels, arrival, end, isPlanned, lateSeconds, number } = block
  const tasks = tasksOf(block)
  const windows = windowsOf(block).map(({ task }) => formats.window(task.completeAfter, task.completeBefore))
  const name = nameAwbs(tasks)
  return [
    number && isPlanned ? `${number}. ${name}` : name,
    parcels.length > 1 && say('parcelsOfStop', { n: parcels.length }),
    addressText(parcels[0].task, say),
    statesOf(block, say),
    hasConflict && say('taskHasConflict'),
    `${say(isPlanned ? 'planned' : 'timelineArrived')} ${formats.time(arrival)}–${formats.time(end)}`,
    ...windows.map((window) => window && `${say('windowOf')} ${window}`),
    lateSeconds > 0 && say('lateBy', { time: formats.duration(lateSeconds) }),
  ]
    .filter(Boolean)
    .join(', ')
}

interface Bracket extends Pick<Props, 'block' | 'scale' | 'isChosen'> {
  parcel: Parcel
  row: number
}

/** A time window, faint above the block until it is hovered or focused. */
function WindowBracket({ parcel, block, scale, row, isChosen }: Bracket) {
  const { completeAfter, completeBefore } = parcel.task
  if (!completeAfter && !completeBefore) return null
  const from = completeAfter
    ? Date.parse(completeAfter)
    : Math.min(block.start, Date.parse(completeBefore as string)) - 900_000
  const to = completeBefore
    ? Date.parse(completeBefore)
    : Math.max(block.end, Date.parse(completeAfter as string)) + 900_000
  const left = Math.max(0, scale.x(from))
  const width = Math.min(scale.width, scale.x(to)) - left
  if (width <= 0) return null
  return (
    <span
      aria-hidden
      style={{ left, width, top: 3 + row * 4 }}
      className={join(
        'pointer-events-none absolute h-1.5 border-line-strong border-t-2 group-hover:border-accent group-hover:opacity-100 group-focus-within:border-accent group-focus-within:opacity-100',
        completeAfter && from >= scale.start && 'border-l-2',
        completeBefore && 'border-r-2',
        parcel.lateSeconds > 0 && '!border-bad',
        isChosen ? 'border-accent opacity-100' : 'opacity-40',
      )}
    />
  )
}

const hatch = 'repeating-linear-gradient(135deg, var(--line-strong) 0 1px, transparent 1px 5px)'
function Waiting({ from, to }: { from: number; to: number }) {
  return (
    <span
      aria-hidden
      style={{ left: from, width: to - from, backgroundImage: hatch }}
      className="absolute top-[21px] flex h-[18px] items-center justify-center border-line-strong border-y"
    >
      {to - from > 26 && <Hourglass className="size-3 rounded bg-surface text-ink-faint" />}
    </span>
  )
}
