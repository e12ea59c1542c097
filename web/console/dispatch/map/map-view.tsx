import type { Feature } from 'geojson'
import type { GeoJSONSource } from 'maplibre-gl'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Task, useCompany, useHubs } from '../../../api/data.ts'
import { readColours } from '../../../map/colours.ts'
import { useGround } from '../../../map/ground/ground.ts'
import { boundsOf, type Point } from '../../../map/point.ts'
import { type Overlay, type Stage, unitOf, useStage } from '../../../map/stage.ts'
import { placeOf, wayFeatures } from '../../../map/way.ts'
import { useTheme } from '../../../ui/theme.tsx'
import { useSay } from '../../../words/console.ts'
import { endArrival, useArrived } from '../../day/arrived.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { routeOf } from '../../day/route.ts'
import { placesOnWay, useWay } from '../../day/way.ts'
import { DriverMarkers } from './driver-markers.tsx'
import { HubMarkers } from './hub-markers.tsx'
import { chosenFilter, layersOf, sources } from './layers.ts'
import { MapControls } from './map-controls.tsx'
import { MapFoot } from './map-foot.tsx'
import { PileList } from './pile-list.tsx'
import { drawImage, imageRatio } from './pin-images.ts'
import { pilesOf, pinsOf, pointOf, pointsOf } from './pins.ts'
import { lastTasksOf, placesOf } from './places.ts'
import { usePointing } from './pointing.ts'
import { stopFeatures } from './route.ts'
import { RouteCard } from './route-card.tsx'
import { Tooltip } from './tooltip.tsx'
import { trackFeatures, useTrack } from './track.ts'
import { TrackLine } from './track-line.tsx'

const overlay: Overlay = { sources, layersOf, drawImage, imageRatio }

/** The day on a map. */
export default function MapView() {
  const { shown } = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  const colours = useMemo(readColours, [shown])
  const ground = useGround(shown)
  const container = useRef<HTMLDivElement>(null)
  const { data: company } = useCompany()
  const unit = unitOf(company?.settings.preferredUnitType)
  const say = useSay()
  const stage = useStage(container, ground, colours, { overlay, unit, label: say('map') })

  const { tasks, all, now, day, planDay, drivers, driverById, filters, isToday, isPast, selection } = useDispatch()
  const shownTasks = useSame(tasks)
  const others = useMemo(
    () => (filters.driver ? all.filter(({ userId }) => userId !== filters.driver) : []),
    [all, filters.driver],
  )
  const piles = useMemo(() => pilesOf(shownTasks), [shownTasks])
  const pins = useMemo(() => pinsOf(shownTasks, others, piles, now), [shownTasks, others, piles, now])
  const lastTasks = useMemo(() => lastTasksOf(all), [all])
  const places = useMemo(() => placesOf(drivers, lastTasks), [drivers, lastTasks])

  const driver = filters.driver ? driverById.get(filters.driver) : undefined
  const stops = useMemo(() => (driver ? routeOf(all, driver.id) : []), [all, driver])
  const point = driver && isToday ? places.get(driver.id)?.point : undefined
  const position = useMemo(() => point && placeOf(point), [point])
  const through = useMemo(() => placesOnWay(stops), [stops])
  const way = useWay({ driver, planDay, isPast, position, stops: through })
  const line = useMemo(() => wayFeatures(way), [way])
  const numbers = useMemo(() => stopFeatures(stops, now), [stops, now])
  const tracked = filters.track ? driver : undefined
  const { query: trackQuery, points: trackPoints } = useTrack(tracked, day, isToday)
  const track = useMemo(() => trackFeatures(trackPoints), [trackPoints])

  const open = useMemo(() => pins.filter(({ properties }) => properties.kind === 'open'), [pins])
  useData(stage, 'tasks', pins)
  useData(stage, 'open', open)
  useData(stage, 'track', track)
  useData(stage, 'route', line)
  useData(stage, 'stops', numbers)
  useChosen(stage)
  const fit = useFitting(stage, driver && stops.map(({ task }) => task))
  // After the whole day, so that a link to a task leads to it.
  useCentre(stage?.map)
  useSeeTrack(stage, trackPoints, tracked && `${tracked.id} ${day}`)
  const { hovered, pile, closePile } = usePointing(stage, piles)
  const below = useRef<HTMLDivElement>(null)
  useTellHeight(below)

  return (
    <div className="flex h-full flex-col">
      <div className="map-frame relative min-h-0 grow overflow-hidden" data-ground={ground.kind}>
        <div ref={container} className="h-full w-full" />
        {stage && (
          <>
            <HubMarkers stage={stage} />
            <DriverMarkers stage={stage} places={places} />
            <MapControls stage={stage} onFit={fit} />
            {pile && <PileList stage={stage} pile={pile} onClose={closePile} />}
          </>
        )}
        {/* Screen readers cannot read the canvas. */}
        <p role="status" className="sr-only">
          {selection.ids.size > 0 && say('selected', { n: selection.ids.size })}
        </p>
        {hovered && <Tooltip hovered={hovered} width={container.current?.clientWidth ?? 0} />}
      </div>
      <div ref={below}>
        {driver && <RouteCard driver={driver} stops={stops} track={tracked && <TrackLine query={trackQuery} />} />}
        <MapFoot ground={ground} />
      </div>
    </div>
  )
}

