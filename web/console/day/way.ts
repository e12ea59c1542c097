import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Point as Place } from '../../../core/geo.ts'
import { isOffLines, type KnownLine, linesOf, wayThrough } from '../../../core/way.ts'
import { api } from '../../api/client.ts'
import type { Driver } from '../../api/data.ts'
import type { RouteStop } from './route.ts'

/** A driver who took another road than planned gets new lines this often, as long as somebody looks. */
const offRoadMs = 20_000
const staleMs = 5 * 60_000
const noLines: KnownLine[] = []

/** The places of a driver's numbered stops, in order: tasks at one door are one. */
export function placesOnWay(stops: readonly RouteStop[]): Place[] {
  const places = new Map<number, Place>()
  for (const { number, task } of stops) {
    const { lat, lng } = task.address
    if (number !== undefined && lat !== null && lng !== null && !places.has(number)) places.set(number, { lat, lng })
  }
  return [...places.values()]
}

interface Wanted {
  driver: Driver | undefined
  /** Nothing for today. */
  planDay: string | undefined
  /** What was left undone on an earlier day has no way any more. */
  isPast: boolean
  position: Place | undefined
  stops: readonly Place[]
}

/**
 * The way of one driver along the roads, asked for while somebody looks at it, and again when the route has changed. Until the answer is
 * here what is known is drawn, and the rest straight.
 */
export function useWay({ driver, planDay, isPast, position, stops }: Wanted) {
  const driverId = driver?.id ?? 0
  const through = stops.map(({ lat, lng }) => `${lat.toFixed(5)},${lng.toFixed(5)}`).join(' ')
  const { data } = useQuery({
    queryKey: ['way', driverId, planDay, driver?.driverTransportation?.id, through],
    async queryFn() {
      const query = planDay === undefined ? {} : { day: planDay }
      const { route } = await api.getDriverRoute({ params: { driverId }, query })
      return { start: route.start, lines: linesOf(route.start, route.stops) }
    },
    enabled: driver !== undefined && !isPast && stops.length > 0,
    staleTime: staleMs,
    // Lines know where they lead, so those of before, or of another driver, are drawn only where they are right.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      position && stops[0] && isOffLines(position, stops[0], state.data?.lines ?? noLines) ? offRoadMs : false,
  })
  const begin = position ?? (planDay === undefined ? undefined : (data?.start ?? undefined))
  return useMemo(() => wayThrough(begin, stops, data?.lines ?? noLines), [begin, stops, data])
}
