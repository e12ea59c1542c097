import { useSyncExternalStore } from 'react'

/** Below this width a screen shows one thing at a time. The same as `max-sm:` in class names. */
const phone = window.matchMedia('(width < 40rem)')

const follow = (listener: () => void) => {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone. For what must not be drawn at all there; other things are hidden by CSS. */
export const useIsPhone = () => useSyncExternalStore(follow, () => phone.matches)
