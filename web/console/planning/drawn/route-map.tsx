import type { Feature } from 'geojson'
import type { GeoJSONSource } from 'maplibre-gl'
import { useEffect, useMemo, useRef } from 'react'
import type { Point as Place } from '../../../../core/geo.ts'
import { useHubs, useSetting } from '../../../api/data.ts'
import { readColours } from '../../../map/colours.ts'
import { useGround } from '../../../map/ground/ground.ts'
import { MapMarker } from '../../../map/marker.tsx'
import { boundsOf } from '../../../map/point.ts'
import { type Overlay, type Stage, unitOf, useStage } from '../../../map/stage.ts'
import { pointOfPlace, wayFeatures, wayLayers, waySource } from '../../../map/way.ts'
import { join } from '../../../ui/class-names.ts'
import { useTheme } from '../../../ui/theme.tsx'
import { useSay } from '../../../words/console.ts'
import { type DrawnRoute, type Shown, wayOf } from './drawn-route.ts'

const overlay: Overlay = {
  sources: { before: waySource, after: waySource, stops: waySource },
  layersOf: (colours) => [
    ...wayLayers({ source: 'before', colour: colours['ink-faint'], edge: colours.surface, width: 4 }),
    ...wayLayers({ source: 'after', colour: colours.given, edge: colours.surface, width: 3 }),
    {
      id: 'stops',
      type: 'circle',
      source: 'stops',
      paint: {
        'circle-radius': 4,
        'circle-color': ['case', ['get', 'isBefore'], colours['ink-faint'], colours.given],
        'circle-stroke-color': colours.surface,
        'circle-stroke-width': 1.5,
      },
    },
  ],
  drawImage: () => undefined,
  imageRatio: 1,
}

/** More numbers than this hide the way between them. */
const mostNumbers = 80

/** The routes of a preview along the streets, as they are and as they would be. */
export default function RouteMap({ routes, shown }: { routes: DrawnRoute[]; shown: Shown }) {
  const say = useSay()
  const { shown: theme } = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  const colours = useMemo(readColours, [theme])
  const ground = useGround(theme)
  const container = useRef<HTMLDivElement>(null)
  const unit = unitOf(useSetting('preferredUnitType'))
  const stage = useStage(container, ground, colours, { overlay, unit, label: say('routesOnMap') })

  const drawn = useMemo(() => {
    const features = (which: 'before' | 'after') =>
      shown === 'both' || shown === which
        ? routes.flatMap(({ start, [which]: stops }) => wayFeatures(wayOf(start, stops)))
        : []
    return { before: features('before'), after: features('after') }
  }, [routes, shown])
  const stops = useMemo(
    () => routes.flatMap((route) => (shown === 'before' ? route.before : route.after)),
    [routes, shown],
  )
  const hasNumbers = routes.length === 1 && stops.length <= mostNumbers
  const dots = useMemo(
    () => (hasNumbers ? [] : stops.map((stop) => dotOf(stop, shown === 'before'))),
    [hasNumbers, stops, shown],
  )
  useData(stage, 'before', drawn.before)
  useData(stage, 'after', drawn.after)
  useData(stage, 'stops', dots)
  useFitting(stage, routes)
  const [route] = routes
  return (
    <div
      className="map-frame relative h-72 overflow-hidden rounded-md border border-line max-sm:h-56"
      data-ground={ground.kind}
    >
      <div ref={container} className="h-full w-full" />
      {stage &&
        hasNumbers &&
        stops.map((stop) => <Numbered key={stop.number} stage={stage} isBefore={shown === 'before'} {...stop} />)}
      {stage && hasNumbers && route?.start && <Start stage={stage} place={route.start} />}
    </div>
  )
}

const dotOf = (place: Place, isBefore: boolean): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: pointOfPlace(place) },
  properties: { isBefore },
})

function useData(stage: Stage | undefined, source: 'before' | 'after' | 'stops', features: Feature[]) {
  useEffect(() => {
    void stage?.map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features })
  }, [stage, source, features])
}

/** The number is in the list beside the map, too: here it is only to be seen. */
function Numbered({ stage, number, isBefore, ...place }: { stage: Stage; number: number; isBefore: boolean } & Place) {
  return (
    <MapMarker map={stage.map} point={pointOfPlace(place)}>
      <span
        aria-hidden
        className={join(
          'numbers pointer-events-none grid size-5 place-items-center rounded-full border border-surface font-bold text-[11px] text-surface',
          isBefore ? 'bg-ink-faint' : 'bg-given',
        )}
      >
        {number}
      </span>
    </MapMarker>
  )
}

function Start({ stage, place }: { stage: Stage; place: Place }) {
  return (
    <MapMarker map={stage.map} point={pointOfPlace(place)} level={0}>
      <span aria-hidden className="block size-4 rounded-full border-4 border-ink bg-surface" />
    </MapMarker>
  )
}

/** Shows all that is drawn, of both orders, so that going from one to the other moves nothing. */
function useFitting(stage: Stage | undefined, routes: readonly DrawnRoute[]) {
  const map = stage?.map
  const { data: hubs } = useHubs()
  useEffect(() => {
    const ways = routes.flatMap(({ start, before, after }) => [...wayOf(start, before), ...wayOf(start, after)])
    const ends = routes.flatMap(({ start, before, after }) => [...(start ? [start] : []), ...before, ...after])
    const places = [...ways.flatMap(({ points }) => points), ...ends]
    const bounds = boundsOf((places.length > 0 ? places : (hubs ?? [])).map(pointOfPlace))
    if (map && bounds) map.fitBounds(bounds, { padding: 32, maxZoom: 15, duration: 0 })
  }, [map, routes, hubs])
}
