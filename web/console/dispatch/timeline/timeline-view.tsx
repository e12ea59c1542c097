import { useVirtualizer } from '@tanstack/react-virtual'
import { ChartGantt } from 'lucide-react'
import { type CSSProperties, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { EmptyState } from '../../../ui/state.tsx'
import { useSay } from '../../../words/console.ts'
import { useTasksInConflict } from '../../conflicts/open-conflicts.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useLongTouch } from '../../day/long-touch.ts'
import { usePress } from '../../day/press.ts'
import { Axis } from './axis.tsx'
import type { Hover } from './block.tsx'
import { HoverCard, type Hovered } from './hover-card.tsx'
import { LaneRow } from './lane-row.tsx'
import { headWidthIn, isNarrow, laneHeight, tailWidthIn, useScale, useWidth, type Zoom } from './scale.ts'
import { Toolbar } from './toolbar.tsx'
import { UnassignedStrip } from './unassigned-strip.tsx'
import { useBlockKeys } from './use-block-keys.ts'
import { useLanes } from './use-lanes.ts'
import { useMoves } from './use-moves.ts'

const axisHeight = 28

/** The day as lanes, one for each driver, with what is done, what is planned, and what will be late. */
export default function TimelineView() {
  const say = useSay()
  const { selection, isToday, now } = useDispatch()
  const conflicts = useTasksInConflict()
  const press = usePress()
  const longTouch = useLongTouch()
  const { lanes, range, unassigned, isSearching, found } = useLanes()
  const moves = useMoves()
  const [zoom, setZoom] = useState<Zoom>('fit')
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [hovered, setHovered] = useState<Hovered>()
  const hasTail = lanes.some(({ unplanned }) => unplanned.length > 0)
  // Without lanes nothing scrolls, and the strip above them has to know its room all the same.
  const width = useWidth(scroller ?? frame)
  const tail = hasTail ? tailWidthIn(width) : 0
  const head = headWidthIn(width)
  const viewport = width - head - (isNarrow(width) ? 0 : tail)
  const scale = useScale(range, zoom, viewport)
  const virtual = useVirtualizer({
    count: lanes.length,
    getScrollElement: () => scroller,
    estimateSize: () => laneHeight,
    overscan: 3,
    scrollMargin: axisHeight,
  })
  const goToNow = useCallback(() => {
    if (scroller) scroller.scrollLeft = scale.x(now) - viewport / 4
  }, [scroller, scale, now, viewport])
  useKeepNowInSight(zoom, goToNow)
  const onHover = useCallback<Hover>(
    (block, element) => setHovered(block && element && { block, rect: element.getBoundingClientRect() }),
    [],
  )
  const onKeyDown = useBlockKeys(scroller, lanes, moves, virtual.scrollToIndex)
  const taskAt = (target: EventTarget) =>
    Number((target as HTMLElement).closest<HTMLElement>('[role=option]')?.dataset['task'])

  return (
    <div ref={setFrame} className="flex h-full flex-col" style={{ '--lane-head': `${head}px` } as CSSProperties}>
      <Toolbar zoom={zoom} onZoom={setZoom} onNow={isToday ? goToNow : undefined} />
      <UnassignedStrip tasks={unassigned} moves={moves} chosen={selection.ids} />
      {lanes.length === 0 ? (
        <EmptyState picture={<ChartGantt />} title={say(isSearching ? 'noMatch' : 'noLanes')}>
          {say(isSearching ? 'noMatchLead' : 'noLanesLead')}
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: handles events of the focusable options in it
        <div
          ref={setScroller}
          className="relative min-h-0 grow overflow-auto"
          onScroll={() => setHovered(undefined)}
          onDragStart={() => setHovered(undefined)}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            const id = taskAt(event.target)
            if (id) press(id, event)
          }}
          {...longTouch}
        >
          <div style={{ width: head + scale.width + tail }} className="relative">
            <Axis scale={scale} now={isToday ? now : undefined} tail={tail} />
            <div style={{ height: virtual.getTotalSize() }} className="relative">
              {virtual.getVirtualItems().map(({ index, start }) => {
                const lane = lanes[index]
                if (!lane) return null
                return (
                  <div
                    key={lane.driver.id}
                    data-lane={lane.driver.id}
                    style={{ height: laneHeight, transform: `translateY(${start - axisHeight}px)` }}
                    className="absolute top-0 left-0 w-full"
                  >
                    <LaneRow
                      lane={lane}
                      scale={scale}
                      chosen={selection.ids}
                      cursor={selection.cursor}
                      found={isSearching ? found : undefined}
                      conflicts={conflicts}
                      tail={tail}
                      moves={moves}
                      onHover={onHover}
                    />
                  </div>
                )
              })}
              {isToday && (
                <span
                  aria-hidden
                  style={{ left: head + scale.x(now) }}
                  className="pointer-events-none absolute inset-y-0 z-8 w-px bg-accent"
                />
              )}
            </div>
          </div>
        </div>
      )}
      {hovered && <HoverCard {...hovered} hasConflict={conflicts.has(hovered.block.task.id)} />}
    </div>
  )
}

/** After zooming in, the current time should be visible. */
function useKeepNowInSight(zoom: Zoom, goToNow: () => void) {
  const shown = useRef<Zoom>('fit')
  useLayoutEffect(() => {
    if (shown.current === zoom) return
    shown.current = zoom
    goToNow()
  })
}