/** Sets how high the selection bar floats, so that it does not cover the line below the map. */
function useTellHeight(below: RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    const element = below.current
    if (!element) return undefined
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--below-map', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--below-map')
    }
  }, [below])
}

/** The previous list as long as it has the same tasks: a moving driver makes a new list, but nothing new to draw. */
function useSame(tasks: Task[]): Task[] {
  const [known, setKnown] = useState(tasks)
  const isSame = known.length === tasks.length && known.every((task, at) => task === tasks[at])
  if (isSame) return known
  setKnown(tasks)
  return tasks
}

function useData(stage: Stage | undefined, source: keyof typeof sources, features: Feature[]) {
  useEffect(() => {
    void stage?.map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features })
  }, [stage, source, features])
}

/** Marks the selected tasks and the open one, and scrolls to one that was selected elsewhere. */
function useChosen(stage: Stage | undefined) {
  const { selection, byId, filters } = useDispatch()
  const { ids, cursor } = selection
  const opened = filters.task
  useEffect(() => {
    if (!stage) return
    for (const layer of ['tasks-chosen', 'tasks-chosen-ring'])
      if (stage.map.getLayer(layer))
        stage.map.setFilter(layer, chosenFilter(opened === undefined ? [...ids] : [...ids, opened]))
  }, [stage, ids, opened])

  const latest = useRef(byId)
  latest.current = byId
  useEffect(() => {
    const task = cursor === undefined ? undefined : latest.current.get(cursor)
    const point = task && pointOf(task)
    if (stage && point && !stage.map.getBounds().contains(point)) stage.map.easeTo({ center: point, duration: 400 })
  }, [stage, cursor])
}

/** Brings the open task to the middle. */
function useCentre(map: Stage['map'] | undefined) {
  const { byId, filters } = useDispatch()
  const opened = filters.task
  const latest = useRef(byId)
  latest.current = byId
  // It may be loaded only after it was opened, as by a link.
  const isLoaded = opened !== undefined && byId.has(opened)
  useEffect(() => {
    const task = isLoaded && opened !== undefined ? latest.current.get(opened) : undefined
    const point = task && pointOf(task)
    if (map && point) map.easeTo({ center: point, zoom: Math.max(map.getZoom(), nearZoom), duration: 400 })
  }, [map, opened, isLoaded])
}

/** The open task stands by itself, with the streets around it. */
const nearZoom = 13
/** A hub alone shows its city, a single task its street. */
const [cityZoom, streetZoom] = [11.5, 15]

/** Shows the whole day at first, later the selected route. */
function useFitting(stage: Stage | undefined, route: Task[] | undefined) {
  const { all, tasks } = useDispatch()
  const { data: hubs } = useHubs()
  const map = stage?.map
  const fitted = useRef<'hubs' | 'tasks'>(undefined)

  const show = useCallback(
    (points: Point[], duration: number, maxZoom = streetZoom) => {
      const bounds = boundsOf(points)
      if (bounds) map?.fitBounds(bounds, { padding: 40, maxZoom, duration })
    },
    [map],
  )
  const hubPoints = useMemo(() => (hubs ?? []).map(({ lng, lat }): Point => [lng, lat]), [hubs])

  useEffect(() => {
    const ofTasks = pointsOf(all)
    const points = [...ofTasks, ...hubPoints]
    const what = ofTasks.length > 0 ? 'tasks' : 'hubs'
    // Hubs may be known before the tasks are.
    if (!map || points.length === 0 || fitted.current === 'tasks' || fitted.current === what) return
    fitted.current = what
    show(points, 0, what === 'tasks' ? streetZoom : cityZoom)
  }, [map, all, hubPoints, show])

  const arrived = useArrived()
  const shownCount = useRef(0)
  useEffect(() => {
    if (arrived === undefined) return
    const came = pointsOf(all.filter(({ id }) => id > arrived.afterId))
    // Their addresses are found one after the other.
    if (came.length === 0 || came.length === shownCount.current) return
    shownCount.current = came.length
    show(came, 400)
  }, [arrived, all, show])
  useEffect(() => {
    // Whoever moves the map looks at something else.
    const stop = ({ originalEvent }: { originalEvent?: unknown }) => originalEvent && endArrival()
    map?.on('movestart', stop)
    return () => void map?.off('movestart', stop)
  }, [map])

  const latest = useRef(route)
  latest.current = route
  const routeKey = route?.[0]?.userId
  useEffect(() => {
    const points = pointsOf(latest.current ?? [])
    const isSeen = !map || points.every((point) => map.getBounds().contains(point))
    if (routeKey && !isSeen) show(points, 400)
  }, [map, routeKey, show])

  return () => {
    const points = pointsOf(tasks)
    if (points.length > 0) show(points, 400)
    else show(hubPoints, 400, cityZoom)
  }
}

/** Shows a whole track once, when it is opened; later it grows without moving the map. */
function useSeeTrack(stage: Stage | undefined, points: Point[], key: string | undefined) {
  const map = stage?.map
  const seen = useRef<string>(undefined)
  useEffect(() => {
    if (key === undefined) seen.current = undefined
    const bounds = boundsOf(points)
    if (!map || !bounds || key === undefined || seen.current === key) return
    seen.current = key
    // On a phone the map is a narrow strip.
    const padding = Math.min(40, map.getContainer().clientHeight / 5)
    map.fitBounds(bounds, { padding, maxZoom: 15, duration: 400 })
  }, [map, points, key])
}
