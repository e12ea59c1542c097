import { useVirtualizer } from '@tanstack/react-virtual'
import { ChartGantt } from 'lucide-react'
import { type CSSProperties, useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { EmptyState } from '../../../ui/state.tsx'
import { useSay } from '../../../words/console.ts'
import { useTasksInConflict } from '../../conflicts/open-conflicts.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useLongTouch } from '../../day/long-touch.ts'
import { type Keys, usePress } from '../../day/press.ts'
import { Axis } from './axis.tsx'
import type { Hover } from './block.tsx'
import { idsOf } from './blocks.ts'
import { HoverCard, type Hovered } from './hover-card.tsx'
import { LaneRow } from './lane-row.tsx'
import { headWidthIn, isNarrow, laneHeight, tailWidthIn, useScale, useWidth, type Zoom } from './scale.ts'
import { StopList } from './stop-list.tsx'
import { Toolbar } from './toolbar.tsx'
import { UnassignedStrip } from './unassigned-strip.tsx'
import { useBlockKeys } from './use-block-keys.ts'
import { useLanes } from './use-lanes.ts'
import { useMoves } from './use-moves.ts'

const axisHeight = 28
const noKeys: Keys = { shiftKey: false, metaKey: false, ctrlKey: false }

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
  /** The stop of which all tasks are shown. */
  const [open, setOpen] = useState<{ id: number; element: HTMLElement }>()
  const leave = () => {
    setHovered(undefined)
    setOpen(undefined)
  }
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
  // A thousand stops are drawn once the room for them is known, in small parts: drawn before, they were drawn twice, each at once.
  const hasRoom = useDeferredValue(scroller !== null && width > 0, false)
  const goToNow = useCallback(() => {
    if (scroller) scroller.scrollLeft = scale.x(now) - viewport / 4
  }, [scroller, scale, now, viewport])
  useKeepNowInSight(zoom, goToNow)
  const onHover = useCallback<Hover>(
    (block, element) => setHovered(block && element && { block, rect: element.getBoundingClientRect() }),
    [],
  )
  const blocks = useMemo(() => lanes.flatMap((lane) => lane.blocks), [lanes])
  const opened = open && blocks.find((block) => block.id === open.id && block.parcels.length > 1)
  /** Opens the task, or shows all tasks of a stop. */
  const pressBlock = (element: HTMLElement, keys: Keys = noKeys) => {
    const block = blocks.find(({ id }) => id === Number(element.dataset['task']))
    if (!block) return
    if (block.parcels.length === 1) return press(block.id, keys)
    if (keys.shiftKey || keys.metaKey || keys.ctrlKey) return selection.toggle(idsOf(block), keys.shiftKey)
    selection.setCursor(block.id)
    setHovered(undefined)
    setOpen({ id: block.id, element })
  }
  const onKeyDown = useBlockKeys(scroller, lanes, moves, virtual.scrollToIndex, pressBlock)

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
          onScroll={leave}
          onDragStart={leave}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            const option = (event.target as HTMLElement).closest<HTMLElement>('[role=option]')
            if (option) pressBlock(option, event)
          }}
          {...longTouch}
        >
          <div style={{ width: head + scale.width + tail }} className="relative">
            <Axis scale={scale} now={isToday ? now : undefined} tail={tail} />
            <div style={{ height: virtual.getTotalSize() }} className="relative">
              {virtual.getVirtualItems().map(({ index, start }) => {
                const lane = lanes[index]
                if (!lane || !hasRoom) return null
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
      {hovered && !opened && (
        <HoverCard {...hovered} hasConflict={idsOf(hovered.block).some((id) => conflicts.has(id))} />
      )}
      {open && opened && <StopList block={opened} anchor={open.element} onClose={() => setOpen(undefined)} />}
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
