import { useQuery } from '@tanstack/react-query'
import type { Feature } from 'geojson'
import { useMemo } from 'react'
import { api } from '../../../api/client.ts'
import type { Driver } from '../../../api/data.ts'
import type { Point } from '../../../map/point.ts'
import { addDays } from '../../../tasks/day.ts'

const refreshMs = 30_000

/** Where a driver drove on a day. Today it is fetched again while it is shown; other days do not change. */
export function useTrack(driver: Driver | undefined, day: string, isToday: boolean) {
  const driverId = driver?.id ?? 0
  const query = useQuery({
    queryKey: ['track', driverId, day],
    queryFn: () =>
      api.getTrack({ params: { driverId }, query: { from: `${day} 00:00`, to: `${addDays(day, 1)} 00:00` } }),
    enabled: driver !== undefined,
    staleTime: refreshMs,
    refetchInterval: isToday ? refreshMs : false,
  })
  const position = isToday ? driver?.position : undefined
  const points = useMemo(() => pointsOfTrack(query.data?.locations ?? [], position), [query.data, position])
  return { query, points }
}

type Seen = { lat: number; lng: number; occurredAt: string }

/** The drawn line ends where the driver is now, although the track itself is some seconds old. */
export function pointsOfTrack(locations: readonly Seen[], position: Seen | null | undefined): Point[] {
  const last = locations.at(-1)
  const isNewer = last && position && position.occurredAt > last.occurredAt
  return [...locations, ...(isNewer ? [position] : [])].map(({ lat, lng }) => [lng, lat])
}

/** The way, and the point where it begins. */
export function trackFeatures(points: Point[]): Feature[] {
  const [first] = points
  if (!first) return []
  const start: Feature = { type: 'Feature', geometry: { type: 'Point', coordinates: first }, properties: {} }
  if (points.length < 2) return [start]
  return [{ type: 'Feature', geometry: { type: 'LineString', coordinates: points }, properties: {} }, start]
}
