import { Crosshair, Minus, Plus } from 'lucide-react'
import { Marker } from 'maplibre-gl'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Point } from '../../../../core/geo.ts'
import { useHubs, useSetting } from '../../../api/data.ts'
import { readColours } from '../../../map/colours.ts'
import { useGround } from '../../../map/ground/ground.ts'
import { type Stage, unitOf, useStage } from '../../../map/stage.ts'
import { join } from '../../../ui/class-names.ts'
import { useTheme } from '../../../ui/theme.tsx'
import { useSay } from '../../../words/console.ts'
import { type Pin, rounded } from './place.ts'

/** How near the map is for a house, for what is only near it, and for no place at all. */
const [houseZoom, roughZoom, townZoom] = [16, 13, 11]

/** A small map with the pin of an address. It is dragged, or put where somebody clicks. */
export default function PinMap({ pin, onMove }: { pin: Pin | undefined; onMove: (point: Point) => void }) {
  const say = useSay()
  const { shown } = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  const colours = useMemo(readColours, [shown])
  const ground = useGround(shown)
  const container = useRef<HTMLDivElement>(null)
  const unit = unitOf(useSetting('preferredUnitType'))
  const stage = useStage(container, ground, colours, { unit, label: say('placeMap') })
  /** Where it was put here: the map need not follow. */
  const moved = useRef<Point>(undefined)
  const move = (point: Point) => {
    moved.current = rounded(point)
    onMove(moved.current)
  }
  useClicks(stage, move)
  useView(stage, pin, moved)
  return (
    <div>
      <div
        className="map-frame relative h-48 overflow-hidden rounded-md border border-line max-sm:h-40"
        data-ground={ground.kind}
      >
        <div ref={container} className="h-full w-full" />
        {stage && pin && <DraggedPin stage={stage} pin={pin} onMove={move} />}
        {stage && (
          <div className="absolute top-2 right-2 z-5 grid divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-raised">
            <Square label={say('zoomIn')} onClick={() => stage.map.zoomIn()}>
              <Plus aria-hidden />
            </Square>
            <Square label={say('zoomOut')} onClick={() => stage.map.zoomOut()}>
              <Minus aria-hidden />
            </Square>
            <Square label={say('pinHere')} onClick={() => move(stage.map.getCenter())}>
              <Crosshair aria-hidden />
            </Square>
          </div>
        )}
      </div>
      <p className={join('mt-1', pin?.isRough ? 'text-waiting' : 'text-ink-faint')}>
        {say(pin ? (pin.isRough ? 'pinRough' : 'pinDragged') : 'pinMissing')}
      </p>
    </div>
  )
}

const Square = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    onClick={onClick}
    className="grid size-8 place-items-center text-ink-soft hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 [&_svg]:size-4"
  >
    {children}
  </button>
)

/** The latest function, for listeners that are registered once. */
function useLatest<Value>(value: Value) {
  const latest = useRef(value)
  latest.current = value
  return latest
}

function useClicks(stage: Stage | undefined, move: (point: Point) => void) {
  const latest = useLatest(move)
  const map = stage?.map
  useEffect(() => {
    if (!map) return undefined
    const onClick = ({ lngLat }: { lngLat: Point }) => latest.current(lngLat)
    map.on('click', onClick)
    return () => void map.off('click', onClick)
  }, [map, latest])
}

/** Shows a pin that was not put here, or else the town the organisation works in. */
function useView(stage: Stage | undefined, pin: Pin | undefined, moved: { current: Point | undefined }) {
  const map = stage?.map
  const { data: hubs } = useHubs()
  const hub = hubs?.[0]
  const [lat, lng, isRough] = [pin?.lat, pin?.lng, pin?.isRough]
  useEffect(() => {
    if (!map) return
    if (lat === undefined || lng === undefined) {
      if (hub) map.jumpTo({ center: [hub.lng, hub.lat], zoom: townZoom })
      return
    }
    if (moved.current?.lat === lat && moved.current.lng === lng) return
    map.jumpTo({ center: [lng, lat], zoom: isRough ? roughZoom : houseZoom })
  }, [map, lat, lng, isRough, hub, moved])
}

function DraggedPin({ stage: { map }, pin, onMove }: { stage: Stage; pin: Pin; onMove: (point: Point) => void }) {
  const say = useSay()
  const [element] = useState(() => document.createElement('div'))
  const marker = useRef<Marker>(undefined)
  const latest = useLatest(onMove)
  useEffect(() => {
    const made = new Marker({ element, draggable: true, anchor: 'bottom' }).setLngLat([0, 0]).addTo(map)
    made.on('dragend', () => latest.current(made.getLngLat()))
    marker.current = made
    return () => void made.remove()
  }, [map, element, latest])
  useEffect(() => {
    marker.current?.setLngLat([pin.lng, pin.lat])
  }, [pin.lat, pin.lng])
  useEffect(() => {
    // The library calls every marker "Map marker" and makes it a stop for the keyboard, where it does nothing.
    element.removeAttribute('tabindex')
    element.setAttribute('role', 'img')
    element.setAttribute('aria-label', say('addressPin'))
  })
  return createPortal(
    <svg viewBox="0 0 24 32" className="block h-9 w-7 cursor-grab active:cursor-grabbing" aria-hidden="true">
      <path
        d="M12 31C12 31 22.5 19.5 22.5 11.5A10.5 10.5 0 1 0 1.5 11.5C1.5 19.5 12 31 12 31Z"
        fill={pin.isRough ? 'var(--waiting)' : 'var(--accent)'}
        stroke="var(--surface)"
        strokeWidth="1.5"
        {...(pin.isRough && { strokeDasharray: '3 2' })}
      />
      <circle cx="12" cy="11.5" r="3.6" fill="var(--surface)" />
    </svg>,
    element,
  )
}
