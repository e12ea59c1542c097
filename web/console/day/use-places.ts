import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mostItems } from '../../../contract/limits.ts'
import type { Answer } from '../../../contract/operations.ts'
import type { Placing } from '../../../contract/planning.ts'
import { api } from '../../api/client.ts'
import type { Task } from '../../api/data.ts'
import { useFormats } from '../../api/time.ts'
import { useLaterSay } from '../../words/later.ts'
import { onDay, useDispatch } from './dispatch.tsx'
import { nameAwbs } from './name-awbs.ts'

type Place = Answer<'estimatePlaces'>['places'][number]

/** Whoever passes over many drivers is asking about the one where they stop. */
const settleMs = 150

/** What each place in a driver's route would mean for these tasks. */
export function usePlaces(driverId: number | undefined, tasks: readonly Pick<Task, 'id'>[]) {
  const { planDay } = useDispatch()
  const settled = useSettled(driverId)
  const ids = tasks.slice(0, mostItems).map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ['places', settled, planDay, ids],
    queryFn: async () =>
      (await api.estimatePlaces({ params: { driverId: settled as number }, body: { tasks: ids, ...onDay(planDay) } }))
        .places,
    enabled: settled !== undefined && ids.length > 0,
    staleTime: 15_000,
    gcTime: 15_000,
    retry: false,
  })
  const byName = settled === driverId ? data : undefined
  return (placing: Placing) => byName?.find(({ position }) => position === placing)
}

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

export const placeWords = { best: 'placeBest', next: 'placeNext', last: 'placeLast' } as const

/** How a place reads: the minutes more, and who becomes late. */
export function usePlaceTexts() {
  const say = useLaterSay('days')
  const { duration, time } = useFormats()
  return {
    more: (place: Place | undefined) =>
      place ? `${place.addedSeconds < 0 ? '−' : '+'}${duration(Math.abs(place.addedSeconds))}` : '…',
    arrival: ({ arrivalTime }: Place) => say('placeArrival', { time: time(arrivalTime) }),
    late: ({ late }: Place) =>
      late.length > 0 ? say('lateTasks', { n: late.length, awbs: nameAwbs(late) }) : undefined,
  }
}
