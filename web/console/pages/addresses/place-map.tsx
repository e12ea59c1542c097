import { MapPin } from 'lucide-react'
import type { MapLibreEvent } from 'maplibre-gl'
import { useEffect, useMemo, useRef } from 'react'
import type { Point } from '../../../../core/geo.ts'
import { useCompany } from '../../../api/data.ts'
import { readColours } from '../../../map/colours.ts'
import { useGround } from '../../../map/ground/ground.ts'
import { unitOf, useStage } from '../../../map/stage.ts'
import { useTheme } from '../../../ui/theme.tsx'

interface Props {
  label: string
  /** Where the pin is; without it the whole country is shown, as long as nobody has moved the map. */
  point: Point | undefined
  zoom: number
  /** Who may not correct the address can look around; the pin goes back. */
  isMovable: boolean
  /** Somebody has moved the map: the pin is there now. */
  onMove: (point: Point) => void
}

/**
 * A small map with a pin in its middle. The map is moved below the pin, which the mouse, a finger and the arrow keys all
 * can: a pin that is dragged has no keyboard.
 */
export default function PlaceMap({ label, point, zoom, isMovable, onMove }: Props) {
  const { shown } = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  const colours = useMemo(readColours, [shown])
  const ground = useGround(shown)
  const container = useRef<HTMLDivElement>(null)
  const { data: company } = useCompany()
  const unit = unitOf(company?.settings.preferredUnitType)
  const stage = useStage(container, ground, colours, { unit, label })
  const map = stage?.map
  const latest = useRef(onMove)
  latest.current = isMovable ? onMove : () => {}

  useEffect(() => {
    if (!map) return undefined
    // What the page itself moves has no event of a person behind it.
    const tell = ({ originalEvent }: MapLibreEvent<unknown>) => {
      if (!originalEvent) return
      const { lat, lng } = map.getCenter()
      latest.current({ lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) })
    }
    map.on('moveend', tell)
    return () => void map.off('moveend', tell)
  }, [map])

  const { lat, lng } = point ?? {}
  useEffect(() => {
    if (!map || lat === undefined || lng === undefined) return
    const centre = map.getCenter()
    const isThere = Math.abs(centre.lat - lat) < 1e-5 && Math.abs(centre.lng - lng) < 1e-5
    if (!isThere) map.jumpTo({ center: [lng, lat], zoom })
  }, [map, lat, lng, zoom])

  return (
    <div id="place-map" className="relative h-64 overflow-hidden rounded-lg border border-line sm:h-80">
      <div ref={container} className="size-full" />
      <MapPin
        aria-hidden
        className="-translate-x-1/2 -translate-y-full pointer-events-none absolute top-1/2 left-1/2 size-8 fill-surface text-accent"
      />
    </div>
  )
}
