import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mostSuggestions } from '../../../../contract/place.ts'
import { readCoordinates } from '../../../../core/coordinates.ts'
import type { Point } from '../../../../core/geo.ts'
import { api } from '../../../api/client.ts'
import type { Place } from './place.ts'

const fewestCharacters = 3
/** A short pause between letters, and one that says somebody has stopped: only then anybody else is asked. */
const [pauseMs, restMs] = [180, 900]

/** A value as it was some time ago, unless it has changed since. */
function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

const none: Place[] = []

/**
 * Places for what is typed. Those for what was typed before stay until there are new ones, so that the list does not flicker;
 * an answer that comes late belongs to its own text and replaces none. Without a server there are none.
 */
export function useSuggestions(typed: string, isWanted: boolean, near: Point | undefined): readonly Place[] {
  const text = typed.trim()
  const paused = useSettled(text, pauseMs)
  const rested = useSettled(text, restMs)
  const isEnough = text.length >= fewestCharacters && readCoordinates(text) === undefined
  const beside = near && `${near.lat.toFixed(2)},${near.lng.toFixed(2)}`
  const ask = (q: string, thorough: boolean) => ({
    queryKey: ['places', q, beside, thorough],
    queryFn: async () =>
      (await api.suggestPlaces({ query: { q, ...(beside && { near: beside }), ...(thorough && { thorough }) } }))
        .places,
    enabled: isWanted && isEnough && q.length >= fewestCharacters,
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData<Place[]>,
  })
  const quick = useQuery(ask(paused, false))
  const hasHouse = quick.data?.some(({ precision }) => precision === 'exact') ?? false
  const isDone = quick.isSuccess && !quick.isPlaceholderData && rested === text && paused === text
  const late = ask(rested, true)
  const slow = useQuery({ ...late, enabled: late.enabled && isDone && !hasHouse })
  if (!isWanted || !isEnough) return none
  const isSlowKnown = slow.data !== undefined && !slow.isPlaceholderData && rested === text
  return ((isSlowKnown ? slow.data : quick.data) ?? none).slice(0, mostSuggestions)
}
