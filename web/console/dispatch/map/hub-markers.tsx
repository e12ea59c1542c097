import { Warehouse } from 'lucide-react'
import { useHubs } from '../../../api/data.ts'
import { MapMarker } from '../../../map/marker.tsx'
import type { Stage } from '../../../map/stage.ts'

/** The hubs of the teams. Not clickable: hubs are changed on their own page. */
export function HubMarkers({ stage }: { stage: Stage }) {
  const { data: hubs = [] } = useHubs()
  return hubs.map(({ id, name, lat, lng }) => (
    <MapMarker key={id} map={stage.map} point={[lng, lat]} level={0}>
      <div className="pointer-events-none flex items-center gap-1 rounded-md border border-line-strong bg-surface px-1 py-0.5 font-medium text-[11px] text-ink shadow-raised">
        <Warehouse aria-hidden className="size-3.5 text-accent" />
        <span className="max-w-28 truncate max-xl:sr-only">{name}</span>
      </div>
    </MapMarker>
  ))
}
