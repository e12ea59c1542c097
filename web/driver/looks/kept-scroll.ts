import { useLayoutEffect, useRef } from 'react'

/** How far down each screen was left, by its name. A new start of the app begins at the top. */
const kept = new Map<string, number>()

/** For what scrolls in a screen: who comes back finds it as it was left. */
export function useKeptScroll(screen: string | undefined) {
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    if (!element || !screen) return
    element.scrollTop = kept.get(screen) ?? 0
    return () => void kept.set(screen, element.scrollTop)
  }, [screen])
  return place
}
