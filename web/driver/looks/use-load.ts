import { useMemo } from 'react'
import { type SeenLoad, seeLoad } from '../../../phone/load.ts'
import { useDay, useNow } from './day.ts'

/** The load of the day. */
export function useLoad(): SeenLoad {
  const state = useDay()
  const now = useNow()
  return useMemo(() => seeLoad(state, now), [state, now])
}
