import { Utensils } from 'lucide-react'
import { memo } from 'react'
import { useFormats } from '../../../api/time.ts'
import { join } from '../../../ui/class-names.ts'
import { useDropTarget } from '../../../ui/drag.ts'
import { useSay } from '../../../words/console.ts'
import { BlockOfLane, type Hover } from './block.tsx'
import { idsOf, openIdsOf, windowsOf } from './blocks.ts'
import { placeAt } from './drop.ts'
import { labelsOf } from './labels.ts'
import { LaneHead } from './lane-head.tsx'
import { LaneTail } from './lane-tail.tsx'
import type { Lane, Span } from './lanes.ts'
import type { Scale } from './scale.ts'
import type { Moves } from './use-moves.ts'

interface Props {
  lane: Lane
  scale: Scale
  chosen: ReadonlySet<number>
  cursor: number | undefined
  /** The tasks found by the filters; undefined without filters. */
  found: ReadonlySet<number> | undefined
  /** Those of which something waits for a decision. */
  conflicts: Pick<ReadonlySet<number>, 'has'>
  tail: number
  moves: Moves
  onHover: Hover
}

export const LaneRow = memo(function LaneRow(props: Props) {
  const { lane, scale, chosen, cursor, found, conflicts, tail, moves, onHover } = props
  const say = useSay()
  const formats = useFormats()
  const { driver, blocks } = lane
  const { ref, over } = useDropTarget({
    kind: 'tasks',
    canDrop: (ids) => moves.mayGive(ids, driver),
    where: ({ clientX }, track) => clientX - track.getBoundingClientRect().left,
    onDrop: (ids, x) => void moves.place(lane, ids, placeAt(lane, scale.moment(x), ids)),
  })
  const rows = rowsOfWindows(lane)
  const tabStop = tabStopOf(lane, cursor)
  return (
    <div className="flex h-full border-line border-b">
      <LaneHead lane={lane} moves={moves} />
      <div
        ref={ref}
        style={{ width: scale.width, backgroundImage: hourLines, backgroundSize: `${scale.hourPx}px 100%` }}
        className={join('relative shrink-0 overflow-hidden', over === undefined ? 'bg-surface' : 'bg-chosen')}
      >
        <OutsideShift lane={lane} scale={scale} />
        {lane.ways.map((way) => (
          <WayLine key={way.to} scale={scale} way={way} />
        ))}
        {lane.lunch && <Lunch lunch={lane.lunch} scale={scale} />}
        {blocks.length > 0 && (
          <div
            role="listbox"
            aria-multiselectable
            aria-label={say('laneOf', { driver: driver.name })}
            tabIndex={-1}
            className="pointer-events-none absolute inset-0"
          >
            {blocks.map((block, index) => (
              <BlockOfLane
                key={block.id}
                block={block}
                scale={scale}
                next={blocks[index + 1]?.arrival ?? Number.POSITIVE_INFINITY}
                rows={rows}
                isChosen={idsOf(block).some((id) => chosen.has(id))}
                isDim={found !== undefined && !idsOf(block).some((id) => found.has(id))}
                conflicting={idsOf(block)
                  .filter((id) => conflicts.has(id))
                  .join(' ')}
                isTabStop={block.id === tabStop}
                canDrag={moves.canMove && openIdsOf(block).length > 0}
                formats={formats}
                idsWith={moves.idsWith}
                onHover={onHover}
              />
            ))}
          </div>
        )}
        {labelsOf(lane, scale).map(({ key, left, width, text, isLate }) => (
          <span
            key={key}
            aria-hidden
            data-label
            style={{ left, width }}
            className={join(
              'numbers pointer-events-none absolute top-[45px] whitespace-nowrap text-[10px] leading-none',
              isLate ? 'font-semibold text-bad' : 'text-center text-ink-faint',
            )}
          >
            {text}
          </span>
        ))}
        {over !== undefined && (
          <span
            aria-hidden
            style={{ left: over }}
            className="pointer-events-none absolute inset-y-0 z-6 w-0.5 bg-accent"
          />
        )}
      </div>
      {tail > 0 && <LaneTail width={tail} lane={lane} moves={moves} chosen={chosen} />}
    </div>
  )
})

const hourLines = 'linear-gradient(to right, var(--line) 1px, transparent 1px)'

/** One stop of a lane is in the tab order: the one at the cursor, or the next. */
function tabStopOf({ blocks }: Lane, cursor: number | undefined) {
  const atCursor = cursor !== undefined && blocks.find((block) => idsOf(block).includes(cursor))
  return (atCursor || (blocks.find(({ isPlanned }) => isPlanned) ?? blocks[0]))?.id
}

/** Overlapping windows are drawn in up to three rows; further ones share the last. */
function rowsOfWindows({ blocks }: Lane): Map<number, number> {
  const ends = [0, 0, 0]
  const rows = new Map<number, number>()
  for (const { task, start } of blocks.flatMap(windowsOf)) {
    const from = task.completeAfter ? Date.parse(task.completeAfter) : start
    const to = task.completeBefore ? Date.parse(task.completeBefore) : start
    const free = ends.findIndex((end) => end <= from)
    const row = free < 0 ? 2 : free
    ends[row] = Math.max(ends[row] ?? 0, to)
    rows.set(task.id, row)
  }
  return rows
}

function OutsideShift({ lane: { shift, nightBefore }, scale }: { lane: Lane; scale: Scale }) {
  if (!shift) return null
  const within = (moment: number) => Math.min(scale.width, Math.max(0, scale.x(moment)))
  // Whoever works at night ends a shift in the morning and begins one in the evening.
  const firstFree = nightBefore ? within(nightBefore.end) : 0
  const gaps = [
    { from: firstFree, to: within(shift.start) },
    { from: within(shift.end), to: scale.width },
  ].filter(({ from, to }) => from < to)
  return gaps.map(({ from, to }) => (
    <span
      key={from}
      aria-hidden
      style={{ left: from, width: to - from }}
      className={join(
        'absolute inset-y-0 border-line-strong/50 bg-sunken/80',
        from > 0 && 'border-l',
        to < scale.width && 'border-r',
      )}
    />
  ))
}

function WayLine({ way, scale }: { way: Lane['ways'][number]; scale: Scale }) {
  const left = scale.x(way.start)
  const width = scale.x(way.end) - left
  if (width < 2) return null
  return (
    <span
      aria-hidden
      style={{ left, width }}
      className="absolute top-[29px] border-line-strong border-t-2 border-dotted"
    />
  )
}

function Lunch({ lunch, scale }: { lunch: Span; scale: Scale }) {
  const say = useSay()
  const { window } = useFormats()
  const left = scale.x(lunch.start)
  const width = scale.x(lunch.end) - left
  const times = window(new Date(lunch.start).toISOString(), new Date(lunch.end).toISOString())
  return (
    <span
      title={`${say('timelineLunch')} ${times}`}
      style={{ left, width }}
      className="absolute top-[17px] flex h-[26px] items-center justify-center gap-1 overflow-hidden rounded border border-line-strong border-dashed bg-page text-[11px] text-ink-soft"
    >
      <Utensils role="img" aria-label={`${say('timelineLunch')} ${times}`} className="size-3 shrink-0" />
      {width > 62 && <span aria-hidden>{say('timelineLunch')}</span>}
    </span>
  )
}
