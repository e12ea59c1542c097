import { LocateFixed, MapPinOff, Minus, Plus, Scan } from 'lucide-react'
import type { GeoJSONSource } from 'maplibre-gl'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { lateSeconds } from '../../../core/arrival.ts'
import type { Point as Place } from '../../../core/geo.ts'
import { type StatusId, Succeeded } from '../../../core/task-status.ts'
import type { ShownTask } from '../../../phone/state.ts'
import { readColours } from '../../map/colours.ts'
import { useGround } from '../../map/ground/ground.ts'
import { MapMarker } from '../../map/marker.tsx'
import { boundsOf, type Point } from '../../map/point.ts'
import { type Overlay, type Stage, unitOf, useStage } from '../../map/stage.ts'
import { wayFeatures, wayLayers, waySource } from '../../map/way.ts'
import { shortAddress } from '../../tasks/address.ts'
import { join } from '../../ui/class-names.ts'
import { useTheme } from '../../ui/theme.tsx'
import { useSay } from '../../words/driver.ts'
import { useDay, useNow } from '../looks/day.ts'
import { useOwnPlace } from '../outbox/phone.ts'
import type { Spot } from './spots.ts'
import { useWay } from './way.ts'

export { adoptThread } from '../../map/stage.ts'

const overlay: Overlay = {
  sources: { way: waySource },
  layersOf: ({ surface, given }) => wayLayers({ source: 'way', colour: given, edge: surface, width: 4 }),
  drawImage: () => undefined,
  imageRatio: 1,
}

interface Props {
  spots: Spot<ShownTask>[]
  /** The stops in their order. */
  through: Place[]
  ended: { id: number; statusId: StatusId; point: Point }[]
  chosen: Spot<ShownTask> | undefined
  next: ShownTask | undefined
  onChoose: (spot: Spot<ShownTask>) => void
  /** Over the lower edge of the map. */
  children: ReactNode
}

/** The map itself, with the library that draws it. */
export function DrawnMap({ spots, through, ended, chosen, next, onChoose, children }: Props) {
  const say = useSay()
  const { settings } = useDay().day
  const { shown } = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  const colours = useMemo(readColours, [shown])
  const ground = useGround(shown)
  const container = useRef<HTMLDivElement>(null)
  const unit = unitOf(settings.preferredUnitType)
  const stage = useStage(container, ground, colours, { overlay, unit, label: say('map'), scaleAt: 'top-left' })
  const own = useOwnPlace()
  const ownPoint: Point | undefined = own && [own.lng, own.lat]
  const points = spots.map(({ point }) => point)
  useDrawnWay(stage, own, through)
  const fit = useFitting(stage, ownPoint ? [...points, ownPoint] : points, chosen)
  return (
    <>
      <div className="map-frame relative min-h-[70%] flex-1 overflow-hidden" data-ground={ground.kind}>
        <div ref={container} className="h-full w-full" />
        {stage && (
          <>
            {ended.map(({ id, statusId, point }) => (
              <MapMarker key={id} map={stage.map} point={point} level={0}>
                <span
                  className={join(
                    'pointer-events-none block size-4 rounded-full border-2 border-surface',
                    statusId === Succeeded ? 'bg-good' : 'bg-bad',
                  )}
                />
              </MapMarker>
            ))}
            {spots.map((spot) => (
              <SpotMarker
                key={spot.key}
                stage={stage}
                spot={spot}
                onChoose={onChoose}
                isChosen={spot.key === chosen?.key}
                isNext={spot.stops.some(({ task }) => task === next)}
              />
            ))}
            {ownPoint && (
              <MapMarker map={stage.map} point={ownPoint} level={2}>
                <span className="pointer-events-none block size-5.5 rounded-full border-4 border-surface bg-moving shadow-raised">
                  <span className="sr-only">{say('myPosition')}</span>
                </span>
              </MapMarker>
            )}
          </>
        )}
        {/* Above the attribution, which must stay visible. */}
        <div className="pointer-events-none absolute inset-x-2 top-2 bottom-7 flex flex-col justify-end gap-2">
          {stage && (
            <div
              className={join(
                'pointer-events-auto grid divide-y divide-line self-end overflow-hidden rounded-xl border border-line-strong bg-surface',
                // A low screen has room for one of the two.
                Boolean(children) && '[@media(max-height:700px)]:hidden',
              )}
            >
              {ownPoint && (
                <Square label={say('myPosition')} onClick={() => stage.map.easeTo({ center: ownPoint, zoom: 15 })}>
                  <LocateFixed aria-hidden />
                </Square>
              )}
              <Square label={say('fitAll')} onClick={fit}>
                <Scan aria-hidden />
              </Square>
              <Square label={say('zoomIn')} onClick={() => stage.map.zoomIn()}>
                <Plus aria-hidden />
              </Square>
              <Square label={say('zoomOut')} onClick={() => stage.map.zoomOut()}>
                <Minus aria-hidden />
              </Square>
            </div>
          )}
          {children}
        </div>
      </div>
      {ground.reason === 'unreachable' && (
        <p role="status" className="flex shrink-0 items-center gap-2 border-line border-t bg-surface px-4 py-2">
          <MapPinOff aria-hidden className="size-5 shrink-0 text-waiting" />
          {say('mapUnseen')}
        </p>
      )}
    </>
  )
}

