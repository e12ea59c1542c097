import { useSyncExternalStore } from 'react'

const low = window.matchMedia('(max-height: 700px)')

/** Whether the screen has little height, so that what matters must not be pushed off it. */
export const useIsLow = () =>
  useSyncExternalStore(
    (listener) => {
      low.addEventListener('change', listener)
      return () => low.removeEventListener('change', listener)
    },
    () => low.matches,
  )
