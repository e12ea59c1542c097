import { createRoot } from 'react-dom/client'
import { canDraw } from '../../map/can-draw.ts'
import { TrackingMap } from './tracking-map.tsx'

/** Draws the map in its place on the page. Throws if this browser cannot. */
export function openMap(place: HTMLElement) {
  if (!canDraw()) throw new Error('This browser draws no maps')
  const root = createRoot(place)
  root.render(<TrackingMap place={place} />)
  // The page takes it away when there is nothing to show any more.
  const watch = new MutationObserver(() => {
    if (place.isConnected) return
    watch.disconnect()
    root.unmount()
  })
  watch.observe(place.parentElement as Element, { childList: true })
}