const Square = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <button
    type="button"
    aria-label={label}
    onClick={onClick}
    className="grid size-12 place-items-center focus-visible:-outline-offset-3 [&_svg]:size-5.5"
  >
    {children}
  </button>
)

interface MarkerProps {
  stage: Stage
  spot: Spot<ShownTask>
  isChosen: boolean
  isNext: boolean
  onChoose: (spot: Spot<ShownTask>) => void
}

function SpotMarker({ stage, spot, isChosen, isNext, onChoose }: MarkerProps) {
  const say = useSay()
  const now = useNow()
  const { stops, point } = spot
  const [first] = stops
  if (!first) return null
  const isLate = stops.some(({ task }) => lateSeconds(task, now) > 0)
  const words = [
    shortAddress(first.task),
    ...(isNext ? [say('yourNextStop')] : []),
    ...(isLate ? [say('late')] : []),
    ...(stops.length > 1 ? [say('tasksHere', { n: stops.length })] : []),
  ]
  return (
    <MapMarker map={stage.map} point={point} level={isNext || isChosen ? 2 : 1}>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onChoose(spot)}
        className="grid min-h-12 min-w-12 place-items-center rounded-full"
      >
        <span
          className={join(
            'numbers grid h-[2.25em] min-w-[2.25em] place-items-center rounded-full border-2 px-[0.25em] border-surface font-bold shadow-raised',
            isNext ? 'bg-brand text-title text-on-brand' : 'bg-given text-[1rem] text-surface',
            isLate && 'ring-4 ring-bad',
            isChosen && 'ring-4 ring-ink',
          )}
        >
          {stops.length > 1 ? `${first.number}+` : first.number}
        </span>
        <span className="sr-only">{words.join(', ')}</span>
      </button>
    </MapMarker>
  )
}

function useDrawnWay(stage: Stage | undefined, own: Place | undefined, through: Place[]) {
  const way = useWay(own, through)
  useEffect(() => {
    void stage?.map.getSource<GeoJSONSource>('way')?.setData({
      type: 'FeatureCollection',
      features: wayFeatures(way),
    })
  }, [stage, way])
}

/** Shows the whole route at first, later the chosen stop, above what is said about it. */
function useFitting(stage: Stage | undefined, points: Point[], chosen: Spot<ShownTask> | undefined) {
  const map = stage?.map
  const isFitted = useRef(false)
  const latest = useRef(points)
  latest.current = points
  const show = (duration: number) => {
    const bounds = boundsOf(latest.current)
    const padding = { top: 50, bottom: 60, left: 50, right: 70 }
    if (bounds) map?.fitBounds(bounds, { padding, maxZoom: 15, duration })
  }
  useEffect(() => {
    // A tap beside a stop, twice, brings it nearer: there may be only one thumb.
    map?.doubleClickZoom.enable()
  }, [map])
  const [lng, lat] = chosen?.point ?? []
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there is a map, and when another stop is chosen
  useEffect(() => {
    if (!map) return
    const isFirst = !isFitted.current
    isFitted.current = true
    if (isFirst) show(0)
    if (lng === undefined || lat === undefined) return
    const zoom = isFirst ? 15 : map.getZoom()
    map.easeTo({
      center: [lng, lat],
      offset: [0, -map.getContainer().clientHeight / 5],
      zoom,
      duration: isFirst ? 0 : 300,
    })
  }, [map, lng, lat])
  return () => show(300)
}
