import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { keysOf } from '../../api/data.ts'

/** Who is absent on a day. Read again whenever something about drivers changes. */
export function useAbsent(day: string): ReadonlySet<number> {
  const { data } = useQuery({
    queryKey: [...keysOf.drivers, 'absences', day],
    queryFn: async () => (await api.listAllAbsences({ query: { from: day, to: day } })).absences,
    staleTime: 60_000,
    enabled: day !== '',
  })
  return useMemo(() => new Set(data?.map(({ driverId }) => driverId)), [data])
}
