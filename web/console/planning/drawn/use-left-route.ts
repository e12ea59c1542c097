import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Answer } from '../../../../contract/operations.ts'
import { api } from '../../../api/client.ts'
import type { RouteOwner } from '../route.ts'
import type { DrawnRoute } from './drawn-route.ts'

type DriverRoute = Answer<'getDriverRoute'>['route']

/** Today's route of a driver, and what is left of it if they only keep these tasks; undefined until it is known which. */
export function useLeftRoute({ id: driverId, name }: RouteOwner, kept: readonly number[] | undefined): DrawnRoute[] {
  const see = async (tasks?: string) => {
    const { route } = await api.getDriverRoute({ params: { driverId }, query: tasks === undefined ? {} : { tasks } })
    return route
  }
  const now = useQuery({ queryKey: ['route-now', driverId], queryFn: () => see(), gcTime: 0 })
  const tasks = kept?.join(',')
  const left = useQuery({
    queryKey: ['route-left', driverId, tasks],
    queryFn: () => (tasks ? see(tasks) : null),
    enabled: tasks !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return useMemo(() => {
    if (!now.data || left.data === undefined) return []
    const { start } = now.data
    return [
      { driverId, driverName: name, start, before: stopsOf(now.data), after: left.data ? stopsOf(left.data) : [] },
    ]
  }, [driverId, name, now.data, left.data])
}

const stopsOf = ({ stops }: DriverRoute) =>
  stops.flatMap(({ position: number, lat, lng, line }) =>
    lat === null || lng === null ? [] : [{ number, lat, lng, line }],
  )
