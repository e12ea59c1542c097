import { House } from 'lucide-react'
import type { GeoJSONSource } from 'maplibre-gl'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { wayAlong } from '../../../core/way.ts'
import { readColours } from '../../map/colours.ts'
import { useGround } from '../../map/ground/ground.ts'
import { MapMarker } from '../../map/marker.tsx'
import { boundsOf, type Point } from '../../map/point.ts'
import { type Overlay, useStage } from '../../map/stage.ts'
import { placeOf, wayFeatures, wayLayers, waySource } from '../../map/way.ts'

const dark = window.matchMedia('(prefers-color-scheme: dark)')
function watchTheme(changed: () => void) {
  dark.addEventListener('change', changed)
  return () => dark.removeEventListener('change', changed)
}

const closest = 15

const overlay: Overlay = {
  sources: { way: waySource },
  layersOf: ({ surface, given }) => wayLayers({ source: 'way', colour: given, edge: surface, width: 4 }),
  drawImage: () => undefined,
  imageRatio: 1,
}

/** Where the driver is and where they are going: two markers, and the line between them if the server gives one. */
export function TrackingMap({ place }: { place: HTMLElement }) {
  const theme = useSyncExternalStore(watchTheme, () => (dark.matches ? 'dark' : 'light'))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what is read
  const colours = useMemo(readColours, [theme])
  const ground = useGround(theme, '/tracking.json')
  const frame = useRef<HTMLDivElement>(null)
  const { driver, home, line, name, here, map, unreachable } = useShown(place)
  const stage = useStage(frame, ground, colours, {
    overlay,
    unit: 'metric',
    label: map,
    scaleAt: 'top-left',
  })
  const isFitted = useRef(false)

  useEffect(() => {
    const features = line && home ? wayFeatures(wayAlong(placeOf(driver), line, placeOf(home))) : []
    void stage?.map.getSource<GeoJSONSource>('way')?.setData({ type: 'FeatureCollection', features })
  }, [stage, driver, home, line])

  useEffect(() => {
    const bounds = boundsOf(home ? [driver, home] : [driver])
    if (!stage || !bounds || isFitted.current) return
    isFitted.current = true
    stage.map.fitBounds(bounds, { padding: 64, maxZoom: closest, animate: false })
  }, [stage, driver, home])

  return (
    <div className="map-frame" data-ground={ground.kind}>
      <div ref={frame} className="map-ground" />
      {stage && home && (
        <MapMarker map={stage.map} point={home} level={0}>
          <span className="pin-home" role="img" aria-label={here}>
            <House aria-hidden />
          </span>
        </MapMarker>
      )}
      {stage && (
        <MapMarker map={stage.map} point={driver}>
          <span className="pin-driver" role="img" aria-label={name}>
            {name.charAt(0).toUpperCase()}
          </span>
        </MapMarker>
      )}
      {ground.reason === 'unreachable' && <p className="map-problem">{unreachable}</p>}
    </div>
  )
}

interface Shown {
  driver: Point
  home: Point | undefined
  /** The way there along the roads. */
  line: string | undefined
  name: string
  here: string
  /** What the map is called, and what is said if its server does not answer. */
  map: string
  unreachable: string
}

/** What the page says in the attributes of the map's place. */
function useShown(place: HTMLElement): Shown {
  const [shown, setShown] = useState(() => read(place))
  useEffect(() => {
    const watch = new MutationObserver(() => setShown(read(place)))
    watch.observe(place, { attributes: true })
    return () => watch.disconnect()
  }, [place])
  return shown
}

function read({ dataset }: HTMLElement): Shown {
  const { lng, lat, toLng, toLat, line, name = '', here = '', map = '', unreachable = '' } = dataset
  return {
    driver: [Number(lng), Number(lat)],
    home: toLng && toLat ? [Number(toLng), Number(toLat)] : undefined,
    line,
    name,
    here,
    map,
    unreachable,
  }
}
